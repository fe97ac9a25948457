// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of run folders.

use std::fmt;
use std::io;
use std::path::PathBuf;
use units::Code;

/// Why a run folder could not be written or read.
#[derive(Debug)]
pub enum RecordError {
    /// A file or a folder could not be written.
    Unwritable {
        /// File or folder.
        path: PathBuf,
        /// Reason from the system.
        source: io::Error,
    },
    /// A file could not be read.
    Unreadable {
        /// File.
        path: PathBuf,
        /// Reason from the system.
        source: io::Error,
    },
    /// The journal of a checkpoint is not the journal that was written.
    JournalDamaged {
        /// File.
        path: PathBuf,
    },
    /// The disk or the user's quota is full.
    DiskFull {
        /// File or folder.
        path: PathBuf,
        /// Reason from the system.
        source: io::Error,
    },
    /// The path of the run folder already has content that no run wrote.
    Occupied {
        /// Path of the run folder.
        path: PathBuf,
        /// Names of the existing content; empty if the path is not a folder.
        what: Vec<String>,
    },
    /// The path of the run folder already has another run.
    AnotherRun {
        /// Path of the run folder.
        path: PathBuf,
        /// Name of the existing run's scenario.
        name: String,
        /// The first line that differs between the two scenarios, as in the existing run.
        before: String,
        /// The same line in the new scenario.
        now: String,
    },
    /// The folder is not a run folder.
    NotARun {
        /// Path of the folder.
        path: PathBuf,
        /// What is missing or wrong.
        why: String,
    },
    /// The run folder is incomplete.
    CutOff {
        /// Path of the folder.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
}

impl RecordError {
    /// Returns the stable error code.
    pub const fn code(&self) -> Code {
        match self {
            Self::Unwritable { .. } => Code::FolderUnwritable,
            Self::Unreadable { .. } | Self::JournalDamaged { .. } => Code::FolderDamaged,
            Self::DiskFull { .. } => Code::DiskFull,
            Self::Occupied { .. } | Self::AnotherRun { .. } => Code::FolderOccupied,
            Self::NotARun { .. } => Code::FolderNotARun,
            Self::CutOff { .. } => Code::FolderCutOff,
        }
    }

    /// Creates the error for a failed read of `path`.
    pub fn reading(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Unreadable { path: path.into(), source }
    }

    /// Creates the error for a failed write to `path`.
    pub fn writing(path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = path.into();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path, source },
            _ => Self::Unwritable { path, source },
        }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritable { path, source } => {
                write!(
                    f,
                    "cannot write {}: {source} (choose another folder, or make this one writable)",
                    path.display()
                )
            }
            Self::Unreadable { path, source } => {
                write!(
                    f,
                    "cannot read {}: {source} (make the file readable, or remove its folder)",
                    path.display()
                )
            }
            Self::JournalDamaged { path } => {
                write!(f, "{} is damaged: some bytes changed or are missing", path.display())
            }
            Self::DiskFull { path, source } => write!(
                f,
                "cannot write {}: {source} (free some disk space, record less, or choose another folder)",
                path.display()
            ),
            Self::Occupied { path, what } if what.is_empty() => {
                write!(
                    f,
                    "cannot write the run folder {}: it is not a folder (choose another path)",
                    path.display()
                )
            }
            Self::Occupied { path, what } => write!(
                f,
                "cannot write the run folder {}: it holds {}, which no run wrote (choose another folder, or write \
                 the run beside these files with --force)",
                path.display(),
                some_of(what)
            ),
            Self::AnotherRun { path, name, before, now } => write!(
                f,
                "cannot write the run folder {}: it holds another run, of \"{name}\" (in the folder: {before}; \
                 now: {now}; choose another folder, or replace that run with --force)",
                path.display()
            ),
            Self::NotARun { path, why } => write!(f, "{} is not a run folder: {why}", path.display()),
            Self::CutOff { path, why } => {
                write!(f, "the run folder {} is incomplete: {why} (run the scenario again)", path.display())
            }
        }
    }
}

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unwritable { source, .. }
            | Self::Unreadable { source, .. }
            | Self::DiskFull { source, .. } => Some(source),
            Self::JournalDamaged { .. }
            | Self::Occupied { .. }
            | Self::AnotherRun { .. }
            | Self::NotARun { .. }
            | Self::CutOff { .. } => None,
        }
    }
}

/// Lists some names, followed by the number of names that are not listed.
fn some_of(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let more = names.len().saturating_sub(SHOWN);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}
