// SPDX-License-Identifier: MIT OR Apache-2.0
//! A receiver that acknowledges data as in Linux 6.1, or opens its window as in Linux 6.1. The application reads data
//! immediately.

use super::Receiver;
use super::acks::{AT_A_MARK, AckTiming, Acks, Arrived, MAX_QUICK};
use super::round_trip::RoundTrip;
use super::window::Window;
use crate::config::ReceiveWindow;
use crate::segment::Flags;
use crate::{Config, DelayedAck, Segment, SegmentKind};
use units::Time;

/// The additional state of a receiver that follows Linux.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Linux {
    acks: Option<Acks>,
    window: Option<Window>,
    round_trip: RoundTrip,
    /// The next expected segment at the time of the last ACK (`rcv_wup`).
    acknowledged: u64,
    /// Number of early segments, which wait for missing segments.
    waiting: u64,
    /// An ACK that was created before the newest segment arrived, and that is sent first.
    pub(super) held: Option<Segment>,
}

/// The position of a segment relative to the expected segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The expected segment, with its number. `filled` is true if the segment fills the last gap.
    InOrder { from: u64, filled: bool },
    /// A later segment. `told` is true if compressed SACKs were sent because of this segment.
    Early { is_new: bool, told: bool },
    /// An earlier segment.
    Old,
}

impl Linux {
    /// Creates the state. Returns `None` if neither the acknowledgements nor the window follow Linux.
    pub(super) fn new(first: u64, config: &Config) -> Option<Box<Self>> {
        let acks = (config.delayed_ack == Some(DelayedAck::Linux)).then(Acks::default);
        let window = match config.receive_window {
            ReceiveWindow::Growing(growing) => {
                Some(Window::new(first * u64::from(config.mss), growing, config))
            }
            ReceiveWindow::Unlimited | ReceiveWindow::Fixed(_) => None,
        };
        let round_trip = RoundTrip::new();
        let me = Self { acks, window, round_trip, acknowledged: first, waiting: 0, held: None };
        (me.acks.is_some() || me.window.is_some()).then(|| Box::new(me))
    }
}

impl Receiver {
    /// Processes an accepted data segment in the kernel's order (`tcp_data_queue`, `tcp_data_queue_ofo`,
    /// `__tcp_ack_snd_check`, `tcp_recvmsg`).
    pub(super) fn follow_linux(&mut self, now: Time, segment: &Segment, kind: Kind) {
        let Some(linux) = &mut self.linux else { return };
        let mss = u64::from(self.mss);
        if segment.len == self.mss {
            linux.round_trip.on_echo(now, segment.stamp);
        }
        // The last announced window in segments, which determines the number of quick ACKs.
        let told = linux.window.as_ref().map_or(self.window.into(), |window| window.offered() / mss);
        let hurry = self.ecn.hurry;
        match kind {
            Kind::InOrder { from, .. } => {
                let offered = linux.window.as_ref().map_or(u64::from(self.window) * mss, Window::offered);
                linux.round_trip.on_window(now, (from + 1) * mss, offered);
                if let Some(acks) = &mut linux.acks {
                    acks.on_data(now, told, linux.round_trip.get());
                    if hurry {
                        acks.enter_quick(AT_A_MARK, told);
                    }
                }
                if segment.len > 0 {
                    linux.grow(segment.len, 1);
                }
                // The early segments that follow are read immediately.
                linux.waiting -= self.next - from - 1;
            }
            Kind::Early { is_new: true, .. } => {
                if hurry && let Some(acks) = &mut linux.acks {
                    acks.enter_quick(AT_A_MARK, told);
                }
                // Without SACK, duplicate ACKs must all be equal, so the window must not grow.
                if self.options.selective && segment.len > 0 {
                    linux.grow(segment.len, 0);
                }
                linux.waiting += 1;
            }
            Kind::Early { is_new: false, .. } => {}
            Kind::Old => {
                if let Some(acks) = &mut linux.acks {
                    acks.enter_quick(MAX_QUICK, told);
                }
            }
        }
        self.open_window();
        self.decide_linux(now, segment, kind);
        // The application reads the data after the acknowledgement is sent.
        if let Kind::InOrder { from, .. } = kind
            && let Some(linux) = &mut self.linux
            && let Some(window) = &mut linux.window
        {
            window.read(now, (from + 1) * mss, linux.round_trip.get());
        }
    }

