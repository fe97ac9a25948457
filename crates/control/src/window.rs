// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window of a controller that counts segments: the values that every window rule reads, and the conversion to
//! bytes.

use crate::{Ack, Control};
use units::{Bytes, Rate, Span, Time};

/// Smallest window after a loss event, in segments (RFC 5681, equation 4).
pub const MIN_SSTHRESH_SEGMENTS: f64 = 2.0;
/// Smallest window of all: the loss window of RFC 5681, section 3.1.
pub const MIN_WINDOW_SEGMENTS: f64 = 1.0;
/// Largest window, in segments. RFC 7323 limits the window of a receiver to 2^30 bytes, so no receiver can open a
/// larger window. This bound keeps a rule that grows exponentially (Hybla's 2^rho) finite.
pub const MAX_WINDOW_SEGMENTS: f64 = (1_u64 << 30) as f64;

/// Quantities in segments, which must be converted when the size of segments changes ([`NewMss`](crate::NewMss)).
pub trait Rescale {
    /// Converts from old segments to new segments: `factor` = old size / new size.
    ///
    /// Amounts of data and their rates are multiplied by `factor`. Settings are unchanged, because they apply to
    /// segments of any size.
    fn rescale(&mut self, factor: f64);
}

/// An amount in segments, or a rate in segments/s.
impl Rescale for f64 {
    fn rescale(&mut self, factor: f64) {
        *self *= factor;
    }
}

/// A time is not an amount of data.
impl Rescale for Time {
    fn rescale(&mut self, _factor: f64) {}
}

/// Nothing to convert.
impl Rescale for () {
    fn rescale(&mut self, _factor: f64) {}
}

impl<T: Rescale> Rescale for Option<T> {
    fn rescale(&mut self, factor: f64) {
        if let Some(amount) = self {
            amount.rescale(factor);
        }
    }
}

impl<T: Rescale, const N: usize> Rescale for [T; N] {
    fn rescale(&mut self, factor: f64) {
        for amount in self {
            amount.rescale(factor);
        }
    }
}

/// The window or threshold of `w` segments after [`NewMss`](crate::NewMss). The result has the same number of bytes. It
/// is at least two segments of the new size, or `w` segments if `w` was less than two. An infinite value stays
/// infinite.
pub fn rescaled(w: f64, factor: f64) -> f64 {
    if w.is_infinite() {
        return w;
    }
    (w * factor).max(w.min(MIN_SSTHRESH_SEGMENTS)).min(MAX_WINDOW_SEGMENTS)
}

/// Like [`rescaled`], for a window or threshold that is stored in bytes.
pub fn rescaled_bytes(bytes: Bytes, old_mss: u32, new_mss: u32) -> Bytes {
    bytes.max(Bytes::from_segments(bytes.segments(old_mss).min(MIN_SSTHRESH_SEGMENTS), new_mss))
}

/// Old size divided by new size.
pub fn factor(old_mss: u32, new_mss: u32) -> f64 {
    f64::from(old_mss) / f64::from(new_mss.max(1))
}

/// Congestion window and threshold in real-valued segments, and the state of the path at the newest ACK.
#[derive(Clone, Debug, saved::Plain)]
pub struct Window {
    /// Congestion window, segments.
    pub w: f64,
    /// Slow-start threshold, segments; infinite while unset.
    pub ssthresh: f64,
    /// Payload bytes of a segment.
    pub mss: u32,
    /// Whether the window limited sending when the newest ACK arrived.
    pub limited: bool,
    /// Whether no loss and no timeout has happened yet. If so, a slow start is the initial slow start.
    pub initial: bool,
    /// Smoothed RTT.
    pub srtt: Option<Span>,
    /// Smallest RTT of the connection.
    pub min_rtt: Option<Span>,
    /// Time for rules that grow with time. The clock stops while the application, the receiver or an idle period limits
    /// sending. The flow then does not test whether the path has more capacity (RFC 9438, section 5.8).
    pub clock: Time,
    /// When `clock` was last set: the time of the newest ACK or reduction, or of the end of the newest idle period.
    pub(crate) clock_read: Time,
}

impl Window {
    /// A window of `w` segments of `mss` bytes. The threshold is not set.
    pub const fn new(w: f64, mss: u32) -> Self {
        let (srtt, min_rtt, clock, clock_read) = (None, None, Time::ZERO, Time::ZERO);
        let (ssthresh, limited, initial) = (f64::INFINITY, false, true);
        Self { w, ssthresh, mss, limited, initial, srtt, min_rtt, clock, clock_read }
    }

    /// Does not count the time until `now`: the connection starts at `now`, or was idle until `now`.
    pub const fn leave_out_time_until(&mut self, now: Time) {
        self.clock_read = now;
    }

    /// Advances [`Self::clock`] by the time since the newest call, if the window limited sending in this time.
    pub fn set_clock(&mut self, now: Time) {
        if self.limited {
            self.clock += now.since(self.clock_read);
        }
        self.clock_read = now;
    }

    /// Stores what an ACK reports about the path.
    pub fn observe(&mut self, ack: &Ack<'_>) {
        self.limited = ack.cwnd_limited;
        self.set_clock(ack.now);
        self.srtt = ack.srtt.or(self.srtt);
        self.min_rtt = ack.min_rtt.or(self.min_rtt);
    }

    /// Changes the segment size to `mss` bytes. Returns the factor by which the caller multiplies all other amounts.
    pub fn set_mss(&mut self, mss: u32) -> f64 {
        let factor = factor(self.mss, mss);
        self.mss = mss.max(1);
        self.w = rescaled(self.w, factor);
        self.ssthresh = rescaled(self.ssthresh, factor);
        factor
    }

    /// Whether the window is below the threshold (RFC 5681, section 3.1).
    pub fn in_slow_start(&self) -> bool {
        self.w < self.ssthresh
    }

    /// Grows by `segments`, but not above `limit`. Negative values count as zero.
    pub fn grow(&mut self, segments: f64, limit: f64) {
        let grown = (self.w + segments.max(0.0)).min(limit).min(MAX_WINDOW_SEGMENTS);
        self.w = self.w.max(grown);
    }

    /// The amount from which a multiplicative decrease starts: RFC 5681's FlightSize, in segments.
    ///
    /// FlightSize counts all data that are not cumulatively acknowledged. The platform's bytes in flight do not count
    /// selectively acknowledged data. While the window limits sending, FlightSize equals the window, so this method
    /// returns the window.
    pub fn flight(&self, in_flight: Bytes) -> f64 {
        if self.limited { self.w } else { self.w.min(in_flight.segments(self.mss)) }
    }

    /// The rate of `gain` windows per smoothed RTT; `None` before the first RTT sample.
    pub fn pace(&self, gain: f64) -> Option<Rate> {
        let srtt = self.srtt.filter(|srtt| *srtt > Span::ZERO)?;
        let rate = Rate::from_bytes_per_s(gain * self.w * f64::from(self.mss) / srtt.secs_f64());
        Some(rate.max(Rate::from_bits_per_s(1)))
    }

    /// Writes the window and the threshold into the platform's [`Control`].
    pub fn command(&self, control: &mut Control) {
        control.cwnd = Bytes::from_segments(self.w, self.mss);
        control.ssthresh = self.ssthresh.is_finite().then(|| Bytes::from_segments(self.ssthresh, self.mss));
    }
}
