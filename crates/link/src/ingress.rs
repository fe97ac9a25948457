// SPDX-License-Identifier: MIT OR Apache-2.0
//! Middleboxes at the entrance of a link, before its queue: a policer, and a box that clears the ECN field.
//!
//! An offered packet passes, in this order, the list of losses (`listed`), the policer, the bleaching, and the queue. A
//! packet that the policer drops never enters the queue and takes no time on the link. For the queue, the sender of a
//! bleached packet is not ECN-capable, so the queue drops the packet where it would have marked it. Neither box draws
//! random numbers. Links without boxes have no additional cost: [`Detours::apart`](crate::gate::Detours), which every
//! link checks, is false.

use crate::policer::Bucket;
use crate::{LinkSpec, Lost, Packets, Parcel};
use units::Time;

/// The middleboxes at the entrance, and their counts.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Ingress {
    bucket: Option<Bucket>,
    pub(crate) bleaches: bool,
    /// Packets that the policer dropped.
    pub(crate) policed: u64,
    /// Packets whose ECN field was cleared.
    pub(crate) bleached: u64,
}

impl Ingress {
    /// Returns `None` if the link has neither box.
    pub(crate) fn new(spec: &LinkSpec) -> Option<Self> {
        let there = spec.policer.is_some() || spec.ecn_bleach;
        there.then(|| Self {
            bucket: spec.policer.map(Bucket::new),
            bleaches: spec.ecn_bleach,
            policed: 0,
            bleached: 0,
        })
    }

    pub(crate) const fn is_policed(&self) -> bool {
        self.bucket.is_some()
    }

    /// Whether a packet that arrives at `now` passes to the queue. Otherwise it is dropped.
    pub(crate) fn admits<P: Packets>(&mut self, now: Time, parcel: Parcel, packets: &mut P) -> bool {
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
