// SPDX-License-Identifier: MIT OR Apache-2.0
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::summary::{Losses, SCHEMA_VERSION, Totals};
use crate::table_file::ROWS;
use crate::tables::{FlowRow, Tables};
use crate::{Batches, Provenance, schema_of};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::sync::Arc;
use units::Code;

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns an empty folder that only this test uses.
fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("bentpipe-record-{}-{name}", std::process::id()));
    remove(&path).unwrap();
    fs::create_dir_all(&path).unwrap();
    path
}

fn summary() -> Summary {
    Summary {
        provenance: Provenance {
            bentpipe_version: "0".into(),
            build: "0+abc".into(),
            platform: "packet simulator".into(),
            scenario_name: "test".into(),
            seed: 1,
            duration_s: 10.0,
            warm_up_s: 0.0,
            schema_version: SCHEMA_VERSION,
            ..Provenance::default()
        },
        findings: vec![],
        flows: vec![],
        parts: vec![],
        proxies: vec![],
        breaks: vec![],
        totals: Totals {
            delivered_mbit_s: Some(1.0),
            sent_mbit_s: Some(1.5),
            jain_index: Some(f64::NAN),
            ..Totals::default()
        },
        bottleneck: None,
        busiest_link: None,
        transmitters: Vec::new(),
        links: vec![],
    }
}

fn batches(rows: u32) -> Batches {
    fill(Tables::default(), rows).unwrap()
}

fn fill(mut tables: Tables, rows: u32) -> Result<Batches, RecordError> {
    fill_rows(&mut tables, rows);
    tables.finish(&summary().provenance)
}

fn fill_rows(tables: &mut Tables, rows: u32) {
    for n in 0..rows {
        tables.flows.push_row(&FlowRow {
            time_s: f64::from(n) * 0.1,
            flow: n % 3,
            name: "web",
            cwnd_segments: f64::from(n),
            ssthresh_segments: (n > 5).then_some(2.0),
            pacing_mbit_s: None,
            in_flight_segments: 1.0,
            srtt_ms: Some(600.0),
            rtt_ms: None,
            propagation_rtt_ms: None,
            queueing_delay_ms: None,
            goodput_mbit_s: 0.5,
            throughput_mbit_s: 0.6,
            sent_packets: u64::from(n),
            retransmitted_packets: 0,
            lost_queue: 0,
            lost_error: 0,
            lost_outage: 0,
            lost_policer: 0,
            lost_too_large: 0,
            phase: if n < 5 { "slow start" } else { "avoidance" },
        });
    }
}

const SCENARIO: &str = "# bentpipe 0, seed 1\nname = \"test\"\nseed = 1\n";

fn write(out: &Path) -> Result<PathBuf, RecordError> {
    write_as(out, SCENARIO, false)
}

fn content(scenario: &str, force: bool) -> Content {
    Content { scenario: scenario.to_owned(), force, ..Content::default() }
}

