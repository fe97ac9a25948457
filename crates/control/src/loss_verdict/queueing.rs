// SPDX-License-Identifier: MIT OR Apache-2.0
//! Classifies losses by queueing delay (Hybla-IM, section 3.2; equations in [`crate::hybla_im`]).
//!
//! Each acknowledgement gives one sample, which is taken from its newest packet. T_PD is the propagation delay when
//! this packet was sent. Without an oracle, T_PD is left out, and T_QD is RTT - min(RTT). After a handover, the delays
//! of one round trip are then compared with the wrong path. A sample below the propagation delay is impossible. Such a
//! sample counts as an empty queue and does not lower min(T_NPD). A step of T_PD restarts min(T_NPD).

use super::Verdicts;
use crate::catalogue::parameters;
use crate::windowed::WindowedMin;
use crate::{Ack, Loss, LossVerdict, PacketKind, Signals, Snapshot};
use units::Span;

/// Two delays count as equal if they differ by less than this time, s.
const TOLERANCE_S: f64 = 1e-6;
/// Smallest step of the propagation delay that restarts min(T_NPD), s.
const PATH_STEP_S: f64 = 1e-3;
/// Number of samples that are stored. If a loss is detected late, the samples before the reordering window are still
/// stored.
const KEPT: usize = 256;
/// Number of packets before the hole whose delays are averaged.
const BEFORE_THE_HOLE: usize = 3;

parameters! {
    /// Parameters of the detector.
    pub struct Parameters {
        /// queueing-delay verdict: false computes the queueing delay as RTT - min(RTT), without the propagation delay
        /// from the orbits
        oracle: bool = flag(true), "Hybla-IM, section 3.2.1";
        /// queueing-delay verdict: weight of a new delay in the smoothed delay; with a large weight, older delays
        /// without congestion have little effect
        qd_gain: f64 = number("none", 1.0 / 128.0, 1e-6..=1.0), "Bentpipe (the Hybla-IM paper gives no value)";
        /// queueing-delay verdict: time for which the smallest non-propagation delay is valid
        min_npd_window: Span = time("30 s", Span::from_millis(100)..=Span::from_secs(86_400)),
            "Bentpipe (in the Hybla-IM paper, the smallest delay never expires)";
    }
}

/// Delays of one packet, s.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Sample {
    tx: u64,
    /// T_QD.
    queueing: f64,
    /// T'_QD after this packet.
    smoothed: f64,
}

/// Measures the queueing delay and judges losses.
#[derive(Clone, Debug, saved::Plain)]
pub struct Queueing {
    gain: f64,
    oracle: bool,
    min_npd: WindowedMin,
    /// T_PD of the newest sample, s.
    propagation: Option<f64>,
    ring: [Sample; KEPT],
    /// Total number of samples taken.
    taken: usize,
    verdicts: Verdicts,
}

impl Queueing {
    /// The part before the first sample.
    pub const fn new(parameters: &Parameters) -> Self {
        Self {
            gain: parameters.qd_gain,
            oracle: parameters.oracle,
            min_npd: WindowedMin::new(parameters.min_npd_window),
            propagation: None,
            ring: [Sample { tx: 0, queueing: 0.0, smoothed: 0.0 }; KEPT],
            taken: 0,
            verdicts: Verdicts::NONE,
        }
    }

    /// The part requires per-packet ACKs. With the oracle, it also requires the propagation delay.
    pub const fn requires(&self) -> Signals {
        if self.oracle { Signals::PER_PACKET.and(Signals::PROPAGATION) } else { Signals::PER_PACKET }
    }

    /// Takes a sample from the newest packet of an ACK, unless the RTT of this packet is ambiguous.
    pub fn on_ack(&mut self, ack: &Ack<'_>) {
        let (Some(rtt), Some(packet)) = (ack.rtt, ack.packets.last()) else { return };
        if packet.kind != PacketKind::Data {
            return;
        }
        let propagation = packet.propagation_rtt.filter(|_| self.oracle).map_or(0.0, Span::secs_f64);
        if self.propagation.is_some_and(|before| (propagation - before).abs() > PATH_STEP_S) {
            self.min_npd.reset();
        }
        self.propagation = Some(propagation);

        // T_NPD = RTT - T_PD
        let npd = rtt.secs_f64() - propagation;
        // T_QD = T_NPD - min(T_NPD)
        let queueing = if npd < 0.0 { 0.0 } else { (npd - self.min_npd.update(ack.now, npd)).max(0.0) };
        // T'_QD(n) = (1 - a) T'_QD(n-1) + a T_QD(n). The first T'_QD is the first T_QD.
        let before = self.newest().map_or(queueing, |sample| sample.smoothed);
        let smoothed = before + self.gain * (queueing - before);
        self.ring[self.taken % KEPT] = Sample { tx: packet.tx, queueing, smoothed };
        self.taken += 1;
    }

    fn newest(&self) -> Option<&Sample> {
        self.taken.checked_sub(1).map(|last| &self.ring[last % KEPT])
    }

    /// Steps 3 and 4 of the paper for the first lost packet.
    pub fn judge(&mut self, loss: &Loss<'_>) -> LossVerdict {
        let verdict = match loss.packets.first().and_then(|lost| self.before_the_hole(lost.tx)) {
            Some((average, smoothed)) if average <= smoothed + TOLERANCE_S => LossVerdict::LinkError,
            // The queue before the hole is not known. Congestion is the safe verdict.
            _ => LossVerdict::Congestion,
        };
        self.verdicts.count(verdict)
    }

    /// Mean T_QD of the last packets sent before transmission `lost`, and T'_QD of the last of these packets.
    fn before_the_hole(&self, lost: u64) -> Option<(f64, f64)> {
        // The packets with the largest numbers below `lost`, largest first.
        let mut last: [Option<&Sample>; BEFORE_THE_HOLE] = [None; BEFORE_THE_HOLE];
        for sample in self.ring[..self.taken.min(KEPT)].iter().filter(|sample| sample.tx < lost) {
            let mut candidate = Some(sample);
            for place in &mut last {
                if candidate.map(|s| s.tx) > place.map(|s| s.tx) {
                    std::mem::swap(place, &mut candidate);
                }
            }
        }
        let smoothed = last[0]?.smoothed;
        let found = last.iter().flatten().count() as f64;
        let average = last.iter().flatten().map(|sample| sample.queueing).sum::<f64>() / found;
        Some((average, smoothed))
    }

    /// Values for traces.
    pub fn snapshot(&self, out: &mut Snapshot) {
        if let Some(newest) = self.newest() {
            out.push(("queueing_delay_ms", newest.queueing * 1e3));
            out.push(("smoothed_queueing_delay_ms", newest.smoothed * 1e3));
        }
        if let Some(min_npd) = self.min_npd.get() {
            out.push(("min_non_propagation_delay_ms", min_npd * 1e3));
        }
        self.verdicts.snapshot(out);
    }
}
