// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run folder. A run first writes to a temporary folder. When the temporary folder is complete, it replaces the run
//! folder. The run folder may also contain files of the user.
//!
//! For a run folder `OUT`, the temporary folder is `.OUT.partial` in the same parent folder. `SHA256SUMS` is the last
//! file that is written. After that, the file system exchanges both folders in one step, and the old folder is removed.
//! If the process is killed at any moment, `OUT` therefore has either all previous bytes or all new bytes. A loss of
//! power is not covered, because no data are forced onto the disk.
//!
//! If the process is killed, `.OUT.partial` remains. [`check`] distinguishes this folder from a complete run, and the
//! next run into `OUT` removes it. Some file systems (NFS and a few others) cannot exchange folders. On these, `OUT` is
//! first renamed to `.OUT.before`. If the process is killed between the two renames, `.OUT.before` remains, and the
//! next run renames it back.
//!
//! `SHA256SUMS` contains the digests of the scenario, the summary and the tables in the format of `sha256sum -c`. With
//! these digests, a reader detects files that were changed or damaged later.
//!
//! A run replaces only an earlier run of the same scenario. If `OUT` has any other content, the run is refused. With
//! `force`, the run replaces the files that Bentpipe wrote, and keeps all other files.

use crate::captures::{self, CAPTURES};
use crate::checkpoint::Checkpoint;
use crate::journal::{self, Journal};
use crate::table_file::TableFile;
use crate::tables::{
    self, EventTable, FlowTable, LinkEndTable, LinkTable, NodeTable, PacketTable, PathTable, PositionTable,
    SnapshotTable, VisitTable, WeatherTable,
};
use crate::{Input, RecordError, Summary, Tables};
use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, RenameFlags, accessat, open, renameat_with};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The resolved scenario.
pub const SCENARIO_FILE: &str = "scenario.toml";
/// The summary.
pub const SUMMARY_FILE: &str = "summary.json";
/// The digests of the files above and of the tables.
pub const DIGESTS_FILE: &str = "SHA256SUMS";
/// Tables that every run folder has. Other tables exist only if they have rows.
const ALWAYS: [&str; 3] = ["flows", "links", "paths"];
/// Files of a run folder in addition to its tables.
const DOCUMENTS: [&str; 3] = [SCENARIO_FILE, SUMMARY_FILE, DIGESTS_FILE];
/// Files that `bentpipe report`, `bentpipe plot` and `bentpipe view` write into a run folder by default.
const DRAWN: [&str; 12] = [
    "report.html",
    "plot.png",
    "plot.svg",
    "plot.pdf",
    "links.png",
    "links.svg",
    "links.pdf",
    "visits.png",
    "visits.svg",
    "visits.pdf",
    "view.html",
    "view.png",
];

/// Names that `visits.parquet` and its picture had in earlier builds. A new run replaces these files.
const FORMER: [&str; 4] = ["sessions.parquet", "sessions.png", "sessions.svg", "sessions.pdf"];

/// First and last bytes of a Parquet file (Apache Parquet format, "File format").
const PARQUET_MAGIC: &[u8; 4] = b"PAR1";

/// The content that identifies a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The resolved scenario.
    pub scenario: String,
    /// The files that the scenario names.
    pub inputs: Vec<Input>,
    /// Whether another run at the path is replaced.
    pub force: bool,
}

/// A run folder that is being written. If this value is dropped before the folder is complete, the temporary folder is
/// removed.
#[derive(Debug)]
pub struct RunFolder {
    /// Path as the user wrote it, for messages.
    asked: PathBuf,
    /// The same path with symbolic links resolved: if the path is a link, the target of the link is replaced, not the
    /// link.
    out: PathBuf,
    partial: PathBuf,
    content: Content,
    whole: bool,
    /// Lock on the folder while it is written, so that two runs cannot write to the same folder.
    lock: File,
}

/// Returns the path of a hidden folder in the parent folder of `out`. Its name begins with the name of `out`.
fn beside(out: &Path, ending: &str) -> Option<PathBuf> {
    let name = out.file_name()?.to_str()?;
    Some(out.with_file_name(format!(".{name}.{ending}")))
}

/// Returns the path of the temporary folder of `out`.
fn partial_of(out: &Path) -> Option<PathBuf> {
    beside(out, "partial")
}

