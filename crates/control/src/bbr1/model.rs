// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBR's model of the path: bottleneck bandwidth, round-trip propagation time, rounds, and aggregation of ACKs.

use crate::catalogue::parameters;
use crate::estimate::AckExcess;
use crate::window::Rescale;
use crate::windowed::WindowedMax;
use crate::{Ack, Start};
use units::{Bytes, Span, Time};

parameters! {
    /// Parameters of BBRv1's model.
    pub struct ModelParameters {
        /// time for which a high sample is valid; with a longer time, the estimate ignores short drops; with a shorter
        /// time, it follows a falling rate
        bandwidth_window: u64 = number("round trips", 10.0, 1.0..=1e6),
            "draft-cardwell-iccrg-bbr-congestion-control-00, section 4.1.1.2; Linux (a cycle of 8 rounds plus 2)";
        /// time for which the smallest RTT is valid, and interval of PROBE_RTT; after a change to a longer path, the
        /// old RTT limits the window for this time
        min_rtt_window: Span = time("10 s", Span::from_millis(100)..=Span::from_secs(86_400)),
            "Cardwell et al. 2016; Linux bbr_min_rtt_win_sec";
        /// with true, an equal RTT renews the smallest RTT, so that PROBE_RTT never starts on a path with constant
        /// delays
        renew_on_equal: bool = flag(false),
            "Linux tcp_bbr.c (false); draft-cardwell-iccrg-bbr-congestion-control-00, section 4.1.2.3 (true)";
        /// additional window for ACKs that arrive in bursts (radio frames, thinned ACKs)
        aggregation: bool = flag(true), "Linux tcp_bbr.c since 5.1 (true); the papers and the draft have no such term";
    }
}

/// One delivery-rate sample.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Sample {
    /// Segments/s.
    pub bandwidth: f64,
    /// Whether the sample may be lower than the rate of the path, because the application or PROBE_RTT limited the
    /// flow.
    pub held_back: bool,
    /// Whether the sample is used. A limited sample is used only if it raises the estimate.
    pub counts: bool,
}

/// The model. Amounts are in segments, rates in segments/s, totals in bytes (64 bits).
#[derive(Clone, Debug, saved::Plain)]
pub struct Model {
    parameters: ModelParameters,
    mss: u32,
    bandwidth: WindowedMax,
    min_rtt: Option<Span>,
    min_rtt_at: Time,
    round: u64,
    round_start: bool,
    next_round_delivered: Bytes,
    delivered: Bytes,
    /// Range of the connection's `delivered` during PROBE_RTT. If `delivered` was in this range when a packet was sent,
    /// the packet was sent during PROBE_RTT.
    probe_rtt: Option<(Bytes, Bytes)>,
    aggregation: Aggregation,
}

impl Model {
    /// A model without samples.
    pub const fn new(parameters: ModelParameters) -> Self {
        Self {
            bandwidth: WindowedMax::new(parameters.bandwidth_window),
            parameters,
            mss: 1,
            min_rtt: None,
            min_rtt_at: Time::ZERO,
            round: 0,
            round_start: false,
            next_round_delivered: Bytes::ZERO,
            delivered: Bytes::ZERO,
            probe_rtt: None,
            aggregation: Aggregation::new(),
        }
    }

    /// The connection starts.
    pub const fn start(&mut self, event: &Start) {
        self.mss = event.mss;
        self.min_rtt = event.rtt;
        self.min_rtt_at = event.now;
        self.aggregation.restart(event.now);
    }

    /// Changes the segment size to `mss` bytes. `factor` is the factor of [`Rescale`].
    pub fn set_mss(&mut self, mss: u32, factor: f64) {
        self.mss = mss;
        self.bandwidth.multiply(factor);
        self.aggregation.excess.rescale(factor);
        self.aggregation.largest.rescale(factor);
    }

