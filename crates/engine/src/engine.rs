// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event engine: links, endpoints, forwarding, and the order in which things happen.
//!
//! Two kinds of things make events: a link (its head packet arrives) and an endpoint (its next timeout). Each owns
//! at most one leaf of the event queue, so the queue never holds more than links + endpoints entries, however many
//! packets fly. The key is (time, priority, sequence): arrivals before timeouts, then in the order of scheduling.

use crate::queue::{EventQueue, Leaf};
use crate::{Blind, Body, Cause, Endpoint, Forwarding, Imbalance, Ledger, Observer, Packet, Slab, World};
use control::PathChange;
use link::{Fifo, Lost, Offer, Parcel, prefetch};
use std::convert::Infallible;
use units::Time;

/// Priority of an arrival; before everything else at the same time.
const ARRIVAL: u8 = 0;
/// Priority of an endpoint's timeout.
const TIMEOUT: u8 = 1;
/// No link: forwarding entry without a route, or an endpoint without an access link.
pub const NO_LINK: u32 = u32::MAX;
/// A link that ends at the endpoint its packets are for.
pub const TO_ENDPOINT: u32 = u32::MAX;

/// Where an endpoint is attached.
#[derive(Clone, Copy, Debug)]
pub struct Attachment {
    /// Site index.
    pub site: u16,
    /// First link of its packets, or [`NO_LINK`]: they start at the site's node.
    pub up: u32,
    /// Link from the site's node to it, or [`NO_LINK`]: it is at the node.
    pub down: u32,
}

/// A link and what the engine has to know of it, together in as few cache lines as possible.
#[derive(Debug)]
#[repr(C, align(64))]
struct Link {
    /// Node at the far end, or [`TO_ENDPOINT`].
    leads_to: u32,
    leaf: Leaf,
    fifo: Fifo,
}

/// The site is at this node.
const HERE: u32 = u32::MAX - 1;

/// The engine.
#[derive(Debug)]
pub struct Engine<E: Endpoint, O = Blind> {
    now: Time,
    queue: EventQueue,
    links: Vec<Link>,
    forwarding: Forwarding,
    /// Node of each site.
    site_node: Vec<u32>,
    endpoints: Vec<E>,
    attachments: Vec<Attachment>,
    armed: Vec<(Time, Leaf)>,
    packets: Slab<E::Body>,
    ledger: Ledger,
    observer: O,
}

impl<E: Endpoint, O: Observer<E::Body>> Engine<E, O> {
    /// An engine at time zero. `links` come with the node they lead to.
    ///
    /// # Panics
    /// If `endpoints` and `attachments` differ in length.
    pub fn new(
        links: Vec<(Fifo, u32)>,
        forwarding: Forwarding,
        site_node: Vec<u32>,
        endpoints: Vec<E>,
        attachments: Vec<Attachment>,
        observer: O,
    ) -> Self {
        assert_eq!(endpoints.len(), attachments.len(), "every endpoint is attached somewhere");
        let link = |(fifo, leads_to)| Link { leads_to, leaf: Leaf::NONE, fifo };
        let mut engine = Self {
            now: Time::ZERO,
            queue: EventQueue::new(links.len() + endpoints.len()),
            armed: vec![(Time::MAX, Leaf::NONE); endpoints.len()],
            links: links.into_iter().map(link).collect(),
            forwarding,
            site_node,
            endpoints,
            attachments,
            packets: Slab::default(),
            ledger: Ledger::default(),
            observer,
        };
        for endpoint in 0..engine.endpoints.len() {
            engine.arm(endpoint);
        }
        engine
    }

    /// When the next event is due; `None`: nothing will happen unless something comes from outside.
    #[inline]
    pub fn next_event(&self) -> Option<Time> {
        self.queue.peek().map(|(time, _)| time)
    }

    /// Handles every event before `until`, each at its own time, then stands at `until`. What is due at `until` itself is
    /// left for the next call: whoever acts at that time acts first.
    pub fn advance(&mut self, until: Time) {
        while let Some((time, source)) = self.queue.peek() {
            if time >= until {
                break;
            }
            debug_assert!(time >= self.now, "time runs forward");
            self.now = time;
            self.ledger.events += 1;
            self.prefetch_next();
            if source < self.links.len() {
                self.arrival(source);
            } else {
                let endpoint = source - self.links.len();
                self.endpoints[endpoint].handle_timeout(time);
                self.transmit(endpoint);
            }
        }
        self.now = self.now.max(until);
    }

    /// The events after this one are most likely among those that lost to it last, the earliest of them first.
    #[inline]
    fn prefetch_next(&self) {
        let mut soonest = (Time::MAX, self.links.len());
        for (time, source) in self.queue.contenders() {
            match self.links.get(source) {
                Some(link) => link.fifo.prefetch_arrival(),
                None => prefetch(&self.endpoints[source - self.links.len()]),
            }
            soonest = if time < soonest.0 { (time, source) } else { soonest };
        }
        let Some(link) = self.links.get(soonest.1) else { return };
        if let Some(parcel) = link.fifo.head().filter(|_| link.leads_to != TO_ENDPOINT) {
            let next = self.forwarding.get(link.leads_to, parcel.site() as u16);
            if let Some(next) = self.links.get(next as usize) {
                next.fifo.prefetch_offer();
            }
        }
    }

