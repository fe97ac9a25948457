// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output of a run: recorder, summary, captures and guard. They read a session; a session does not depend on them.

mod calls;
mod capture;
pub mod e_model;
mod guard;
mod measured;
mod proxy_peaks;
mod recorder;
mod run;
mod saving;
mod summary;
mod taps;
mod transmitter_rows;
pub mod visits;
mod weather;

pub use capture::Captures;
pub use recorder::PacketLog;
pub use run::{Options, Outcome, Run, Watch, run, run_in_steps, run_until_interrupted, watched};