fn write_as(out: &Path, scenario: &str, force: bool) -> Result<PathBuf, RecordError> {
    let folder = RunFolder::create(out, content(scenario, force))?;
    fill(folder.tables(), 100)?;
    folder.finish(&summary())
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_whole_run_appears_at_once_and_can_be_read_back() {
    let at = scratch("whole");
    let out = at.join("deep/run");
    write(&out).unwrap();
    assert_eq!(
        names(&out),
        ["SHA256SUMS", "flows.parquet", "links.parquet", "paths.parquet", "scenario.toml", "summary.json"]
    );
    assert_eq!(names(&at.join("deep")), ["run"]);
    check(&out).unwrap();
    let file = File::open(out.join("flows.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    assert_eq!(reader.metadata().file_metadata().created_by(), Some("bentpipe 0.1.0"));
    assert_eq!(reader.schema().metadata(), batches(100).flows.unwrap().schema().metadata());
    let read: Vec<_> = reader.build().unwrap().map(Result::unwrap).collect();
    assert_eq!(read.len(), 1);
    let written = batches(100).flows.unwrap();
    for (field, kept) in read[0].schema().fields().iter().zip(written.schema().fields()) {
        assert_eq!(field.as_ref(), kept.as_ref());
        let name = field.name();
        assert_eq!(read[0].column_by_name(name).unwrap(), written.column_by_name(name).unwrap(), "{name}");
    }
    remove(&at).unwrap();
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let at = scratch("bytes");
    let (a, b) = (write(&at.join("a")).unwrap(), write(&at.join("b")).unwrap());
    for name in names(&a) {
        assert_eq!(fs::read(a.join(&name)).unwrap(), fs::read(b.join(&name)).unwrap(), "{name}");
    }
    remove(&at).unwrap();
}

/// Rows that are written to the file in several steps are the same as rows that are written in one step.
#[test]
fn long_tables_are_written_as_they_grow() {
    let at = scratch("long");
    let folder = RunFolder::create(&at.join("run"), content(SCENARIO, false)).unwrap();
    let rows = 3 * ROWS as u32 + 1234;
    let mut tables = folder.tables();
    let written =
        |folder: &RunFolder| fs::metadata(folder.partial.join("flows.parquet")).map(|file| file.len());
    assert!(written(&folder).is_err(), "nothing is there before the first rows");
    fill_rows(&mut tables, rows);
    assert_eq!(tables.flows.len(), rows as usize);
    tables.check().unwrap();
    assert!(written(&folder).is_ok());
    let finished = tables.finish(&summary().provenance).unwrap();
    // A long table that was written during the run is not in memory; a short table is.
    assert!(finished.flows.is_none());
    assert_eq!(finished.links.unwrap().num_rows(), 0);
    let out = folder.finish(&summary()).unwrap();

    let file = File::open(out.join("flows.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let whole = batches(rows).flows.unwrap();
    assert_eq!(reader.schema().metadata(), whole.schema().metadata());
    let mut read = 0;
    for batch in reader.with_batch_size(10_000).build().unwrap().map(Result::unwrap) {
        let expected = whole.slice(read, batch.num_rows());
        for (column, expected) in batch.columns().iter().zip(expected.columns()) {
            // The parts of a dictionary may have different words.
            assert_eq!(words(column).as_ref(), words(expected).as_ref());
        }
        read += batch.num_rows();
    }
    assert_eq!(read, rows as usize);
    remove(&at).unwrap();
}

/// Returns a column without its dictionary, if it has one.
fn words(column: &ArrayRef) -> ArrayRef {
    let Some(words) = column.as_dictionary_opt::<Int32Type>() else { return column.clone() };
    let words = words.downcast_dict::<StringArray>().unwrap();
    Arc::new(words.into_iter().collect::<StringArray>())
}

/// A short table has the same bytes as a file that the Parquet writer makes from all rows at once.
#[test]
fn short_tables_are_written_at_once() {
    let at = scratch("short");
    write(&at.join("run")).unwrap();
    let file = at.join("whole.parquet");
    write_at_once(&file, &batches(100).flows.unwrap());
    assert_eq!(fs::read(at.join("run/flows.parquet")).unwrap(), fs::read(&file).unwrap());
    remove(&at).unwrap();
}

/// Writes all rows at once with the Parquet writer.
fn write_at_once(file: &Path, batch: &RecordBatch) {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("bentpipe ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    let mut writer =
        ArrowWriter::try_new(File::create(file).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

/// A full disk is reported while rows are added, not only at the end.
#[test]
fn a_long_table_on_a_full_disk_fails_early() {
    let at = scratch("full-long");
    let folder = RunFolder::create(&at.join("run"), content(SCENARIO, false)).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.partial.join("flows.parquet")).unwrap();
    let mut tables = folder.tables();
    // A row group is kept in memory until it is complete: about a million rows.
    fill_rows(&mut tables, 1 << 20);
    let error = tables.check().unwrap_err();
    assert_eq!(error.code(), Code::DiskFull, "{error}");
    remove(&at).unwrap();
}

#[test]
fn the_same_run_is_replaced_with_what_was_drawn_of_it() {
    let at = scratch("replace");
    let out = at.join("run");
    fs::create_dir(&out).unwrap();
    write(&out).unwrap();
    for name in ["report.html", "plot.png", "links.svg", ".report.html.4711.partial"] {
        fs::write(out.join(name), "old").unwrap();
    }
    // Another version of Bentpipe writes its version in a comment.
    write_as(&out, &SCENARIO.replace("bentpipe 0", "bentpipe 1"), false).unwrap();
    assert_eq!(
        names(&out),
        ["SHA256SUMS", "flows.parquet", "links.parquet", "paths.parquet", "scenario.toml", "summary.json"]
    );
    remove(&at).unwrap();
}

#[test]
fn what_others_put_there_is_refused_and_left_in_peace() {
    let at = scratch("foreign");
    let out = at.join("run");
    write(&out).unwrap();
    fs::write(out.join("notes.txt"), "years").unwrap();
    fs::create_dir(out.join("plot.png")).unwrap(); // the name is one of ours, but we create no folders
    fs::write(out.join("plot.png/deep"), "more").unwrap();
    let before = fs::read(out.join("scenario.toml")).unwrap();
    let error = write(&out).unwrap_err();
    assert_eq!(error.code(), Code::FolderOccupied);
    assert!(error.to_string().contains("it holds notes.txt, plot.png, which no run wrote"), "{error}");
    assert_eq!(fs::read(out.join("scenario.toml")).unwrap(), before);

    write_as(&out, &SCENARIO.replace("seed = 1\n", "seed = 2\n"), true).unwrap();
    assert!(fs::read_to_string(out.join("scenario.toml")).unwrap().contains("seed = 2"));
    assert_eq!(fs::read_to_string(out.join("notes.txt")).unwrap(), "years");
    assert_eq!(fs::read_to_string(out.join("plot.png/deep")).unwrap(), "more");
    assert_eq!(names(&at), ["run"]);

    let thesis = at.join("thesis");
    fs::create_dir(&thesis).unwrap();
    for number in 0..7 {
        fs::write(thesis.join(format!("{number}.tex")), "precious").unwrap();
    }
    // Without a run, a table is also a file of the user.
    fs::write(thesis.join("flows.parquet"), "own").unwrap();
    let error = write(&thesis).unwrap_err();
    assert!(error.to_string().contains("0.tex, 1.tex, 2.tex, 3.tex, 4.tex and 3 more"), "{error}");
    assert_eq!(write(&thesis.join("0.tex")).unwrap_err().code(), Code::FolderOccupied);
    assert_eq!(write_as(&thesis.join("0.tex"), SCENARIO, true).unwrap_err().code(), Code::FolderOccupied);
    assert_eq!(names(&at), ["run", "thesis"]);
    remove(&at).unwrap();
}

#[test]
fn another_run_is_refused_and_told_apart() {
    let at = scratch("another");
    let out = at.join("run");
    write(&out).unwrap();
    let error = write_as(&out, &SCENARIO.replace("seed = 1\n", "seed = 2\n"), false).unwrap_err();
    assert_eq!(error.code(), Code::FolderOccupied);
    assert!(
        error.to_string().contains("another run, of \"test\" (in the folder: seed = 1; now: seed = 2; "),
        "{error}"
    );
    remove(&at).unwrap();
}

#[test]
fn a_link_stays_a_link() {
    let at = scratch("link");
    fs::create_dir(at.join("disk")).unwrap();
    std::os::unix::fs::symlink(at.join("disk"), at.join("run")).unwrap();
    write(&at.join("run")).unwrap();
    assert!(fs::symlink_metadata(at.join("run")).unwrap().is_symlink());
    check(&at.join("disk")).unwrap();
    assert_eq!(names(&at), ["disk", "run"]);
    remove(&at).unwrap();
}

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let at = scratch("two");
    let first = RunFolder::create(&at.join("run"), content(SCENARIO, false)).unwrap();
    let error = RunFolder::create(&at.join("run"), content(SCENARIO, true)).unwrap_err();
    assert_eq!(error.code(), Code::FolderUnwritable);
    assert!(error.to_string().contains("another run is writing this folder"), "{error}");
    fill(first.tables(), 1).unwrap();
    first.finish(&summary()).unwrap();
    check(&at.join("run")).unwrap();
    remove(&at).unwrap();
}

/// If the file system cannot exchange folders, a process may be killed between the two renames.
#[test]
fn the_next_run_puts_back_what_a_kill_caught_between_two_names() {
    let at = scratch("between");
    let out = at.join("run");
    write(&out).unwrap();
    fs::rename(&out, at.join(".run.before")).unwrap();
    assert_eq!(check(&out).unwrap_err().code(), Code::FolderCutOff);
    let other = SCENARIO.replace("seed = 1\n", "seed = 2\n");
    assert_eq!(write_as(&out, &other, false).unwrap_err().code(), Code::FolderOccupied);
    check(&out).unwrap();
    assert_eq!(names(&at), ["run"]);
    remove(&at).unwrap();
}

#[test]
fn a_cut_off_run_is_recognised() {
    let at = scratch("cut");
    let out = at.join("run");
    let code = |path: &Path| check(path).map_err(|error| error.code());

    // The process was killed while it wrote: the temporary folder remains.
    let mut folder = RunFolder::create(&out, content(SCENARIO, false)).unwrap();
    folder.whole = true; // a killed process does not clean up
    drop(folder);
    assert_eq!(names(&at), [".run.partial"]);
    assert_eq!(code(&out), Err(Code::FolderCutOff));
    assert_eq!(code(&at.join(".run.partial")), Err(Code::FolderCutOff));

    // The next run removes the temporary folder. An incomplete copy is also recognised.
    write(&out).unwrap();
    assert_eq!((names(&at), code(&out)), (vec!["run".to_owned()], Ok(())));
    let flows = fs::read(out.join("flows.parquet")).unwrap();
    fs::write(out.join("flows.parquet"), &flows[..flows.len() / 2]).unwrap();
    assert_eq!(code(&out), Err(Code::FolderCutOff));
    fs::write(out.join("flows.parquet"), &flows).unwrap();
    fs::remove_file(out.join("links.parquet")).unwrap();
    assert_eq!(
        check(&out).unwrap_err().to_string(),
        format!(
            "the run folder {} is incomplete: its links.parquet is missing or ends too early \
             (run the scenario again)",
            out.display()
        )
    );

    assert_eq!(code(&at), Err(Code::FolderNotARun));
    assert_eq!(code(&at.join("nothing")), Err(Code::FolderNotARun));
    remove(&at).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_is_said_to_be() {
    let at = scratch("unwritable");
    fs::write(at.join("file"), "").unwrap();
    let create = |out: &Path| RunFolder::create(out, content(SCENARIO, false)).unwrap_err();
    assert_eq!(create(&at.join("file/run")).code(), Code::FolderOccupied);
    let error = create(Path::new("/proc/self/run"));
    assert_eq!(error.code(), Code::FolderUnwritable);
    assert!(error.to_string().starts_with("cannot write /proc/self/.run.partial: "), "{error}");
    assert_eq!(create(Path::new("/")).code(), Code::FolderUnwritable);

    remove(&at).unwrap();
}

/// Every write to `/dev/full` fails like a write to a full disk (man 4 full).
#[test]
fn a_full_disk_is_said_to_be_full() {
    let at = scratch("full");
    let folder = RunFolder::create(&at.join("run"), content(SCENARIO, false)).unwrap();
    fs::remove_file(folder.partial.join("scenario.toml")).unwrap();
    for name in ["scenario.toml", "flows.parquet"] {
        std::os::unix::fs::symlink("/dev/full", folder.partial.join(name)).unwrap();
    }
    let errors = [folder.text(SCENARIO_FILE, "text").unwrap_err(), fill(folder.tables(), 100).unwrap_err()];
    for error in errors {
        assert_eq!(error.code(), Code::DiskFull, "{error}");
        assert!(error.to_string().contains("No space left on device"), "{error}");
    }
    drop(folder);
    assert_eq!(names(&at), Vec::<String>::new(), "nothing is left of it");
    let quota = io::Error::from(io::ErrorKind::QuotaExceeded);
    assert_eq!(RecordError::writing("run", quota).code(), Code::DiskFull);
    remove(&at).unwrap();
}

#[test]
fn the_summary_keeps_its_order_and_prints_no_infinities() {
    let text = summary().to_json();
    assert!(text.contains("\"jain_index\": null"), "{text}");
    let at = |key: &str| text.find(key).unwrap();
    assert!(at("\"provenance\"") < at("\"flows\"") && at("\"flows\"") < at("\"totals\""));
    assert_eq!(
        serde_json::to_string(&Losses { queue: 1, error: 2, outage: 3, policer: 0, too_large: 0 }).unwrap(),
        r#"{"queue":1,"error":2,"outage":3}"#
    );
    let schema: serde_json::Value = serde_json::from_str(&schema_of::<Summary>()).unwrap();
    assert_eq!(schema["title"], "Summary");
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["$defs"]["Provenance"]["properties"]["seed"]["type"], "integer");
}

/// Writes a run of `scenario` whose file `d.txt` has this digest.
fn write_with(out: &Path, sha256: &str, force: bool) -> Result<PathBuf, RecordError> {
    let inputs = vec![Input { file: "d.txt".into(), sha256: Some(sha256.into()) }];
    let folder = RunFolder::create(out, Content { inputs: inputs.clone(), ..content(SCENARIO, force) })?;
    fill(folder.tables(), 100)?;
    let mut summary = summary();
    summary.provenance.inputs = inputs;
    folder.finish(&summary)
}

#[test]
fn a_run_of_a_changed_file_is_another_run() {
    let at = scratch("inputs");
    let out = at.join("run");
    write_with(&out, "0123456789abcdef", false).unwrap();
    write_with(&out, "0123456789abcdef", false).unwrap();
    let error = write_with(&out, "fedcba9876543210", false).unwrap_err();
    assert_eq!(error.code(), Code::FolderOccupied);
    let said = "in the folder: d.txt with SHA-256 0123456789ab…; now: d.txt with SHA-256 fedcba987654…";
    assert!(error.to_string().contains(said), "{error}");
    assert_eq!(write(&out).unwrap_err().code(), Code::FolderOccupied, "here it names no file");
    write_with(&out, "fedcba9876543210", true).unwrap();
    assert_eq!(names(&at), ["run"]);
    remove(&at).unwrap();
}

#[test]
fn a_link_where_the_folder_is_written_leads_nowhere() {
    let at = scratch("links-aside");
    let (out, victim) = (at.join("run"), at.join("victim"));
    fs::create_dir_all(victim.join("sub")).unwrap();
    fs::write(victim.join("data.txt"), "precious").unwrap();
    for there_before in [false, true] {
        for link in [".run.partial", ".run.before"] {
            std::os::unix::fs::symlink(&victim, at.join(link)).unwrap();
            let error = write(&out).unwrap_err();
            assert_eq!(error.code(), Code::FolderUnwritable, "{link}");
            assert!(
                error.to_string().contains("a symbolic link with this name exists (remove it)"),
                "{error}"
            );
            assert_eq!(names(&victim), ["data.txt", "sub"], "{link}");
            fs::remove_file(at.join(link)).unwrap();
        }
        assert_eq!(out.exists(), there_before);
        write(&out).unwrap();
    }
    assert_eq!(names(&at), ["run", "victim"]);
    remove(&at).unwrap();
}
