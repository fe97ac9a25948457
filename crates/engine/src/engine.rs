// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event engine: links, endpoints, forwarding and the order of events.
//!
//! Two kinds of sources cause events. A link has an event when its head packet arrives, or when its transmitter becomes
//! free for a waiting packet. An endpoint has an event at its next timeout. Each source has at most one leaf in the
//! event queue. Therefore the queue has at most one entry per link and endpoint, for any number of packets in flight.
//! When a packet moves over a hop, one leaf is updated.
//!
//! Events are ordered by (time, priority, source). At the same time, arrivals precede timeouts. Among events of the
//! same priority, the event with the lower rank is first; if ranks are equal, the event with the lower number of the
//! link or endpoint is first.

use crate::queue::{EventQueue, Leaf, Source};
use crate::sharing::Sharing;
use crate::{Body, Cause, Endpoint, Forwarding, Imbalance, Ledger, NoObserver, Observer, Packet, Slab};
use control::PathChange;
use link::{Ack, Advance, Ecn, Link, Lost, Packets, Parcel, prefetch};
use std::collections::BTreeSet;
use units::{Span, Time};

/// Priority of an arrival. An arrival precedes all other events at the same time.
const ARRIVAL: u8 = 0;
/// Priority of a timeout of an endpoint.
const TIMEOUT: u8 = 1;
/// Number for "no link": a forwarding entry without a route, or an endpoint without an access link.
pub const NO_LINK: u32 = u32::MAX;
/// Destination of a link that ends at the endpoint of its packets, instead of at a node.
pub const TO_ENDPOINT: u32 = u32::MAX;

/// Peer of an endpoint that is not connected to another endpoint, like an unconnected socket. The body of each of its
/// packets contains the destination ([`Body::destination`]).
pub const UNCONNECTED: u32 = u32::MAX;

/// Place of an endpoint in the network, and its peer.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Attachment {
    /// Number of the endpoint that receives all packets of this endpoint, or [`UNCONNECTED`].
    pub peer: u32,
    /// Index of its site.
    pub site: u16,
    /// First link of the packets of this endpoint. With [`NO_LINK`], the packets start at the node of the site.
    pub up: u32,
    /// Link from the node of the site to the endpoint. With [`NO_LINK`], the endpoint is at the node.
    pub down: u32,
}

/// A link, together with the data that the engine stores for it, in as few cache lines as possible.
#[derive(Clone, Debug, saved::Saved)]
#[repr(C, align(64))]
struct Wired {
    /// Node at the far end, or [`TO_ENDPOINT`].
    leads_to: u32,
    leaf: Leaf,
    /// Rank among the links that have an event at the same time.
    rank: u32,
    link: Link,
}

/// The timer of an endpoint. Most timers are put off before they expire: each ACK puts off the retransmission timer.
/// The entry in the event queue then stays where it is. When it becomes the next event, it moves to the time of the
/// timeout.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Timer {
    /// Time of the next timeout, or [`Time::MAX`].
    due: Time,
    /// Time of the entry in the event queue, which is not after `due`. [`Time::MAX`] if there is no entry.
    queued: Time,
    leaf: Leaf,
}

impl Timer {
    /// A timer that is not set.
    const OFF: Self = Self { due: Time::MAX, queued: Time::MAX, leaf: Leaf::NONE };
}

/// Entry of an endpoint that is not spliced to another endpoint.
const ALONE: u32 = u32::MAX;
/// Result of a route lookup if the site is at the node itself.
const HERE: u32 = u32::MAX - 1;
/// Limits for prefetching. If the slab has fewer places for packets than `FEW_PACKETS`, and there are fewer links and
/// endpoints than `FEW_SOURCES`, all data stay in the caches of a core. Prefetching would then cost a tenth of all
/// instructions without a benefit.
const FEW_PACKETS: usize = 2048;
const FEW_SOURCES: usize = 64;
/// Largest number of unreported drops. [`Engine::advance_some`] can stop after some number of events; it reports drops
/// only if there are more than this number.
const MANY_DROPS: usize = 4096;
/// Number of events between two checks by [`Engine::advance`] for unreported drops.
const STRETCH: u64 = 1 << 14;

