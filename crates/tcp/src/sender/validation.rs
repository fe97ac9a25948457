// SPDX-License-Identifier: MIT OR Apache-2.0
//! Congestion window validation (RFC 7661). It measures how much of the window the path has carried recently. If this
//! amount is less than half of the window, the window is reduced or does not grow.

use super::Sender;
use control::Unused;
use units::{Span, Time};

/// Length of the non-validated period (RFC 7661, section 4.4: it "SHOULD NOT exceed five minutes").
const PERIOD: Span = Span::from_secs(300);

/// The measured use of the window, in segments.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Validation {
    /// Samples of pipeACK, each with the time at which it was complete. A sample is removed when a later sample is at
    /// least as large. pipeACK is the maximum over the sampling period (section 4.2).
    samples: Vec<(Time, u64)>,
    /// Whether there is a sample since the start, or since the last recovery. If not, pipeACK is "undefined" (section
    /// 4.2).
    defined: bool,
    /// The current sample counts the data that are acknowledged from this segment on.
    from: u64,
    /// When all data below this segment are acknowledged, a round trip later, the current sample is complete (section
    /// 4.5.1).
    until: u64,
    /// Time at which the window was last validated, or was last reduced because it was not validated.
    validated_at: Time,
    /// The response to congestion, if it will be completed at the end of the recovery.
    response: Option<Response>,
}

/// The response to congestion in the non-validated phase (section 4.4.1).
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Response {
    /// max(pipeACK, LossFlightSize), in segments.
    used: u64,
    /// R: number of segments that were lost and repaired. Each segment counts once.
    repaired: u64,
}

impl Validation {
    pub(super) fn starting_at(first: u64) -> Self {
        Self { from: first, until: first, ..Self::default() }
    }

    /// Processes an acknowledgement of all data below `una`. `next` is the next new segment. One sample is taken per
    /// round trip.
    fn measure(&mut self, now: Time, una: u64, next: u64) {
        if self.until == self.from {
            // When the last sample was complete, no data were outstanding.
            self.until = next;
        }
        if una < self.until {
            return;
        }
        let sample = una - self.from;
        self.samples.retain(|&(_, earlier)| earlier > sample);
        self.samples.push((now, sample));
        self.defined = true;
        (self.from, self.until) = (una, next);
    }

    /// pipeACK, or `None` if it is "undefined".
    fn pipe_ack(&self, now: Time, period: Span) -> Option<u64> {
        let recent = self.samples.iter().find(|(at, _)| now.since(*at) <= period);
        self.defined.then(|| recent.map_or(0, |&(_, sample)| sample))
    }

    /// Section 4.3: whether the phase is validated. This is the case if pipeACK is at least half of the window, or
    /// undefined.
    fn is_validated(&self, now: Time, period: Span, window: u64) -> bool {
        self.pipe_ack(now, period).is_none_or(|pipe| 2 * pipe >= window)
    }

    /// Stores the time until which the phase was validated, and removes samples that are too old.
    fn follow(&mut self, now: Time, period: Span, window: u64) {
        let enough = self.samples.iter().rev().find(|(_, sample)| 2 * sample >= window);
        let until = if self.defined { enough.map(|&(at, _)| (at + period).min(now)) } else { Some(now) };
        self.validated_at = self.validated_at.max(until.unwrap_or_default());
        self.samples.retain(|(at, _)| now.since(*at) <= period);
    }

    /// Makes pipeACK undefined, because a recovery is over (section 4.4.1).
    fn forget(&mut self, una: u64, next: u64) {
        self.samples.clear();
        (self.defined, self.response) = (false, None);
        (self.from, self.until) = (una, next);
    }
}

impl Sender {
    /// The sampling period of section 4.2, which is max(3 RTT, 1 s).
    fn sampling_period(&self) -> Span {
        (self.timer.rtt.srtt().unwrap_or_default() * 3).max(Span::from_secs(1))
    }

