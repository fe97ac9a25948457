// SPDX-License-Identifier: MIT OR Apache-2.0
//! The extension module `bentpipe._core`. It converts between Python and the other crates, and contains no
//! computations.
//!
//! Its stub is `python/bentpipe/_core.pyi`. The public interface is the Python package `bentpipe`.

mod answers;
mod ask;
mod budget;
mod checkpoint;
mod controller;
mod cost;
#[cfg(target_os = "linux")]
mod emulate;
mod error;
mod facts;
mod job;
mod model;
mod outcome;
mod own;
mod path;
mod quic;
mod runs;
mod session;
mod sky;
mod table;
mod traffic;

use pyo3::prelude::*;

/// The native extension of Bentpipe. This module is private.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::answers::answers_schema;
    #[pymodule_export]
    use crate::ask::{
        build, checks_itself, coastline, codes, constellations, controllers, fingerprint, network_presets,
        scenario_schema, sites, steps, summary_schema, tcp_presets, version,
    };
    #[pymodule_export]
    use crate::budget::{link_budget, link_budgets};
    #[pymodule_export]
    use crate::checkpoint::checkpoint_position;
    #[pymodule_export]
    use crate::controller::{
        AckEvent, Block, LossEvent, Moment, MssEvent, PathEvent, StartEvent, TimeoutEvent, drive, register,
    };
    #[pymodule_export]
    use crate::cost::{cost, cost_terms};
    #[cfg(target_os = "linux")]
    #[pymodule_export]
    use crate::emulate::Emulation;
    #[pymodule_export]
    use crate::facts::{Chance, DefaultQueue, Facts, Quantity, facts, key_lines, nanos, nearest, quantity};
    #[pymodule_export]
    use crate::job::{Job, RunIdentity, identity, named_files, read_toml};
    #[pymodule_export]
    use crate::model::{model, models};
    #[pymodule_export]
    use crate::outcome::Outcome;
    #[pymodule_export]
    use crate::path::path_series;
    #[pymodule_export]
    use crate::quic::{quic_get, quic_serve};
    #[pymodule_export]
    use crate::runs::{check_folder, lean_summaries, run, run_many, table_columns};
    #[pymodule_export]
    use crate::session::Session;
    #[pymodule_export]
    use crate::sky::Sky;
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::traffic::bottlenecks;
}