/// Returns whether Bentpipe writes a file with this name into a run folder.
fn is_ours(name: &str) -> bool {
    // For example `.report.html.123.partial`: the temporary file of a report or a picture whose process was killed.
    let whole = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".partial"));
    let name = whole.and_then(|rest| rest.rsplit_once('.')).map_or(name, |(name, _)| name);
    let table = name
        .strip_suffix(".parquet")
        .is_some_and(|table| tables::columns().iter().any(|(name, _)| *name == table));
    table || DOCUMENTS.contains(&name) || DRAWN.contains(&name) || FORMER.contains(&name)
}

/// Returns the digests of the documents and tables in a folder, in the format of `sha256sum`, sorted by name.
fn digests(folder: &Path) -> io::Result<String> {
    let (ours, _) = contents(folder)?;
    let (mut lines, mut part) = (String::new(), vec![0; 1 << 16]);
    for name in ours.iter().filter(|name| folder.join(name).is_file()) {
        let (mut file, mut digest) = (File::open(folder.join(name))?, Sha256::new());
        loop {
            match file.read(&mut part)? {
                0 => break,
                read => digest.update(&part[..read]),
            }
        }
        for byte in digest.finalize() {
            write!(lines, "{byte:02x}").expect("text takes everything");
        }
        writeln!(lines, "  {name}").expect("text takes everything");
    }
    Ok(lines)
}

/// Returns the sorted names in a folder: the files that Bentpipe wrote, and the other files.
fn contents(folder: &Path) -> io::Result<(Vec<String>, Vec<String>)> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_dir = entry.file_type()?.is_dir();
        names.push((if is_dir { captures::is_ours(&entry.path()) } else { is_ours(&name) }, name));
    }
    names.sort();
    let of = |ours| names.iter().filter(|(mine, _)| *mine == ours).map(|(_, name)| name.clone()).collect();
    Ok((of(true), of(false)))
}

/// Refuses to write a run into `out` with other content: other files, a run of another scenario, or a run whose input
/// files have changed since. With `force`, `out` is refused only if it is not a folder.
///
/// # Errors
/// [`RecordError::Occupied`], [`RecordError::AnotherRun`], or if `out` cannot be read.
pub fn refuse(out: &Path, content: &Content) -> Result<(), RecordError> {
    let occupied = |what: Vec<String>| Err(RecordError::Occupied { path: out.to_owned(), what });
    match fs::symlink_metadata(out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return occupied(Vec::new()),
        Err(error) => return Err(RecordError::writing(out, error)),
        Ok(_) if !out.is_dir() => return occupied(Vec::new()),
        Ok(_) if content.force => return Ok(()),
        Ok(_) => {}
    }
    let (ours, mut others) = contents(out).map_err(|error| RecordError::writing(out, error))?;
    let there = fs::read_to_string(out.join(SCENARIO_FILE)).ok();
    if there.is_none() {
        // If there is no run, a file with the name of a report also counts as a file of the user.
        others.extend(ours);
    }
    if !others.is_empty() {
        return occupied(others);
    }
    let Some(there) = there else { return Ok(()) };
    let stored = Stored::read(out);
    let differs = difference(&there, &content.scenario)
        .or_else(|| stored.inputs.as_deref().and_then(|before| changed(before, &content.inputs)));
    match differs {
        Some([before, now]) => {
            Err(RecordError::AnotherRun { path: out.to_owned(), name: stored.name, before, now })
        }
        None => Ok(()),
    }
}

/// Refuses a folder whose files cannot be removed. Otherwise the old folder would remain after the exchange.
fn refuse_read_only(out: &Path, place: &Path) -> Result<(), RecordError> {
    let mut open = if place.is_dir() { vec![place.to_owned()] } else { Vec::new() };
    while let Some(folder) = open.pop() {
        let fault = |error| RecordError::writing(out, error);
        accessat(CWD, &folder, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS).map_err(|_| {
            let why = "you do not have the permission to replace the content of this folder (chmod u+rwx)";
            fault(io::Error::new(io::ErrorKind::PermissionDenied, why))
        })?;
        for entry in fs::read_dir(&folder).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            if entry.file_type().map_err(fault)?.is_dir() {
                open.push(entry.path());
            }
        }
    }
    Ok(())
}

