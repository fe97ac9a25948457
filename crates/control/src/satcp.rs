// SPDX-License-Identifier: MIT OR Apache-2.0
//! SaTCP (INFOCOM 2023): CUBIC that is informed of disruptions in advance. [`crate::cubic`] lists the equations of
//! CUBIC.
//!
//! ```text
//! disruption: from T_earlier before the announced event (at the earliest, from the announcement) for the time D
//! an epoch that begins in it:  K = cbrt((W_max - W_epoch) / C) / 9, else as CUBIC
//! a timeout in it:             W_max is kept, and such an epoch follows slow start; else as CUBIC (K = 0)
//! losses:                      as CUBIC, ssthresh = beta FlightSize
//! ```
//!
//! With K/9, the curve begins at W_max - (W_max - W_epoch)/729. The window is back at W_max within about a round trip.

use crate::announced::Announced;
use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters};
use crate::cubic::{self, Cubic};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, PathChange, PathKind, Signals, Snapshot};
use units::{Span, Time};

/// Divisor of CUBIC's K during a disruption (`satcp.patch`: K - 8 K/9).
const K_DIVISOR: f64 = 9.0;

parameters! {
    /// Parameters of SaTCP, in addition to the parameters of CUBIC.
    pub struct Parameters {
        /// time between the assumed start of a disruption and its announced start; the assumed start is earlier,
        /// because announcements are inexact
        earlier: Span = time("500 ms", Span::ZERO..=Span::from_secs(60)),
            "SaTCP (T_earlier), authors' emulator";
        /// assumed duration of a disruption; if it is too short, it ends before the losses are detected; if it is too
        /// long, congestion is ignored
        duration: Span = time("2300 ms", Span::ZERO..=Span::from_secs(60)), "SaTCP (D), authors' relay";
    }
}

/// The window rule of SaTCP.
#[derive(Clone, Debug, saved::Plain)]
pub struct SaTcp {
    cubic: Cubic,
    earlier: Span,
    duration: Span,
    disruptions: Announced,
}

/// SaTCP with `parameters`, and CUBIC with `cubic`, combined with `parts`.
pub fn controller(parts: Parts, cubic: cubic::Parameters, parameters: Parameters) -> LossBased<SaTcp> {
    let Parameters { earlier, duration } = parameters;
    let cubic = cubic::rule(cubic);
    LossBased::new(SaTcp { cubic, earlier, duration, disruptions: Announced::default() }, parts)
}

impl Rescale for SaTcp {
    fn rescale(&mut self, factor: f64) {
        self.cubic.rescale(factor);
    }
}

impl Rule for SaTcp {
    type Memory = cubic::Memory;

    fn unused(&mut self) {
        self.cubic.unused();
    }

    fn requires(&self) -> Signals {
        Signals::PATH_CHANGE
    }

    fn path(&mut self, event: &PathChange, _window: &mut Window) {
        if event.kind != PathKind::RateChange {
            let from = (event.at - self.earlier).max(event.now);
            self.disruptions.add(from, from + self.duration);
        }
    }

    fn avoidance(&mut self, ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        if self.cubic.is_between_epochs() {
            self.cubic.k_divisor = if self.disruptions.covers(ack.now) { K_DIVISOR } else { 1.0 };
        }
        self.cubic.avoidance(ack, acked, window)
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        self.cubic.reduce(event, window)
    }

    fn timeout_at(&mut self, now: Time) {
        if !self.disruptions.covers(now) {
            self.cubic.timeout();
        }
    }

    fn save(&self) -> cubic::Memory {
        self.cubic.save()
    }

    fn restore(&mut self, memory: cubic::Memory) {
        self.cubic.restore(memory);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        self.cubic.snapshot(out);
    }
}

pub(crate) const SATCP: Entry = Entry {
    name: "satcp",
    summary: "SaTCP: CUBIC that recovers nine times sooner around announced disruptions",
    equations: "disruption: from max(event - earlier, announcement) for duration\n\
                epoch begun in a disruption: K = cbrt((W_max - W_epoch)/C)/9\n\
                timeout in a disruption: ssthresh = max(beta FlightSize, 2), W = 1, W_max is kept\n\
                everything else as cubic",
    own: &[&[cubic::SLOW_START], &cubic::Parameters::LIST.all, &Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["Cao and Zhang, INFOCOM 2023", "LeoEM, emulation_stage/satcp/satcp.patch", "RFC 9438"],
    limits: "The controller needs announcements of handovers, reroutes and outages. The controller ignores the \
             uncertainty of an announcement: the parameters earlier and duration determine the length of a \
             disruption. A loss still reduces the window by the fraction 1 - beta. The authors patch Linux's CUBIC of \
             2022, where all flows of a host share one flag. This controller uses RFC 9438's CUBIC.",
    papers: &[
        "X. Cao, X. Zhang, SaTCP: Link-Layer Informed TCP Adaptation for Highly Dynamic LEO Satellite \
         Networks, INFOCOM 2023",
    ],
    draws: false,
    construct: |settings| {
        let cubic = cubic::Parameters::read(settings);
        Box::new(controller(parts(settings), cubic, Parameters::read(settings)))
    },
};
