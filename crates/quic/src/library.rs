// SPDX-License-Identifier: MIT OR Apache-2.0
//! The signals that the interface for congestion controllers of each QUIC library provides.

use control::{Controller, Platform, Signals};
use std::fmt;

/// A QUIC library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// noq-proto 1.4. It reports each packet sent, acknowledged and lost, and spurious losses. It takes a pacing rate
    /// and a quantum. It reports that an ACK contained marks, but not their number.
    Noq,
    /// quinn-proto 0.11. It reports bytes and the times at which they were sent. It takes only a window, and spreads
    /// each window over the smoothed RTT.
    Quinn,
    /// s2n-quic-core 0.91. It reports each packet sent and lost, sums of acknowledged bytes, and numbers of marks. It
    /// takes departure times.
    S2n,
}

/// The signals that every binding provides. The `book` computes them, or they come from the setup. A timer fires at the
/// first call of the library at or after its time, or in [`Watch::advance`](crate::Watch::advance).
const COUNTED: Signals = Signals::RATE_SAMPLE.and(Signals::SENT).and(Signals::TIMER).and(Signals::RESUME);

impl Library {
    /// The libraries.
    pub const ALL: [Self; 3] = [Self::Noq, Self::Quinn, Self::S2n];

    /// Returns the platform: its signals. The growth of the window at one ACK has no limit (RFC 9002, section 7.3.1).
    pub const fn platform(self) -> Platform {
        let signals = match self {
            Self::Noq => COUNTED.and(Signals::PER_PACKET).and(Signals::PACING).and(Signals::UNDO),
            Self::Quinn => COUNTED,
            Self::S2n => COUNTED.and(Signals::PACING).and(Signals::ECN),
        };
        Platform::new(signals).limiting_growth(Platform::DATAGRAMS.growth_limit())
    }

    /// Returns the signals that the library does not provide but whose absence is tolerated. A controller that requires
    /// such a signal runs degraded.
    const fn tolerated(self) -> Signals {
        match self {
            Self::Quinn => Signals::PACING,
            Self::Noq | Self::S2n => Signals::NONE,
        }
    }

    /// Returns the signals that `controller` uses but does not get. `hints` are the signals of the hints, in addition
    /// to the signals of the library.
    ///
    /// # Errors
    /// The signals that the controller requires but does not get.
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
