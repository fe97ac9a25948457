// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which signals a controller needs and which a platform can give.
//!
//! No platform gives `TELEMETRY` (OrbCC, HPCC) yet, so `Ack` has no field for it. A platform with telemetry would add
//! one slice to `Ack`.

use std::fmt;
use std::ops::BitOr;

/// A set of signals or abilities. Every platform also gives ACKs, losses, timeouts and RTT samples, which are not part
/// of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Signals(u32);

macro_rules! signals {
    ($($(#[doc = $doc:literal])+ $name:ident = $bit:literal, $text:literal;)+) => {
        impl Signals {
            $($(#[doc = $doc])+ pub const $name: Self = Self(1 << $bit);)+
            const NAMES: &'static [(Self, &'static str)] = &[$((Self::$name, $text),)+];
        }
    };
}

signals! {
    /// [`Ack::packets`](crate::Ack::packets) and [`Loss::packets`](crate::Loss::packets) are filled.
    PER_PACKET = 0, "per-packet acknowledgements";
    /// [`Ack::rate`](crate::Ack::rate) is filled (delivery-rate sample of the BBR draft).
    RATE_SAMPLE = 1, "delivery-rate samples";
    /// [`Controller::on_sent`](crate::Controller::on_sent) is called.
    SENT = 2, "sent packets";
    /// The platform obeys [`Control::pacing`](crate::Control::pacing) and its quantum.
    PACING = 3, "pacing";
    /// The platform reports a reduction that proves spurious.
    UNDO = 4, "spurious-loss reports";
    /// Each ECN mark is reported ([`Ack::ce`](crate::Ack::ce); DCTCP's echo).
    ECN = 5, "ECN marks";
    /// One-way delays (receiver timestamps) are reported.
    ONE_WAY_DELAY = 6, "one-way delays";
    /// Timers set in [`Control::timers`](crate::Control::timers) fire.
    TIMER = 7, "timers";
    /// [`Control::hold_until`](crate::Control::hold_until) is obeyed.
    HOLD = 8, "hold";
    /// Low-priority probe segments can be sent.
    PROBE = 9, "low-priority probes";
    /// The propagation RTT of the path at the sending time of each packet is known (ephemeris).
    PROPAGATION = 10, "propagation delay from the geometry";
    /// The distance between the endpoints is known.
    DISTANCE = 11, "distance between the endpoints";
    /// Path changes and outages are announced.
    PATH_CHANGE = 12, "path-change announcements";
    /// State saved from an earlier connection over the same path is available.
    RESUME = 13, "saved path state";
    /// Routers mark packets when their queue is long (TCP-Jersey's congestion warning).
    CONGESTION_WARNING = 14, "congestion-warning marks";
    /// Each acknowledgement carries queue and rate telemetry of every hop.
    TELEMETRY = 15, "per-hop telemetry";
    /// ACKs are cumulative: [`Ack::cumulative`](crate::Ack::cumulative) and [`Ack::duplicate`](crate::Ack::duplicate)
    /// are filled.
    CUMULATIVE_ACK = 16, "cumulative acknowledgements";
}

impl Signals {
    /// The empty set: only what every platform gives.
    pub const NONE: Self = Self(0);

    /// All signals.
    pub const fn all() -> Self {
        let mut all = Self::NONE;
        let mut i = 0;
        while i < Self::NAMES.len() {
            all = all.and(Self::NAMES[i].0);
            i += 1;
        }
        all
    }
    /// The signal called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(signal, _)| *signal)
    }

    /// Whether this set contains all signals of `other`.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// The signals of this set that are not in `provided`.
    #[must_use]
    pub const fn missing_from(self, provided: Self) -> Self {
        Self(self.0 & !provided.0)
    }
    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// The union of both sets. Constants can use this method.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// The names of the signals in this set, in a fixed order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().filter(move |(signal, _)| self.contains(*signal)).map(|&(_, name)| name)
    }
}

impl BitOr for Signals {
    type Output = Self;
    fn bitor(self, rhs: Self) -> Self {
        self.and(rhs)
    }
}

impl fmt::Display for Signals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        for (i, name) in self.names().enumerate() {
            write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
