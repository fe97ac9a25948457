// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets, and the slab that stores them.
//!
//! On a link, a packet is an entry of 16 bytes in the ring of the link. The packet itself (64 bytes with a TCP segment)
//! stays in the slab. Between the first and the last hop of a packet, the engine accesses the slab only to add waiting
//! times.

use link::{Ack, Ecn, prefetch};

/// Content of a packet, with the fields that links and routers use. It is a TCP segment, a datagram, or an enum of both
/// if several protocols are in the same run.
pub trait Body {
    /// Sets the congestion warning of a router (TCP-Jersey's mark, which is not ECN).
    fn warn(&mut self);
    /// Returns whether the packet has low priority. All other packets precede low-priority packets.
    fn is_low_priority(&self) -> bool;
    /// Returns whether the packet carries payload. A link's list of losses counts and drops only packets with payload,
    /// and ignores acknowledgements and probes.
    fn carries_data(&self) -> bool {
        true
    }
    /// Returns the acknowledgement, if the packet contains only an acknowledgement. A link may thin or compress such
    /// packets.
    fn ack(&self) -> Option<Ack> {
        None
    }
    /// Returns the ECN codepoint. A queue may mark an ECN-capable packet instead of dropping it.
    fn ecn(&self) -> Ecn {
        Ecn::NotEct
    }
    /// Sets the CE mark for a queue: from now on, [`Body::ecn`] returns [`Ecn::Ce`]. The engine never calls this
    /// function if [`Body::ecn`] returns [`Ecn::NotEct`].
    ///
    /// # Panics
    /// In the default implementation. A body that can be marked must override it and store the mark.
    fn mark_ce(&mut self) {
        panic!("an ECN-capable body did not take a mark");
    }
    /// Clears the ECN field, as a middlebox does: from now on, [`Body::ecn`] returns [`Ecn::NotEct`]. The engine never
    /// calls this function if the field is already cleared.
    ///
    /// # Panics
    /// In the default implementation. A body with a codepoint must override it.
    fn bleach(&mut self) {
        panic!("a body with a codepoint does not lose it");
    }
    /// Returns the number of the endpoint that receives the packet. The engine calls this function only if the sender
    /// is [`UNCONNECTED`](crate::UNCONNECTED).
    fn destination(&self) -> Option<u32> {
        None
    }
}

/// A packet between two endpoints. A packet with a TCP segment fits in one cache line.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct Packet<B> {
    /// Content.
    pub body: B,
    /// Time spent waiting in queues so far, in nanoseconds.
    pub queued_ns: u64,
    /// Number of the endpoint that sent the packet.
    pub from: u32,
    /// Stream of the sender to which the packet belongs; 0 if the sender has only one stream.
    pub stream: u32,
}

impl<B> Packet<B> {
    /// Converts the content and keeps everything else.
    pub fn map<T>(self, body: impl FnOnce(B) -> T) -> Packet<T> {
        let Self { body: carried, queued_ns, from, stream } = self;
        Packet { body: body(carried), queued_ns, from, stream }
    }
}

/// A place for a packet; `None` if the place is free. If the body has a niche (a `bool`, an enum, a reference), the
/// `Option` needs no extra space. Places are aligned to cache lines. Without alignment, a packet of the size of one
/// line would span two lines.
#[derive(Clone, Debug, saved::Plain)]
#[repr(align(64))]
struct Place<B>(Option<Packet<B>>);

/// Packets by handle. Free places are reused; the place that was freed last is reused first.
#[derive(Clone, Debug, saved::Plain)]
pub struct Slab<B> {
    packets: Vec<Place<B>>,
    free: Vec<u32>,
}

impl<B> Default for Slab<B> {
    fn default() -> Self {
        Self { packets: Vec::new(), free: Vec::new() }
    }
}

impl<B> Slab<B> {
    /// Stores a packet and returns its handle.
    #[inline]
    pub fn insert(&mut self, packet: Packet<B>) -> u32 {
        let Some(handle) = self.free.pop() else { return self.extend(packet) };
        // A free place contains nothing to drop. `forget` avoids the check for this.
        std::mem::forget(self.packets[handle as usize].0.replace(packet));
        handle
    }

    /// Adds a place for a packet, because no place is free.
    #[cold]
    fn extend(&mut self, packet: Packet<B>) -> u32 {
        self.packets.push(Place(Some(packet)));
        (self.packets.len() - 1) as u32
    }

    /// Returns the packet with this handle.
    ///
    /// # Panics
    /// If there is no such packet.
    #[inline]
    #[expect(clippy::expect_used, reason = "a handle without a packet is a defect of the engine")]
    pub fn get(&self, handle: u32) -> &Packet<B> {
        self.packets[handle as usize].0.as_ref().expect("a handle refers to a packet")
    }

    /// Returns the packet with this handle, for changes.
    ///
    /// # Panics
    /// If there is no such packet.
    #[inline]
    #[expect(clippy::expect_used, reason = "a handle without a packet is a defect of the engine")]
    pub fn get_mut(&mut self, handle: u32) -> &mut Packet<B> {
        self.packets[handle as usize].0.as_mut().expect("a handle refers to a packet")
    }

    /// Prefetches the packet with this handle.
    #[inline]
    pub(crate) fn prefetch(&self, handle: u32) {
        prefetch(&self.packets[handle as usize]);
    }

    /// Removes and returns the packet with this handle. Its place is then free.
    ///
    /// # Panics
    /// If there is no such packet.
    #[inline]
    #[expect(clippy::expect_used, reason = "a handle without a packet is a defect of the engine")]
    pub fn remove(&mut self, handle: u32) -> Packet<B> {
        let packet = self.packets[handle as usize].0.take().expect("a handle refers to a packet");
        self.free.push(handle);
        packet
    }

    /// Returns the number of places for packets. It is the largest number of packets that were stored at the same time
    /// so far.
    #[inline]
    pub(crate) fn places(&self) -> usize {
        self.packets.len()
    }

    /// Returns the number of stored packets.
    pub fn len(&self) -> usize {
        self.packets.len() - self.free.len()
    }

    /// Returns whether no packets are stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(body: String) -> Packet<String> {
        Packet { body, queued_ns: 0, from: 0, stream: 0 }
    }

    #[test]
    fn what_a_packet_owns_moves_in_and_out() {
        let mut slab = Slab::default();
        let [a, b] = ["first", "second"].map(|text| slab.insert(packet(text.to_owned())));
        slab.get_mut(b).body.push('!');
        assert_eq!((slab.remove(b).body.as_str(), slab.len()), ("second!", 1));
        // The place that was freed last is used first.
        assert_eq!(slab.insert(packet(String::new())), b);
        assert_eq!((slab.get(a).body.as_str(), slab.is_empty()), ("first", false));
    }

    #[test]
    #[should_panic(expected = "a handle refers to a packet")]
    fn a_packet_leaves_once() {
        let mut slab = Slab::default();
        let handle = slab.insert(packet(String::new()));
        slab.remove(handle);
        slab.remove(handle);
    }
}
