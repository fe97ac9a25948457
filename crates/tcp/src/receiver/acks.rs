// SPDX-License-Identifier: MIT OR Apache-2.0
//! When a receiver as in Linux 6.1 sends acknowledgements: immediately (quick ACKs), delayed, or combined (compressed
//! SACKs).

use units::{Span, Time};

/// Largest number of quick ACKs at the start, after a pause and after a duplicate (`TCP_MAX_QUICKACKS`).
pub(super) const MAX_QUICK: u32 = 16;
/// Number of quick ACKs after the first mark (`__tcp_ecn_check_ce`).
pub(super) const AT_A_MARK: u32 = 2;
/// Bounds of the delay of an ACK: `TCP_ATO_MIN` and `TCP_DELACK_MIN` are the lower bound, and `TCP_DELACK_MAX` is the
/// upper bound.
const ATO_MIN: Span = Span::from_millis(40);
const DELAY_MAX: Span = Span::from_millis(200);
/// Number of duplicate ACKs that are sent before SACKs are compressed (`TCP_FASTRETRANS_THRESH`).
const DUPLICATES: u32 = 3;
/// Largest number of SACKs that are compressed into one (`tcp_comp_sack_nr`).
const COMPRESSED: u32 = 44;
/// Longest delay of compressed SACKs (`tcp_comp_sack_delay_ns`), and the slack of their timer
/// (`tcp_comp_sack_slack_ns`).
const COMPRESSED_FOR: Span = Span::from_millis(1);
const COMPRESSED_SLACK: Span = Span::from_micros(100);

/// When an acknowledgement is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckTiming {
    Now,
    /// At this time, unless another acknowledgement is sent earlier.
    At(Time),
}

/// A segment that arrived, and the state of the connection after its arrival.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrived {
    pub now: Time,
    /// The next expected segment.
    pub next: u64,
    /// Number of full in-order segments since the last ACK.
    pub unacknowledged: u64,
    /// Whether the data in memory leave a smaller window than the announced window.
    pub tight: bool,
    /// Whether early segments wait for missing segments.
    pub waiting: bool,
    /// Whether the protocol requires an immediate ACK, because a gap is filled or the application's data end here.
    pub at_once: bool,
    pub round_trip: Option<Span>,
}

/// The state of `struct inet_connection_sock`, and the state of SACK compression.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Acks {
    /// Number of quick ACKs that are left (`icsk_ack.quick`).
    quick: u32,
    /// The delay of a delayed ACK (`icsk_ack.ato`), or `None` before the first data.
    ato: Option<Span>,
    /// Time at which in-order data last arrived (`lrcvtime`).
    last: Time,
    /// The segment that duplicate ACKs request, and the number of these ACKs that were sent immediately
    /// (`compressed_ack_rcv_nxt`, `dup_ack_counter`).
    duplicates: (u64, u32),
    /// Number of ACKs that are combined and not yet sent (`compressed_ack`).
    compressed: u32,
}

impl Acks {
    /// Records that in-order data arrived (`tcp_event_data_recv`). `window` is the last announced window, in segments.
    pub(super) fn on_data(&mut self, now: Time, window: u64, round_trip: Option<Span>) {
        let gap = now.since(self.last);
        self.last = now;
        match self.ato {
            None => {
                self.add_quick(MAX_QUICK, window);
                self.ato = Some(ATO_MIN);
            }
            Some(ato) if gap <= ATO_MIN / 2 => self.ato = Some(ato / 2 + ATO_MIN / 2),
            Some(ato) if gap < ato => self.ato = Some((ato / 2 + gap).min(timeout(round_trip))),
            Some(_) if gap > timeout(round_trip) => self.add_quick(MAX_QUICK, window),
            Some(_) => {}
        }
    }

    /// Increases the number of quick ACKs (`tcp_incr_quickack`).
    fn add_quick(&mut self, limit: u32, window: u64) {
        let half = u32::try_from(window / 2).unwrap_or(u32::MAX);
        self.quick = self.quick.max(if half == 0 { 2 } else { half }.min(limit));
    }

