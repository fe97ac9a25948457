// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves a scenario's packets in real time: the engine and the agenda of a run, driven by this machine's clock, without
//! end (a constellation is laid out page by page).
//!
//! `cargo run --example wall_clock -- scenarios/iridium-isl-bottleneck.toml [SECONDS]`

use engine::{Blind, Observer};
use sim::{Options, SegmentBody, SimError, Simulation};
use std::thread;
use std::time::{Duration, Instant};
use units::{Span, Time};

/// Lets a run go on as time goes on, from now until `end`; `look` sees it after every stretch of time.
///
/// # Errors
/// As [`Simulation::advance`].
pub fn drive<O: Observer<SegmentBody>>(
    simulation: &mut Simulation<'_, O>,
    end: Time,
    mut look: impl FnMut(Time, &Simulation<'_, O>),
) -> Result<(), SimError> {
    let begun = Instant::now();
    loop {
        let now = (Time::ZERO + Span::from_secs_f64(begun.elapsed().as_secs_f64())).min(end);
        simulation.advance(now)?;
        look(now, simulation);
        if now == end {
            return Ok(());
        }
        let next = simulation.next_moment().min(end);
        thread::sleep(Duration::from_nanos(next.since(now).nanos()));
    }
}

#[expect(clippy::print_stdout, reason = "a program, not a library")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: wall_clock FILE [SECONDS]")?;
    let seconds = arguments.next().map(|text| text.parse::<f64>()).transpose()?;
    let end = seconds.map_or(Time::MAX, Time::from_secs_f64);
    let scenario = scenario::Scenario::from_toml(&std::fs::read_to_string(&file)?, &file)?;
    // What is recorded grows with time: nothing is.
    let (options, go_on) = (Options::default(), |_| false);
    let mut simulation = Simulation::open_ended(&scenario, &options, Blind, &go_on)?;
    let mut told = Time::ZERO;
    drive(&mut simulation, end, |now, simulation| {
        if now.since(told) >= Span::from_secs(1) || now == end {
            told = now;
            let ledger = simulation.engine().ledger();
            let (sent, lost) = (ledger.created, ledger.dropped.iter().sum::<u64>());
            println!(
                "{:.1} s: {sent} packets sent, {} arrived, {lost} lost",
                now.secs_f64(),
                ledger.delivered
            );
        }
    })?;
    simulation.finish()?;
    Ok(())
}
