// SPDX-License-Identifier: MIT OR Apache-2.0
//! A journal: the rows that a table of a run with a checkpoint has removed from memory. An unfinished Parquet file cannot
//! be continued. Therefore these rows go to a journal first, and to the Parquet file at the end of the run.
//!
//! A journal consists of entries. An entry is its length in bytes (8 bytes, little-endian), then the rows, compressed
//! with Zstandard. The state of the run contains the length of the journal and a checksum of its bytes.

use crate::RecordError;
use crate::checksum::{checksum, checksum_of_more};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Level of compression. Higher levels make journals of flows a tenth smaller in twice the time.
const LEVEL: i32 = 1;

/// The journal of a table.
#[derive(saved::Saved)]
pub(crate) struct Journal {
    #[saved(fixed)]
    path: PathBuf,
    /// The file; `None` before the first entry.
    #[saved(fixed)]
    file: Option<File>,
    length: u64,
    sum: u64,
}

impl Journal {
    /// Creates an empty journal. The file appears in the file system at the first entry.
    pub fn new(path: PathBuf) -> Self {
        Self { path, file: None, length: 0, sum: checksum(&[]) }
    }

    /// Returns whether the journal has no entries.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds an entry.
    pub fn append(&mut self, rows: &[u8]) -> Result<(), RecordError> {
        self.try_append(rows).map_err(|error| RecordError::writing(&self.path, error))
    }

    fn try_append(&mut self, rows: &[u8]) -> io::Result<()> {
        let packed = zstd::bulk::compress(rows, LEVEL)?;
        let entry = [&(packed.len() as u64).to_le_bytes()[..], &packed].concat();
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(File::create(&self.path)?),
        };
        file.write_all(&entry)?;
        self.length += entry.len() as u64;
        self.sum = checksum_of_more(self.sum, &entry);
        Ok(())
    }

    /// Forces the entries onto the disk.
    pub fn sync(&self) -> Result<(), RecordError> {
        let synced = self.file.as_ref().map_or(Ok(()), File::sync_data);
        synced.map_err(|error| RecordError::writing(&self.path, error))
    }

    /// Opens the file of a journal whose length was loaded, and removes the entries after this length.
    ///
    /// # Errors
    /// [`RecordError::JournalDamaged`] if the entries are not the entries that were written.
    pub fn reopen(&mut self) -> Result<(), RecordError> {
        if self.is_empty() {
            return Ok(());
        }
        let opened = OpenOptions::new().read(true).write(true).open(&self.path);
        let fault = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => RecordError::JournalDamaged { path: self.path.clone() },
            _ => RecordError::reading(&self.path, error),
        };
        let mut file = opened.map_err(fault)?;
        if sum_of(&mut file, self.length).map_err(fault)? != Some(self.sum) {
            return Err(RecordError::JournalDamaged { path: self.path.clone() });
        }
        let cut = file.set_len(self.length).and_then(|()| file.seek(SeekFrom::Start(self.length)));
        cut.map_err(|error| RecordError::writing(&self.path, error))?;
        self.file = Some(file);
        Ok(())
    }

    /// Passes the rows of each entry to `take`, in order.
    pub fn replay(&self, mut take: impl FnMut(&[u8]) -> Result<(), RecordError>) -> Result<(), RecordError> {
        if self.is_empty() {
            return Ok(());
        }
        let fault = |error| RecordError::reading(&self.path, error);
        let mut file = BufReader::new(File::open(&self.path).map_err(fault)?);
        let mut left = self.length;
        while left > 0 {
            let mut length = [0; 8];
            file.read_exact(&mut length).map_err(fault)?;
            let length = u64::from_le_bytes(length);
            let mut packed = Vec::new();
            file.by_ref().take(length).read_to_end(&mut packed).map_err(fault)?;
            let rows = zstd::stream::decode_all(&packed[..]).map_err(fault)?;
            take(&rows)?;
            left = left.saturating_sub(8 + length);
        }
        Ok(())
    }

    /// Returns the error for an entry whose rows do not fit the table.
    pub fn damaged(&self) -> RecordError {
        RecordError::JournalDamaged { path: self.path.clone() }
    }
}

/// Returns the checksum of the first `length` bytes of a file; `None` if the file is shorter.
fn sum_of(file: &mut File, length: u64) -> io::Result<Option<u64>> {
    let (mut sum, mut left, mut part) = (checksum(&[]), length, vec![0; 1 << 16]);
    while left > 0 {
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(part.len());
        let read = file.read(&mut part[..wanted])?;
        if read == 0 {
            return Ok(None);
        }
        sum = checksum_of_more(sum, &part[..read]);
        left -= read as u64;
    }
    Ok(Some(sum))
}

/// Ending of the names of journals.
const ENDING: &str = "rows";

/// Returns the path of the journal of a table in the folder of a checkpoint.
pub(crate) fn path_of(folder: &Path, table: &str) -> PathBuf {
    folder.join(format!("{table}.{ENDING}"))
}

/// Removes the journals in the folder of a checkpoint.
pub(crate) fn remove_all(
    folder: &Path,
    tables: impl Iterator<Item = &'static str>,
) -> Result<(), RecordError> {
    for table in tables {
        let path = path_of(folder, table);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(RecordError::writing(path, error));
            }
            _ => {}
        }
    }
    Ok(())
}
