// SPDX-License-Identifier: MIT OR Apache-2.0
//! Middleboxes at the entrance of a link, before its queue: a policer, and one that clears the ECN field.
//!
//! An offered packet meets, in this order, the list of losses (`listed`), the policer, the bleaching, and the queue. A
//! policed packet never enters the queue and takes no time on the link. The queue sees a bleached packet as one whose
//! sender is not ECN-capable: it drops where it would have marked. Neither draws. A link without them pays nothing for
//! them: its [`Detours::apart`](crate::gate::Detours) is unset, which every link checks.

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
    /// `None`: there are none.
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

    /// A packet arrives at `now`: whether it passes to the queue; otherwise it is dropped.
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