    fn decide_linux(&mut self, now: Time, segment: &Segment, kind: Kind) {
        let Some(linux) = &mut self.linux else { return };
        let unread = if let Kind::InOrder { from, .. } = kind { self.next - from } else { 0 };
        let in_order = unread > 0;
        let waiting = !self.early.is_empty();
        let filled = matches!(kind, Kind::InOrder { filled: true, .. });
        let when = match (&mut linux.acks, self.delayed) {
            // Compressed SACKs were just sent, so no further ACK is scheduled.
            (Some(_), _) if matches!(kind, Kind::Early { told: true, .. }) => return,
            (Some(acks), _) => {
                // The segment is the end of a write or of a burst. Linux sets PSH on this segment, and the reader then
                // acknowledges it (tcp_measure_rcv_mss, tcp_cleanup_rbuf).
                let pushed =
                    in_order && (segment.len < self.mss || segment.flags.has_any(Flags::FIN.and(Flags::PSH)));
                let arrived = Arrived {
                    now,
                    next: self.next,
                    unacknowledged: self.next - linux.acknowledged,
                    tight: linux
                        .window
                        .as_ref()
                        .is_some_and(|window| window.is_tight(linux.waiting + unread)),
                    waiting: waiting && self.options.selective,
                    at_once: filled || pushed || self.ack_now || (waiting && !self.options.selective),
                    round_trip: linux.round_trip.get(),
                };
                acks.when(&arrived, self.due)
            }
            (None, Some(DelayedAck::Every { segments, at_most }))
                if in_order && !filled && !waiting && self.pending < segments =>
            {
                AckTiming::At(self.due.min(now + at_most))
            }
            (None, _) => AckTiming::Now,
        };
        match when {
            AckTiming::Now => self.acknowledge_linux(unread),
            AckTiming::At(due) => self.due = due,
        }
    }

    /// Records that a probe delivered a missing segment.
    pub(super) fn follow_probe(&mut self, seq: u64) {
        let Some(linux) = &mut self.linux else { return };
        if seq < self.next {
            linux.waiting -= self.next - seq - 1;
        } else {
            linux.waiting += 1;
        }
        self.open_window();
    }

    /// Whether the receive window grows.
    pub(super) fn grows_window(&self) -> bool {
        self.linux.as_ref().is_some_and(|linux| linux.window.is_some())
    }

    /// The open part of a growing window, in segments. `None` if the window does not grow.
    pub(super) fn grown_window(&self) -> Option<u32> {
        let mss = u64::from(self.mss);
        let window = self.linux.as_ref()?.window.as_ref()?;
        Some((window.open(self.next * mss) / mss) as u32)
    }

    /// Sets the receive window to the open part of a growing window. At a proxy, the window is at most the free space.
    fn open_window(&mut self) {
        let Some(window) = self.grown_window() else { return };
        self.window = window;
        self.settle_window();
    }

    /// Sends the compressed SACKs, if an early segment begins or extends a block that is not among the two newest
    /// blocks. The reason is that an ACK has room for only three blocks (`tcp_sack_new_ofo_skb`). Returns whether the
    /// SACKs were sent.
    pub(super) fn tell_held(&mut self, now: Time, seq: u64) -> bool {
        let is_held = |linux: &Linux| linux.acks.as_ref().is_some_and(Acks::is_compressing);
        if !self.linux.as_deref().is_some_and(is_held) || !self.is_third_block(seq) {
            return false;
        }
        self.acknowledge_linux(0);
        let held = self.acknowledge(now, SegmentKind::Ack);
        if let Some(linux) = &mut self.linux {
            linux.held = Some(held);
        }
        true
    }

    fn is_third_block(&self, seq: u64) -> bool {
        let is_there = |block: &(u64, u64)| block.0 > self.next;
        let joins = |block: &(u64, u64)| is_there(block) && block.0 <= seq + 1 && seq <= block.1;
        is_there(&self.recent[1]) && !self.recent[..2].iter().any(joins)
    }

    /// Requests an acknowledgement, and sets the window that it announces. `unread` is the number of packets that the
    /// application has not read yet.
    pub(super) fn acknowledge_linux(&mut self, unread: u64) {
        self.ack_now = true;
        let Some(linux) = &mut self.linux else { return };
        if let Some(window) = &mut linux.window {
            let crowded = window.select(self.next * u64::from(self.mss), linux.waiting, unread);
            self.window = (window.offered() / u64::from(self.mss)) as u32;
            if let Some(acks) = &mut linux.acks
                && crowded
            {
                acks.crowded();
            }
        }
        self.settle_window();
    }

    /// Handles the expired timer of a delayed ACK.
    pub(super) fn time_out_linux(&mut self) {
        if let Some(linux) = &mut self.linux
            && let Some(acks) = &mut linux.acks
        {
            acks.on_timer(linux.round_trip.get());
        }
        self.acknowledge_linux(0);
    }
}

impl Linux {
    /// Grows the window because of a new segment (`tcp_grow_window`). `unread` is the number of further packets in
    /// memory.
    fn grow(&mut self, len: u32, unread: u64) {
        if let Some(window) = &mut self.window
            && window.grow(len.into(), self.waiting + unread)
            && let Some(acks) = &mut self.acks
        {
            acks.window_grows();
        }
    }

    /// Records that an acknowledgement of all data before `next` is sent. Returns the stamp of this acknowledgement.
    pub(super) fn on_sent(&mut self, now: Time, kind: SegmentKind, next: u64) -> u8 {
        if kind == SegmentKind::Ack {
            self.acknowledged = next;
            if let Some(acks) = &mut self.acks {
                acks.on_sent();
            }
        }
        self.stamp(now)
    }

    /// Records that the connection is established.
    pub(super) fn begin(&mut self, now: Time) {
        if let Some(window) = &mut self.window {
            window.begin(now);
        }
    }

    /// Returns the stamp of a segment that is sent now. The peer's data will echo this stamp.
    pub(super) fn stamp(&mut self, now: Time) -> u8 {
        self.round_trip.stamp(now)
    }
}
