// SPDX-License-Identifier: MIT OR Apache-2.0
//! Findings: what a reader of the numbers must know of a flow, because no transport in use would behave so for long. A
//! run is never changed by them.
//!
//! Every connection is looked at every 100 ms of virtual time, the warm-up included, whatever is recorded:
//!
//! - *runaway*: its window is over 8 times what the path can hold (`capacity`), or its pacing rate over 8 times the rate of
//!   the narrowest link, at every look for more than 10 round trips. What the controller asks for counts, used or not: where
//!   the application or the receiver holds the sender back the harm is only put off, and the text says how much was
//!   in flight. A flow whose path is gone is not judged until it has one again.
//! - *long recovery*: one recovery lasts more than 10 round trips.
//! - *not connected*: the timer of its SYN expired, and it never came to a connection.

use crate::SimError;
use crate::capacity::{Capacity, stretch};
use crate::endpoint::{Metered, Transport};
use crate::packet::SegmentBody;
use crate::run::Stage;
use crate::wire::Wiring;
use engine::{Engine, Observer, Task};
use record::summary::{Finding, FindingKind};
use units::{Rate, Span, Time};

/// How often a flow is looked at.
const LOOK: Span = Span::from_millis(100);
/// A window or a pacing rate so many times what the path can hold is a runaway.
const TOO_MUCH: f64 = 8.0;
/// If it lasts longer than this; and so long may a recovery last.
const ROUND_TRIPS: u64 = 10;

/// Looks at every flow now and then.
#[derive(Debug)]
pub(crate) struct Looks {
    next: Time,
}

impl Looks {
    pub fn new() -> Self {
        Self { next: Time::ZERO + LOOK }
    }
}

impl<O: Observer<SegmentBody>> Task<Stage<'_, O>> for Looks {
    fn due(&self) -> Time {
        self.next
    }
    fn act(&mut self, now: Time, stage: &mut Stage<'_, O>) -> Result<(), SimError> {
        stage.guard.look(&stage.wiring, &stage.engine);
        self.next = now + LOOK;
        Ok(())
    }
}

/// What has been seen of all flows.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    flows: Vec<Watch>,
}

/// What has been seen of one flow.
#[derive(Clone, Debug, Default)]
struct Watch {
    /// The excess that goes on.
    excess: Option<Excess>,
    runaway: Option<Runaway>,
    recovery: Option<Recovery>,
}

/// A stretch of time in which a flow asks for too much.
#[derive(Clone, Debug)]
struct Excess {
    from: Time,
    /// When it was seen last.
    last: Time,
    /// It counts if it lasts longer.
    patience: Span,
    worst: Worst,
}

/// The largest of what was seen.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    /// Window over what the path holds; window in segments.
    window: (f64, f64),
    /// Pacing rate over the path's rate; both rates.
    pacing: (f64, Rate, Rate),
    in_flight_segments: f64,
}

impl Worst {
    fn of(capacity: &Capacity, transport: &dyn Transport, mss: f64) -> Self {
        let state = transport.state();
        let window = capacity.bytes.map_or(0.0, |bytes| state.cwnd.get() as f64 / bytes);
        let pacing = state.pacing.map_or((0.0, Rate::default(), capacity.rate), |pacing| {
            (pacing.bits_per_s() as f64 / capacity.rate.bits_per_s() as f64, pacing, capacity.rate)
        });
        let window = (window, state.cwnd.get() as f64 / mss);
        Self { window, pacing, in_flight_segments: state.in_flight_segments }
    }

    fn ratio(&self) -> f64 {
        self.window.0.max(self.pacing.0)
    }

    fn and(self, other: &Self) -> Self {
        Self {
            window: if other.window.0 > self.window.0 { other.window } else { self.window },
            pacing: if other.pacing.0 > self.pacing.0 { other.pacing } else { self.pacing },
            in_flight_segments: self.in_flight_segments.max(other.in_flight_segments),
        }
    }
}

#[derive(Clone, Debug)]
struct Runaway {
    since: Time,
    /// In stretches that are over.
    lasted: Span,
    worst: Worst,
}

#[derive(Clone, Copy, Debug)]
struct Recovery {
    since: Time,
    lasted: Span,
    round_trips: f64,
}

impl Guard {
    /// Looks at every connection that runs.
    pub fn look<E: Metered, O: Observer<E::Body>>(&mut self, wiring: &Wiring, engine: &Engine<E, O>) {
        let now = engine.now();
        self.flows.resize_with(wiring.flows.len(), Watch::default);
        for (flow, watch) in self.flows.iter_mut().enumerate() {
            let plan = &wiring.flows[flow];
            let Some(transport) = engine.endpoints()[2 * flow].transport() else { continue };
            if plan.start >= now {
                continue;
            }
            watch.note_recovery(now, transport);
            if transport.completed_at().is_some() || plan.stop.is_some_and(|stop| stop <= now) {
                watch.close();
                continue;
            }
            let Some(base_rtt) = wiring.propagation_rtt(plan, now) else {
                watch.close();
                continue;
            };
            let rtt = transport.state().srtt.map_or(base_rtt, |srtt| srtt.max(base_rtt));
            let since = Time::from_nanos(now.nanos().saturating_sub(stretch(rtt).nanos()));
            let Some(capacity) = wiring.capacity(flow, (since, now)) else {
                watch.close();
                continue;
            };
            watch.note(now, rtt, &Worst::of(&capacity, transport, f64::from(plan.mss)));
        }
    }

