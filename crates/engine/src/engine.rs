// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event engine: links, endpoints, forwarding, and the order in which things happen.
//!
//! Two kinds of things make events: a link (its head packet arrives, or its transmitter becomes free for a packet that
//! it holds) and an endpoint (its next timeout). Each owns at most one leaf of the event queue, so the queue never holds
//! more than links + endpoints entries, however many packets are in flight. Moving a packet one hop updates one leaf. The
//! key is (time, priority, source): arrivals before timeouts, then the lower rank and number of a link or endpoint.

use crate::queue::{EventQueue, Leaf, Source};
use crate::sharing::Sharing;
use crate::{Body, Cause, Endpoint, Forwarding, Imbalance, Ledger, NoObserver, Observer, Packet, Slab};
use control::PathChange;
use link::{Ack, Advance, Ecn, Link, Lost, Packets, Parcel, prefetch};
use std::collections::BTreeSet;
use units::{Span, Time};

/// Priority of an arrival; before everything else at the same time.
const ARRIVAL: u8 = 0;
/// Priority of an endpoint's timeout.
const TIMEOUT: u8 = 1;
/// No link: forwarding entry without a route, or an endpoint without an access link.
pub const NO_LINK: u32 = u32::MAX;
/// A link that ends at the endpoint its packets are for.
pub const TO_ENDPOINT: u32 = u32::MAX;

/// The peer of an endpoint that is connected to none: the body of each packet says where it goes
/// ([`Body::destination`]), as with an unconnected socket.
pub const UNCONNECTED: u32 = u32::MAX;

/// Where an endpoint is attached, and what it is connected to.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Attachment {
    /// Number of the endpoint that all its packets are for, or [`UNCONNECTED`].
    pub peer: u32,
    /// Site index.
    pub site: u16,
    /// First link of its packets, or [`NO_LINK`]: they start at the site's node.
    pub up: u32,
    /// Link from the site's node to it, or [`NO_LINK`]: it is at the node.
    pub down: u32,
}

/// A link with the engine's data about it, together in as few cache lines as possible.
#[derive(Clone, Debug, saved::Saved)]
#[repr(C, align(64))]
struct Wired {
    /// Node at the far end, or [`TO_ENDPOINT`].
    leads_to: u32,
    leaf: Leaf,
    /// Place among the links that have an event at the same time.
    rank: u32,
    link: Link,
}

/// Spliced with no other endpoint.
const ALONE: u32 = u32::MAX;
/// The site is at this node.
const HERE: u32 = u32::MAX - 1;
/// If each of the places for packets (a cache line each), links and endpoints are fewer than this, all data stay in the
/// caches of a core. Prefetching then costs a tenth of all instructions and saves nothing.
const FEW_PACKETS: usize = 2048;
const FEW_SOURCES: usize = 64;
/// An advance that stops after a number of events reports the drops if there are this many.
const MANY_DROPS: usize = 4096;
/// Events after which [`Engine::advance`] looks for drops to report.
const STRETCH: u64 = 1 << 14;

/// The engine.
#[derive(Clone, Debug, saved::Saved)]
pub struct Engine<E: Endpoint, O = NoObserver> {
    queue: EventQueue,
    #[saved(each)]
    links: Vec<Wired>,
    forwarding: Forwarding,
    /// Node of each site.
    site_node: Vec<u32>,
    attachments: Vec<Attachment>,
    armed: Vec<(Time, Leaf)>,
    /// For each endpoint the endpoint that it is spliced with, or [`ALONE`]; empty if there is none.
    spliced: Vec<u32>,
    /// Links without a transmitter of their own.
    pub(crate) sharing: Sharing,
    floor: Floor<E, E::Body, O>,
}

/// State for handling packets while a link works: everything except the links, behind one pointer.
#[derive(Clone, Debug, saved::Saved)]
struct Floor<E, B, O> {
    now: Time,
    /// Endpoints whose packets request priority.
    urgent: BTreeSet<u32>,
    packets: Slab<B>,
    #[saved(each)]
    endpoints: Vec<E>,
    ledger: Ledger,
    /// Drops not yet reported to the senders' records.
    drops: Vec<Drop<B>>,
    #[saved(fixed)]
    observer: O,
}

/// A packet that was dropped.
#[derive(Clone, Debug, saved::Plain)]
struct Drop<B> {
    at: Time,
    packet: Packet<B>,
    cause: Cause,
}

impl<E: Endpoint, O: Observer<E::Body>> Floor<E, E::Body, O> {
    #[inline]
    fn acted(&mut self, number: usize) {
        self.observer.acted(self.now, number, &mut self.endpoints);
    }
}

