// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checkpoint of a run: a folder with the state of the run and the journals of its tables. For a run folder `OUT`, it
//! is `.OUT.checkpoint` in the same parent folder.
//!
//! A new state is written to a temporary file and forced onto the disk. It then replaces the old state in one step.
//! Journals are forced onto the disk before. Therefore the folder contains a complete state at any moment, also after a
//! loss of power.

use crate::{RecordError, journal, tables};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The state of the run.
const STATE: &str = "state";
/// The temporary file of the next state.
const NEXT_STATE: &str = "state.partial";

/// The folder of a checkpoint.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    folder: PathBuf,
}

impl Checkpoint {
    pub(crate) const fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the state of the run; `None` if the folder has no state.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub fn state(&self) -> Result<Option<Vec<u8>>, RecordError> {
        let path = self.folder.join(STATE);
        match fs::read(&path) {
            Ok(state) => Ok(Some(state)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(RecordError::reading(path, error)),
        }
    }

    /// Creates the folder. If the folder exists, its files stay.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn create(&self) -> Result<(), RecordError> {
        fs::create_dir_all(&self.folder).map_err(|error| RecordError::writing(&self.folder, error))
    }

    /// Replaces the state.
    ///
    /// # Errors
    /// If the state cannot be written. The old state then stays.
    pub fn write(&self, state: &[u8]) -> Result<(), RecordError> {
        let next = self.folder.join(NEXT_STATE);
        let written = || -> io::Result<()> {
            let mut file = File::create(&next)?;
            file.write_all(state)?;
            file.sync_all()?;
            fs::rename(&next, self.folder.join(STATE))?;
            File::open(&self.folder)?.sync_all()
        };
        written().map_err(|error| RecordError::writing(&next, error))
    }

    /// Removes the state and the journals, and the folder if nothing else is in it.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn remove(&self) -> Result<(), RecordError> {
        // The state is removed first: journals without a state are ignored.
        for name in [STATE, NEXT_STATE] {
            let path = self.folder.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(RecordError::writing(path, error));
                }
                _ => {}
            }
        }
        journal::remove_all(&self.folder, tables::columns().iter().map(|&(table, _)| table))?;
        // The folder may contain files of the user.
        drop(fs::remove_dir(&self.folder));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
