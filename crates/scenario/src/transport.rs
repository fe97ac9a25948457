// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of TCP, read and written.

use crate::format::{AckRule, DelayedAck, Flow, SavedPath, Tcp, Trickle};
use crate::settings::{TextOf, settings};
use crate::text::Q;
use tcp::Config;
use units::Span;

/// `delayed_ack = true`: every second segment (RFC 5681, section 4.2), 40 ms as Linux does at least.
const DELAYED_ACK: tcp::DelayedAck = tcp::DelayedAck { every: 2, at_most: Span::from_millis(40) };

settings! {
    Tcp => Config;
    always mss, header, initial_window, recovery, limited_transmit, undo, delayed_ack, min_rto, max_rto,
        initial_rto, dup_thresh, receive_window, setup, syn_header, after_lost_syn,
        fin_beyond_window;
    perhaps prr, saved_path
}

// What a flow says of its connection beside its table `tcp`.
settings! { Flow => Config; always; perhaps trickle; ..Self::default() }

impl TextOf<Option<tcp::DelayedAck>> for DelayedAck {
    fn read(self) -> Option<tcp::DelayedAck> {
        match self {
            Self::Switch(false) => None,
            Self::Switch(true) => Some(DELAYED_ACK),
            Self::Rule(rule) => Some(tcp::DelayedAck { every: rule.every, at_most: rule.at_most.0 }),
        }
    }
    fn write(rule: Option<tcp::DelayedAck>) -> Self {
        rule.map_or(Self::Switch(false), |rule| {
            Self::Rule(AckRule { every: rule.every, at_most: Q(rule.at_most) })
        })
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
