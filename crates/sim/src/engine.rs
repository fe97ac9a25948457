// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event engine: links, endpoints, forwarding, and the order in which things happen.
//!
//! Two kinds of things make events: a link (its head packet arrives) and an endpoint (its next timeout). Each owns
//! at most one leaf of the event queue, so the queue never holds more than links + endpoints entries, however many
//! packets fly. The key is (time, priority, sequence): arrivals before timeouts, then in the order of scheduling.

use crate::packet::{Packet, Slab};
use crate::queue::{EventQueue, Leaf};
use crate::{Cause, SimError};
use control::PathChange;
use link::{Advance, Ecn, Link, Lost, Packets, Parcel, prefetch};
use tcp::Segment;
use units::Time;

/// Priority of an arrival; before everything else at the same time.
const ARRIVAL: u8 = 0;
/// Priority of an endpoint's timeout.
const TIMEOUT: u8 = 1;
/// No link: forwarding entry without a route, or an endpoint without an access link.
pub const NO_LINK: u32 = u32::MAX;
/// A link that ends at the endpoint its packets are for.
pub const TO_ENDPOINT: u32 = u32::MAX;

/// Something that sends and receives packets: TCP, constant-bit-rate UDP, a QUIC connection.
pub trait Endpoint {
    /// A packet arrived.
    fn handle(&mut self, now: Time, packet: &Packet);
    /// The time of [`Endpoint::next_timeout`] has come.
    fn handle_timeout(&mut self, now: Time);
    /// The next packet to send, if one may leave now: the segment and its bytes on the wire.
    fn poll_transmit(&mut self, now: Time) -> Option<(Segment, u16)>;
    /// When to call [`Endpoint::handle_timeout`]; [`Time::MAX`]: never.
    fn next_timeout(&self) -> Time;
    /// The path to the peer changes, or will.
    fn path_changed(&mut self, change: &PathChange);
    /// A packet that this endpoint sent was dropped, for its record only: a protocol cannot know.
    fn dropped(&mut self, now: Time, packet: &Packet, cause: Cause);
}

/// What an observer of single packets is told. The empty default costs nothing.
pub trait Observer {
    /// A packet entered a link, after waiting.
    fn entered(&mut self, _now: Time, _link: u32, _packet: &Packet, _size: u16) {}
    /// A packet was dropped on a link ([`NO_LINK`]: at a node without a route).
    fn dropped(&mut self, _now: Time, _link: u32, _packet: &Packet, _size: u16, _cause: Cause) {}
    /// A packet reached its endpoint.
    fn delivered(&mut self, _now: Time, _packet: &Packet, _size: u16) {}
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;
impl Observer for Blind {}

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

/// Forwarding: which link a packet takes at a node towards a site.
#[derive(Debug, Default)]
pub struct Forwarding {
    nodes: usize,
    next: Vec<u32>,
}

impl Forwarding {
    /// No routes yet.
    pub fn new(nodes: usize, sites: usize) -> Self {
        Self { nodes, next: vec![NO_LINK; nodes * sites] }
    }
    /// From now on packets at `node` for `site` take `link`.
    pub fn set(&mut self, node: u32, site: u16, link: Option<u32>) {
        self.next[usize::from(site) * self.nodes + node as usize] = link.unwrap_or(NO_LINK);
    }
    #[inline]
    fn get(&self, node: u32, site: u16) -> u32 {
        self.next[usize::from(site) * self.nodes + node as usize]
    }
    #[inline]
    fn prefetch(&self, node: u32, site: u16) {
        prefetch(&self.next[usize::from(site) * self.nodes + node as usize]);
    }
}

/// Packets of the whole run: created = delivered + dropped + on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Packets that endpoints sent.
    pub created: u64,
    /// Packets that reached their endpoint.
    pub delivered: u64,
    /// Packets dropped, by [`Cause`].
    pub dropped: [u64; 3],
    /// Arrivals at the far end of a link (packet-hops).
    pub hops: u64,
    /// Events handled.
    pub events: u64,
}