    #[inline]
    fn set_event(&mut self, link: usize, next: Option<Time>) {
        self.queue.set(link, &mut self.links[link].leaf, next.unwrap_or(Time::MAX), ARRIVAL);
    }

    #[inline]
    fn arrival(&mut self, link: usize) {
        if self.links[link].fifo.holds() && !self.serve(link) {
            // The transmitter became free for a held packet; nothing arrives yet.
            let next = self.links[link].fifo.next_event();
            self.set_event(link, next);
            return;
        }
        let arrived = self.links[link].fifo.take_arrival();
        self.set_event(link, arrived.next);
        self.ledger.hops += 1;
        self.prefetch_route(link);
        if let Some(lost) = arrived.lost {
            let cause = match lost {
                Lost::Error => Cause::Error,
                Lost::Outage => Cause::Outage,
            };
            self.drop_packet(link as u32, arrived.parcel, cause);
            return;
        }
        match self.links[link].leads_to {
            TO_ENDPOINT => self.deliver(arrived.parcel),
            node => self.forward(node, arrived.parcel),
        }
    }

    /// A packet comes to be the next to arrive on a link: fetches it, and what tells where it goes from there.
    #[inline]
    fn prefetch_route(&self, link: usize) {
        let Link { leads_to, ref fifo, .. } = self.links[link];
        if let Some(parcel) = fifo.head() {
            self.packets.prefetch(parcel.handle);
            if leads_to != TO_ENDPOINT {
                self.forwarding.prefetch(leads_to, parcel.site() as u16);
            }
        }
    }

    /// The link that leads from a node towards a site; [`HERE`] if the site is at the node.
    #[inline]
    fn next_link(&self, node: u32, site: usize) -> u32 {
        if self.site_node[site] == node { HERE } else { self.forwarding.get(node, site as u16) }
    }

    /// Begins transmissions of held packets and drops what the queue gives up; true if a packet arrives now.
    #[cold]
    fn serve(&mut self, link: usize) -> bool {
        let packets = &mut self.packets;
        let began = |handle, wait: units::Span| packets.get_mut(handle).queued_ns += wait.nanos();
        let arrives = self.links[link].fifo.serve(self.now, began);
        self.drop_pushed_out(link);
        arrives
    }

    fn drop_pushed_out(&mut self, link: usize) {
        while let Some(pushed_out) = self.links[link].fifo.take_pushed_out() {
            self.drop_packet(link as u32, pushed_out, Cause::Queue);
        }
    }

    /// Offers a packet to a link that holds packets.
    #[cold]
    fn offer_held(&mut self, link: usize, parcel: Parcel) -> Offer {
        self.serve(link);
        let sender = self.packets.get(parcel.handle).from;
        self.links[link].fifo.offer_from(self.now, parcel, sender)
    }

    /// A packet is at a node: on towards its site, or down to its endpoint.
    #[inline]
    fn forward(&mut self, node: u32, parcel: Parcel) {
        let mut link = self.next_link(node, parcel.site());
        if link == HERE {
            let to = self.packets.get(parcel.handle).to as usize;
            link = self.attachments[to].down;
            if link == NO_LINK {
                self.deliver(parcel);
                return;
            }
        }
        if link == NO_LINK {
            self.drop_packet(NO_LINK, parcel, Cause::Outage);
            return;
        }
        self.enter(link, parcel);
    }

    #[inline]
    fn enter(&mut self, link: u32, parcel: Parcel) {
        let at = link as usize;
        let offer = if self.links[at].fifo.holds() {
            self.offer_held(at, parcel)
        } else {
            self.links[at].fifo.offer(self.now, parcel)
        };
        match offer {
            Offer::Accepted { wait, new_head, warned } => {
                if wait > units::Span::ZERO {
                    self.packets.get_mut(parcel.handle).queued_ns += wait.nanos();
                }
                if new_head.is_some() {
                    self.set_event(at, new_head);
                    self.prefetch_route(at);
                }
                if warned {
                    self.packets.get_mut(parcel.handle).body.warn();
                }
                self.observer.entered(self.now, link, self.packets.get(parcel.handle), parcel.size);
                if self.links[at].fifo.holds() {
                    self.drop_pushed_out(at);
                }
            }
            Offer::Dropped => self.drop_packet(link, parcel, Cause::Queue),
        }
    }

    #[cold]
    fn drop_packet(&mut self, link: u32, parcel: Parcel, cause: Cause) {
        let packet = self.packets.remove(parcel.handle);
        self.ledger.dropped[cause as usize] += 1;
        self.observer.dropped(self.now, link, &packet, parcel.size, cause);
        self.endpoints[packet.from as usize].dropped(self.now, packet, cause);
    }