    /// Measures the use of the window, because the cumulative acknowledgement advanced.
    #[cold]
    pub(super) fn measure_use(&mut self, now: Time) {
        let (una, next) = (self.board.una(), self.board.next());
        let repairing = self.recovery.is_repairing();
        if let Some(validation) = &mut self.cc.validation
            && !repairing
        {
            validation.measure(now, una, next);
        }
        self.adjust_unvalidated(now);
    }

    /// Section 4.4.3: reduces the window if it was not validated for five minutes. The reduction is repeated every five
    /// minutes (as in `tcp_newcwv_datalim_closedown()` of the authors' module for FreeBSD).
    pub(super) fn adjust_unvalidated(&mut self, now: Time) {
        let (period, iw) = (self.sampling_period(), u64::from(self.config.initial_window));
        let window = self.cc.window;
        if let Some(validation) = &mut self.cc.validation {
            validation.follow(now, period, window);
        }
        while let Some(validation) = &mut self.cc.validation
            && now.since(validation.validated_at) > PERIOD
        {
            validation.validated_at += PERIOD;
            self.shrink(now, (self.cc.window / 2).max(iw), true);
        }
    }

    /// Whether an acknowledgement may increase the window (section 4.4). In the validated phase, it may. In the
    /// non-validated phase, it may only if the complete window is used.
    #[cold]
    pub(super) fn may_widen(&self, now: Time) -> bool {
        let period = self.sampling_period();
        let validated =
            self.cc.validation.as_ref().is_none_or(|own| own.is_validated(now, period, self.cc.window));
        validated || self.cc.usage.limited
    }

    /// Prepares for congestion with `flight` segments in flight, before the controller learns of it. If the window was
    /// not validated, the response is stored.
    #[cold]
    pub(super) fn doubt_window(&mut self, now: Time, flight: u64) {
        let (period, window) = (self.sampling_period(), self.cc.window);
        if let Some(validation) = &mut self.cc.validation
            && !self.recovery.is_repairing()
        {
            let doubts = !validation.is_validated(now, period, window);
            let used = validation.pipe_ack(now, period).unwrap_or(0).max(flight);
            validation.response = doubts.then_some(Response { used, repaired: 0 });
        }
    }

    /// Section 4.4.1: sets cwnd to at most max(pipeACK, LossFlightSize) / 2, after the controller's own reduction.
    #[cold]
    pub(super) fn respond_unvalidated(&mut self, now: Time) {
        let response = self.cc.validation.as_ref().and_then(|validation| validation.response);
        if let Some(Response { used, .. }) = response {
            self.bound(now, used / 2);
        }
    }

    /// Counts segments whose loss was detected. Retransmissions do not count.
    #[cold]
    pub(super) fn count_repaired(&mut self, segments: u64) {
        if let Some(validation) = &mut self.cc.validation
            && let Some(response) = &mut validation.response
        {
            response.repaired += segments;
        }
    }

    /// Section 4.4.1: at the end of the recovery, sets cwnd to (max(pipeACK, LossFlightSize) - R) / 2. The threshold
    /// gets the same value, and pipeACK becomes undefined.
    #[cold]
    pub(super) fn end_response(&mut self, now: Time, repaired: bool) {
        let (una, next) = (self.board.una(), self.board.next());
        let Some(validation) = &mut self.cc.validation else { return };
        let response = validation.response.filter(|_| repaired);
        validation.forget(una, next);
        if let Some(Response { used, repaired }) = response {
            self.bound(now, used.saturating_sub(repaired) / 2);
        }
    }

    /// Limits the window and the threshold to `segments`, or to one segment if `segments` is zero.
    fn bound(&mut self, now: Time, segments: u64) {
        let cwnd = self.bytes_of(segments.max(1));
        let event = Unused { now, cwnd, ssthresh: None, most: Some(cwnd) };
        self.tell(now, |controller, control| controller.on_unused(&event, control));
    }
}