/// A link and what the engine has to know of it, together in as few cache lines as possible.
#[derive(Debug)]
#[repr(C, align(64))]
struct Wired {
    /// Node at the far end, or [`TO_ENDPOINT`].
    leads_to: u32,
    leaf: Leaf,
    link: Link,
}

/// The site is at this node.
const HERE: u32 = u32::MAX - 1;

/// The engine.
#[derive(Debug)]
pub struct Engine<E, O = Blind> {
    queue: EventQueue,
    links: Vec<Wired>,
    forwarding: Forwarding,
    /// Node of each site.
    site_node: Vec<u32>,
    attachments: Vec<Attachment>,
    armed: Vec<(Time, Leaf)>,
    floor: Floor<E, O>,
}

/// What a link may touch while it is at work: all but the links.
#[derive(Debug)]
struct Floor<E, O> {
    now: Time,
    packets: Slab,
    endpoints: Vec<E>,
    ledger: Ledger,
    observer: O,
}

impl<E: Endpoint, O: Observer> Engine<E, O> {
    /// An engine at time zero. `links` come with the node they lead to.
    ///
    /// # Panics
    /// If `endpoints` and `attachments` differ in length.
    pub fn new(
        links: Vec<(Link, u32)>,
        forwarding: Forwarding,
        site_node: Vec<u32>,
        endpoints: Vec<E>,
        attachments: Vec<Attachment>,
        observer: O,
    ) -> Self {
        assert_eq!(endpoints.len(), attachments.len(), "every endpoint is attached somewhere");
        let wired = |(link, leads_to)| Wired { leads_to, leaf: Leaf::NONE, link };
        let mut engine = Self {
            queue: EventQueue::new(links.len() + endpoints.len()),
            armed: vec![(Time::MAX, Leaf::NONE); endpoints.len()],
            links: links.into_iter().map(wired).collect(),
            forwarding,
            site_node,
            attachments,
            floor: Floor {
                now: Time::ZERO,
                packets: Slab::default(),
                endpoints,
                ledger: Ledger::default(),
                observer,
            },
        };
        for endpoint in 0..engine.floor.endpoints.len() {
            engine.arm(endpoint);
        }
        engine
    }

    /// Handles every event before `until`, then stands at `until`.
    pub fn run_until(&mut self, until: Time) {
        while let Some((time, source)) = self.queue.peek() {
            if time >= until {
                break;
            }
            debug_assert!(time >= self.floor.now, "time runs forward");
            self.floor.now = time;
            self.floor.ledger.events += 1;
            self.prefetch_next();
            if source < self.links.len() {
                self.arrival(source);
            } else {
                let endpoint = source - self.links.len();
                self.floor.endpoints[endpoint].handle_timeout(time);
                self.transmit(endpoint);
            }
        }
        self.floor.now = self.floor.now.max(until);
    }

    /// The events after this one are most likely among those that lost to it last, the earliest of them first.
    #[inline]
    fn prefetch_next(&self) {
        let mut soonest = (Time::MAX, self.links.len());
        for (time, source) in self.queue.contenders() {
            match self.links.get(source) {
                Some(wired) => wired.link.prefetch_arrival(),
                None => prefetch(&self.floor.endpoints[source - self.links.len()]),
            }
            soonest = if time < soonest.0 { (time, source) } else { soonest };
        }
        let Some(wired) = self.links.get(soonest.1) else { return };
        if let Some(parcel) = wired.link.head().filter(|_| wired.leads_to != TO_ENDPOINT) {
            let next = self.forwarding.get(wired.leads_to, parcel.site() as u16);
            if let Some(next) = self.links.get(next as usize) {
                next.link.prefetch_offer();
            }
        }
    }

    #[inline]
    fn set_event(&mut self, link: usize, next: Option<Time>) {
        self.queue.set(link, &mut self.links[link].leaf, next.unwrap_or(Time::MAX), ARRIVAL);
    }