    #[inline]
    fn deliver(&mut self, parcel: Parcel) {
        let packet = self.packets.remove(parcel.handle);
        self.ledger.delivered += 1;
        self.observer.delivered(self.now, &packet, parcel.size);
        let to = packet.to as usize;
        self.endpoints[to].handle(self.now, packet);
        self.transmit(to);
    }

    /// Sends what the endpoint wants to send, and notes its next timeout.
    #[inline]
    fn transmit(&mut self, from: usize) {
        // Endpoints come in pairs: the peer of 2k is 2k+1.
        let to = from ^ 1;
        while let Some((body, size)) = self.endpoints[from].poll_transmit(self.now) {
            self.ledger.created += 1;
            let class = if body.is_low_priority() { Parcel::LOW } else { 0 };
            let handle = self.packets.insert(Packet { body, queued_ns: 0, from: from as u32, to: to as u32 });
            let parcel = Parcel { handle, size, site: self.attachments[to].site | class };
            let here = self.attachments[from];
            if here.up == NO_LINK {
                self.forward(self.site_node[usize::from(here.site)], parcel);
            } else {
                self.enter(here.up, parcel);
            }
        }
        self.arm(from);
    }

    #[inline]
    fn arm(&mut self, endpoint: usize) {
        let next = self.endpoints[endpoint].next_timeout();
        let (armed, leaf) = &mut self.armed[endpoint];
        if next != *armed {
            *armed = next;
            self.queue.set(self.links.len() + endpoint, leaf, next.max(self.now), TIMEOUT);
        }
    }

    /// An endpoint got something from outside (through [`Engine::endpoints_mut`]): sends what it wants to send at
    /// [`Engine::now`], and asks anew for its next timeout.
    pub fn wake(&mut self, endpoint: usize) {
        self.transmit(endpoint);
    }

    /// Changes a forwarding entry.
    pub fn route(&mut self, node: u32, site: u16, link: Option<u32>) {
        self.forwarding.set(node, site, link);
    }

    /// A link exists no more. What waits there is forwarded anew from `node` (where the link starts); with `lose`
    /// it is lost instead, and so is what flies on it.
    pub fn link_down(&mut self, link: u32, node: u32, lose: bool) {
        let recalled = self.links[link as usize].fifo.recall(self.now, lose);
        let next = self.links[link as usize].fifo.next_event();
        self.set_event(link as usize, next);
        for parcel in recalled.flying {
            self.drop_packet(link, parcel, Cause::Outage);
        }
        for &(parcel, unwaited) in &recalled.waiting {
            self.packets.get_mut(parcel.handle).queued_ns -= unwaited.nanos();
        }
        for &(parcel, waited) in &recalled.held {
            self.packets.get_mut(parcel.handle).queued_ns += waited.nanos();
        }
        for (parcel, _) in recalled.waiting.into_iter().chain(recalled.held) {
            if lose {
                self.drop_packet(link, parcel, Cause::Outage);
            } else {
                self.forward(node, parcel);
            }
        }
    }

    /// Tells an endpoint that its path changes, and sends what it then wants to send.
    pub fn path_changed(&mut self, endpoint: usize, change: &PathChange) {
        self.endpoints[endpoint].path_changed(change);
        self.transmit(endpoint);
    }

    /// Where virtual time stands.
    pub fn now(&self) -> Time {
        self.now
    }
    /// The links.
    pub fn links(&self) -> impl Iterator<Item = &Fifo> {
        self.links.iter().map(|link| &link.fifo)
    }
    /// One of the links.
    pub fn link(&self, link: usize) -> &Fifo {
        &self.links[link].fifo
    }
    /// One of the links, to look at its queue.
    pub fn link_mut(&mut self, link: usize) -> &mut Fifo {
        &mut self.links[link].fifo
    }
    /// The endpoints; the peer of number 2k is 2k+1.
    pub fn endpoints(&self) -> &[E] {
        &self.endpoints
    }
    /// The endpoints, to take samples, or to hand one something from outside: then [`Engine::wake`] it.
    pub fn endpoints_mut(&mut self) -> &mut [E] {
        &mut self.endpoints
    }
    /// Counts of the whole run.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
    /// The run is over: hands out what the observer saw.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// Checks that no packet was lost or invented by the engine itself.
    ///
    /// # Errors
    /// If the books do not balance: a defect of Bentpipe, never of a scenario.
    pub fn check_conservation(&self) -> Result<(), Imbalance> {
        self.ledger.check(self.packets.len(), self.links().map(Fifo::in_flight).sum())
    }
}

impl<E: Endpoint, O: Observer<E::Body>> World for Engine<E, O> {
    type Error = Infallible;
    fn now(&self) -> Time {
        self.now
    }
    fn next_event(&self) -> Option<Time> {
        self.next_event()
    }
    fn advance(&mut self, until: Time) {
        self.advance(until);
    }
}
