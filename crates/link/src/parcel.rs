// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets as links see them, their outcomes, and counts.

/// What the link needs to know of a packet; the packet itself is stored elsewhere under `handle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Parcel {
    /// Where the packet is stored.
    pub handle: u32,
    /// Bytes on the wire.
    pub size: u16,
    /// Destination site, and [`Parcel::LOW`].
    pub site: u16,
}

impl Parcel {
    /// Bit of [`Parcel::site`] that marks low priority.
    pub const LOW: u16 = 1 << 15;
    /// Bit that marks, on a link, a packet that will arrive with errors.
    pub(crate) const LOST: u16 = 1 << 14;
    /// Bit that marks, on a link, a packet that leaves while the link carries nothing.
    pub(crate) const CUT: u16 = 1 << 13;
    /// Number of sites that can be distinguished.
    pub const SITES: usize = 1 << 13;

    /// Number of the site.
    #[inline]
    pub fn site(self) -> usize {
        usize::from(self.site & !(Self::LOW | Self::LOST | Self::CUT))
    }
    /// Whether it has low priority.
    #[inline]
    pub const fn is_low(self) -> bool {
        self.site & Self::LOW != 0
    }
    /// The packet with its outcome, once that is known.
    pub(crate) const fn with_fate(self, broken: bool, cut: bool) -> Self {
        let mut site = self.plain().site;
        if cut {
            site |= Self::CUT;
        }
        if broken {
            site |= Self::LOST;
        }
        Self { site, ..self }
    }
    /// The packet as it was offered.
    pub(crate) const fn plain(self) -> Self {
        Self { site: self.site & !(Self::LOST | Self::CUT), ..self }
    }
}

/// The ECN codepoint of a packet (RFC 3168, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Ecn {
    /// Its sender is not ECN-capable: it is dropped instead of marked.
    #[default]
    NotEct,
    /// It may be marked.
    Ect0,
    /// It may be marked; in L4S (RFC 9331) the sender responds to the fraction of marks.
    Ect1,
    /// It met congestion.
    Ce,
}

impl Ecn {
    /// Whether a queue may mark it, or has: whether a mark replaces a drop.
    pub const fn is_capable(self) -> bool {
        !matches!(self, Self::NotEct)
    }
}

/// Why a packet does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Lost {
    /// It found the queue full, or was dropped from a full queue for another packet.
    Full,
    /// The queue's discipline refused it, though there was room.
    Refused,
    /// The queue's discipline dropped it, though there was room.
    Managed,
    /// It exceeded the rate of the policer.
    Policed,
    /// It arrived with errors, or a list has its number.
    Error,
    /// It arrived in a listed interval.
    Listed,
    /// It left while the link carried nothing after a handover.
    Switched,
    /// It waited for the link, or was on it, when the link ended.
    Gone,
}

/// A packet at the far end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The packet.
    pub parcel: Parcel,
    /// The reason if it did not arrive intact, and must be dropped.
    pub lost: Option<Lost>,
}

/// Counts since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets taken in; a held packet counts when its transmission begins.
    pub accepted: u64,
    /// Bytes taken in.
    pub accepted_bytes: u64,
    /// Packets that arrived intact.
    pub delivered: u64,
    /// Packets that found the queue full, and packets that it dropped: low-priority ones pushed out, drops of CoDel,
    /// and refusals of its discipline.
    pub dropped_queue: u64,
    /// Of these, packets that the discipline refused on arrival, though there was room.
    pub refused: u64,
    /// Of these, acknowledgements replaced by a newer one.
    pub thinned: u64,
    /// Packets marked instead of dropped.
    pub marked: u64,
    /// Packets that the policer dropped before the queue.
    pub policed: u64,
    /// Packets whose ECN field was cleared before the queue, lost ones included.
    pub bleached: u64,
    /// Packets that arrived with errors, and listed ones.
    pub dropped_error: u64,
    /// Packets lost because the link ended, or carried nothing for a while.
    pub dropped_outage: u64,
    /// Accepted packets that were taken back while they waited, because the link ended.
    pub recalled: u64,
    /// Sum of the waits of accepted packets, as decided when they were accepted (for held packets: when their
    /// transmission begins).
    pub wait_ns: u64,
    /// The part of it that does not count: packets were sent earlier than decided, or recalled, in which case the whole
    /// wait is subtracted.
    pub unwaited_ns: u64,
}
