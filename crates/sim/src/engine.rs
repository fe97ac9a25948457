// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event engine: links, endpoints, forwarding, and the order in which things happen.
//!
//! Two kinds of things make events: a link (its head packet arrives) and an endpoint (its next timeout). Each owns
//! one leaf of the event queue, so the queue never holds more than links + endpoints entries, however many packets
//! fly. The key is (time, priority, sequence): arrivals before timeouts, then in the order of scheduling.

use crate::packet::{Packet, Slab};
use crate::queue::EventQueue;
use crate::{Cause, SimError};
use control::PathChange;
use link::{Fifo, Lost, Offer, Parcel, prefetch};
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

/// The engine.
#[derive(Debug)]
pub struct Engine<E, O = Blind> {
    now: Time,
    queue: EventQueue,
    links: Vec<Fifo>,
    /// Node at the far end of each link, or [`TO_ENDPOINT`].
    leads_to: Vec<u32>,
    forwarding: Forwarding,
    /// Node of each site.
    site_node: Vec<u32>,
    endpoints: Vec<E>,
    attachments: Vec<Attachment>,
    armed: Vec<Time>,
    packets: Slab,
    ledger: Ledger,
    observer: O,
}

impl<E: Endpoint, O: Observer> Engine<E, O> {
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
        let (links, leads_to): (Vec<_>, Vec<_>) = links.into_iter().unzip();
        let mut engine = Self {
            now: Time::ZERO,
            queue: EventQueue::new(links.len() + endpoints.len()),
            armed: vec![Time::MAX; endpoints.len()],
            links,
            leads_to,
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

    /// Handles every event before `until`, then stands at `until`.
    pub fn run_until(&mut self, until: Time) {
        while let Some((time, leaf)) = self.queue.peek() {
            if time >= until {
                break;
            }
            debug_assert!(time >= self.now, "time runs forward");
            self.now = time;
            self.ledger.events += 1;
            self.prefetch_next();
            if leaf < self.links.len() {
                self.arrival(leaf);
            } else {
                let endpoint = leaf - self.links.len();
                self.endpoints[endpoint].handle_timeout(time);
                self.transmit(endpoint);
            }
        }
        self.now = self.now.max(until);
    }

    /// The event after this one is most likely among those that lost to it last.
    #[inline]
    fn prefetch_next(&self) {
        for leaf in self.queue.contenders() {
            match self.links.get(leaf) {
                Some(link) => link.prefetch(),
                None => prefetch(&self.endpoints[leaf - self.links.len()]),
            }
        }
    }

    #[inline]
    fn arrival(&mut self, link: usize) {
        if self.links[link].has_classes() && !self.serve(link) {
            // The transmitter became free for a low-priority packet; nothing arrives yet.
            let next = self.links[link].next_event();
            self.queue.set(link, next.unwrap_or(Time::MAX), ARRIVAL);
            return;
        }
        let arrived = self.links[link].take_arrival();
        self.queue.set(link, arrived.next.unwrap_or(Time::MAX), ARRIVAL);
        self.ledger.hops += 1;
        if let Some(next) = self.links[link].head() {
            prefetch(self.packets.get(next));
        }
        if let Some(lost) = arrived.lost {
            let cause = match lost {
                Lost::Error => Cause::Error,
                Lost::Outage => Cause::Outage,
            };
            self.drop_packet(link as u32, arrived.parcel, cause);
            return;
        }
        match self.leads_to[link] {
            TO_ENDPOINT => self.deliver(arrived.parcel),
            node => self.forward(node, arrived.parcel),
        }
    }

    /// Begins low-priority transmissions; true if a packet arrives now.
    #[cold]
    fn serve(&mut self, link: usize) -> bool {
        let packets = &mut self.packets;
        self.links[link].serve(self.now, |handle, wait| packets.get_mut(handle).queued_ns += wait.nanos())
    }

    /// A packet is at a node: on towards its site, or down to its endpoint.
    #[inline]
    fn forward(&mut self, node: u32, parcel: Parcel) {
        let link = if self.site_node[parcel.site()] == node {
            let to = self.packets.get(parcel.handle).to as usize;
            let down = self.attachments[to].down;
            if down == NO_LINK {
                self.deliver(parcel);
                return;
            }
            down
        } else {
            self.forwarding.get(node, parcel.site() as u16)
        };
        if link == NO_LINK {
            self.drop_packet(NO_LINK, parcel, Cause::Outage);
            return;
        }
        self.enter(link, parcel);
    }

    #[inline]
    fn enter(&mut self, link: u32, parcel: Parcel) {
        if self.links[link as usize].has_classes() {
            self.serve(link as usize);
        }
        match self.links[link as usize].offer(self.now, parcel) {
            Offer::Accepted { wait, new_head, warned } => {
                if wait > units::Span::ZERO {
                    self.packets.get_mut(parcel.handle).queued_ns += wait.nanos();
                }
                if let Some(event) = new_head {
                    self.queue.set(link as usize, event, ARRIVAL);
                }
                if warned {
                    self.packets.get_mut(parcel.handle).body.warn();
                }
                self.observer.entered(self.now, link, self.packets.get(parcel.handle), parcel.size);
                if self.links[link as usize].has_classes() {
                    while let Some(pushed_out) = self.links[link as usize].take_pushed_out() {
                        self.drop_packet(link, pushed_out, Cause::Queue);
                    }
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
        self.endpoints[packet.from as usize].dropped(self.now, &packet, cause);
    }

    #[inline]
    fn deliver(&mut self, parcel: Parcel) {
        let packet = self.packets.remove(parcel.handle);
        self.ledger.delivered += 1;
        self.observer.delivered(self.now, &packet, parcel.size);
        self.endpoints[packet.to as usize].handle(self.now, &packet);
        self.transmit(packet.to as usize);
    }

    /// Sends what the endpoint wants to send, and notes its next timeout.
    #[inline]
    fn transmit(&mut self, from: usize) {
        // Endpoints come in pairs: the peer of 2k is 2k+1.
        let to = from ^ 1;
        while let Some((body, size)) = self.endpoints[from].poll_transmit(self.now) {
            self.ledger.created += 1;
            let handle = self.packets.insert(Packet { body, queued_ns: 0, from: from as u32, to: to as u32 });
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
        let next = self.endpoints[endpoint].next_timeout();
        if next != self.armed[endpoint] {
            self.armed[endpoint] = next;
            self.queue.set(self.links.len() + endpoint, next.max(self.now), TIMEOUT);
        }
    }

    /// Changes a forwarding entry.
    pub fn route(&mut self, node: u32, site: u16, link: Option<u32>) {
        self.forwarding.set(node, site, link);
    }

    /// A link exists no more. What waits there is forwarded anew from `node` (where the link starts); with `lose`
    /// it is lost instead, and so is what flies on it.
    pub fn link_down(&mut self, link: u32, node: u32, lose: bool) {
        let recalled = self.links[link as usize].recall(self.now, lose);
        let next = self.links[link as usize].next_event();
        self.queue.set(link as usize, next.unwrap_or(Time::MAX), ARRIVAL);
        for parcel in recalled.flying {
            self.drop_packet(link, parcel, Cause::Outage);
        }
        for (parcel, unwaited) in recalled.waiting {
            self.packets.get_mut(parcel.handle).queued_ns -= unwaited.nanos();
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
    pub fn links(&self) -> &[Fifo] {
        &self.links
    }
    /// The links, to look at their queues.
    pub fn links_mut(&mut self) -> &mut [Fifo] {
        &mut self.links
    }
    /// The endpoints; the peer of number 2k is 2k+1.
    pub fn endpoints(&self) -> &[E] {
        &self.endpoints
    }
    /// The endpoints, to take samples.
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
    /// [`SimError::Conservation`] if the books do not balance: a defect of Bentpipe, never of a scenario.
    pub fn check_conservation(&self) -> Result<(), SimError> {
        let on_links: usize = self.links.iter().map(Fifo::in_flight).sum();
        let dropped: u64 = self.ledger.dropped.iter().sum();
        let stored = self.packets.len() as u64;
        let balanced = self.ledger.created == self.ledger.delivered + dropped + stored;
        if balanced && stored == on_links as u64 {
            return Ok(());
        }
        Err(SimError::Conservation {
            created: self.ledger.created,
            delivered: self.ledger.delivered,
            dropped,
            stored,
            on_links: on_links as u64,
        })
    }
}
