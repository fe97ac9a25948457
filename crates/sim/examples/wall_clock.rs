// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves the packets of a scenario in real time. This machine's clock advances a session without an end (a
//! constellation is computed page by page).
//!
//! `cargo run --example wall_clock -- scenarios/iridium-isl-bottleneck.toml [SECONDS]`

use engine::{NoObserver, Observer};
use hosts::AnyBody;
use plan::{Plan, never};
use sim::{Session, Settings, SimError};
use std::thread;
use std::time::{Duration, Instant};
use units::{Span, Time};

/// Advances a session in real time, from now until `end`. Calls `look` with the session after every step.
///
/// # Errors
/// The same as for [`Session::advance`].
pub fn drive<O: Observer<AnyBody>>(
    session: &mut Session<O>,
    end: Time,
    mut look: impl FnMut(Time, &Session<O>),
) -> Result<(), SimError> {
    let begun = Instant::now();
    loop {
        let now = (Time::ZERO + Span::from_secs_f64(begun.elapsed().as_secs_f64())).min(end);
        session.advance(now, &never)?;
        look(now, session);
        if now == end {
            return Ok(());
        }
        let next = session.next_moment().min(end);
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
    let plan = Plan::open_ended(&scenario, &never).map_err(SimError::from)?;
    let mut session = Session::new(plan, Settings::default(), NoObserver, &never)?;
    let mut told = Time::ZERO;
    drive(&mut session, end, |now, session| {
        if now.since(told) >= Span::from_secs(1) || now == end {
            told = now;
            let ledger = session.engine().ledger();
            let (sent, lost) = (ledger.created, ledger.dropped.iter().sum::<u64>());
            println!(
                "{:.1} s: {sent} packets sent, {} arrived, {lost} lost",
                now.secs_f64(),
                ledger.delivered
            );
        }
    })?;
    session.engine().check_conservation().map_err(SimError::from)?;
    Ok(())
}
