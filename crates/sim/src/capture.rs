// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures of chosen flows, written while the run goes on: packets at both hosts and at the ends of links (pcapng), and what
//! a sender knows (qlog).
//!
//! They are made of what an observer of the engine sees, so a run without them does nothing for them. In memory are the
//! packets of these flows that are on their way, and how far each connection of an application is.

mod conversations;
mod diary;
mod files;
mod flying;
mod headers;
mod ip;
mod links;
mod stream;

use crate::SimError;
use crate::endpoint::AnyEndpoint;
use crate::packet::{Packet, SegmentBody};
use crate::wire::Wiring;
use diary::Diary;
use engine::{Cause, Endpoint, Observer, Slab};
use files::{Folder, Names};
use flying::Flying;
use headers::{Dress, Wired};
use ip::Ip;
use links::Links;
use record::pcapng::{Captured, Pcapng, Way};
use record::{CaptureFile, RecordError};
use scenario::{FlowKind, Scenario};
use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use tcp::Flags;
use units::Time;

/// The captures of one run.
#[derive(Debug)]
pub struct Captures {
    flows: BTreeMap<u32, Flow>,
    links: Option<Links>,
    flying: Flying,
    snap: Option<u32>,
    /// Whether a file cannot be written, for whoever drives the run.
    failed: Rc<Cell<bool>>,
}

/// One flow's.
#[derive(Debug)]
struct Flow {
    /// There if its packets are captured anywhere.
    dress: Option<Dress>,
    /// The sender, the receiver.
    hosts: Option<[Pcapng<CaptureFile>; 2]>,
    diary: Option<Diary>,
}

impl Captures {
    /// Begins the files that a scenario asks for in `folder`; `None` where it asks for none.
    ///
    /// # Errors
    /// One cannot be written.
    pub fn begin(scenario: &Scenario, folder: &Path, application: &str) -> Result<Option<Self>, RecordError> {
        let chosen = &scenario.record.capture;
        if chosen.is_empty() {
            return Ok(None);
        }
        let failed = Rc::new(Cell::new(false));
        let about = format!("run of \"{}\", seed {}", scenario.name, scenario.seed);
        let folder = Folder { about: &about, application, at: folder, failed: &failed };
        let snap = chosen.snap.map(|bytes| bytes.get() as u32);
        let ip = if chosen.ipv6 { Ip::V6 } else { Ip::V4 };
        let most = Dress::longest(ip);
        let pcap = chosen.pcap(&scenario.flows);
        let (at_links, qlog) = (chosen.at_links(&scenario.flows), chosen.qlog(&scenario.flows));
        let mut names = Names::default();
        let mut flows = BTreeMap::new();
        let kinds = scenario.flows.iter().flat_map(|flow| (0..flow.count).map(move |index| (flow, index)));
        for (number, (flow, index)) in kinds.enumerate() {
            let number = number as u32;
            let (at_hosts, logged) = (pcap.contains(&number), qlog.contains(&number));
            let captured = at_hosts || at_links.contains(&number);
            if !captured && !logged {
                continue;
            }
            let dress = captured.then(|| Dress::new(&flow.kind, number, ip));
            let name = flow.name_of(index);
            // Who has no file of its own needs no name for one.
            let file = if at_hosts || logged { names.file(&name, number) } else { String::new() };
            let hosts = dress.as_ref().filter(|_| at_hosts);
            let hosts =
                hosts.map(|dress| folder.hosts(&name, &file, dress, snap.unwrap_or(most))).transpose()?;
            let diary = match &flow.kind {
                FlowKind::Tcp { config, .. } if logged => Some(folder.diary(&name, &file, config)?),
                _ => None,
            };
            flows.insert(number, Flow { dress, hosts, diary });
        }
        let wanted = &chosen.pcap_links;
        let links = (!wanted.is_empty()).then(|| folder.pcapng("links")).transpose()?;
        let links = links.map(|file| Links::new(file, wanted, snap, most));
        Ok(Some(Self { flows, links, flying: Flying::default(), snap, failed }))
    }

    /// Whether a file cannot be written, which [`Captures::finish`] tells more of: for whoever drives the run to look at.
    pub(crate) fn failed(&self) -> Rc<Cell<bool>> {
        self.failed.clone()
    }

    /// Whether the links are there at which packets shall be captured.
    pub(crate) fn check(&self, wiring: &Wiring) -> Result<(), SimError> {
        self.links.as_ref().map_or(Ok(()), |links| links.check(wiring))
    }