    /// The largest recent delivery rate, segments/s; 0 before the first sample.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth.get().unwrap_or(0.0)
    }
    /// The smallest recent RTT.
    pub const fn min_rtt(&self) -> Option<Span> {
        self.min_rtt
    }
    /// Number of rounds so far.
    pub const fn round(&self) -> u64 {
        self.round
    }
    /// Whether the newest ACK began a round.
    pub const fn round_start(&self) -> bool {
        self.round_start
    }
    /// Bytes delivered so far.
    pub const fn delivered(&self) -> Bytes {
        self.delivered
    }

    /// `bandwidth` times the smallest RTT, segments; `None` before the first RTT sample.
    pub fn bdp(&self, bandwidth: f64) -> Option<f64> {
        self.min_rtt.map(|min_rtt| bandwidth * min_rtt.secs_f64())
    }

    /// Segments by which the ACKs of the last 5 to 10 rounds were ahead of `bandwidth`. The limit is 100 ms of
    /// `bandwidth`.
    pub fn extra_acked(&self, bandwidth: f64) -> f64 {
        if self.parameters.aggregation {
            self.aggregation.get().min(bandwidth * MAX_AGGREGATION_S)
        } else {
            0.0
        }
    }

    /// If the ACK has a valid delivery-rate sample, updates the bandwidth, the round and the aggregation.
    pub fn update(&mut self, ack: &Ack<'_>, cwnd: f64) -> Option<Sample> {
        self.round_start = false;
        self.delivered = ack.total_delivered;
        let rate = ack.rate?;
        let bandwidth = rate.bytes_per_s()? / f64::from(self.mss);
        // Draft, BBRUpdateRound(): a round begins when a packet is acknowledged that was sent after the last round
        // began.
        if rate.prior_delivered >= self.next_round_delivered {
            self.begin_round();
            self.round += 1;
            self.round_start = true;
        }
        let sent_in_probe_rtt =
            self.probe_rtt.is_some_and(|(from, to)| (from..=to).contains(&rate.prior_delivered));
        let held_back = rate.app_limited || sent_in_probe_rtt;
        // Draft, BBRUpdateBtlBw().
        let counts = !held_back || bandwidth >= self.bandwidth();
        if counts {
            self.bandwidth.update(self.round, bandwidth);
        }
        if self.parameters.aggregation {
            let acked = ack.acked.segments(self.mss);
            self.aggregation.update(ack.now, acked, self.bandwidth(), cwnd, self.round_start);
        }
        Some(Sample { bandwidth, held_back, counts })
    }

    /// Begins a round now. The number of rounds does not change.
    pub const fn begin_round(&mut self) {
        self.next_round_delivered = self.delivered;
    }

    /// Processes an RTT sample. Returns true if the smallest RTT had expired.
    pub fn update_min_rtt(&mut self, ack: &Ack<'_>) -> bool {
        let expired = ack.now.since(self.min_rtt_at) > self.parameters.min_rtt_window;
        let Some(rtt) = ack.rtt.filter(|rtt| *rtt > Span::ZERO) else { return expired };
        let smaller = self
            .min_rtt
            .is_none_or(|min_rtt| rtt < min_rtt || (self.parameters.renew_on_equal && rtt == min_rtt));
        if smaller || expired {
            self.min_rtt = Some(rtt);
            self.min_rtt_at = ack.now;
        }
        expired
    }

    /// Renews the smallest RTT at the end of PROBE_RTT: its time of validity begins at `now`. If `rtt` is given, it
    /// replaces the smallest RTT.
    pub fn renew_min_rtt(&mut self, now: Time, rtt: Option<Span>) {
        self.min_rtt_at = now;
        self.min_rtt = rtt.filter(|rtt| *rtt > Span::ZERO).or(self.min_rtt);
    }

    /// Marks the samples of all packets that are sent until the data now in flight are delivered. These samples may be
    /// too low. `entering` is true when PROBE_RTT begins.
    pub fn hold_back(&mut self, in_flight: Bytes, entering: bool) {
        let to = self.delivered + in_flight;
        let from = self.probe_rtt.filter(|_| !entering).map_or(self.delivered, |(from, _)| from);
        self.probe_rtt = Some((from, to));
    }

    /// Replaces the bandwidth estimate by `known` (segments/s). With `None`, there is no estimate afterwards.
    pub fn reset_bandwidth(&mut self, known: Option<f64>) {
        self.bandwidth.reset();
        if let Some(known) = known {
            self.bandwidth.update(self.round, known);
        }
    }

    /// Restarts the measurement of ACK aggregation, because sending resumes after an idle period.
    pub const fn restart_aggregation(&mut self, now: Time) {
        self.aggregation.restart(now);
    }
}

/// Linux, `bbr_extra_acked_max_us`: the largest addition to the window for aggregated ACKs, in seconds of bandwidth.
const MAX_AGGREGATION_S: f64 = 0.1;
/// Linux, `bbr_extra_acked_win_rtts`: the number of rounds that each of the two maxima covers.
const AGGREGATION_ROUNDS: u32 = 5;

/// How far ACKs are ahead of the bandwidth estimate (Linux, `bbr_update_ack_aggregation()`), in segments.
#[derive(Clone, Debug, saved::Plain)]
struct Aggregation {
    excess: AckExcess,
    /// The largest excess in the current rounds, and the largest excess in the rounds before.
    largest: [f64; 2],
    rounds: u32,
}

impl Aggregation {
    const fn new() -> Self {
        Self { excess: AckExcess::NONE, largest: [0.0; 2], rounds: 0 }
    }

    const fn restart(&mut self, now: Time) {
        self.excess.restart(now);
    }

    const fn get(&self) -> f64 {
        self.largest[0].max(self.largest[1])
    }

    fn update(&mut self, now: Time, acked: f64, bandwidth: f64, cwnd: f64, round_start: bool) {
        if round_start {
            self.rounds += 1;
            if self.rounds >= AGGREGATION_ROUNDS {
                self.rounds = 0;
                self.largest = [0.0, self.largest[0]];
            }
        }
        let excess = self.excess.update(now, acked, bandwidth);
        self.largest[0] = self.largest[0].max(excess.min(cwnd));
    }
}
