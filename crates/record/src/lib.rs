// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that a run writes: the run folder, its tables and its summary, including their schemas and their
//! provenance.
//!
//! [`tables`] contains the tables, which the engine fills row by row. Long tables are written to files during the run.
//! [`summary`] defines the numbers of `summary.json`. [`folder`] writes both into a temporary folder, and renames this
//! folder when it is complete. The name of every number contains its unit. [`pcapng`] writes the packets of chosen
//! flows, and [`qlog`] the state of their senders, into files of [`captures`]. A [`Checkpoint`] is the folder from which
//! an interrupted run continues. This crate does not depend on scenarios
//! or engines, but only on `units` and on the writers of its formats.

pub mod calls;
pub mod captures;
mod checkpoint;
mod checksum;
mod column;
pub mod error;
pub mod folder;
mod journal;
pub mod pcapng;
pub mod qlog;
pub mod summary;
mod table_file;
pub mod tables;

pub use captures::CaptureFile;
pub use checkpoint::Checkpoint;
pub use checksum::checksum;
pub use error::RecordError;
pub use folder::{Content, RunFolder};
pub use summary::{Input, OwnController, Provenance, SCHEMA_VERSION, Summary, schema_of};
pub use tables::{Batches, Tables};