    /// The run is over at `end`: the files are whole.
    ///
    /// # Errors
    /// Something of one could not be written.
    pub fn finish(self, end: Time) -> Result<(), RecordError> {
        for flow in self.flows.into_values() {
            for host in flow.hosts.into_iter().flatten() {
                host.into_inner().finish()?;
            }
            if let Some(diary) = flow.diary {
                diary.into_file().finish()?;
            }
        }
        self.links.map_or(Ok(()), |links| links.finish(end, &self.flying).finish())
    }

    /// What has begun at links before `now` is written.
    fn until(&mut self, now: Time) -> Option<(&mut Links, &mut Flying)> {
        let links = self.links.as_mut()?;
        links.until(now, &self.flying);
        Some((links, &mut self.flying))
    }
}

impl Flow {
    /// A packet at one of the hosts.
    fn at_host(&mut self, now: Time, (host, way): (usize, Way), packet: &Wired, snap: Option<u32>) {
        if let Some(hosts) = &mut self.hosts {
            let (kept, length) = (packet.kept(snap), packet.length);
            // The file keeps what goes wrong, and the run ends.
            let _ = hosts[host].packet(&Captured { interface: 0, at: now, way, kept, length });
        }
    }
}

/// The flow of a packet, and which end sent it.
fn origin(packet: &Packet) -> (u32, usize) {
    (packet.from / 2, packet.from as usize % 2)
}

impl Observer<SegmentBody> for Captures {
    fn laid(&mut self, link: u32, name: &str) {
        if let Some(links) = &mut self.links {
            links.laid(link, name);
        }
    }
    fn sent(&mut self, now: Time, packets: &Slab<SegmentBody>, handle: u32, size: u16) {
        self.until(now);
        let packet = packets.get(handle);
        let (flow, from) = origin(packet);
        let Some(flow) = self.flows.get_mut(&flow) else { return };
        if let Some(dress) = &mut flow.dress {
            let wired = dress.wire(now, (from, packet.stream), &packet.body, size);
            flow.at_host(now, (from, Way::Out), &wired, self.snap);
            self.flying.put(handle, wired);
        }
        if let Some(diary) = flow.diary.as_mut().filter(|_| from == 0) {
            let _ = diary.sent(now, &packet.body, size);
        }
    }
    fn entered(&mut self, now: Time, _: u32, _: &Slab<SegmentBody>, handle: u32, _: u16) {
        if let Some((links, _)) = self.until(now) {
            links.taken_back(handle);
        }
    }
    fn begins(&mut self, now: Time, link: u32, packets: &Slab<SegmentBody>, handle: u32, at: Time) {
        let Some((links, flying)) = self.until(now) else { return };
        let Some(wired) = flying.get_mut(handle) else { return };
        // Whoever marks does so by then.
        if packets.get(handle).body.flags.has(Flags::CE) {
            wired.mark();
        }
        links.begins(link, handle, at);
    }
    fn arrived(&mut self, now: Time, link: u32, _: &Slab<SegmentBody>, handle: u32, _: u16) {
        if let Some((links, flying)) = self.until(now) {
            links.arrived(now, link, handle, flying);
        }
    }
    fn dropped(&mut self, now: Time, _: u32, handle: u32, _: &Packet, _: u16, _: Cause) {
        if let Some((links, flying)) = self.until(now) {
            links.ends(now, handle, flying);
        }
        self.flying.take(handle);
    }
    fn delivered(&mut self, now: Time, handle: u32, packet: &Packet, size: u16) {
        if let Some((links, flying)) = self.until(now) {
            links.ends(now, handle, flying);
        }
        let wired = self.flying.take(handle);
        let (flow, from) = origin(packet);
        let Some(flow) = self.flows.get_mut(&flow) else { return };
        if let Some(mut wired) = wired {
            if packet.body.flags.has(Flags::CE) {
                wired.mark();
            }
            if let Some(dress) = &mut flow.dress {
                dress.heard(1 - from, &wired);
            }
            flow.at_host(now, (1 - from, Way::In), &wired, self.snap);
        }
        if let Some(diary) = flow.diary.as_mut().filter(|_| from == 1) {
            let _ = diary.received(now, &packet.body, size);
        }
    }
    fn acted<E: Endpoint<Body = SegmentBody>>(&mut self, now: Time, number: usize, endpoints: &mut [E]) {
        let flow = self.flows.get_mut(&(number as u32 / 2));
        let Some(diary) = flow.and_then(|flow| flow.diary.as_mut()).filter(|_| number.is_multiple_of(2))
        else {
            return;
        };
        let endpoint: &mut dyn Any = &mut endpoints[number];
        if let Some(AnyEndpoint::TcpSource(source)) = endpoint.downcast_mut() {
            let _ = diary.acted(now, source);
        }
    }
}