    /// Makes the next ACKs immediate, but at most `limit` ACKs (`tcp_enter_quickack_mode`). The reason is that the
    /// sender may be repairing losses.
    pub(super) fn enter_quick(&mut self, limit: u32, window: u64) {
        self.add_quick(limit, window);
        self.ato = Some(ATO_MIN);
    }

    /// Makes the next ACK immediate, because this segment increases the window and the sender must learn this
    /// (`tcp_grow_window`).
    pub(super) fn window_grows(&mut self) {
        self.quick |= 1;
    }

    /// Ends quick ACKs, because more than half of the memory is used (`__tcp_select_window`).
    pub(super) fn crowded(&mut self) {
        self.quick = 0;
    }

    /// Decides when the segment is acknowledged (`__tcp_ack_snd_check`). `due` is the time of an ACK that is already
    /// delayed, or [`Time::MAX`].
    pub(super) fn when(&mut self, arrived: &Arrived, due: Time) -> AckTiming {
        if arrived.unacknowledged > 1 && arrived.tight && arrived.waiting && self.quick == 0 {
            // This ACK counts as a duplicate.
            self.duplicates = (arrived.next, 1);
        }
        if arrived.unacknowledged > 1 || self.quick > 0 || arrived.at_once {
            return AckTiming::Now;
        }
        if !arrived.waiting {
            return self.delayed(arrived, due);
        }
        if self.compressed >= COMPRESSED {
            return AckTiming::Now;
        }
        if self.duplicates.0 != arrived.next {
            self.duplicates = (arrived.next, 0);
        }
        if self.duplicates.1 < DUPLICATES {
            self.duplicates.1 += 1;
            return AckTiming::Now;
        }
        self.compressed += 1;
        if self.compressed > 1 {
            return AckTiming::At(due);
        }
        // The delay is at most 5 % of the RTT.
        let delay = COMPRESSED_FOR.min(arrived.round_trip.map_or(Span::ZERO, |rtt| rtt / 20));
        AckTiming::At(arrived.now + delay + COMPRESSED_SLACK)
    }

    /// Computes the time of a delayed ACK (`tcp_send_delayed_ack`).
    fn delayed(&self, arrived: &Arrived, due: Time) -> AckTiming {
        let mut ato = self.ato.unwrap_or(ATO_MIN);
        if ato > ATO_MIN {
            ato = ato.min(arrived.round_trip.map_or(DELAY_MAX, |rtt| rtt.max(ATO_MIN)));
        }
        ato = ato.min(DELAY_MAX);
        if due <= arrived.now + ato / 4 { AckTiming::Now } else { AckTiming::At(due.min(arrived.now + ato)) }
    }

    /// Whether ACKs are being combined.
    pub(super) fn is_compressing(&self) -> bool {
        self.compressed > 0
    }

    /// Handles the expired timer of a delayed ACK: the expected data did not arrive in time
    /// (`tcp_delack_timer_handler`).
    pub(super) fn on_timer(&mut self, round_trip: Option<Span>) {
        if self.compressed == 0 {
            self.ato = self.ato.map(|ato| (ato * 2).min(timeout(round_trip)));
        }
    }

    /// Records that an ACK was sent (`tcp_event_ack_sent`, `tcp_dec_quickack_mode`).
    pub(super) fn on_sent(&mut self) {
        self.compressed = 0;
        if self.quick == 1 {
            self.ato = Some(ATO_MIN);
        }
        self.quick = self.quick.saturating_sub(1);
    }
}

/// The retransmission timeout of a receiver. The receiver has only the RTT sample of the SYN, so the timeout is SRTT +
/// max(4 RTTVAR, 200 ms) with RTTVAR = RTT/2 (RFC 6298, section 2.2; `tcp_rtt_estimator`). Without a sample, it is 1 s.
fn timeout(round_trip: Option<Span>) -> Span {
    round_trip.map_or(Span::from_secs(1), |rtt| rtt + (rtt * 2).max(Span::from_millis(200)))
}
