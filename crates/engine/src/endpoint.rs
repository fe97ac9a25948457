// SPDX-License-Identifier: MIT OR Apache-2.0
//! The endpoints at both ends of the links, and the observers of a run.
//!
//! Endpoints are sans-I/O state machines; the engine is generic over them. The engine reports to an endpoint which of
//! its packets were dropped, when and why. Only the endpoint's record uses the report, to compare a controller's
//! verdict on a loss with the true cause. The protocol never sees the cause, and the record gets it only at the end of
//! an advance, so no information crosses the network instantly.
//!
//! An observer sees packets leave their endpoint, enter links, start transmission, arrive and be dropped, and sees
//! which endpoints have acted. A run without an observer is compiled without the calls.

use crate::{Body, Cause, Packet, Slab};
use control::PathChange;
use units::Time;

/// A sender and receiver of packets: TCP, constant-bit-rate UDP, a QUIC connection. It borrows nothing, so that an
/// [`Observer`] can test its type.
pub trait Endpoint: 'static {
    /// The content of its packets. Protocols that share a run share this type: an enum over theirs.
    type Body: Body;
    /// A packet arrived; its content now belongs to the endpoint.
    fn handle(&mut self, now: Time, packet: Packet<Self::Body>);
    /// The time of [`Endpoint::next_timeout`] has come.
    fn handle_timeout(&mut self, now: Time);
    /// The next packet to send, if one may leave now: its content and its bytes on the wire.
    fn poll_transmit(&mut self, now: Time) -> Option<(Self::Body, u16)>;
    /// The stream of the packet that left last, if there are several between the two endpoints: fair queues separate
    /// them. A number other than 0 must not be used again when its stream is over.
    #[inline]
    fn stream(&self) -> u32 {
        0
    }
    /// When to call [`Endpoint::handle_timeout`]; [`Time::MAX`]: never.
    fn next_timeout(&self) -> Time;
    /// The path to the peer changes, or will.
    fn path_changed(&mut self, change: &PathChange);
    /// Something happened to this one of two spliced endpoints ([`Engine::splice`](crate::Engine::splice)): each takes
    /// the data that the other holds for it.
    fn exchange(&mut self, _now: Time, _other: &mut Self)
    where
        Self: Sized,
    {
    }
    /// A packet that this endpoint sent was dropped at the past time `at`. The call is for the endpoint's record, and
    /// returns what the packet owned; a protocol cannot know of the drop. Drops are reported in the order of their
    /// times, at the end of a stretch of time ([`Engine::settle`](crate::Engine::settle)).
    fn dropped(&mut self, at: Time, packet: Packet<Self::Body>, cause: Cause);
    /// All drops before `before` are reported: the record of that time can be completed. Drops at `before` itself may
    /// follow.
    fn settle(&mut self, _before: Time) {}
}

