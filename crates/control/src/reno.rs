// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reno (RFC 5681), which is also the window rule of NewReno (RFC 6582) and SACK TCP (RFC 6675).
//!
//! The three protocols differ in how the transport finds and repairs holes. They do not differ in the reaction of the
//! window to a loss event. The names `reno`, `newreno` and `sack` therefore build the same rule. Only the recovery of
//! the transport differs.

use crate::Ack;
use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};

parameters! {
    /// Parameters of Reno.
    pub struct Parameters {
        /// false counts one segment per ACK (equation 3): delayed ACKs then halve the growth in avoidance
        byte_counting: bool = flag(true), "RFC 3465; RFC 5681, section 3.1";
    }
}

/// The window rule of Reno.
#[derive(Clone, Debug, saved::Plain)]
pub struct Reno {
    byte_counting: bool,
}

/// Reno with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<Reno> {
    let Parameters { byte_counting } = parameters;
    LossBased::new(Reno { byte_counting }, parts)
}

/// RFC 5681, section 3.1: one segment per window of acknowledged data.
pub fn increase(acked: f64, w: f64) -> f64 {
    // RFC 5681, equation 3: cwnd += SMSS * SMSS / cwnd.
    acked / w
}

/// RFC 5681, equation 4: ssthresh = max(FlightSize / 2, 2 SMSS). The frame computes the maximum.
pub fn halve(flight: f64) -> f64 {
    flight / 2.0
}

impl Rescale for Reno {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for Reno {
    type Memory = ();

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        increase(if self.byte_counting { acked } else { 1.0 }, window.w)
    }
    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        halve(event.flight)
    }
    fn save(&self) {}
    fn restore(&mut self, (): ()) {}
}

pub(crate) const RENO: Entry = Entry {
    name: "reno",
    summary: "Reno (RFC 5681)",
    equations: "slow start (W < ssthresh): W += min(acked, L) per ACK\n\
                avoidance: W += acked / W per ACK\n\
                loss: ssthresh = max(FlightSize/2, 2), W = ssthresh\n\
                timeout: ssthresh = max(FlightSize/2, 2), W = 1",
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["RFC 5681", "RFC 3465", "RFC 6582", "RFC 6675"],
    limits: "At a loss probability p, the mean window is sqrt(3/(2p)) segments. Long paths with random loss \
             therefore stay far below capacity.",
    papers: &["V. Jacobson, Congestion Avoidance and Control, SIGCOMM 1988"],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};

pub(crate) const NEWRENO: Entry = Entry {
    name: "newreno",
    summary: "NewReno: the window rule of Reno, for TCP with recovery \"newreno\" (RFC 6582)",
    ..RENO
};

pub(crate) const SACK: Entry = Entry {
    name: "sack",
    summary: "Reno with SACK: the window rule of Reno, for TCP with recovery \"sack\" (RFC 6675)",
    ..RENO
};
