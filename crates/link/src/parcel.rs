// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets as links see them, their outcomes, and counts.

/// The properties of a packet that a link needs. The packet itself is stored elsewhere under `handle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Parcel {
    /// Where the packet is stored.
    pub handle: u32,
    /// Bytes on the wire.
    pub size: u16,
    /// Number of the destination site, and the bit [`Parcel::LOW`].
    pub site: u16,
}

impl Parcel {
    /// Bit of [`Parcel::site`] that marks low priority.
    pub const LOW: u16 = 1 << 15;
    /// Bit that marks a packet on a link that will arrive with errors.
    pub(crate) const LOST: u16 = 1 << 14;
    /// Bit that marks a packet on a link that leaves while the link carries nothing.
    pub(crate) const CUT: u16 = 1 << 13;
    /// Number of sites that can be distinguished.
    pub const SITES: usize = 1 << 13;

    /// Number of the destination site.
    #[inline]
    pub fn site(self) -> usize {
        usize::from(self.site & !(Self::LOW | Self::LOST | Self::CUT))
    }
    /// Whether the packet has low priority.
    #[inline]
    pub const fn is_low(self) -> bool {
        self.site & Self::LOW != 0
    }
    /// The packet with the bits of its outcome.
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
    /// The packet without the bits of its outcome.
    pub(crate) const fn plain(self) -> Self {
        Self { site: self.site & !(Self::LOST | Self::CUT), ..self }
    }
}

/// The ECN codepoint of a packet (RFC 3168, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Ecn {
    /// The sender is not ECN-capable. Queues drop the packet instead of marking it.
    #[default]
    NotEct,
    /// ECT(0): queues may mark the packet.
    Ect0,
    /// ECT(1): queues may mark the packet. In L4S (RFC 9331) the sender responds to the fraction of marks.
    Ect1,
    /// The packet is marked: it met congestion.
    Ce,
}

impl Ecn {
    /// Whether a mark replaces a drop: a queue may mark the packet, or has marked it.
    pub const fn is_capable(self) -> bool {
        !matches!(self, Self::NotEct)
    }

    /// Returns the two bits of the ECN field (RFC 3168, section 5).
    pub const fn bits(self) -> u8 {
        match self {
            Self::NotEct => 0,
            Self::Ect1 => 1,
            Self::Ect0 => 2,
            Self::Ce => 3,
        }
    }

    /// Returns the codepoint of the two lowest bits.
    pub const fn of_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::NotEct,
            1 => Self::Ect1,
            2 => Self::Ect0,
            _ => Self::Ce,
        }
    }
}

/// Why a packet does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Lost {
    /// The packet found the queue full, or was dropped from a full queue for another packet.
    Full,
    /// The discipline of the queue refused the packet, although there was room.
    Refused,
    /// The discipline of the queue dropped the packet, although there was room.
    Managed,
    /// The packet was larger than the MTU of the link.
    TooLarge,
    /// The packet exceeded the rate of the policer.
    Policed,
    /// The packet arrived with errors, or its number is listed.
    Error,
    /// The packet arrived in a listed interval.
    Listed,
    /// The packet left while the link carried nothing after a handover.
    Switched,
    /// The packet waited for the link, or was on the link, when the link ended.
    Gone,
}

/// A packet at the far end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The packet.
    pub parcel: Parcel,
    /// Why the packet did not arrive intact and must be dropped; `None` if it arrived intact.
    pub lost: Option<Lost>,
}

/// Counts since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets taken in. A held packet counts when its transmission begins.
    pub accepted: u64,
    /// Bytes taken in.
    pub accepted_bytes: u64,
    /// Packets that arrived intact.
    pub delivered: u64,
    /// Packets that the queue dropped: packets that found it full, low-priority packets that were pushed out, and
    /// packets that its discipline dropped or refused.
    pub dropped_queue: u64,
    /// Of `dropped_queue`, packets that the discipline refused on arrival, although there was room.
    pub refused: u64,
    /// Of `dropped_queue`, acknowledgements that a newer acknowledgement replaced.
    pub thinned: u64,
    /// Packets marked instead of dropped.
    pub marked: u64,
    /// Packets dropped before the queue because they were larger than the MTU.
    pub too_large: u64,
    /// Packets that the policer dropped before the queue.
    pub policed: u64,
    /// Packets whose ECN field was cleared before the queue, including packets that were lost later.
    pub bleached: u64,
    /// Packets that arrived with errors, and listed packets.
    pub dropped_error: u64,
    /// Packets lost because the link ended, or because it carried nothing for some time.
    pub dropped_outage: u64,
    /// Accepted packets that were taken back while they waited, because the link ended.
    pub recalled: u64,
    /// Sum of the waits of accepted packets, in nanoseconds, as decided when the packets were accepted (for held
    /// packets: when their transmission begins).
    pub wait_ns: u64,
    /// The part of `wait_ns` that must be subtracted, because packets were sent earlier than decided. For recalled
    /// packets, this is the complete wait.
    pub unwaited_ns: u64,
}
