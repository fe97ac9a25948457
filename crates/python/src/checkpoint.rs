// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs with a checkpoint. At an interval of wall-clock time, the state of the run is written beside its folder. If the
//! run is interrupted or killed, the next run continues from the last state. The finished run folder has the same bytes
//! as without an interruption.

use crate::error::Failure;
use crate::job::{Checked, Job};
use plan::Stop;
use pyo3::prelude::*;
use record::{Checkpoint, RunFolder};
use sim::{Options, Outcome, SimError};
use std::path::Path;
use std::time::{Duration, Instant};
use units::{Code, Span};

/// First and shortest step in virtual time.
const SHORTEST_STEP: Span = Span::from_micros(1);
/// Wall-clock time that a step should take. It bounds how much later than its interval a state is written.
const STEP: Duration = Duration::from_millis(50);

/// Makes a run that is written to `folder`. At the interval of the job, it writes its state to `checkpoint`.
pub fn run(
    plan: &Checked,
    options: &Options,
    folder: &RunFolder,
    checkpoint: &Checkpoint,
    stop: Stop<'_>,
) -> Result<Outcome, Failure> {
    let every = plan.checkpoint.unwrap_or(Duration::MAX);
    checkpoint.create()?;
    let tables = folder.journalled_tables(checkpoint);
    let saved = checkpoint.state()?;
    let (mut written, mut begun) = (Instant::now(), None::<Instant>);
    let mut length = SHORTEST_STEP;
    let mut step = |run: &sim::Run| -> Result<Span, SimError> {
        if let Some(took) = begun.map(|begun| begun.elapsed()) {
            length = if took < STEP { length * 2 } else { (length / 2).max(SHORTEST_STEP) };
            if written.elapsed() >= every {
                checkpoint.write(&run.save()?)?;
                written = Instant::now();
            }
        }
        begun = Some(Instant::now());
        Ok(length)
    };
    let made = sim::run_in_steps(&plan.scenario, options, tables, saved.as_deref(), &mut step, stop);
    made.map_err(|error| unusable(plan, checkpoint.folder(), error))
}

/// Converts an error. An error of the checkpoint names its folder and the fix.
fn unusable(plan: &Checked, folder: &Path, error: SimError) -> Failure {
    let (code, why) = match &error {
        SimError::NoRestore(why) => (error.code(), why.to_string()),
        SimError::Record(damage) if damage.code() == Code::FolderDamaged => {
            (damage.code(), damage.to_string())
        }
        _ => return plan.placed(error),
    };
    let folder = folder.display();
    let fix = "to start the run again from its beginning, remove this folder";
    Failure::new(code, &format_args!("cannot continue from the checkpoint {folder}: {why} ({fix})"))
}

/// The time of the state from which a run would continue, and the duration of the run, in seconds. None if the run would
/// start at its beginning. Raises an exception if the run cannot continue from the state.
#[pyfunction]
pub fn checkpoint_position(py: Python<'_>, job: &Job) -> PyResult<Option<(f64, f64)>> {
    Ok(py.detach(|| position(&job.checked()?))?)
}

fn position(plan: &Checked) -> Result<Option<(f64, f64)>, Failure> {
    let Some(out) = plan.out.as_deref() else { return Ok(None) };
    let checkpoint = record::folder::checkpoint(out)?;
    let Some(saved) = checkpoint.state()? else { return Ok(None) };
    let at = sim::saved_time(&saved, &plan.scenario);
    let at = at.map_err(|error| unusable(plan, checkpoint.folder(), error))?;
    Ok(Some((at.secs_f64(), plan.scenario.duration.secs_f64())))
}
