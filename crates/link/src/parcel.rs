// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets as links see them, the outcomes of packets, and counts of packets.

/// The properties of a packet that a link needs. The user of the link stores the packet itself under `handle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Parcel {
    /// Number under which the user stores the packet.
    pub handle: u32,
    /// Size of the packet on the wire, in bytes.
    pub size: u16,
    /// Number of the destination site, plus the bit [`Parcel::LOW`] if the packet has low priority.
    pub site: u16,
}

impl Parcel {
    /// Bit of [`Parcel::site`] that marks low priority.
    pub const LOW: u16 = 1 << 15;
    /// Bit of [`Parcel::site`] that is set while a packet is on a link, if the packet will arrive with errors.
    pub(crate) const LOST: u16 = 1 << 14;
    /// Bit of [`Parcel::site`] that is set while a packet is on a link, if the link carries nothing when the packet
    /// leaves.
    pub(crate) const CUT: u16 = 1 << 13;
    /// Number of sites that the remaining bits can distinguish.
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
    /// Returns the packet with the bits of its outcome: [`Parcel::LOST`] if `broken`, [`Parcel::CUT`] if `cut`.
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
    /// Returns the packet without the bits of its outcome.
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
    /// ECT(1): queues may mark the packet. The sender uses L4S (RFC 9331), and responds to the fraction of marked
    /// packets.
    Ect1,
    /// CE: the packet is marked, because it met congestion.
    Ce,
}

impl Ecn {
    /// Whether the sender is ECN-capable: a queue may mark the packet, or a queue has marked it.
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

    /// Returns the codepoint that the two lowest bits of `bits` encode.
    pub const fn of_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::NotEct,
            1 => Self::Ect1,
            2 => Self::Ect0,
            _ => Self::Ce,
        }
    }
}

/// Reason why a packet does not arrive.
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
    /// The packet arrived with errors, or its number is in the list of losses.
    Error,
    /// The packet arrived in an interval of the list of losses.
    Listed,
    /// The packet left while the link carried nothing after a handover.
    Switched,
    /// When the link ended, the packet was waiting for the link or was on the link.
    Gone,
}

/// A packet that has arrived at the far end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The packet.
    pub parcel: Parcel,
    /// Reason why the packet is lost and must be dropped. `None` means that the packet arrived intact.
    pub lost: Option<Lost>,
}

/// Counts since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Counters {
    /// Number of accepted packets. A held packet is counted when its transmission begins.
    pub accepted: u64,
    /// Number of accepted bytes.
    pub accepted_bytes: u64,
    /// Packets that arrived intact.
    pub delivered: u64,
    /// Packets that the queue dropped. These are packets that found the queue full, low-priority packets that were
    /// pushed out, and packets that the discipline dropped or refused.
    pub dropped_queue: u64,
    /// The part of `dropped_queue` that the discipline refused on arrival, although the queue had room.
    pub refused: u64,
    /// The part of `dropped_queue` that consists of acknowledgements replaced by a newer acknowledgement.
    pub thinned: u64,
    /// Packets that were marked.
    pub marked: u64,
    /// Packets that were larger than the MTU, and were dropped before the queue.
    pub too_large: u64,
    /// Packets that the policer dropped before the queue.
    pub policed: u64,
    /// Packets whose ECN field was cleared before the queue. Packets that were lost later are included.
    pub bleached: u64,
    /// Packets that arrived with errors, and data packets whose number is in the list of losses.
    pub dropped_error: u64,
    /// Packets lost because the link ended, or because it carried no packets for some time.
    pub dropped_outage: u64,
    /// Accepted packets that still waited when the link ended, and were therefore handed back.
    pub recalled: u64,
    /// Sum of the waits of accepted packets, in nanoseconds. The wait of a packet is decided when the packet is
    /// accepted. For held packets, it is decided when the transmission begins.
    pub wait_ns: u64,
    /// The part of `wait_ns` that must be subtracted, in nanoseconds. It accounts for packets that were sent earlier
    /// than decided, and for the complete wait of recalled packets.
    pub unwaited_ns: u64,
}