/// The event engine.
#[derive(Clone, Debug, saved::Saved)]
pub struct Engine<E: Endpoint, O = NoObserver> {
    queue: EventQueue,
    #[saved(each)]
    links: Vec<Wired>,
    forwarding: Forwarding,
    /// Node of each site.
    site_node: Vec<u32>,
    attachments: Vec<Attachment>,
    /// The timer of each endpoint.
    timers: Vec<Timer>,
    /// For each endpoint, the endpoint to which it is spliced, or [`ALONE`]. Empty if no endpoints are spliced.
    spliced: Vec<u32>,
    /// The links that share a transmitter.
    pub(crate) sharing: Sharing,
    floor: Floor<E, E::Body, O>,
}

/// All state of the engine except the links. It is a separate structure, so that a link can access it through one
/// pointer.
#[derive(Clone, Debug, saved::Saved)]
struct Floor<E, B, O> {
    now: Time,
    /// Endpoints whose packets have priority.
    urgent: BTreeSet<u32>,
    packets: Slab<B>,
    #[saved(each)]
    endpoints: Vec<E>,
    ledger: Ledger,
    /// Drops that were not reported to the records of the senders yet.
    drops: Vec<Drop<B>>,
    #[saved(fixed)]
    observer: O,
}

/// A dropped packet.
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
    /// Creates an engine at time zero. `links` contains each link with the node to which the link leads.
    ///
    /// # Panics
    /// If the lengths of `endpoints` and `attachments` differ.
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
            timers: vec![Timer::OFF; endpoints.len()],
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

    /// Sets all later packets of this endpoint to high priority in queues with classes (discipline "priority").
    pub fn make_urgent(&mut self, endpoint: usize) {
        self.floor.urgent.insert(endpoint as u32);
    }

    /// Returns the time of the next event. Returns `None` if no event occurs before the next call that changes the
    /// network or an endpoint.
    #[inline]
    pub fn next_event(&mut self) -> Option<Time> {
        while let Some((time, source)) = self.queue.peek() {
            if !self.is_put_off(time, source) {
                return Some(time);
            }
        }
        None
    }

    /// Handles each event before `until` at its own time. Then sets the engine's time to `until`. Events at exactly
    /// `until` are handled by the next call. Therefore the caller can act first at that time.
    pub fn advance(&mut self, until: Time) {
        while !self.advance_some(until, STRETCH) {}
    }

    /// Works as [`Engine::advance`], but handles at most `events` events. Returns whether all events before `until`
    /// were handled. If not, the engine stops at the last handled event, and the next call continues there. Such
    /// interruptions do not change results.
    pub fn advance_some(&mut self, until: Time, events: u64) -> bool {
        let last = self.floor.ledger.events.saturating_add(events);
        while let Some((time, source)) = self.queue.peek() {
            if time >= until {
                break;
            }
            if self.is_put_off(time, source) {
                continue;
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

    /// Reports all drops since the last call to the records of the senders. Each record then completes its numbers for
    /// the time before `before`. At its end, [`Engine::advance`] makes this call with its present time. At the end of a
    /// run, a call with [`Time::MAX`] closes the records.
    pub fn settle(&mut self, before: Time) {
        let Floor { drops, endpoints, .. } = &mut self.floor;
        for Drop { at, packet, cause } in drops.drain(..) {
            endpoints[packet.from as usize].dropped(at, packet, cause);
        }
        for endpoint in endpoints {
            endpoint.settle(before);
        }
    }

    /// Prefetches the data of the events that are most likely next. In the tournament tree of the event queue, they are
    /// the events that lost the last comparison against the current event. For the earliest of these events, also
    /// prefetches the next link of its packet.
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

    /// Returns a link, and the object that receives the link's reports about its packets.
    #[inline]
    pub(crate) fn at(&mut self, link: u32) -> (&mut Link, OnLink<'_, E, O>) {
        (&mut self.links[link as usize].link, OnLink { link, floor: &mut self.floor })
    }

    #[inline]
    fn arrival(&mut self, link: usize) {
        let now = self.floor.now;
        let (wire, packets) = self.at(link as u32);
        let Advance { arrived, next } = wire.advance(now, packets);
        match self.sharing.of(link as u32) {
            None => self.set_event(link, next),
            Some((transmitter, _)) => self.attend_arrival(link, next, transmitter),
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

    /// Prefetches the next packet that arrives on a link, and the forwarding entry for its next link.
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

    /// Returns the link that leads from a node towards a site, or [`HERE`] if the site is at the node.
    #[inline]
    fn next_link(&self, node: u32, site: usize) -> u32 {
        if self.site_node[site] == node { HERE } else { self.forwarding.get(node, site as u16) }
    }

    /// Forwards a packet that is at a node, either towards its site or to its endpoint.
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

    /// Lets an endpoint send after an event. Then lets the endpoint to which it is spliced send.
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

    /// Splices two endpoints at the same place, so that they pass data to each other. After each event of one endpoint,
    /// this endpoint first sends. It then exchanges data with the other endpoint ([`Endpoint::exchange`]). After that,
    /// the other endpoint may send.
    ///
    /// # Panics
    /// If both numbers are equal, or if an endpoint does not exist.
    pub fn splice(&mut self, one: usize, other: usize) {
        let endpoints = self.floor.endpoints.len();
        assert!(one != other && one.max(other) < endpoints, "two endpoints are spliced");
        self.spliced.resize(endpoints, ALONE);
        self.spliced[one] = other as u32;
        self.spliced[other] = one as u32;
    }

    /// Lets an endpoint send all packets that may leave, and stores its next timeout.
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

    /// Returns the endpoint that receives a packet.
    ///
    /// # Panics
    /// If the sender is unconnected and the body contains no destination.
    #[inline]
    fn destination(&self, from: u32, body: &E::Body) -> usize {
        let peer = self.attachments[from as usize].peer;
        if peer == UNCONNECTED { addressed(body) } else { peer as usize }
    }

    /// Stores the next timeout of an endpoint. The event queue changes only if the timeout is earlier than the entry of
    /// the endpoint, or if this entry is the present event.
    #[inline]
    fn arm(&mut self, endpoint: usize) {
        let now = self.floor.now;
        let timer = &mut self.timers[endpoint];
        timer.due = self.floor.endpoints[endpoint].next_timeout().max(now);
        if timer.due < timer.queued || (timer.queued <= now && timer.due != timer.queued) {
            self.queue_timer(endpoint);
        }
    }

    /// Moves the entry of an endpoint in the event queue to the time of its next timeout.
    #[inline]
    fn queue_timer(&mut self, endpoint: usize) {
        let Timer { due, queued, leaf } = &mut self.timers[endpoint];
        *queued = *due;
        let source = Source { priority: TIMEOUT, rank: 0, number: endpoint as u32 };
        self.queue.set(source, leaf, *due);
    }

    /// Returns whether the first entry of the event queue is that of a timer that was put off. The entry then moves to
    /// the time of the timeout.
    #[inline]
    fn is_put_off(&mut self, time: Time, source: Source) -> bool {
        let put_off = source.priority == TIMEOUT && self.timers[source.number as usize].due > time;
        if put_off {
            self.queue_timer(source.number as usize);
        }
        put_off
    }

    /// Handles an endpoint after the caller changed it through [`Engine::endpoints_mut`]. Sends the endpoint's packets
    /// at [`Engine::now`] and updates its next timeout.
    pub fn wake(&mut self, endpoint: usize) {
        self.react(endpoint);
    }

    /// Adds an endpoint at an existing site. Returns its number, which is one more than the last number. The endpoint
    /// acts at its first timeout, or when [`Engine::wake`] is called. Its peer may be added later.
    pub fn add_endpoint(&mut self, endpoint: E, attachment: Attachment) -> usize {
        let number = self.floor.endpoints.len();
        self.floor.endpoints.push(endpoint);
        self.attachments.push(attachment);
        self.timers.push(Timer::OFF);
        if !self.spliced.is_empty() {
            self.spliced.push(ALONE);
        }
        self.arm(number);
        number
    }

    /// Sets the rank of a link. If two links have events at the same time, the link with the lower rank is first. If
    /// ranks are equal, the link with the lower number is first. A rank is needed if the number of a link depends on
    /// the time at which the link was added. Ranks have 28 bits and start at 0.
    pub fn rank(&mut self, link: u32, rank: u32) {
        self.links[link as usize].rank = rank;
    }

    /// Adds a link that leads to a node or to [`TO_ENDPOINT`]. Returns its number, which is one more than the last
    /// number.
    pub fn add_link(&mut self, link: Link, leads_to: u32) -> u32 {
        self.links.push(Wired { leads_to, leaf: Leaf::NONE, rank: 0, link });
        self.links.len() as u32 - 1
    }

    /// Moves a site to another node, together with all endpoints that are attached to the site.
    pub fn move_site(&mut self, site: u16, node: u32) {
        self.site_node[usize::from(site)] = node;
    }

    /// Changes a forwarding entry; `None` removes the route.
    pub fn route(&mut self, node: u32, site: u16, link: Option<u32>) {
        self.forwarding.set(node, site, link);
    }

    /// Removes a link. With `lose`, packets that wait for the link and packets in flight on it are dropped. Without
    /// `lose`, packets that wait for the link are forwarded again from `node`, the start of the link.
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

    /// Changes a link during the run. `change` is called with the link, the time and the link's packets, as
    /// [`Link::set_rate`] and [`Link::set_delay`] need them. It must return the time of the link's next event.
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

    /// Informs an endpoint that its path changes. The endpoint may then send.
    pub fn path_changed(&mut self, endpoint: usize, change: &PathChange) {
        self.floor.endpoints[endpoint].path_changed(change);
        self.react(endpoint);
    }

    /// Sets the time and handles no events. A caller that will load a saved state uses this function to change links at
    /// the times at which the saved run changed them.
    pub fn skip_to(&mut self, now: Time) {
        self.floor.now = now;
    }

    /// Returns the present virtual time.
    pub fn now(&self) -> Time {
        self.floor.now
    }
    /// Returns the links by number.
    pub fn links(&self) -> impl Iterator<Item = &Link> {
        self.links.iter().map(|wired| &wired.link)
    }
    /// Returns the links by number, for changes.
    pub fn links_mut(&mut self) -> impl Iterator<Item = &mut Link> {
        self.links.iter_mut().map(|wired| &mut wired.link)
    }
    /// Returns one link.
    pub fn link(&self, link: usize) -> &Link {
        &self.links[link].link
    }
    /// Returns the endpoints by number.
    pub fn endpoints(&self) -> &[E] {
        &self.floor.endpoints
    }
    /// Returns the endpoints by number, to sample their state, or to change them from outside. After a change, call
    /// [`Engine::wake`].
    pub fn endpoints_mut(&mut self) -> &mut [E] {
        &mut self.floor.endpoints
    }
    /// Returns the present number of packets that wait, are in flight, or are being handled.
    pub fn packets(&self) -> usize {
        self.floor.packets.len()
    }
    /// Returns the counters of the whole run.
    pub fn ledger(&self) -> &Ledger {
        &self.floor.ledger
    }
    /// Returns the observer.
    pub fn observer(&self) -> &O {
        &self.floor.observer
    }
    /// Returns the observer, for changes.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.floor.observer
    }
    /// Ends the run and returns the observer.
    pub fn into_observer(self) -> O {
        self.floor.observer
    }

    /// Checks that the engine itself neither lost nor invented packets.
    ///
    /// # Errors
    /// If the counts do not balance. This is always a bug in Bentpipe, and never caused by a scenario.
    pub fn check_conservation(&self) -> Result<(), Imbalance> {
        self.floor.ledger.check(self.floor.packets.len(), self.links().map(Link::in_flight).sum())
    }
}

/// Returns the endpoint that a packet of an unconnected sender names as its destination.
#[cold]
#[expect(
    clippy::expect_used,
    reason = "an unconnected endpoint without a destination is a defect of the endpoint"
)]
fn addressed(body: &impl Body) -> usize {
    body.destination().expect("a packet of an unconnected endpoint has a destination") as usize
}

/// Receives the reports of a link about its packets, and handles each report immediately.
pub(crate) struct OnLink<'a, E: Endpoint, O> {
    link: u32,
    floor: &'a mut Floor<E, E::Body, O>,
}

impl<E: Endpoint, O: Observer<E::Body>> OnLink<'_, E, O> {
    /// Drops a packet on this link.
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
