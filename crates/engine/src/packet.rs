// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets, and the slab that stores them.
//!
//! A packet on a link is an entry of 16 bytes in the link's ring. The packet itself (64 bytes with a TCP segment)
//! stays in the slab. Between its first and its last hop the engine touches it only to add up its waiting time.

use link::{Ack, Ecn, prefetch};

/// The content of a packet, as links and routers see it: a TCP segment, a datagram, or an enum of both where protocols
/// share a run.
pub trait Body {
    /// A router warns of congestion (TCP-Jersey's mark, which is not ECN's).
    fn warn(&mut self);
    /// Whether it has priority over everything else.
    fn is_low_priority(&self) -> bool;
    /// Whether it carries payload. A link's list of losses counts and drops only such packets, not acknowledgements and
    /// probes.
    fn carries_data(&self) -> bool {
        true
    }
    /// Its acknowledgement, if it does nothing else: a link may thin or compress such packets.
    fn ack(&self) -> Option<Ack> {
        None
    }
    /// Its ECN codepoint: a queue may mark it instead of dropping it.
    fn ecn(&self) -> Ecn {
        Ecn::NotEct
    }
    /// A queue marks it: from now on [`Body::ecn`] returns [`Ecn::Ce`]. Never called if that returned [`Ecn::NotEct`].
    ///
    /// # Panics
    /// Unless it is overridden: a body that can be marked must store the mark.
    fn mark_ce(&mut self) {
        panic!("an ECN-capable body did not take a mark");
    }
    /// A middlebox clears its ECN field: from now on [`Body::ecn`] returns [`Ecn::NotEct`]. Never called if it already
    /// did.
    ///
    /// # Panics
    /// Unless it is overridden: a body with a codepoint must clear it.
    fn bleach(&mut self) {
        panic!("a body with a codepoint does not lose it");
    }
    /// The number of the endpoint it is for. The engine asks only where the sender is [`UNCONNECTED`](crate::UNCONNECTED).
    fn destination(&self) -> Option<u32> {
        None
    }
}

/// A packet in flight between two endpoints; one cache line with a TCP segment.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct Packet<B> {
    /// The content.
    pub body: B,
    /// Time spent waiting in queues so far, nanoseconds.
    pub queued_ns: u64,
    /// Endpoint that sent it.
    pub from: u32,
    /// The stream of its sender that it belongs to; 0 if there is only one.
    pub stream: u32,
}

impl<B> Packet<B> {
    /// The same packet with another view of its content.
    pub fn map<T>(self, body: impl FnOnce(B) -> T) -> Packet<T> {
        let Self { body: carried, queued_ns, from, stream } = self;
        Packet { body: body(carried), queued_ns, from, stream }
    }
}

/// A place for a packet; `None` if it is free. A body with a niche (a `bool`, an enum, a reference) needs no extra
/// space for this. A place begins at a cache line, because otherwise a packet of one line would span two.
#[derive(Clone, Debug, saved::Plain)]
#[repr(align(64))]
struct Place<B>(Option<Packet<B>>);

/// Packets by handle; freed places are used again, newest first.
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
        // A free place holds nothing to drop, so no check is needed.
        std::mem::forget(self.packets[handle as usize].0.replace(packet));
        handle
    }

    /// No place is free: adds one.
    #[cold]
    fn extend(&mut self, packet: Packet<B>) -> u32 {
        self.packets.push(Place(Some(packet)));
        (self.packets.len() - 1) as u32
    }

    /// The packet under a handle.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    #[expect(clippy::expect_used, reason = "a handle without a packet is a defect of the engine")]
    pub fn get(&self, handle: u32) -> &Packet<B> {
        self.packets[handle as usize].0.as_ref().expect("a handle refers to a packet")
    }

    /// The packet under a handle, to change.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    #[expect(clippy::expect_used, reason = "a handle without a packet is a defect of the engine")]
    pub fn get_mut(&mut self, handle: u32) -> &mut Packet<B> {
        self.packets[handle as usize].0.as_mut().expect("a handle refers to a packet")
    }

    /// Prefetches the packet under a handle.
    #[inline]
    pub(crate) fn prefetch(&self, handle: u32) {
        prefetch(&self.packets[handle as usize]);
    }

    /// Removes the packet and returns it; its place is free.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    #[expect(clippy::expect_used, reason = "a handle without a packet is a defect of the engine")]
    pub fn remove(&mut self, handle: u32) -> Packet<B> {
        let packet = self.packets[handle as usize].0.take().expect("a handle refers to a packet");
        self.free.push(handle);
        packet
    }

    /// Number of places for packets: the largest number of packets at any time.
    #[inline]
    pub(crate) fn places(&self) -> usize {
        self.packets.len()
    }

    /// Packets stored.
    pub fn len(&self) -> usize {
        self.packets.len() - self.free.len()
    }

    /// Whether nothing is stored.
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
