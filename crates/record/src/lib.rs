// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that a run writes: the schemas of its tables and of its summary, its provenance, and the folder.
//!
//! [`tables`] holds columns that the engine fills row by row, and writes them to files when they grow long. [`summary`]
//! holds the numbers of `summary.json`. [`folder`] writes both into a temporary folder, which it renames when it is
//! complete. Every name of a number contains its unit. [`pcapng`] and [`qlog`] write the packets and the sender's state
//! of chosen flows into files of [`captures`]. This crate does not know scenarios or engines. It depends only on
//! `units` and on the writers of its formats.

pub mod calls;
pub mod captures;
mod column;
pub mod error;
pub mod folder;
pub mod pcapng;
pub mod qlog;
pub mod summary;
mod table_file;
pub mod tables;

pub use captures::CaptureFile;
pub use error::RecordError;
pub use folder::{Content, RunFolder};
pub use summary::{Input, OwnController, Provenance, SCHEMA_VERSION, Summary, schema_of};
pub use tables::{Batches, Tables};
