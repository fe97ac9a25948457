// SPDX-License-Identifier: MIT OR Apache-2.0
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::table_file::ROWS;
use crate::tables::{EventRow, FlowRow, PathRow, PositionRow, Tables};
use crate::{Content, Provenance, RunFolder, folder};
use saved::{Reader, Saved as _, Writer};
use std::ops::Range;

/// Returns an empty folder that only this test uses.
fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("bentpipe-checkpoint-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).unwrap();
    path
}

/// Adds rows with columns of all kinds.
fn fill(tables: &mut Tables, rows: Range<usize>) {
    const WORDS: [&str; 5] = ["start", "loss", "cut", "phase", "a name with an ü"];
    for n in rows {
        let (time_s, number) = (n as f64 * 0.1, n as u32);
        tables.flows.push_row(&FlowRow {
            time_s,
            flow: number % 3,
            // New words appear until the end.
            name: &format!("flow {}", n / 9000),
            cwnd_segments: (n % 1000) as f64,
            ssthresh_segments: (n % 7 > 2).then_some(2.0),
            pacing_mbit_s: None,
            in_flight_segments: 1.0,
            srtt_ms: Some(600.0),
            rtt_ms: (n == 40_000).then_some(f64::NAN),
            propagation_rtt_ms: None,
            queueing_delay_ms: None,
            goodput_mbit_s: 0.5,
            throughput_mbit_s: -0.0,
            sent_packets: n as u64,
            retransmitted_packets: u64::MAX,
            lost_queue: 0,
            lost_error: 0,
            lost_outage: 0,
            lost_policer: 0,
            lost_too_large: 0,
            phase: WORDS[n % 5],
        });
        if n % 2 == 0 {
            tables.events.push_row(&EventRow {
                time_s,
                flow: (n % 11 > 0).then_some(number % 3),
                link: None,
                event: WORDS[n / 7 % 5],
                cause: (n % 3 == 0).then_some(WORDS[n % 4]),
                verdict: None,
                before: (n % 5 == 0).then_some(time_s),
                after: None,
                detail: (n % 13 == 0).then_some(WORDS[n % 5]),
            });
        }
        if n % 50 == 0 {
            let via = format!("a > {n} > b");
            let delay = (n % 100 == 0).then_some(time_s);
            tables.paths.push_row(&PathRow {
                time_s,
                from: "a",
                to: "b",
                links: 2,
                one_way_delay_ms: delay,
                propagation_rtt_ms: delay,
                via: &via,
                changed: n % 3 == 0,
            });
            let x_km = (n % 3 > 0).then_some(n as f32 / 3.0);
            let (y_km, z_km) = (None, x_km);
            let (vx_km_s, vy_km_s, vz_km_s) = (x_km, None, None);
            let row = PositionRow { time_s, node: number, x_km, y_km, z_km, vx_km_s, vy_km_s, vz_km_s };
            tables.positions.push_row(&row);
        }
    }
}

fn begin(out: &Path) -> RunFolder {
    let scenario = "# bentpipe 0, seed 1\nname = \"test\"\n".to_owned();
    RunFolder::create(out, Content { scenario, ..Content::default() }).unwrap()
}

/// Returns the bytes of the files of the tables in a folder that is being written.
fn finished(folder: &RunFolder, tables: Tables) -> Vec<(String, Vec<u8>)> {
    let batches = tables.finish(&Provenance::default()).unwrap();
    assert!(
        batches.flows.is_none() && batches.positions.is_some(),
        "only long tables are not kept in memory"
    );
    let files = fs::read_dir(folder.partial()).unwrap().map(Result::unwrap);
    let read = |file: fs::DirEntry| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap());
    let mut files: Vec<_> = files.map(read).collect();
    files.sort();
    files
}

fn state(tables: &Tables) -> Vec<u8> {
    let mut to = Writer::default();
    tables.save_to(&mut to);
    to.into_bytes()
}

