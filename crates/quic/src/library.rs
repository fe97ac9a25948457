// SPDX-License-Identifier: MIT OR Apache-2.0
//! The signals that each QUIC library gives through its interface for congestion controllers.

use control::{Controller, Platform, Signals};
use std::fmt;

/// A QUIC library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// noq-proto 1.4: each packet sent, acknowledged and lost; pacing rate and quantum; spurious losses. It says that
    /// an ACK reported marks, but not how many.
    Noq,
    /// quinn-proto 0.11: bytes and the times at which they were sent. It obeys the window alone, and spreads each
    /// window over the smoothed RTT.
    Quinn,
    /// s2n-quic-core 0.91: each packet sent and lost, sums of acknowledged bytes, numbers of marks, departure times.
    S2n,
}

/// What every binding gives: the book counts it (`book`), or it comes from the setup. A timer fires with the first call
/// of the library at its time or later, or with [`Watch::advance`](crate::Watch::advance).
const COUNTED: Signals = Signals::RATE_SAMPLE.and(Signals::SENT).and(Signals::TIMER).and(Signals::RESUME);

impl Library {
    /// The libraries.
    pub const ALL: [Self; 3] = [Self::Noq, Self::Quinn, Self::S2n];

    /// The platform: its signals, and no limit of growth for an ACK (RFC 9002, section 7.3.1).
    pub const fn platform(self) -> Platform {
        let signals = match self {
            Self::Noq => COUNTED.and(Signals::PER_PACKET).and(Signals::PACING).and(Signals::UNDO),
            Self::Quinn => COUNTED,
            Self::S2n => COUNTED.and(Signals::PACING).and(Signals::ECN),
        };
        Platform::new(signals).limiting_growth(Platform::DATAGRAMS.growth_limit())
    }

    /// Signals that the library lacks, although a controller that requires them still runs, degraded.
    const fn tolerated(self) -> Signals {
        match self {
            Self::Quinn => Signals::PACING,
            Self::Noq | Self::S2n => Signals::NONE,
        }
    }

    /// The signals that `controller` uses but does not get, with `hints` beside those of the library.
    ///
    /// # Errors
    /// The signals that it requires but does not get.
    pub(crate) fn admit(self, controller: &dyn Controller, hints: Signals) -> Result<Signals, Signals> {
        let platform = self.platform().with(hints);
        platform.with(self.tolerated()).admit(controller)?;
        Ok((controller.uses() | controller.requires()).missing_from(platform.signals()))
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Noq => "noq",
            Self::Quinn => "quinn",
            Self::S2n => "s2n-quic",
        })
    }
}