    /// What is to be said at the end of the run, in the order of flows.
    pub fn findings<E: Metered, O: Observer<E::Body>>(
        mut self,
        wiring: &Wiring,
        engine: &Engine<E, O>,
    ) -> Vec<Finding> {
        self.look(wiring, engine);
        let mut findings = Vec::new();
        for (flow, watch) in self.flows.iter_mut().enumerate() {
            watch.close();
            let plan = &wiring.flows[flow];
            let who = format!("flow \"{}\" ({})", plan.name, plan.controller.as_deref().unwrap_or(plan.kind));
            let finding = |kind, since: Time, lasted: Span, magnitude: f64, text: String| Finding {
                flow: flow as u32,
                kind,
                since_s: since.secs_f64(),
                lasted_s: lasted.secs_f64(),
                magnitude,
                text: format!("{who}: {text}"),
            };
            if let Some(Runaway { since, lasted, worst }) = &watch.runaway {
                let text = worst.text(*since, *lasted);
                findings.push(finding(FindingKind::Runaway, *since, *lasted, worst.ratio(), text));
            }
            if let Some(Recovery { since, lasted, round_trips }) = watch.recovery {
                let text = format!(
                    "one recovery lasted {:.1} s from {:.1} s on, which are {round_trips:.0} round trips",
                    lasted.secs_f64(),
                    since.secs_f64()
                );
                findings.push(finding(FindingKind::LongRecovery, since, lasted, round_trips, text));
            }
            let syns = engine.endpoints()[2 * flow].transport().map_or(0, Transport::unanswered_syns);
            if syns > 1 {
                let end = plan.stop.unwrap_or(Time::MAX).min(engine.now());
                let text = format!("it never came to a connection: {syns} SYNs went out");
                let lasted = end.since(plan.start);
                findings.push(finding(FindingKind::NotConnected, plan.start, lasted, syns as f64, text));
            }
        }
        findings
    }
}

impl Worst {
    fn text(&self, since: Time, lasted: Span) -> String {
        let window = format!(
            "its window was up to {:.0} times what the path can hold ({:.0} segments)",
            self.window.0, self.window.1
        );
        let (times, pacing, rate) = self.pacing;
        let pacing = format!(
            "its pacing rate was up to {times:.0} times the path's ({} over {})",
            mbit_s(pacing),
            mbit_s(rate)
        );
        let what = match (self.window.0 > TOO_MUCH, times > TOO_MUCH) {
            (true, true) => format!("{window} and {pacing}"),
            (true, false) => window,
            _ => pacing,
        };
        format!(
            "{what}, from {:.1} s on, for {:.1} s in all; at most {:.0} segments were in flight then",
            since.secs_f64(),
            lasted.secs_f64(),
            self.in_flight_segments
        )
    }
}

fn mbit_s(rate: Rate) -> String {
    let digits = if rate < Rate::from_bits_per_s(10_000_000) { 3 } else { 0 };
    format!("{:.digits$} Mbit/s", rate.mbit_per_s())
}

impl Watch {
    fn note_recovery(&mut self, now: Time, transport: &dyn Transport) {
        let (lasted, round_trips) = transport.longest_recovery(now);
        if round_trips > ROUND_TRIPS as f64
            && self.recovery.is_none_or(|longest| longest.round_trips < round_trips)
        {
            // Longer than at the last look: it goes on, or ended since.
            let began = Time::from_nanos(now.nanos().saturating_sub(lasted.nanos()));
            let same = self.recovery.filter(|before| before.since + LOOK + LOOK > began);
            let since = same.map_or(began, |before| before.since);
            self.recovery = Some(Recovery { since, lasted, round_trips });
        }
    }

    /// What the flow asks for at `now`.
    fn note(&mut self, now: Time, rtt: Span, asks: &Worst) {
        if asks.ratio() <= TOO_MUCH {
            self.close();
            return;
        }
        match &mut self.excess {
            Some(excess) => (excess.last, excess.worst) = (now, excess.worst.and(asks)),
            None => {
                self.excess =
                    Some(Excess { from: now, last: now, patience: rtt * ROUND_TRIPS, worst: *asks });
            }
        }
    }

    /// The excess is over, or cannot be seen any more: it lasted until it was seen last.
    fn close(&mut self) {
        let Some(Excess { from, last, patience, worst }) = self.excess.take() else { return };
        let lasted = last.since(from);
        if lasted <= patience {
            return;
        }
        let runaway = self.runaway.get_or_insert(Runaway { since: from, lasted: Span::ZERO, worst });
        runaway.lasted = runaway.lasted + lasted;
        runaway.worst = runaway.worst.and(&worst);
    }
}

#[cfg(test)]
mod tests;
