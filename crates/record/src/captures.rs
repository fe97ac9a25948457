// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that grow during a run. They are in the folder `captures` of the run folder.

use crate::RecordError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Name of the folder in a run folder.
pub const CAPTURES: &str = "captures";
/// Ending of the names of packet captures.
pub const PCAPNG: &str = "pcapng";
/// Ending of the names of qlog files.
pub const SQLOG: &str = "sqlog";

/// Whether a folder contains captures and nothing else.
pub(crate) fn is_ours(folder: &Path) -> bool {
    let ours = |name: &Path| name.extension().is_some_and(|ending| ending == PCAPNG || ending == SQLOG);
    folder.file_name().is_some_and(|name| name == CAPTURES)
        && fs::read_dir(folder).is_ok_and(|mut files| {
            files.all(|file| file.is_ok_and(|file| ours(&file.path()) && !file.path().is_dir()))
        })
}

/// A file that is written in parts. After the first failed write, nothing more is written, and the error is stored. All
/// files of a run share a flag for failures. The driver of the run checks this flag and ends the run.
#[derive(Debug)]
pub struct CaptureFile {
    path: PathBuf,
    out: BufWriter<File>,
    failure: Option<io::Error>,
    failed: Arc<AtomicBool>,
}

impl CaptureFile {
    /// Begins a file in a folder, and creates the folder if it does not exist. A failure to write sets `failed`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(folder: &Path, name: &str, failed: Arc<AtomicBool>) -> Result<Self, RecordError> {
        let path = folder.join(name);
        let file = fs::create_dir_all(folder).and_then(|()| File::create(&path));
        let file = file.map_err(|error| RecordError::writing(&path, error))?;
        Ok(Self { path, out: BufWriter::new(file), failure: None, failed })
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If a part of the file could not be written.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let flushed = self.out.flush();
        let failure = self.failure.take().map_or(flushed, Err);
        failure.map_err(|error| RecordError::writing(self.path, error))
    }
}

impl Write for CaptureFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failure.is_none()
            && let Err(error) = self.out.write_all(bytes)
        {
            self.failure = Some(error);
            self.failed.store(true, Ordering::Relaxed);
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
