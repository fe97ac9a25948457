// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reactions to losses (sections 5.5.10 and 5.5.11): the short-term model, the end of probes that sent too much, and
//! undo.

use super::{Bbr3, Sample, State};
use crate::{Loss, LostPacket, Timeout};
use units::Time;

/// Signals of the current loss round, and the short-term model. Amounts are in bytes, and rates are in bytes/s.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Congestion {
    /// BBR.is_loss_in_round: whether a packet was lost in this loss round.
    is_loss_in_round: bool,
    loss_round_delivered: u64,
    pub(super) loss_round_start: bool,
    /// Number of discontiguous lost ranges since the loss round began.
    pub(super) ranges_lost_in_round: u32,
    bw_latest: f64,
    pub(super) inflight_latest: f64,
    /// BBR.bw_shortterm; infinite before the first loss.
    pub(super) bw_shortterm: f64,
    /// BBR.inflight_shortterm; infinite before the first loss.
    pub(super) inflight_shortterm: f64,
}

impl Default for Congestion {
    fn default() -> Self {
        Self {
            is_loss_in_round: false,
            loss_round_delivered: 0,
            loss_round_start: false,
            ranges_lost_in_round: 0,
            bw_latest: 0.0,
            inflight_latest: 0.0,
            bw_shortterm: f64::INFINITY,
            inflight_shortterm: f64::INFINITY,
        }
    }
}

impl Congestion {
    /// ResetCongestionSignals(): forgets the signals of the loss round.
    pub(super) const fn reset_signals(&mut self) {
        self.is_loss_in_round = false;
        self.bw_latest = 0.0;
        self.inflight_latest = 0.0;
    }

    /// ResetShortTermModel(): removes the short-term bounds.
    pub(super) const fn reset_short_term_model(&mut self) {
        self.bw_shortterm = f64::INFINITY;
        self.inflight_shortterm = f64::INFINITY;
    }
}

/// State that an undo restores (section 2.15). The window is stored in `prior_cwnd`.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(super) struct Undo {
    pub(super) episode: u32,
    /// The state that the loss ended: Startup or ProbeBW_UP.
    pub(super) state: Option<State>,
    bw_shortterm: f64,
    inflight_shortterm: f64,
    inflight_longterm: f64,
}

impl Bbr3 {
    /// UpdateLatestDeliverySignals(): updates the largest amounts of the loss round, and detects whether a loss round
    /// ends.
    pub(super) fn update_latest_delivery_signals(&mut self, rs: &Sample) {
        let congestion = &mut self.congestion;
        congestion.bw_latest = congestion.bw_latest.max(rs.delivery_rate);
        congestion.inflight_latest = congestion.inflight_latest.max(rs.delivered);
        congestion.loss_round_start =
            rs.prior_delivered.is_some_and(|prior| prior >= congestion.loss_round_delivered);
        if congestion.loss_round_start {
            congestion.loss_round_delivered = self.delivered;
        }
    }

    /// AdvanceLatestDeliverySignals(): if a loss round begins, starts its amounts from this ACK.
    pub(super) const fn advance_latest_delivery_signals(&mut self, rs: &Sample) {
        if self.congestion.loss_round_start {
            self.congestion.bw_latest = rs.delivery_rate;
            self.congestion.inflight_latest = rs.delivered;
        }
    }

    /// UpdateCongestionSignals(): updates `max_bw`, and adapts the short-term bounds at the end of a loss round.
    pub(super) fn update_congestion_signals(&mut self, rs: &Sample) {
        self.update_max_bw(rs);
        if self.congestion.loss_round_start {
            self.adapt_lower_bounds_from_congestion();
            self.congestion.is_loss_in_round = false;
        }
    }

    /// AdaptLowerBoundsFromCongestion(), InitLowerBounds() and LossLowerBounds(): lowers the short-term bounds after a
    /// loss round with a loss.
    fn adapt_lower_bounds_from_congestion(&mut self) {
        if self.state.is_probing() || !self.congestion.is_loss_in_round {
            return;
        }
        let beta = self.parameters.beta;
        let (max_bw, cwnd) = (self.max_bw.get(), self.cwnd);
        let model = &mut self.congestion;
        let or = |bound: f64, first: f64| if bound == f64::INFINITY { first } else { bound };
        // bw_shortterm = max(bw_latest, Beta bw_shortterm). inflight_shortterm follows the same rule.
        model.bw_shortterm = model.bw_latest.max(beta * or(model.bw_shortterm, max_bw));
        model.inflight_shortterm = model.inflight_latest.max(beta * or(model.inflight_shortterm, cwnd));
    }

    /// OnEnterFastRecovery() and OnEnterRTO(): SaveStateUponLoss(), once per episode.
    pub(super) fn enter_recovery(&mut self, episode: u32) {
        if self.undo.as_ref().is_none_or(|undo| undo.episode != episode) {
            self.save_cwnd();
            self.undo = Some(Undo {
                episode,
                state: None,
                bw_shortterm: self.congestion.bw_shortterm,
                inflight_shortterm: self.congestion.inflight_shortterm,
                inflight_longterm: self.inflight_longterm,
            });
        }
        self.in_loss_recovery = true;
    }