    /// A link, and what it tells of its packets.
    #[inline]
    fn at(&mut self, link: u32) -> (&mut Link, OnLink<'_, E, O>) {
        (&mut self.links[link as usize].link, OnLink { link, floor: &mut self.floor })
    }

    #[inline]
    fn arrival(&mut self, link: usize) {
        let now = self.floor.now;
        let (wire, packets) = self.at(link as u32);
        let Advance { arrived, next } = wire.advance(now, packets);
        self.set_event(link, next);
        // Without an arrival, transmissions of held packets began.
        let Some(arrived) = arrived else { return };
        self.floor.ledger.hops += 1;
        self.prefetch_route(link);
        if let Some(why) = arrived.lost {
            self.drop_packet(link as u32, arrived.parcel, why.into());
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
        let Wired { leads_to, ref link, .. } = self.links[link];
        if let Some(parcel) = link.head() {
            prefetch(self.floor.packets.get(parcel.handle));
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

    /// A packet is at a node: on towards its site, or down to its endpoint.
    #[inline]
    fn forward(&mut self, node: u32, parcel: Parcel) {
        let mut link = self.next_link(node, parcel.site());
        if link == HERE {
            let to = self.floor.packets.get(parcel.handle).to as usize;
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
        let now = self.floor.now;
        let (wire, packets) = self.at(link);
        let next = wire.offer(now, parcel, packets);
        if next.is_some() {
            self.set_event(link as usize, next);
            self.prefetch_route(link as usize);
        }
    }

    #[cold]
    fn drop_packet(&mut self, link: u32, parcel: Parcel, cause: Cause) {
        OnLink { link, floor: &mut self.floor }.lose(parcel, cause);
    }

    #[inline]
    fn deliver(&mut self, parcel: Parcel) {
        let packet = self.floor.packets.remove(parcel.handle);
        self.floor.ledger.delivered += 1;
        self.floor.observer.delivered(self.floor.now, &packet, parcel.size);
        self.floor.endpoints[packet.to as usize].handle(self.floor.now, &packet);
        self.transmit(packet.to as usize);
    }

    /// Sends what the endpoint wants to send, and notes its next timeout.
    #[inline]
    fn transmit(&mut self, from: usize) {
        // Endpoints come in pairs: the peer of 2k is 2k+1.
        let to = from ^ 1;
        while let Some((body, size)) = self.floor.endpoints[from].poll_transmit(self.floor.now) {
            self.floor.ledger.created += 1;
            let handle =
                self.floor.packets.insert(Packet { body, queued_ns: 0, from: from as u32, to: to as u32 });
            let class = if body.is_low_priority() { Parcel::LOW } else { 0 };
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
        let next = self.floor.endpoints[endpoint].next_timeout();
        let (armed, leaf) = &mut self.armed[endpoint];
        if next != *armed {
            *armed = next;
            self.queue.set(self.links.len() + endpoint, leaf, next.max(self.floor.now), TIMEOUT);
        }
    }

    /// Changes a forwarding entry.
    pub fn route(&mut self, node: u32, site: u16, link: Option<u32>) {
        self.forwarding.set(node, site, link);
    }

    /// A link exists no more. What waits there is forwarded anew from `node` (where the link starts); with `lose`
    /// it is lost instead, and so is what flies on it.
    pub fn link_down(&mut self, link: u32, node: u32, lose: bool) {
        let now = self.floor.now;
        let (wire, packets) = self.at(link);
        let back = wire.recall(now, lose, packets);
        let next = wire.next_event();
        self.set_event(link as usize, next);
        for parcel in back {
            self.forward(node, parcel);
        }
    }

    /// Changes a link while it runs: `change` gets the link, the time and its packets, as [`Link::set_rate`] and
    /// [`Link::set_delay`] want them, and answers when the link's next event is due.
    pub fn change_link(
        &mut self,
        link: u32,
        change: impl FnOnce(&mut Link, Time, &mut dyn Packets) -> Option<Time>,
    ) {
        let now = self.floor.now;
        let (wire, mut packets) = self.at(link);
        let next = change(wire, now, &mut packets);
        self.set_event(link as usize, next);
    }

    /// Tells an endpoint that its path changes, and sends what it then wants to send.
    pub fn path_changed(&mut self, endpoint: usize, change: &PathChange) {
        self.floor.endpoints[endpoint].path_changed(change);
        self.transmit(endpoint);
    }

    /// Where virtual time stands.
    pub fn now(&self) -> Time {
        self.floor.now
    }
    /// The links.
    pub fn links(&self) -> impl Iterator<Item = &Link> {
        self.links.iter().map(|wired| &wired.link)
    }
    /// One of the links.
    pub fn link(&self, link: usize) -> &Link {
        &self.links[link].link
    }
    /// The endpoints; the peer of number 2k is 2k+1.
    pub fn endpoints(&self) -> &[E] {
        &self.floor.endpoints
    }
    /// The endpoints, to take samples.
    pub fn endpoints_mut(&mut self) -> &mut [E] {
        &mut self.floor.endpoints
    }
    /// Counts of the whole run.
    pub fn ledger(&self) -> &Ledger {
        &self.floor.ledger
    }
    /// The run is over: hands out what the observer saw.
    pub fn into_observer(self) -> O {
        self.floor.observer
    }

    /// Checks that no packet was lost or invented by the engine itself.
    ///
    /// # Errors
    /// [`SimError::Conservation`] if the books do not balance: a defect of Bentpipe, never of a scenario.
    pub fn check_conservation(&self) -> Result<(), SimError> {
        let on_links: usize = self.links().map(Link::in_flight).sum();
        let dropped: u64 = self.floor.ledger.dropped.iter().sum();
        let stored = self.floor.packets.len() as u64;
        let balanced = self.floor.ledger.created == self.floor.ledger.delivered + dropped + stored;
        if balanced && stored == on_links as u64 {
            return Ok(());
        }
        Err(SimError::Conservation {
            created: self.floor.ledger.created,
            delivered: self.floor.ledger.delivered,
            dropped,
            stored,
            on_links: on_links as u64,
        })
    }
}

/// What a link tells of its packets, done at once.
struct OnLink<'a, E, O> {
    link: u32,
    floor: &'a mut Floor<E, O>,
}

impl<E: Endpoint, O: Observer> OnLink<'_, E, O> {
    /// A packet ends here.
    #[cold]
    fn lose(&mut self, parcel: Parcel, cause: Cause) {
        let packet = self.floor.packets.remove(parcel.handle);
        self.floor.ledger.dropped[cause as usize] += 1;
        self.floor.observer.dropped(self.floor.now, self.link, &packet, parcel.size, cause);
        self.floor.endpoints[packet.from as usize].dropped(self.floor.now, &packet, cause);
    }
}

impl<E: Endpoint, O: Observer> Packets for OnLink<'_, E, O> {
    fn sender(&self, handle: u32) -> u32 {
        self.floor.packets.get(handle).from
    }
    /// TCP here does not speak ECN.
    fn ecn(&self, _handle: u32) -> Ecn {
        Ecn::NotEct
    }
    fn mark(&mut self, _handle: u32) {}
    #[inline]
    fn warn(&mut self, handle: u32) {
        self.floor.packets.get_mut(handle).body.warn();
    }
    #[inline]
    fn waits(&mut self, handle: u32, wait: units::Span) {
        self.floor.packets.get_mut(handle).queued_ns += wait.nanos();
    }
    fn spared(&mut self, handle: u32, wait: units::Span) {
        self.floor.packets.get_mut(handle).queued_ns -= wait.nanos();
    }
    #[inline]
    fn entered(&mut self, parcel: Parcel) {
        self.floor.observer.entered(
            self.floor.now,
            self.link,
            self.floor.packets.get(parcel.handle),
            parcel.size,
        );
    }
    fn dropped(&mut self, parcel: Parcel, why: Lost) {
        self.lose(parcel, why.into());
    }
}