impl<E: Endpoint, O: Observer<E::Body>> Engine<E, O> {
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
        let wired = |(link, leads_to)| Wired { leads_to, leaf: Leaf::NONE, rank: 0, link };
        let mut engine = Self {
            queue: EventQueue::default(),
            armed: vec![(Time::MAX, Leaf::NONE); endpoints.len()],
            spliced: Vec::new(),
            sharing: Sharing::default(),
            links: links.into_iter().map(wired).collect(),
            forwarding,
            site_node,
            attachments,
            floor: Floor {
                now: Time::ZERO,
                urgent: BTreeSet::new(),
                packets: Slab::default(),
                endpoints,
                ledger: Ledger::default(),
                drops: Vec::new(),
                observer,
            },
        };
        for endpoint in 0..engine.floor.endpoints.len() {
            engine.arm(endpoint);
        }
        engine
    }

    /// From now on packets of this endpoint go first where a queue has classes (discipline "priority").
    pub fn make_urgent(&mut self, endpoint: usize) {
        self.floor.urgent.insert(endpoint as u32);
    }

    /// When the next event is due; `None`: nothing will happen without an action from outside.
    #[inline]
    pub fn next_event(&self) -> Option<Time> {
        self.queue.peek().map(|(time, _)| time)
    }

    /// Handles every event before `until`, each at its own time, then stands at `until`. Events at exactly `until` are
    /// left for the next call, so that the caller can act at that time first.
    pub fn advance(&mut self, until: Time) {
        while !self.advance_some(until, STRETCH) {}
    }

    /// Like [`Engine::advance`], with a limit on the number of events; returns whether all are handled. If not, the
    /// engine stops at the last handled event, and the next call continues. The points of interruption do not change
    /// results.
    pub fn advance_some(&mut self, until: Time, events: u64) -> bool {
        let last = self.floor.ledger.events.saturating_add(events);
        while let Some((time, source)) = self.queue.peek() {
            if time >= until {
                break;
            }
            if self.floor.ledger.events == last {
                if self.floor.drops.len() >= MANY_DROPS {
                    self.settle(self.floor.now);
                }
                return false;
            }
            debug_assert!(time >= self.floor.now, "time runs forward");
            self.floor.now = time;
            self.floor.ledger.events += 1;
            self.prefetch_next();
            let number = source.number as usize;
            if source.priority == ARRIVAL {
                self.arrival(number);
            } else {
                self.floor.endpoints[number].handle_timeout(time);
                self.react(number);
            }
        }
        self.floor.now = self.floor.now.max(until);
        self.settle(self.floor.now);
        true
    }

    /// Reports the drops since the last call to the senders' records. Each record then completes its numbers for the
    /// time before `before`. [`Engine::advance`] ends with a call for its present time; at the end of a run
    /// [`Time::MAX`] closes the records.
    pub fn settle(&mut self, before: Time) {
        let Floor { drops, endpoints, .. } = &mut self.floor;
        for Drop { at, packet, cause } in drops.drain(..) {
            endpoints[packet.from as usize].dropped(at, packet, cause);
        }
        for endpoint in endpoints {
            endpoint.settle(before);
        }
    }

    /// The most likely next events are those that lost to this event last; the earliest of them is first.
    #[inline]
    fn prefetch_next(&self) {
        let sources = self.links.len() + self.floor.endpoints.len();
        if self.floor.packets.places() < FEW_PACKETS && sources < FEW_SOURCES {
            return;
        }
        let mut soonest = None;
        for (time, source) in self.queue.contenders() {
            match source.priority {
                ARRIVAL => self.links[source.number as usize].link.prefetch_arrival(),
                _ => prefetch(&self.floor.endpoints[source.number as usize]),
            }
            if soonest.is_none_or(|(before, _)| time < before) {
                soonest = Some((time, source));
            }
        }
        let Some((_, source)) = soonest.filter(|(_, source)| source.priority == ARRIVAL) else { return };
        let wired = &self.links[source.number as usize];
        if let Some(parcel) = wired.link.head().filter(|_| wired.leads_to != TO_ENDPOINT) {
            let next = self.forwarding.get(wired.leads_to, parcel.site() as u16);
            if let Some(next) = self.links.get(next as usize) {
                next.link.prefetch_offer();
            }
        }
    }

    #[inline]
    pub(crate) fn set_event(&mut self, link: usize, next: Option<Time>) {
        let Wired { rank, leaf, .. } = &mut self.links[link];
        let source = Source { priority: ARRIVAL, rank: *rank, number: link as u32 };
        self.queue.set(source, leaf, next.unwrap_or(Time::MAX));
    }

    /// A link, and its reports about its packets.
    #[inline]
    pub(crate) fn at(&mut self, link: u32) -> (&mut Link, OnLink<'_, E, O>) {
        (&mut self.links[link as usize].link, OnLink { link, floor: &mut self.floor })
    }

    #[inline]
    fn arrival(&mut self, link: usize) {
        let now = self.floor.now;
        let (wire, packets) = self.at(link as u32);
        let Advance { arrived, next } = wire.advance(now, packets);
        self.set_event(link, next);
        if let Some((transmitter, _)) = self.sharing.of(link as u32) {
            self.attend(transmitter);
        }
        let Some(arrived) = arrived else { return };
        self.floor.ledger.hops += 1;
        self.prefetch_route(link);
        if let Some(why) = arrived.lost {
            self.drop_packet(link as u32, arrived.parcel, why.into());
            return;
        }
        let Parcel { handle, size, .. } = arrived.parcel;
        self.floor.observer.arrived(self.floor.now, link as u32, &self.floor.packets, handle, size);
        match self.links[link].leads_to {
            TO_ENDPOINT => self.deliver(arrived.parcel),
            node => self.forward(node, arrived.parcel),
        }
    }

    /// A packet becomes the next to arrive on a link: prefetches it, and the data that give its next link.
    #[inline]
    fn prefetch_route(&self, link: usize) {
        let Wired { leads_to, ref link, .. } = self.links[link];
        if let Some(parcel) = link.head() {
            self.floor.packets.prefetch(parcel.handle);
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

    /// A packet is at a node: forwards it towards its site, or to its endpoint.
    #[inline]
    fn forward(&mut self, node: u32, parcel: Parcel) {
        let mut link = self.next_link(node, parcel.site());
        if link == HERE {
            let packet = self.floor.packets.get(parcel.handle);
            link = self.attachments[self.destination(packet.from, &packet.body)].down;
            if link == NO_LINK {
                self.deliver(parcel);
                return;
            }
        }
        if link == NO_LINK {
            self.drop_packet(NO_LINK, parcel, Cause::NoPath);
            return;
        }
        self.enter(link, parcel);
    }

    #[inline]
    fn enter(&mut self, link: u32, parcel: Parcel) {
        if let Some((transmitter, entry)) = self.sharing.of(link) {
            self.enter_shared(link, transmitter, entry, parcel);
            return;
        }
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
        self.floor.observer.delivered(self.floor.now, parcel.handle, &packet, parcel.size);
        let to = self.destination(packet.from, &packet.body);
        self.floor.endpoints[to].handle(self.floor.now, packet);
        self.react(to);
    }

    /// Something happened to an endpoint: it sends, and so does the endpoint that it is spliced with.
    #[inline]
    fn react(&mut self, endpoint: usize) {
        self.transmit(endpoint);
        if !self.spliced.is_empty() {
            self.pass_on(endpoint);
        }
    }

    #[inline(never)]
    fn pass_on(&mut self, endpoint: usize) {
        let other = self.spliced[endpoint];
        if other == ALONE {
            return;
        }
        let pair = self.floor.endpoints.get_disjoint_mut([endpoint, other as usize]);
        let [one, other_one] = pair.expect("two endpoints are spliced");
        one.exchange(self.floor.now, other_one);
        self.transmit(other as usize);
    }

    /// Splices two endpoints at one place, so that they pass on their data. Whenever something has happened to one of
    /// them and it has sent, it sees the other ([`Endpoint::exchange`]), which may then send.
    ///
    /// # Panics
    /// If both are the same, or one of the numbers does not exist.
    pub fn splice(&mut self, one: usize, other: usize) {
        let endpoints = self.floor.endpoints.len();
        assert!(one != other && one.max(other) < endpoints, "two endpoints are spliced");
        self.spliced.resize(endpoints, ALONE);
        self.spliced[one] = other as u32;
        self.spliced[other] = one as u32;
    }

    /// Lets the endpoint send, and stores its next timeout.
    #[inline]
    fn transmit(&mut self, from: usize) {
        self.floor.acted(from);
        while let Some((body, size)) = self.floor.endpoints[from].poll_transmit(self.floor.now) {
            self.floor.ledger.created += 1;
            let class = if body.is_low_priority() { Parcel::LOW } else { 0 };
            let stream = self.floor.endpoints[from].stream();
            let to = self.destination(from as u32, &body);
            let handle = self.floor.packets.insert(Packet { body, queued_ns: 0, from: from as u32, stream });
            self.floor.observer.sent(self.floor.now, &self.floor.packets, handle, size);
            let parcel = Parcel { handle, size, site: self.attachments[to].site | class };
            let here = self.attachments[from];
            if here.up == NO_LINK {
                self.forward(self.site_node[usize::from(here.site)], parcel);
            } else {
                self.enter(here.up, parcel);
            }
        }
        self.floor.acted(from);
        self.arm(from);
    }

    /// The endpoint that a packet is for.
    ///
    /// # Panics
    /// If its sender is unconnected and its body names no destination.
    #[inline]
    fn destination(&self, from: u32, body: &E::Body) -> usize {
        let peer = self.attachments[from as usize].peer;
        if peer == UNCONNECTED { addressed(body) } else { peer as usize }
    }

    #[inline]
    fn arm(&mut self, endpoint: usize) {
        let next = self.floor.endpoints[endpoint].next_timeout();
        let (armed, leaf) = &mut self.armed[endpoint];
        if next != *armed {
            *armed = next;
            let source = Source { priority: TIMEOUT, rank: 0, number: endpoint as u32 };
            self.queue.set(source, leaf, next.max(self.floor.now));
        }
    }

    /// Handles an endpoint that the caller changed (through [`Engine::endpoints_mut`]): sends its packets at
    /// [`Engine::now`], and asks again for its next timeout.
    pub fn wake(&mut self, endpoint: usize) {
        self.react(endpoint);
    }

    /// Adds an endpoint at an existing site and returns its number, the one after the last. The endpoint acts at its first
    /// timeout, or when it is woken ([`Engine::wake`]). Its peer may be added later.
    pub fn add_endpoint(&mut self, endpoint: E, attachment: Attachment) -> usize {
        let number = self.floor.endpoints.len();
        self.floor.endpoints.push(endpoint);
        self.attachments.push(attachment);
        self.armed.push((Time::MAX, Leaf::NONE));
        if !self.spliced.is_empty() {
            self.spliced.push(ALONE);
        }
        self.arm(number);
        number
    }

    /// Sets the rank of a link. Of two events at one time, the event of the link with the lower rank is first; equal ranks
    /// go by number. A link whose number depends on when it was added needs a rank. Ranks have 28 bits and begin at 0.
    pub fn rank(&mut self, link: u32, rank: u32) {
        self.links[link as usize].rank = rank;
    }

    /// Adds a link that leads to a node or [`TO_ENDPOINT`]; its number is the one after the last.
    pub fn add_link(&mut self, link: Link, leads_to: u32) -> u32 {
        self.links.push(Wired { leads_to, leaf: Leaf::NONE, rank: 0, link });
        self.links.len() as u32 - 1
    }

    /// Moves a site to another node, with the endpoints that are attached there.
    pub fn move_site(&mut self, site: u16, node: u32) {
        self.site_node[usize::from(site)] = node;
    }

    /// Changes a forwarding entry.
    pub fn route(&mut self, node: u32, site: u16, link: Option<u32>) {
        self.forwarding.set(node, site, link);
    }

    /// Removes a link. Packets that wait for it are forwarded again from `node` (the start of the link); with `lose`
    /// these packets, and those in flight on the link, are lost.
    pub fn link_down(&mut self, link: u32, node: u32, lose: bool) {
        let now = self.floor.now;
        let (wire, packets) = self.at(link);
        let back = wire.recall(now, lose, packets);
        let next = wire.next_event();
        self.set_event(link as usize, next);
        self.leave_shared(link);
        for parcel in back {
            self.forward(node, parcel);
        }
    }

    /// Changes a link while it runs. `change` receives the link, the time and its packets, as [`Link::set_rate`] and
    /// [`Link::set_delay`] need them, and returns when the link's next event is due.
    pub fn change_link(
        &mut self,
        link: u32,
        change: impl FnOnce(&mut Link, Time, &mut dyn Packets) -> Option<Time>,
    ) {
        let now = self.floor.now;
        let (wire, mut packets) = self.at(link);
        let next = change(wire, now, &mut packets);
        self.set_event(link as usize, next);
        self.attend_changed(link);
    }

    /// Informs an endpoint that its path changes; the endpoint may then send.
    pub fn path_changed(&mut self, endpoint: usize, change: &PathChange) {
        self.floor.endpoints[endpoint].path_changed(change);
        self.react(endpoint);
    }

    /// The present virtual time.
    pub fn now(&self) -> Time {
        self.floor.now
    }
    /// The links.
    pub fn links(&self) -> impl Iterator<Item = &Link> {
        self.links.iter().map(|wired| &wired.link)
    }
    /// All links, by number, in their present state.
    pub fn links_mut(&mut self) -> impl Iterator<Item = &mut Link> {
        self.links.iter_mut().map(|wired| &mut wired.link)
    }
    /// One of the links.
    pub fn link(&self, link: usize) -> &Link {
        &self.links[link].link
    }
    /// The endpoints, by number.
    pub fn endpoints(&self) -> &[E] {
        &self.floor.endpoints
    }
    /// The endpoints, mutable, to take samples or to pass data from outside; call [`Engine::wake`] afterwards.
    pub fn endpoints_mut(&mut self) -> &mut [E] {
        &mut self.floor.endpoints
    }
    /// The number of packets at present: waiting, in flight, or not yet handled.
    pub fn packets(&self) -> usize {
        self.floor.packets.len()
    }
    /// Counters of the whole run.
    pub fn ledger(&self) -> &Ledger {
        &self.floor.ledger
    }
    /// The observer's data so far.
    pub fn observer(&self) -> &O {
        &self.floor.observer
    }
    /// The observer, for reports about the links.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.floor.observer
    }
    /// Ends the run and returns the observer.
    pub fn into_observer(self) -> O {
        self.floor.observer
    }

    /// Checks that no packet was lost or invented by the engine itself.
    ///
    /// # Errors
    /// If the counts do not balance: a defect of Bentpipe, never of a scenario.
    pub fn check_conservation(&self) -> Result<(), Imbalance> {
        self.floor.ledger.check(self.floor.packets.len(), self.links().map(Link::in_flight).sum())
    }
}

