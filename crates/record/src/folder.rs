// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run folder: written aside, renamed when whole.
//!
//! `OUT` is written as `.OUT.partial` beside it. `summary.json` is the last file to be written, then the folder is
//! renamed. A run that is killed leaves `.OUT.partial` behind: [`check`] tells it from a whole run, and the next run
//! into `OUT` clears it away.

use crate::table_file::TableFile;
use crate::tables::{EventTable, FlowTable, LinkTable, PacketTable, PathTable, SnapshotTable};
use crate::{RecordError, Summary, Tables};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The resolved scenario.
pub const SCENARIO_FILE: &str = "scenario.toml";
/// The summary.
pub const SUMMARY_FILE: &str = "summary.json";
/// Tables that every run folder has; the others are there if they have rows.
const ALWAYS: [&str; 3] = ["flows", "links", "paths"];

/// First and last bytes of a Parquet file (Apache Parquet format, "File format").
const PARQUET_MAGIC: &[u8; 4] = b"PAR1";

/// A run folder being written.
#[derive(Debug)]
pub struct RunFolder {
    out: PathBuf,
    partial: PathBuf,
}

/// Where `out` is written before it is whole.
fn partial_of(out: &Path) -> Option<PathBuf> {
    let name = out.file_name()?.to_str()?;
    Some(out.with_file_name(format!(".{name}.partial")))
}

/// Whether a new run may take the place of what stands at `out`: nothing, an empty folder, or another run.
fn replaceable(out: &Path) -> Result<bool, RecordError> {
    match fs::read_dir(out) {
        Ok(mut entries) => Ok(entries.next().is_none()
            || (out.join(SUMMARY_FILE).is_file() && out.join(SCENARIO_FILE).is_file())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(RecordError::writing(out, error)),
    }
}

impl RunFolder {
    /// Starts the run folder `out`; folders above it are made.
    ///
    /// # Errors
    /// It cannot be written there, or something that is not a run folder stands there.
    pub fn create(out: &Path) -> Result<Self, RecordError> {
        let Some(partial) = partial_of(out) else {
            let why = io::Error::new(io::ErrorKind::InvalidInput, "a run folder needs a name of its own");
            return Err(RecordError::writing(out, why));
        };
        if !replaceable(out)? {
            return Err(RecordError::Occupied { path: out.to_owned() });
        }
        remove(&partial)?;
        fs::create_dir_all(&partial).map_err(|error| RecordError::writing(&partial, error))?;
        Ok(Self { out: out.to_owned(), partial })
    }

    /// Writes the scenario; call it first.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn scenario(&self, toml: &str) -> Result<(), RecordError> {
        self.text(SCENARIO_FILE, toml)
    }

    /// Tables whose rows are written as they come; events, snapshots and packets only if they have rows.
    pub fn tables(&self) -> Tables {
        let file = |name: &str| {
            let path = self.partial.join(format!("{name}.parquet"));
            Some(TableFile::new(path, ALWAYS.contains(&name)))
        };
        Tables {
            flows: FlowTable::into_file(file("flows")),
            links: LinkTable::into_file(file("links")),
            paths: PathTable::into_file(file("paths")),
            events: EventTable::into_file(file("events")),
            packets: PacketTable::into_file(file("packets")),
            snapshots: SnapshotTable::into_file(file("snapshots")),
        }
    }

    /// Writes a further file, for example the report.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn text(&self, name: &str, text: &str) -> Result<(), RecordError> {
        let path = self.partial.join(name);
        fs::write(&path, text).map_err(|error| RecordError::writing(path, error))
    }

    /// Writes the summary and puts the folder in its place; a run that stood there before is replaced.
    ///
    /// # Errors
    /// A file cannot be written, or something that is not a run folder has come to stand there.
    pub fn finish(self, summary: &Summary) -> Result<PathBuf, RecordError> {
        self.text(SUMMARY_FILE, &summary.to_json())?;
        if !replaceable(&self.out)? {
            return Err(RecordError::Occupied { path: self.out });
        }
        remove(&self.out)?;
        fs::rename(&self.partial, &self.out).map_err(|error| RecordError::writing(&self.out, error))?;
        Ok(self.out)
    }
}

/// Removes a folder if it is there.
fn remove(path: &Path) -> Result<(), RecordError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(RecordError::writing(path, error)),
        _ => Ok(()),
    }
}

/// Checks that `folder` is a whole run folder.
///
/// # Errors
/// It was cut off ([`RecordError::CutOff`]) or is no run folder at all ([`RecordError::NotARun`]).
pub fn check(folder: &Path) -> Result<(), RecordError> {
    let cut_off = |why: &str| Err(RecordError::CutOff { path: folder.to_owned(), why: why.to_owned() });
    let not_a_run = |why: &str| Err(RecordError::NotARun { path: folder.to_owned(), why: why.to_owned() });
    if !folder.is_dir() {
        return match partial_of(folder) {
            Some(partial) if partial.is_dir() => {
                cut_off(&format!("only {}, where it was being written, is there", partial.display()))
            }
            _ if folder.exists() => not_a_run("it is a file"),
            _ => not_a_run("there is nothing at this place"),
        };
    }
    if !folder.join(SCENARIO_FILE).is_file() {
        return not_a_run("it has no scenario.toml");
    }
    let Ok(summary) = fs::read_to_string(folder.join(SUMMARY_FILE)) else {
        return cut_off("it has no summary.json, which is written last");
    };
    if serde_json::from_str::<serde_json::Value>(&summary).is_err() {
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