/// Returns the first input file that has changed since the run in the folder.
fn changed(before: &[Input], now: &[Input]) -> Option<[String; 2]> {
    let words = |input: Option<&Input>| match input {
        Some(Input { file, sha256: Some(sha256) }) => {
            format!("{file} with SHA-256 {}…", &sha256[..sha256.len().min(12)])
        }
        Some(Input { file, sha256: None }) => format!("{file}, which cannot be read"),
        None => "nothing".to_owned(),
    };
    let pairs = (0..before.len().max(now.len())).map(|at| [before.get(at), now.get(at)]);
    pairs.filter(|[before, now]| before != now).map(|pair| pair.map(words)).next()
}

/// Returns the first line in which two scenarios differ, without comments.
fn difference(there: &str, here: &str) -> Option<[String; 2]> {
    let mut lines = [there, here].map(|text| text.lines().filter(|line| !line.starts_with('#')));
    loop {
        match lines.each_mut().map(Iterator::next) {
            [None, None] => return None,
            [there, here] if there == here => {}
            differing => return Some(differing.map(|line| line.unwrap_or("nothing").to_owned())),
        }
    }
}

/// Data about a stored run, from its summary.
struct Stored {
    /// The name of its scenario.
    name: String,
    /// The input files of the run; `None` if the run is incomplete.
    inputs: Option<Vec<Input>>,
}

impl Stored {
    fn read(folder: &Path) -> Self {
        let summary = fs::read_to_string(folder.join(SUMMARY_FILE)).unwrap_or_default();
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap_or_default();
        let provenance = &summary["provenance"];
        let name = provenance["scenario_name"].as_str().unwrap_or("an incomplete run").to_owned();
        let inputs = || serde_json::from_value(provenance["inputs"].clone()).unwrap_or_default();
        Self { name, inputs: provenance.is_object().then(inputs) }
    }
}

impl RunFolder {
    /// Creates the run folder `out` with the scenario file. Creates parent folders if they do not exist.
    ///
    /// # Errors
    /// The errors of [`refuse`]; also an error if the folder cannot be written, or if another process is writing it.
    pub fn create(out: &Path, content: Content) -> Result<Self, RecordError> {
        let place = place_of(out)?;
        let (partial, before) = (hidden(&place, "partial", out)?, hidden(&place, "before", out)?);
        put_back(&before, &place)?;
        refuse(out, &content)?;
        refuse_read_only(out, &place)?;
        let fault = |error| RecordError::writing(&partial, error);
        let mounted = |at: &Path| fs::metadata(at).map(|data| data.dev()).ok();
        if mounted(&place).is_some_and(|device| place.parent().and_then(mounted) != Some(device)) {
            let why = io::Error::new(
                io::ErrorKind::ResourceBusy,
                "it is a mount point (write the name of a folder \
                in it)",
            );
            return Err(RecordError::writing(out, why));
        }
        // Removes the temporary folder of a killed run, unless another process holds its lock.
        if let Some(left) = open_folder(&partial).map_err(fault)? {
            lock(&left, out)?;
            clear(&partial, &place)?;
        }
        fs::create_dir_all(&partial).map_err(fault)?;
        let held =
            open_folder(&partial).map_err(fault)?.ok_or(io::ErrorKind::NotFound.into()).map_err(fault)?;
        lock(&held, out)?;
        let folder = Self { asked: out.to_owned(), out: place, partial, content, whole: false, lock: held };
        folder.text(SCENARIO_FILE, &folder.content.scenario)?;
        Ok(folder)
    }

    /// Returns tables whose rows are written as they arrive. The tables of flows, links and paths are always written.
    /// All other tables are written only if they have rows.
    pub fn tables(&self) -> Tables {
        self.tables_with(|_| None)
    }

    /// Does the same as [`Self::tables`] for a run with a checkpoint. Rows that are removed from memory go to journals
    /// of the checkpoint, and to the files at the end of the run.
    pub fn journalled_tables(&self, checkpoint: &Checkpoint) -> Tables {
        self.tables_with(|name| Some(Journal::new(journal::path_of(checkpoint.folder(), name))))
    }

    fn tables_with(&self, journal: impl Fn(&str) -> Option<Journal>) -> Tables {
        let file = |name: &str| {
            let path = self.partial.join(format!("{name}.parquet"));
            Some(TableFile::new(path, ALWAYS.contains(&name)).with_journal(journal(name)))
        };
        Tables {
            flows: FlowTable::into_file(file("flows")),
            parts: FlowTable::into_file(file("parts")),
            links: LinkTable::into_file(file("links")),
            paths: PathTable::into_file(file("paths")),
            events: EventTable::into_file(file("events")),
            packets: PacketTable::into_file(file("packets")),
            snapshots: SnapshotTable::into_file(file("snapshots")),
            visits: VisitTable::into_file(file("visits")),
            weather: WeatherTable::into_file(file("weather")),
            nodes: NodeTable::into_file(file("nodes")),
            link_ends: LinkEndTable::into_file(file("link_ends")),
            positions: PositionTable::into_file(file("positions")),
        }
    }

