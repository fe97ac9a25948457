// SPDX-License-Identifier: MIT OR Apache-2.0
//! The platform that runs a controller, described by the signals that it gives.

use crate::{Controller, Signals};

/// A platform: a transport that reports events to a controller and obeys its commands.
///
/// The code that combines a platform and a network for a run [adds](Platform::with) the signals of the network (its
/// geometry, warnings of its routers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    signals: Signals,
    growth_limit: Option<u32>,
}

impl Platform {
    /// The signals of every platform that has a clock and keeps a record of each packet that it sent.
    const COMMON: Signals = Signals::PER_PACKET
        .and(Signals::RATE_SAMPLE)
        .and(Signals::SENT)
        .and(Signals::PACING)
        .and(Signals::UNDO)
        .and(Signals::TIMER)
        .and(Signals::HOLD)
        .and(Signals::RESUME);

    /// TCP with SACK, timestamps and low-priority probes. Settings can add ECN marks ([`Signals::ECN`], reported by
    /// DCTCP's echo or AccECN). Settings can also remove probes. Without SACK, the ACKs of probes look like duplicate
    /// ACKs.
    pub const TCP: Self =
        Self::new(Self::COMMON.and(Signals::CUMULATIVE_ACK).and(Signals::ONE_WAY_DELAY).and(Signals::PROBE));

    /// Datagrams, each acknowledged by its number: QUIC (RFC 9000, RFC 9002), or another protocol.
    ///
    /// ACKs are not cumulative. They count the marked packets (RFC 9000, section 19.3.2), and do not report arrival
    /// times. Slow start counts all bytes that an ACK acknowledges (RFC 9002, section 7.3.1).
    pub const DATAGRAMS: Self =
        Self::new(Self::COMMON.and(Signals::ECN)).limiting_growth(Some(1_000_000_000));

    /// A platform that gives `signals` and leaves the growth limit of slow start to the controller.
    pub const fn new(signals: Signals) -> Self {
        Self { signals, growth_limit: None }
    }

    /// Returns this platform with `signals` added.
    #[must_use]
    pub const fn with(self, signals: Signals) -> Self {
        Self { signals: self.signals.and(signals), ..self }
    }

    /// Returns this platform without `signals`.
    #[must_use]
    pub const fn without(self, signals: Signals) -> Self {
        Self { signals: self.signals.missing_from(signals), ..self }
    }

    /// Returns this platform with the growth limit `growth_limit`: the largest number of segments that slow start
    /// counts per ACK. With `None`, the controller sets this limit.
    #[must_use]
    pub const fn limiting_growth(self, growth_limit: Option<u32>) -> Self {
        Self { growth_limit, ..self }
    }

    /// The signals that this platform gives to a controller.
    pub const fn signals(self) -> Signals {
        self.signals
    }

    /// The largest number of segments that slow start counts per ACK, for controllers with the parameter
    /// `growth_limit`. `None` means that the platform sets no limit.
    pub const fn growth_limit(self) -> Option<u32> {
        self.growth_limit
    }

    /// Returns the signals that `controller` uses but this platform does not give.
    ///
    /// # Errors
    /// The signals that `controller` requires but this platform does not give.
    pub fn admit(self, controller: &dyn Controller) -> Result<Signals, Signals> {
        let missing = controller.requires().missing_from(self.signals);
        if missing.is_empty() { Ok(controller.uses().missing_from(self.signals)) } else { Err(missing) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    /// The controllers of the catalogue that `platform` refuses, with the signals that they lack.
    fn refused(platform: Platform) -> Vec<(&'static str, Signals)> {
        let missing = |entry: &catalogue::Entry| {
            let controller = catalogue::build(entry.name, &[]).ok()?;
            Some((entry.name, platform.admit(controller.as_ref()).err()?))
        };
        catalogue::entries().iter().filter_map(missing).collect()
    }

    /// RFC 9000 and RFC 9002 define neither low-priority probes nor arrival times.
    #[test]
    fn datagrams_lack_probes_and_times_of_arrival() {
        let network =
            Signals::PROPAGATION | Signals::DISTANCE | Signals::PATH_CHANGE | Signals::CONGESTION_WARNING;
        let expected = [
            ("nj", Signals::ONE_WAY_DELAY),
            ("peach", Signals::PROBE),
            ("peach-plus", Signals::PROBE),
            ("cherry", Signals::PROBE),
            ("ledbat", Signals::ONE_WAY_DELAY),
        ];
        assert_eq!(refused(Platform::DATAGRAMS.with(network)), expected);
    }

    #[test]
    fn what_is_not_required_is_missed_and_not_refused() {
        let bare = Platform::TCP.without(Signals::UNDO);
        let reno = catalogue::build("reno", &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(bare.admit(reno.as_ref()), Ok(Signals::UNDO));
        assert_eq!(Platform::TCP.admit(reno.as_ref()), Ok(Signals::NONE));
    }

    #[test]
    fn cumulative_acks_are_those_of_tcp() {
        assert!(Platform::TCP.signals().contains(Signals::CUMULATIVE_ACK));
        assert!(!Platform::DATAGRAMS.signals().contains(Signals::CUMULATIVE_ACK));
    }
}
