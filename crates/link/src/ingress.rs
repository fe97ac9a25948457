// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is at the entrance of a link, before its queue: the check of the MTU, a policer, and a box that clears the ECN
//! field.
//!
//! An offered packet passes, in this order, the list of losses (`listed`), the check of the MTU, the policer, the
//! bleaching, and the queue. As in a router, a packet larger than the MTU of the outgoing link reaches no queue; packets
//! are not fragmented, as if DF were set (RFC 791). A packet that is dropped here never enters the queue and takes no
//! time on the link. For the queue, the sender of a bleached packet is not ECN-capable, so the queue drops the packet
//! where it would have marked it. None of them draws random numbers. Links without them have no additional cost:
//! [`Detours::apart`](crate::gate::Detours), which every link checks, is false.

use crate::policer::Bucket;
use crate::{LinkSpec, Lost, Packets, Parcel};
use units::Time;

/// The MTU and the middleboxes at the entrance, and their counts.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Ingress {
    mtu: Option<u16>,
    bucket: Option<Bucket>,
    pub(crate) bleaches: bool,
    /// Packets dropped because they were larger than the MTU.
    pub(crate) too_large: u64,
    /// Packets that the policer dropped.
    pub(crate) policed: u64,
    /// Packets whose ECN field was cleared.
    pub(crate) bleached: u64,
}

impl Ingress {
    /// Returns `None` if the link has no MTU and no box.
    pub(crate) fn new(spec: &LinkSpec) -> Option<Self> {
        let there = spec.mtu.is_some() || spec.policer.is_some() || spec.ecn_bleach;
        there.then(|| Self {
            mtu: spec.mtu,
            bucket: spec.policer.map(Bucket::new),
            bleaches: spec.ecn_bleach,
            too_large: 0,
            policed: 0,
            bleached: 0,
        })
    }

    pub(crate) const fn has_mtu(&self) -> bool {
        self.mtu.is_some()
    }

    pub(crate) const fn is_policed(&self) -> bool {
        self.bucket.is_some()
    }

    /// Whether a packet that arrives at `now` passes to the queue. Otherwise it is dropped.
    pub(crate) fn admits<P: Packets>(&mut self, now: Time, parcel: Parcel, packets: &mut P) -> bool {
        if self.mtu.is_some_and(|mtu| parcel.size > mtu) {
            self.too_large += 1;
            packets.dropped(parcel, Lost::TooLarge);
            return false;
        }
        if self.bucket.as_mut().is_some_and(|bucket| !bucket.passes(now, parcel.size)) {
            self.policed += 1;
            packets.dropped(parcel, Lost::Policed);
            return false;
        }
        if self.bleaches && packets.ecn(parcel.handle).is_capable() {
            self.bleached += 1;
            packets.bleach(parcel.handle);
        }
        true
    }
}

#[cfg(test)]
mod tests;