    /// Returns the path of the temporary folder.
    pub fn partial(&self) -> &Path {
        &self.partial
    }

    /// Returns the path of the captures during the run.
    pub fn captures(&self) -> PathBuf {
        self.partial.join(CAPTURES)
    }

    fn text(&self, name: &str, text: &str) -> Result<(), RecordError> {
        let path = self.partial.join(name);
        fs::write(&path, text).map_err(|error| RecordError::writing(path, error))
    }

    /// Writes the summary, and moves the folder to its path. An earlier run at this path is replaced.
    ///
    /// # Errors
    /// If a file cannot be written, or if something else has been created at the path.
    pub fn finish(mut self, summary: &Summary) -> Result<PathBuf, RecordError> {
        self.text(SUMMARY_FILE, &summary.to_json())?;
        let sums = digests(&self.partial).map_err(|error| RecordError::writing(&self.partial, error))?;
        self.text(DIGESTS_FILE, &sums)?;
        refuse(&self.out, &self.content)?;
        let fault = |error| RecordError::writing(&self.asked, error);
        if self.out.is_dir() {
            // The user's other files are put into both folders before the exchange. Therefore they are in the run
            // folder at all times.
            let (_, others) = contents(&self.out).map_err(fault)?;
            others
                .iter()
                .try_for_each(|name| keep(&self.out.join(name), &self.partial.join(name)))
                .map_err(fault)?;
            exchange(&self.partial, &self.out).map_err(fault)?;
            clear(&self.partial, &self.out)?;
        } else {
            fs::rename(&self.partial, &self.out).map_err(fault)?;
        }
        self.whole = true;
        Ok(self.asked.clone())
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // The folder at this path may belong to another run by now, if this process was stopped and later continued.
        let ino = |about: io::Result<fs::Metadata>| about.map(|about| (about.dev(), about.ino())).ok();
        let here = ino(fs::metadata(&self.partial));
        if !self.whole && here.is_some() && here == ino(self.lock.metadata()) {
            drop(fs::remove_dir_all(&self.partial));
        }
    }
}

/// Returns the path that a run folder gets, absolute and with symbolic links resolved.
fn place_of(out: &Path) -> Result<PathBuf, RecordError> {
    // A controller in Python may change the current folder during the run. Therefore the path must be absolute.
    let absolute = std::path::absolute(out).map_err(|error| RecordError::writing(out, error))?;
    Ok(match fs::canonicalize(out) {
        Ok(_) if out.file_name().is_none() => out.to_owned(), // "." and "..": nothing can take its place
        Ok(place) => place,
        Err(_) => absolute,
    })
}

/// Returns the path of a hidden folder beside `place`, the path that the run folder `out` gets.
fn hidden(place: &Path, ending: &str, out: &Path) -> Result<PathBuf, RecordError> {
    beside(place, ending).ok_or_else(|| {
        let why = "the path of a run folder must end in a name (write for example out/run)";
        RecordError::writing(out, io::Error::new(io::ErrorKind::InvalidInput, why))
    })
}

/// Returns the checkpoint of the run folder `out`.
///
/// # Errors
/// If `out` cannot be the path of a run folder.
pub fn checkpoint(out: &Path) -> Result<Checkpoint, RecordError> {
    hidden(&place_of(out)?, "checkpoint", out).map(Checkpoint::at)
}

/// Opens a folder. Returns `None` if the path does not exist. Symbolic links are not followed, because a link may lead
/// to a folder of another user.
fn open_folder(folder: &Path) -> io::Result<Option<File>> {
    let how = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match open(folder, how, Mode::empty()) {
        Ok(held) => Ok(Some(held.into())),
        Err(rustix::io::Errno::NOENT) => Ok(None),
        Err(rustix::io::Errno::NOTDIR) if fs::symlink_metadata(folder).is_err() => Ok(None),
        Err(rustix::io::Errno::NOTDIR | rustix::io::Errno::LOOP) => Err(io::Error::new(
            io::ErrorKind::NotADirectory,
            "a file or a symbolic link with this name exists \
                (remove it)",
        )),
        Err(other) => Err(other.into()),
    }
}

