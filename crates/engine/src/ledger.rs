// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packet accounting: no packet is lost or invented.
//!
//! Conservation is checked at the end of every run, in release builds too: the packets created are those delivered,
//! dropped (by cause) and in flight, and the packets stored are those on links. A run whose counts do not balance is
//! refused as a defect.

use link::Lost;
use std::fmt;
use units::Code;

/// The true cause of a packet's drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Cause {
    /// A queue was full, or dropped it by its discipline.
    Queue = 0,
    /// It arrived damaged.
    Error = 1,
    /// It arrived during an outage of a loss list.
    Listed = 2,
    /// An outage: it left over a link to which a path had just been switched, and which carried nothing yet.
    Switched = 3,
    /// An outage: it waited for a link, or was on it, when the link was removed.
    Gone = 4,
    /// An outage: it arrived at a node without a link to its site.
    NoPath = 5,
    /// A policer found it out of profile.
    Policer = 6,
}

/// Packets dropped, by [`Cause`].
pub type Drops = [u64; Cause::COUNT];

impl From<Lost> for Cause {
    fn from(why: Lost) -> Self {
        match why {
            Lost::Full | Lost::Refused | Lost::Managed => Self::Queue,
            Lost::Policed => Self::Policer,
            Lost::Error => Self::Error,
            Lost::Listed => Self::Listed,
            Lost::Switched => Self::Switched,
            Lost::Gone => Self::Gone,
        }
    }
}

impl Cause {
    /// The number of causes.
    pub const COUNT: usize = 7;
    /// The causes that are outages.
    pub const OUTAGES: [Self; 4] = [Self::Listed, Self::Switched, Self::Gone, Self::NoPath];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Policer => "policer",
            Self::Error => "error",
            Self::Listed | Self::Switched | Self::Gone | Self::NoPath => "outage",
        }
    }
}

/// Packets of the whole run: created = delivered + dropped + on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Ledger {
    /// Packets that endpoints sent.
    pub created: u64,
    /// Packets that reached their endpoint.
    pub delivered: u64,
    /// Packets dropped, by [`Cause`].
    pub dropped: Drops,
    /// Arrivals at the far end of a link (packet-hops).
    pub hops: u64,
    /// Events handled.
    pub events: u64,
}

impl Ledger {
    /// Checks the counts against the packets that are `stored`, and those against the packets `on_links`.
    pub(crate) fn check(&self, stored: usize, on_links: usize) -> Result<(), Imbalance> {
        let (stored, on_links) = (stored as u64, on_links as u64);
        let dropped: u64 = self.dropped.iter().sum();
        if self.created == self.delivered + dropped + stored && stored == on_links {
            return Ok(());
        }
        Err(Imbalance { created: self.created, delivered: self.delivered, dropped, stored, on_links })
    }
}

/// The counts do not balance: a defect of Bentpipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imbalance {
    /// Packets that endpoints sent.
    pub created: u64,
    /// Packets that reached their endpoint.
    pub delivered: u64,
    /// Packets dropped.
    pub dropped: u64,
    /// Packets stored at the end.
    pub stored: u64,
    /// Packets on links at the end.
    pub on_links: u64,
}

impl Imbalance {
    /// The stable code.
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
        let books = Ledger { created: 10, delivered: 4, dropped: [1, 1, 0, 0, 0, 1, 0], ..Ledger::default() };
        assert_eq!(books.check(3, 3), Ok(()));
        // One packet more stored than was created, one that stands on no link.
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