/// The endpoint that a packet of an unconnected sender is for.
#[cold]
#[expect(
    clippy::expect_used,
    reason = "an unconnected endpoint without a destination is a defect of the endpoint"
)]
fn addressed(body: &impl Body) -> usize {
    body.destination().expect("a packet of an unconnected endpoint has a destination") as usize
}

/// Handles a link's reports about its packets at once.
pub(crate) struct OnLink<'a, E: Endpoint, O> {
    link: u32,
    floor: &'a mut Floor<E, E::Body, O>,
}

impl<E: Endpoint, O: Observer<E::Body>> OnLink<'_, E, O> {
    /// A packet ends here.
    #[cold]
    fn lose(&mut self, parcel: Parcel, cause: Cause) {
        let packet = self.floor.packets.remove(parcel.handle);
        self.floor.ledger.dropped[cause as usize] += 1;
        self.floor.observer.dropped(self.floor.now, self.link, parcel.handle, &packet, parcel.size, cause);
        self.floor.drops.push(Drop { at: self.floor.now, packet, cause });
    }
}

impl<E: Endpoint, O: Observer<E::Body>> Packets for OnLink<'_, E, O> {
    fn sender(&self, handle: u32) -> u64 {
        let packet = self.floor.packets.get(handle);
        u64::from(packet.stream) << 32 | u64::from(packet.from)
    }
    fn carries_data(&self, handle: u32) -> bool {
        self.floor.packets.get(handle).body.carries_data()
    }
    fn ecn(&self, handle: u32) -> Ecn {
        self.floor.packets.get(handle).body.ecn()
    }
    fn is_urgent(&self, handle: u32) -> bool {
        self.floor.urgent.contains(&self.floor.packets.get(handle).from)
    }
    fn ack(&self, handle: u32) -> Option<Ack> {
        self.floor.packets.get(handle).body.ack()
    }
    fn mark(&mut self, handle: u32) {
        self.floor.packets.get_mut(handle).body.mark_ce();
    }
    fn bleach(&mut self, handle: u32) {
        self.floor.packets.get_mut(handle).body.bleach();
    }
    #[inline]
    fn warn(&mut self, handle: u32) {
        self.floor.packets.get_mut(handle).body.warn();
    }
    #[inline]
    fn waits(&mut self, handle: u32, wait: Span) {
        self.floor.packets.get_mut(handle).queued_ns += wait.nanos();
    }
    fn spared(&mut self, handle: u32, wait: Span) {
        self.floor.packets.get_mut(handle).queued_ns -= wait.nanos();
    }
    #[inline]
    fn entered(&mut self, parcel: Parcel) {
        let Floor { now, packets, observer, .. } = &mut *self.floor;
        observer.entered(*now, self.link, packets, parcel.handle, parcel.size);
    }
    #[inline]
    fn begins(&mut self, handle: u32, at: Time) {
        let Floor { now, packets, observer, .. } = &mut *self.floor;
        observer.begins(*now, self.link, packets, handle, at);
    }
    fn dropped(&mut self, parcel: Parcel, why: Lost) {
        self.lose(parcel, why.into());
    }
}