    /// NoteLoss(): stores that this loss round contains a loss.
    const fn note_loss(&mut self) {
        if !self.congestion.is_loss_in_round {
            self.congestion.loss_round_delivered = self.delivered;
        }
        self.congestion.is_loss_in_round = true;
    }

    /// HandleLostPacket() for each packet.
    pub(super) fn handle_losses(&mut self, event: &Loss<'_>) {
        self.note_loss();
        self.congestion.ranges_lost_in_round =
            self.congestion.ranges_lost_in_round.saturating_add(event.ranges);
        // C.lost grows packet by packet. If a loss is reported a second time, it has 0 bytes, because it was counted
        // before.
        let total = self.lost.saturating_add(event.lost.get());
        for packet in event.packets {
            self.lost = self.lost.saturating_add(packet.bytes.into()).min(total);
            self.handle_lost_packet(event.now, packet);
        }
        self.lost = total;
    }

    fn handle_lost_packet(&mut self, now: Time, packet: &LostPacket) {
        self.note_loss();
        if !self.cycle.is_bw_probe_sample {
            return;
        }
        let tx_in_flight = packet.tx_in_flight.get() as f64;
        let lost = self.lost.saturating_sub(packet.lost_at_send.get()) as f64;
        if self.is_inflight_too_high(lost, tx_in_flight) {
            let at_loss = self.inflight_at_loss(lost, tx_in_flight, packet.bytes.into());
            self.handle_inflight_too_high(now, at_loss);
        }
    }

    /// A timeout: all data in flight are presumed lost.
    pub(super) fn handle_timeout(&mut self, event: &Timeout) {
        self.note_loss();
        if self.cycle.is_bw_probe_sample {
            self.handle_inflight_too_high(event.now, event.in_flight_before.get() as f64);
        }
        if !self.state.is_probing() && self.congestion.inflight_shortterm == f64::INFINITY {
            self.congestion.inflight_shortterm = self.cwnd.max(self.prior_cwnd);
        }
    }

    /// IsInflightTooHigh(): whether the loss rate exceeds the threshold. Without SACK, whether there is any loss.
    pub(super) fn is_inflight_too_high(&self, lost: f64, tx_in_flight: f64) -> bool {
        lost > tx_in_flight * self.parameters.loss_threshold
            || (lost > 0.0 && !self.parameters.selective_acks)
    }

    /// InflightAtLoss(): the amount in flight at which the loss rate exceeded the threshold, within the packet of
    /// `size` bytes.
    fn inflight_at_loss(&self, lost: f64, tx_in_flight: f64, size: f64) -> f64 {
        let threshold = self.parameters.loss_threshold;
        let inflight_prev = tx_in_flight - size;
        let lost_prev = lost - size;
        // lost_prefix = (LossThresh inflight_prev - lost_prev) / (1 - LossThresh)
        let lost_prefix = (threshold * inflight_prev - lost_prev) / (1.0 - threshold);
        inflight_prev + lost_prefix
    }

    /// HandleInflightTooHigh(): sets `inflight_longterm` to the amount that was too high, and ends UP.
    fn handle_inflight_too_high(&mut self, now: Time, tx_in_flight: f64) {
        self.cycle.prev_probe_too_high = true;
        self.cycle.is_bw_probe_sample = false;
        if !self.app_limited {
            self.inflight_longterm = tx_in_flight.max(self.target_inflight() * self.parameters.beta);
        }
        if self.state == State::ProbeBwUp {
            if let Some(undo) = &mut self.undo {
                undo.state = Some(State::ProbeBwUp);
            }
            self.start_probe_bw_down(now);
        }
    }

    /// HandleSpuriousLossDetection(): restores the state from before the episode.
    pub(super) fn handle_spurious_loss_detection(&mut self, undo: &Undo) {
        self.in_loss_recovery = false;
        self.restore_cwnd();
        self.congestion.is_loss_in_round = false;
        self.full_pipe.reset(0.0);
        self.congestion.bw_shortterm = self.congestion.bw_shortterm.max(undo.bw_shortterm);
        self.congestion.inflight_shortterm = self.congestion.inflight_shortterm.max(undo.inflight_shortterm);
        self.inflight_longterm = self.inflight_longterm.max(undo.inflight_longterm);
        match undo.state {
            Some(State::Startup) if self.state != State::Startup => {
                self.full_pipe.reached = false;
                if self.state != State::ProbeRtt {
                    self.enter_startup();
                }
            }
            Some(State::ProbeBwUp) if !matches!(self.state, State::ProbeBwUp | State::ProbeRtt) => {
                self.start_probe_bw_refill();
            }
            _ => {}
        }
    }
}