fn lock(folder: &File, out: &Path) -> Result<(), RecordError> {
    match folder.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let why = io::Error::new(
                io::ErrorKind::ResourceBusy,
                "another run is writing this folder at the moment",
            );
            Err(RecordError::writing(out, why))
        }
        // If the file system has no locks, the run continues without a lock.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}

/// Puts a file or a folder at a second path. Uses hard links, or copies the content if links are not possible.
fn keep(from: &Path, to: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(from)?.file_type();
    if kind.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            keep(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    match fs::hard_link(from, to) {
        // Both folders may have a capture with the same name.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(_) if kind.is_file() => fs::copy(from, to).map(drop),
        linked => linked,
    }
}

/// Exchanges the contents of both paths.
fn exchange(partial: &Path, out: &Path) -> io::Result<()> {
    if renameat_with(CWD, partial, CWD, out, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    let before = beside(out, "before").ok_or(io::ErrorKind::InvalidInput)?;
    fs::rename(out, &before)?;
    fs::rename(partial, out)?;
    fs::rename(&before, partial)
}

/// Restores the run folder if a process was killed between the two renames (on a file system that cannot exchange
/// folders).
fn put_back(before: &Path, out: &Path) -> Result<(), RecordError> {
    if open_folder(before).map_err(|error| RecordError::writing(before, error))?.is_none() {
        return Ok(());
    }
    if out.exists() {
        return clear(before, out);
    }
    fs::rename(before, out).map_err(|error| RecordError::writing(out, error))
}

/// Removes a temporary folder of `out`. Files of the user in it that are not in `out` are moved to `out`.
fn clear(folder: &Path, out: &Path) -> Result<(), RecordError> {
    let fault = |error| RecordError::writing(folder, error);
    if out.is_dir() {
        for name in contents(folder).map_err(fault)?.1 {
            if fs::symlink_metadata(out.join(&name)).is_err() {
                fs::rename(folder.join(&name), out.join(&name)).map_err(fault)?;
            }
        }
    }
    fs::remove_dir_all(folder).map_err(fault)
}

/// Checks that `folder` is a complete run folder.
///
/// # Errors
/// If the folder is incomplete ([`RecordError::CutOff`]) or not a run folder ([`RecordError::NotARun`]).
pub fn check(folder: &Path) -> Result<(), RecordError> {
    let cut_off = |why: &str| Err(RecordError::CutOff { path: folder.to_owned(), why: why.to_owned() });
    let not_a_run = |why: &str| Err(RecordError::NotARun { path: folder.to_owned(), why: why.to_owned() });
    if !folder.is_dir() {
        return match partial_of(folder) {
            Some(partial) if partial.is_dir() => {
                cut_off(&format!("only its temporary folder {} exists", partial.display()))
            }
            _ if beside(folder, "before").is_some_and(|before| before.is_dir()) => cut_off(
                "a run was interrupted while it replaced this folder; the next run into this folder first \
                    restores the previous content",
            ),
            _ if folder.exists() => not_a_run("it is a file"),
            _ => not_a_run("the folder does not exist"),
        };
    }
    if !folder.join(SCENARIO_FILE).is_file() {
        return not_a_run("it has no scenario.toml");
    }
    let Ok(summary) = fs::read_to_string(folder.join(SUMMARY_FILE)) else {
        return cut_off("it has no summary.json, which is written last");
    };
    if serde_json::from_str::<serde_json::Value>(&summary).is_err_and(|error| error.is_eof()) {
        return cut_off("its summary.json ends too early");
    }
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        tables.extend(entry.file_name().into_string().ok().filter(|name| name.ends_with(".parquet")));
    }
    tables.extend(ALWAYS.iter().map(|name| format!("{name}.parquet")));
    tables.sort_unstable();
    tables.dedup();
    for name in tables {
        if !ends_as_parquet(&folder.join(&name)) {
            return cut_off(&format!("its {name} is missing or ends too early"));
        }
    }
    Ok(())
}

fn ends_as_parquet(path: &Path) -> bool {
    let tail = || -> io::Result<[u8; 4]> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::End(-4))?;
        let mut tail = [0; 4];
        file.read_exact(&mut tail)?;
        Ok(tail)
    };
    tail().is_ok_and(|tail| tail == *PARQUET_MAGIC)
}

#[cfg(test)]
mod tests;
