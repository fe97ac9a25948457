// SPDX-License-Identifier: MIT OR Apache-2.0
//! Endpoints at the ends of the network, and observers of a run.
//!
//! Endpoints are sans-I/O state machines. The engine is generic over their type. If a packet of an endpoint is dropped,
//! the engine reports the time and the cause to the endpoint. Only the record of the endpoint uses this report, to
//! compare a controller's verdict on a loss with the true cause. The protocol never gets the cause, and the record gets
//! the report only at the end of an advance. Therefore no information crosses the network instantly.
//!
//! An observer is called when packets leave their endpoint, enter links, start transmission, arrive or are dropped, and
//! after an endpoint has acted. If a run has no observer, these calls are not compiled.

use crate::{Body, Cause, Packet, Slab};
use control::PathChange;
use units::Time;

/// A sender and receiver of packets, for example TCP, constant-bit-rate UDP or a QUIC connection. The bound `'static`
/// allows an [`Observer`] to test the type of an endpoint.
pub trait Endpoint: 'static {
    /// Content of the packets. All protocols of a run use the same type; if there are several protocols, it is an enum.
    type Body: Body;
    /// Handles a packet that arrived. The endpoint owns the content from now on.
    fn handle(&mut self, now: Time, packet: Packet<Self::Body>);
    /// Handles a timeout. The engine calls this function at the time that [`Endpoint::next_timeout`] returned.
    fn handle_timeout(&mut self, now: Time);
    /// Returns the next packet that may leave now, as its content and its size on the wire in bytes. Returns `None` if
    /// no packet may leave.
    fn poll_transmit(&mut self, now: Time) -> Option<(Self::Body, u16)>;
    /// Returns the number of the stream of the last sent packet. If there are several streams between two endpoints,
    /// fair queues separate them by this number. A number other than 0 must not be reused after its stream has ended.
    #[inline]
    fn stream(&self) -> u32 {
        0
    }
    /// Returns the time at which the engine must call [`Endpoint::handle_timeout`]; [`Time::MAX`] if no call is needed.
    fn next_timeout(&self) -> Time;
    /// Reports that the path to the peer changes now or later.
    fn path_changed(&mut self, change: &PathChange);
    /// Exchanges data with the endpoint `other`, to which this endpoint is spliced
    /// ([`Engine::splice`](crate::Engine::splice)). The engine calls this function for the endpoint that just had an
    /// event. Each endpoint takes the data that the other endpoint holds for it.
    fn exchange(&mut self, _now: Time, _other: &mut Self)
    where
        Self: Sized,
    {
    }
    /// Reports that a packet of this endpoint was dropped at the past time `at`. Only the record of the endpoint may
    /// use this call; a protocol must not use it. The call returns the packet and everything that it owned. Drops are
    /// reported in order of time, at the end of an advance ([`Engine::settle`](crate::Engine::settle)).
    fn dropped(&mut self, at: Time, packet: Packet<Self::Body>, cause: Cause);
    /// Reports that all drops before `before` were reported. The record can therefore be completed up to this time.
    /// Drops at exactly `before` may follow.
    fn settle(&mut self, _before: Time) {}
}

/// Observes single packets and the actions of endpoints. All functions have empty default implementations, which cost
/// nothing.
pub trait Observer<B> {
    /// An endpoint sends the packet `handle`. This call precedes a drop of the packet, by a link or by a node without a
    /// route.
    #[inline]
    fn sent(&mut self, _now: Time, _packets: &Slab<B>, _handle: u32, _size: u16) {}
    /// A link with this number exists from now on. The owner of the links makes this call before the first packet
    /// arrives at the link.
    #[inline]
    fn laid(&mut self, _link: u32, _name: &str) {}
    /// A link accepted a packet, which is now in the queue or in transmission.
    #[inline]
    fn entered(&mut self, _now: Time, _link: u32, _packets: &Slab<B>, _handle: u32, _size: u16) {}
    /// The transmission of a packet on a link begins at `at`. The call is made as soon as this time is known. If the
    /// time changes, the call is made again. If the packet enters another link, is dropped or is delivered before `at`,
    /// the transmission was cancelled.
    #[inline]
    fn begins(&mut self, _now: Time, _link: u32, _packets: &Slab<B>, _handle: u32, _at: Time) {}
    /// A packet arrived completely at the far end of a link.
    #[inline]
    fn arrived(&mut self, _now: Time, _link: u32, _packets: &Slab<B>, _handle: u32, _size: u16) {}
    /// A packet was dropped on a link, or at a node without a route ([`NO_LINK`](crate::NO_LINK)). Its handle is
    /// already free.
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
    /// A packet reached its endpoint, which will process the packet next. The handle is already free.
    #[inline]
    fn delivered(&mut self, _now: Time, _handle: u32, _packet: &Packet<B>, _size: u16) {}
    /// The endpoint with this number has processed an event and will send next. The call is made again after the
    /// endpoint has sent all packets that may leave now.
    #[inline]
    fn acted<E: Endpoint<Body = B>>(&mut self, _now: Time, _number: usize, _endpoints: &mut [E]) {}
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;
impl<B> Observer<B> for NoObserver {}

/// An optional observer. `None` behaves as [`NoObserver`].
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

/// Two observers. Each call is passed to the first observer, and then to the second.
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
