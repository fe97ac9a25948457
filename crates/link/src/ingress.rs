// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entrance of a link before its queue. It has a check of the MTU, a policer, and a middlebox that clears the ECN
//! field.
//!
//! The order for an offered packet is: the list of losses (`listed`), the check of the MTU, the policer, the clearing
//! of the ECN field, the queue. As in a router, a packet that is larger than the MTU of the outgoing link does not
//! reach the queue. Packets are never fragmented, as if DF were set (RFC 791). A packet that is dropped at the entrance
//! takes no room in the queue and no time on the link. If the ECN field of a packet is cleared, the queue treats its
//! sender as not ECN-capable. The queue drops this packet instead of marking it.
//!
//! The entrance does not draw random numbers. A link without these features has no additional cost, because the flag
//! [`Detours::apart`](crate::gate::Detours), which every link checks, is false.

use crate::policer::Bucket;
use crate::{LinkSpec, Lost, Packets, Parcel};
use units::Time;

/// The MTU check, the policer and the ECN middlebox of a link, and their counts.
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
    /// Creates the entrance. Returns `None` if the link has no MTU, no policer and no ECN clearing.
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

    /// Whether a packet that arrives at `now` may enter the queue. If not, the packet is dropped and the drop is
    /// reported.
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
