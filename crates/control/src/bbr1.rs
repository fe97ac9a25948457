// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBR version 1 (N. Cardwell et al., ACM Queue 14(5), 2016; CACM 60(2), 2017;
//! draft-cardwell-iccrg-bbr-congestion-control-00; Linux `net/ipv4/tcp_bbr.c`).
//!
//! ```text
//! B = max of delivered/interval over 10 rounds        (draft 4.1.1)   samples that the application limits only raise B
//! R = min RTT over 10 s                               (draft 4.1.2)
//! pacing rate = 0.99 g B                              (Linux)         before the pipe is full it only rises
//! target = G B R + 3 quanta + extra                   (draft 4.2.3)   extra: ACKs ahead of B, at most 0.1 s B (Linux)
//! W += delivered, up to target; 4 <= W                                before the pipe is full W is never cut to target
//!
//! STARTUP    g = G = 2.885            until B grew by less than 25 % in each of 3 rounds
//! DRAIN      g = 1/2.885, G = 2.885   until in flight <= B R + 3 quanta
//! PROBE_BW   g = 5/4, 3/4, 1 (six), G = 2, each for R; random first phase, never 3/4
//!            5/4 also until a loss or in flight >= 5/4 B R + 3 quanta; 3/4 at most until in flight <= B R + 3 quanta
//! PROBE_RTT  W = 4 for 200 ms and a round, when R was not renewed for 10 s; then R stands for another 10 s
//!
//! recovery   W = in flight + 1, for a round W >= in flight + delivered; then as above; W -= lost; at the end W >= W before
//! timeout    W = 1; at the end W >= W before
//! policer    (off) two intervals of 4 to 16 rounds with 20 % lost, throughputs within 1/8: their mean is B, g = 1, for
//!            48 rounds of PROBE_BW (Linux)
//! even       (Linux) the target is ceil(G B R) + 3 quanta + floor(extra), up to an even number; + 2 in the phase of 5/4
//! quantum    1 segment below 1.2 Mbit/s, else 1 ms of the rate, 2 segments to 64 KiB (draft 4.2.2)
//! ```
//! The model never uses the smallest RTT of the whole connection, so it adapts to a longer path within 10 s. If the
//! flow does not fill its window, the window stays at its target.

pub mod drain;
pub mod frame;
pub mod machine;
pub mod model;
pub mod policer;
pub mod probe_bw;
pub mod probe_rtt;
pub mod startup;
pub mod window;

pub use frame::{Bbr, REQUIRES, Variant};
pub use machine::{Machine, MachineParameters, PhaseParameters, State};
pub use model::ModelParameters;

use crate::catalogue::{Entry, Settings, parameters};
use crate::window::Rescale;

/// BBRv1: the machine without changes.
#[derive(Clone, Debug, saved::Plain)]
pub struct Bbr1;

/// BBRv1 with `parameters`.
pub fn controller(parameters: MachineParameters) -> Bbr<Bbr1> {
    Bbr::new(parameters, Bbr1)
}

impl MachineParameters {
    /// Reads the parameters of the model and of the phases.
    pub(crate) fn read(settings: &Settings<'_>, policer: bool, even_window: bool) -> Self {
        let (model, phases) = (ModelParameters::read(settings), PhaseParameters::read(settings));
        Self { model, phases, policer, even_window }
    }
}

impl Variant for Bbr1 {}

impl Rescale for Bbr1 {
    fn rescale(&mut self, _factor: f64) {}
}

parameters! {
    /// Parameters of BBRv1, in addition to the parameters of the model and the phases.
    pub struct Parameters {
        /// true treats two lossy intervals of equal throughput as the effect of a token-bucket policer, and paces at
        /// the rate of this policer
        policer: bool = flag(false),
            "Linux tcp_bbr.c (long-term sampling, always on); the papers and the draft have no such detector";
        /// true rounds the target of the window up to a whole, even number of segments, and adds two segments while
        /// probing up
        even_window: bool = flag(true),
            "true: as in Linux tcp_bbr.c, bbr_bdp() and bbr_quantization_budget(); the papers and the draft have no such allowance";
    }
}

pub(crate) const BBR1: Entry = Entry {
    name: "bbr1",
    summary: "BBR version 1: sends at the measured bandwidth, with a window of two BDP",
    equations: "B = max delivery rate over 10 rounds, R = min RTT over 10 s; pacing = 0.99 g B\n\
                W += acked up to G B R + 3 quanta + min(extra acked, 0.1 s B), at least 4\n\
                startup: g = G = 2.885 until B grew by less than 25 % in each of 3 rounds\n\
                drain: g = 1/2.885 until in flight <= B R + 3 quanta\n\
                probe bandwidth: g = 5/4, 3/4, 1, 1, 1, 1, 1, 1 for R each, G = 2\n\
                probe RTT: W = 4 for 200 ms and a round, when R is 10 s old\n\
                recovery: W = in flight + 1, one round of packet conservation, W restored at the end; timeout: W = 1",
    own: &[&ModelParameters::LIST.all, &PhaseParameters::LIST.all, &Parameters::LIST.all],
    frame: &[],
    sources: &["draft-cardwell-iccrg-bbr-congestion-control-00", "Linux net/ipv4/tcp_bbr.c"],
    limits: "Linux's detector of policers is off by default (policer = false). As in Linux, the detector does not find \
             a policer if the lost data are less than 19.5 % of the delivered data in one of two intervals. Losses do \
             not lower the rate, so a short queue drops many packets. If the receiver limits a flow, the bandwidth \
             estimate falls to the rate that the receiver allows. If the RTT more than doubles, the rate is low until \
             the old RTT expires (min_rtt_window, 10 s). If a new loss recovery begins in every round, each round \
             sends only as much as was delivered (packet conservation), and the rate falls. STARTUP never reduces the \
             window.",
    papers: &[
        "N. Cardwell, Y. Cheng, C. S. Gunn, S. H. Yeganeh, V. Jacobson, BBR: Congestion-Based Congestion Control, \
         ACM Queue 14(5), 2016",
        "N. Cardwell et al., BBR: Congestion-Based Congestion Control, Communications of the ACM 60(2), 2017",
    ],
    draws: true,
    construct: |settings| {
        let Parameters { policer, even_window } = Parameters::read(settings);
        Box::new(controller(MachineParameters::read(settings, policer, even_window)))
    },
};
