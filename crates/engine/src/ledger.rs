// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packet accounting: the check that packets are neither lost nor invented.
//!
//! This check runs at the end of every run, also in release builds. The number of created packets must equal the sum of
//! delivered, dropped (by cause) and stored packets. The number of stored packets must equal the number of packets on
//! links. If the counts do not balance, the run is refused, because Bentpipe has a bug.

use link::Lost;
use std::fmt;
use units::Code;

/// True cause of a dropped packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Cause {
    /// The queue was full, or its discipline dropped the packet.
    Queue = 0,
    /// The packet arrived damaged.
    Error = 1,
    /// The packet arrived at a link in an interval in which the link's loss list loses all packets (an outage).
    Listed = 2,
    /// Outage: the packet left over a link directly after a handover to this link, when the link did not carry data
    /// yet.
    Switched = 3,
    /// Outage: the packet waited for a link, or was in flight on it, when the link was removed.
    Gone = 4,
    /// Outage: the packet arrived at a node without a link towards its site.
    NoPath = 5,
    /// A policer dropped the packet, because its token bucket held too few tokens.
    Policer = 6,
    /// The packet was larger than the MTU of a link.
    TooLarge = 7,
}

/// Number of dropped packets by [`Cause`].
pub type Drops = [u64; Cause::COUNT];

impl From<Lost> for Cause {
    fn from(why: Lost) -> Self {
        match why {
            Lost::Full | Lost::Refused | Lost::Managed => Self::Queue,
            Lost::Policed => Self::Policer,
            Lost::TooLarge => Self::TooLarge,
            Lost::Error => Self::Error,
            Lost::Listed => Self::Listed,
            Lost::Switched => Self::Switched,
            Lost::Gone => Self::Gone,
        }
    }
}

impl Cause {
    /// Number of causes.
    pub const COUNT: usize = 8;
    /// The causes that count as outages.
    pub const OUTAGES: [Self; 4] = [Self::Listed, Self::Switched, Self::Gone, Self::NoPath];

    /// Returns the name of the cause in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Policer => "policer",
            Self::TooLarge => "too_large",
            Self::Error => "error",
            Self::Listed | Self::Switched | Self::Gone | Self::NoPath => "outage",
        }
    }
}

/// Packet counts of the whole run: created = delivered + dropped + stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Ledger {
    /// Number of packets that endpoints sent.
    pub created: u64,
    /// Number of packets that reached their endpoint.
    pub delivered: u64,
    /// Number of dropped packets, by [`Cause`].
    pub dropped: Drops,
    /// Number of arrivals at the far end of a link (packet-hops).
    pub hops: u64,
    /// Number of handled events.
    pub events: u64,
}

impl Ledger {
    /// Checks the counts. `stored` is the number of packets in the slab, and `on_links` is the number of packets on
    /// links.
    pub(crate) fn check(&self, stored: usize, on_links: usize) -> Result<(), Imbalance> {
        let (stored, on_links) = (stored as u64, on_links as u64);
        let dropped: u64 = self.dropped.iter().sum();
        if self.created == self.delivered + dropped + stored && stored == on_links {
            return Ok(());
        }
        Err(Imbalance { created: self.created, delivered: self.delivered, dropped, stored, on_links })
    }
}

/// The packet counts do not balance. This is a bug in Bentpipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imbalance {
    /// Number of packets that endpoints sent.
    pub created: u64,
    /// Number of packets that reached their endpoint.
    pub delivered: u64,
    /// Number of dropped packets.
    pub dropped: u64,
    /// Number of packets stored at the end of the run.
    pub stored: u64,
    /// Number of packets on links at the end of the run.
    pub on_links: u64,
}

impl Imbalance {
    /// Returns the stable error code.
    pub const fn code(&self) -> Code {
        Code::Conservation
    }
}

impl fmt::Display for Imbalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { created, delivered, dropped, stored, on_links } = self;
        write!(
            f,
            "packets were lost or invented: {created} created, {delivered} delivered, {dropped} dropped, \
             {stored} stored, {on_links} on links (this is a defect of Bentpipe, please report the scenario)"
        )
    }
}

impl std::error::Error for Imbalance {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_that_do_not_balance_are_told_in_full() {
        let books =
            Ledger { created: 10, delivered: 4, dropped: [1, 1, 0, 0, 0, 1, 0, 0], ..Ledger::default() };
        assert_eq!(books.check(3, 3), Ok(()));
        // In the first case, more packets are stored than were created. In the second case, a stored packet is not on a
        // link.
        assert!(books.check(4, 4).is_err() && books.check(3, 2).is_err());
        let error = books.check(4, 3).expect_err("a packet was invented");
        assert_eq!(error.code().as_str(), "conservation");
        assert_eq!(
            error.to_string(),
            "packets were lost or invented: 10 created, 4 delivered, 3 dropped, 4 stored, 3 on links (this is a \
             defect of Bentpipe, please report the scenario)"
        );
    }
}