/// Returns the tables of a run that was killed: the state was saved after `saved` rows, and further rows followed.
fn killed(out: &Path, saved: usize) -> (Checkpoint, Vec<u8>) {
    let folder = begin(out);
    let checkpoint = folder::checkpoint(out).unwrap();
    checkpoint.create().unwrap();
    let mut tables = folder.journalled_tables(&checkpoint);
    assert!(tables.can_be_saved());
    fill(&mut tables, 0..saved);
    tables.sync().unwrap();
    let state = state(&tables);
    fill(&mut tables, saved..saved + ROWS + 10);
    tables.check().unwrap();
    (checkpoint, state)
}

fn restored(folder: &RunFolder, checkpoint: &Checkpoint, state: &[u8]) -> Result<Tables, RecordError> {
    let mut tables = folder.journalled_tables(checkpoint);
    let mut from = Reader::new(state);
    tables.load_from(&mut from).unwrap();
    from.end::<Tables>().unwrap();
    tables.reopen().map(|()| tables)
}

#[test]
fn a_killed_run_continues_with_the_same_bytes() {
    let at = scratch("same");
    let all = 2 * ROWS + ROWS / 4;
    let whole = begin(&at.join("whole"));
    let mut tables = whole.tables();
    fill(&mut tables, 0..all);
    assert!(!tables.can_be_saved(), "its rows are in files that cannot be continued");
    let expected = finished(&whole, tables);
    // In the first batch, at its end, in the second batch, and at the end.
    for saved in [1000, ROWS, ROWS + 777, all] {
        let out = at.join("killed");
        let (checkpoint, bytes) = killed(&out, saved);
        let folder = begin(&out);
        let mut tables = restored(&folder, &checkpoint, &bytes).unwrap();
        assert!(state(&tables) == bytes, "{saved}: the restored state is the saved state");
        fill(&mut tables, saved..all);
        let files = finished(&folder, tables);
        assert!(files == expected, "{saved}: the files differ");
    }
    fs::remove_dir_all(&at).unwrap();
}

#[test]
fn a_damaged_journal_is_refused() {
    let at = scratch("damaged");
    let out = at.join("run");
    let (checkpoint, bytes) = killed(&out, ROWS + 10);
    let folder = begin(&out);
    let journal = checkpoint.folder().join("flows.rows");
    let written = fs::read(&journal).unwrap();
    let refused = |content: Option<&[u8]>| {
        match content {
            Some(content) => fs::write(&journal, content).unwrap(),
            None => fs::remove_file(&journal).unwrap(),
        }
        match restored(&folder, &checkpoint, &bytes) {
            Err(RecordError::JournalDamaged { path }) => assert_eq!(path, journal),
            other => panic!("{other:?}"),
        }
    };
    for place in [0, 7, 8, 9, 1000] {
        let mut changed = written.clone();
        changed[place] ^= 0x10;
        refused(Some(&changed));
    }
    refused(Some(&written[..1000]));
    refused(None);
    // Later rows do not count.
    fs::write(&journal, &written).unwrap();
    assert!(restored(&folder, &checkpoint, &bytes).is_ok());
    assert!(fs::metadata(&journal).unwrap().len() < written.len() as u64, "they are removed");
    fs::remove_dir_all(&at).unwrap();
}

#[test]
fn a_state_replaces_the_state_before_and_only_own_files_are_removed() {
    let at = scratch("state");
    let checkpoint = folder::checkpoint(&at.join("run")).unwrap();
    assert_eq!(checkpoint.folder(), at.join(".run.checkpoint"));
    assert_eq!(checkpoint.state().unwrap(), None);
    checkpoint.remove().unwrap();
    checkpoint.create().unwrap();
    for state in [&b"one"[..], b"another"] {
        checkpoint.write(state).unwrap();
        assert_eq!(checkpoint.state().unwrap().as_deref(), Some(state));
    }
    fs::write(checkpoint.folder().join("links.rows"), "rows").unwrap();
    fs::write(checkpoint.folder().join("notes.txt"), "mine").unwrap();
    checkpoint.remove().unwrap();
    let left: Vec<_> = fs::read_dir(checkpoint.folder()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["notes.txt"]);
    fs::remove_file(checkpoint.folder().join("notes.txt")).unwrap();
    checkpoint.create().unwrap();
    checkpoint.remove().unwrap();
    assert!(!checkpoint.folder().exists());
    fs::remove_dir_all(&at).unwrap();
}