/// Observes single packets, and actions of endpoints. The empty default costs nothing.
pub trait Observer<B> {
    /// An endpoint sends the packet under `handle`: before any link, or a node without a route, may drop it. An
    /// implementation that ignores the call has no cost.
    #[inline]
    fn sent(&mut self, _now: Time, _packets: &Slab<B>, _handle: u32, _size: u16) {}
    /// A link with this number exists from now on. The owner of the links makes the call before any packet arrives
    /// there.
    #[inline]
    fn laid(&mut self, _link: u32, _name: &str) {}
    /// A link accepted a packet, which is in the queue or in flight.
    #[inline]
    fn entered(&mut self, _now: Time, _link: u32, _packets: &Slab<B>, _handle: u32, _size: u16) {}
    /// The transmission of a packet on a link begins at `at`. The call comes as soon as the time is decided, and again
    /// if it changes. If the packet enters another link, is dropped or is delivered before then, the transmission was
    /// cancelled.
    #[inline]
    fn begins(&mut self, _now: Time, _link: u32, _packets: &Slab<B>, _handle: u32, _at: Time) {}
    /// A packet arrived completely at the far end of a link.
    #[inline]
    fn arrived(&mut self, _now: Time, _link: u32, _packets: &Slab<B>, _handle: u32, _size: u16) {}
    /// A packet was dropped on a link ([`NO_LINK`](crate::NO_LINK): at a node without a route); its handle is free.
    #[inline]
    fn dropped(
        &mut self,
        _now: Time,
        _link: u32,
        _handle: u32,
        _packet: &Packet<B>,
        _size: u16,
        _cause: Cause,
    ) {
    }
    /// A packet reached its endpoint, which has not seen it yet; its handle is free.
    #[inline]
    fn delivered(&mut self, _now: Time, _handle: u32, _packet: &Packet<B>, _size: u16) {}
    /// The endpoint with this number has processed an event and sends next, or has sent all that may leave now.
    #[inline]
    fn acted<E: Endpoint<Body = B>>(&mut self, _now: Time, _number: usize, _endpoints: &mut [E]) {}
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;
impl<B> Observer<B> for NoObserver {}

/// Behaves as [`NoObserver`] if there is none.
impl<B, One: Observer<B>> Observer<B> for Option<One> {
    fn sent(&mut self, now: Time, packets: &Slab<B>, handle: u32, size: u16) {
        if let Some(one) = self {
            one.sent(now, packets, handle, size);
        }
    }
    fn laid(&mut self, link: u32, name: &str) {
        if let Some(one) = self {
            one.laid(link, name);
        }
    }
    fn entered(&mut self, now: Time, link: u32, packets: &Slab<B>, handle: u32, size: u16) {
        if let Some(one) = self {
            one.entered(now, link, packets, handle, size);
        }
    }
    fn begins(&mut self, now: Time, link: u32, packets: &Slab<B>, handle: u32, at: Time) {
        if let Some(one) = self {
            one.begins(now, link, packets, handle, at);
        }
    }
    fn arrived(&mut self, now: Time, link: u32, packets: &Slab<B>, handle: u32, size: u16) {
        if let Some(one) = self {
            one.arrived(now, link, packets, handle, size);
        }
    }
    fn dropped(&mut self, now: Time, link: u32, handle: u32, packet: &Packet<B>, size: u16, cause: Cause) {
        if let Some(one) = self {
            one.dropped(now, link, handle, packet, size, cause);
        }
    }
    fn delivered(&mut self, now: Time, handle: u32, packet: &Packet<B>, size: u16) {
        if let Some(one) = self {
            one.delivered(now, handle, packet, size);
        }
    }
    fn acted<E: Endpoint<Body = B>>(&mut self, now: Time, number: usize, endpoints: &mut [E]) {
        if let Some(one) = self {
            one.acted(now, number, endpoints);
        }
    }
}

/// Both see everything, the first one first.
impl<B, One: Observer<B>, Other: Observer<B>> Observer<B> for (One, Other) {
    fn sent(&mut self, now: Time, packets: &Slab<B>, handle: u32, size: u16) {
        self.0.sent(now, packets, handle, size);
        self.1.sent(now, packets, handle, size);
    }
    fn laid(&mut self, link: u32, name: &str) {
        self.0.laid(link, name);
        self.1.laid(link, name);
    }
    fn entered(&mut self, now: Time, link: u32, packets: &Slab<B>, handle: u32, size: u16) {
        self.0.entered(now, link, packets, handle, size);
        self.1.entered(now, link, packets, handle, size);
    }
    fn begins(&mut self, now: Time, link: u32, packets: &Slab<B>, handle: u32, at: Time) {
        self.0.begins(now, link, packets, handle, at);
        self.1.begins(now, link, packets, handle, at);
    }
    fn arrived(&mut self, now: Time, link: u32, packets: &Slab<B>, handle: u32, size: u16) {
        self.0.arrived(now, link, packets, handle, size);
        self.1.arrived(now, link, packets, handle, size);
    }
    fn dropped(&mut self, now: Time, link: u32, handle: u32, packet: &Packet<B>, size: u16, cause: Cause) {
        self.0.dropped(now, link, handle, packet, size, cause);
        self.1.dropped(now, link, handle, packet, size, cause);
    }
    fn delivered(&mut self, now: Time, handle: u32, packet: &Packet<B>, size: u16) {
        self.0.delivered(now, handle, packet, size);
        self.1.delivered(now, handle, packet, size);
    }
    fn acted<E: Endpoint<Body = B>>(&mut self, now: Time, number: usize, endpoints: &mut [E]) {
        self.0.acted(now, number, endpoints);
        self.1.acted(now, number, endpoints);
    }
}
