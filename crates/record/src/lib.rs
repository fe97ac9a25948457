// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that a run writes: the schemas of its tables and of its summary, its provenance, and the folder.
//!
//! [`tables`] holds columns that the engine fills row by row, and writes as they grow long; [`summary`] the numbers of `summary.json`;
//! [`folder`] writes both aside and renames the folder when it is whole. Units stand in every name.
//! [`pcapng`] and [`qlog`] write packets and the inner life of chosen flows, into files of [`captures`].
//! This crate knows nothing of scenarios and engines: it depends on `units` and on the writers of its formats.

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
