// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of TCP, read and written.

use crate::format::{
    AckRule, DelayedAck, Flow, GrowingWindow, LikeLinux, ReceiveWindow, SavedPath, Tcp, Trickle,
};
use crate::settings::{TextOf, settings};
use crate::text::{Q, Unlimited};
use crate::words::W;
use tcp::Config;
use units::{Bytes, Span};

/// `delayed_ack = true`: every second segment (RFC 5681, section 4.2), 40 ms as Linux does at least.
const DELAYED_ACK: tcp::DelayedAck = tcp::DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) };
/// Half of Linux's `tcp_rmem[2]`, 6 MiB.
const RECEIVE_WINDOW: Bytes = Bytes::new(3_145_728);

settings! {
    Tcp => Config;
    always mss, header, initial_window, recovery, limited_transmit, undo, delayed_ack, min_rto, max_rto,
        initial_rto, dup_thresh, receive_window;
    perhaps prr, saved_path
}

// What a flow says of its connection beside its table `tcp`.
settings! { Flow => Config; always; perhaps trickle; ..Self::default() }

impl TextOf<Option<tcp::DelayedAck>> for DelayedAck {
    fn read(self) -> Option<tcp::DelayedAck> {
        match self {
            Self::Switch(false) => None,
            Self::Switch(true) => Some(DELAYED_ACK),
            Self::Word(W(LikeLinux::Linux)) => Some(tcp::DelayedAck::Linux),
            Self::Rule(rule) => {
                Some(tcp::DelayedAck::Every { segments: rule.every, at_most: rule.at_most.0 })
            }
        }
    }
    fn write(rule: Option<tcp::DelayedAck>) -> Self {
        match rule {
            None => Self::Switch(false),
            Some(tcp::DelayedAck::Every { segments, at_most }) => {
                Self::Rule(AckRule { every: segments, at_most: Q(at_most) })
            }
            Some(tcp::DelayedAck::Linux) => Self::Word(W(LikeLinux::Linux)),
        }
    }
}

impl TextOf<tcp::ReceiveWindow> for ReceiveWindow {
    fn read(self) -> tcp::ReceiveWindow {
        match self {
            Self::Fixed(Q(Unlimited(None))) => tcp::ReceiveWindow::Unlimited,
            Self::Fixed(Q(Unlimited(Some(window)))) => tcp::ReceiveWindow::Fixed(window),
            Self::Growing(growing) => tcp::ReceiveWindow::Growing(tcp::GrowingWindow {
                at_most: growing.at_most.map_or(RECEIVE_WINDOW, |q| q.0),
                autotuned: growing.autotuned.unwrap_or_default(),
            }),
        }
    }
    fn write(window: tcp::ReceiveWindow) -> Self {
        match window {
            tcp::ReceiveWindow::Unlimited => Self::Fixed(Q(Unlimited(None))),
            tcp::ReceiveWindow::Fixed(window) => Self::Fixed(Q(Unlimited(Some(window)))),
            tcp::ReceiveWindow::Growing(tcp::GrowingWindow { at_most, autotuned }) => {
                Self::Growing(GrowingWindow { at_most: Some(Q(at_most)), autotuned: Some(autotuned) })
            }
        }
    }
}

impl TextOf<control::SavedPath> for SavedPath {
    fn read(self) -> control::SavedPath {
        let age = self.age.map_or(Span::ZERO, |q| q.0);
        control::SavedPath { cwnd: self.cwnd.0, rtt: self.rtt.0, age }
    }
    fn write(saved: control::SavedPath) -> Self {
        Self { cwnd: Q(saved.cwnd), rtt: Q(saved.rtt), age: Some(Q(saved.age)) }
    }
}

impl TextOf<tcp::Trickle> for Trickle {
    fn read(self) -> tcp::Trickle {
        tcp::Trickle { rate: self.rate.0, lasts: self.lasts.0 }
    }
    fn write(trickle: tcp::Trickle) -> Self {
        Self { rate: Q(trickle.rate), lasts: Q(trickle.lasts) }
    }
}
