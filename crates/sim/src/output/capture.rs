// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures of chosen flows, written during the run: packets at both hosts and at the ends of links (pcapng), and the
//! state of a sender (qlog). If proxies split a flow, each part is a separate connection and is captured at both ends.
//!
//! Captures use the events of an observer of the engine. Therefore a run without captures has no additional cost.
//! Memory holds only the packets of captured flows in flight, and the state of each connection of an application.
//!
//! Captured packets have the headers that a real network would carry. Segment numbers become byte numbers. The header
//! is built when a packet is sent, and kept until the packet arrives. A part of a split flow uses the addresses of the
//! flow's hosts, and has its own initial sequence numbers.

mod conversations;
mod files;
mod headers;
mod ip;
mod links;
mod on_links;
mod sender_log;
mod stream;

use crate::SimError;
use engine::{Body, Cause, Endpoint, Observer, Slab};
use files::{Folder, Names};
use headers::{FlowHeaders, Wired};
use hosts::{AnyBody, AnyEndpoint, Packet};
use ip::Ip;
use links::Links;
use on_links::OnLinks;
use plan::{FlowPlan, Plan};
use record::pcapng::{Captured, Interface, Pcapng, Way};
use record::{CaptureFile, RecordError};
use scenario::{FlowKind, Scenario};
use sender_log::SenderLog;
use std::any::Any;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use units::Time;

/// The captures of one run.
#[derive(Debug)]
pub struct Captures {
    /// Captures by the number of the flow or part.
    flows: BTreeMap<u32, Flow>,
    links: Option<Links>,
    flying: OnLinks,
    snap: Option<u32>,
    ip: Ip,
    folder: Folder,
}

/// The captures of a flow, or of a part of a flow that proxies split.
#[derive(Debug)]
struct Flow {
    /// Packet headers; `None` if the packets of the flow are not captured.
    packet_headers: Option<FlowHeaders>,
    /// Captures at the sender's end and at the receiver's end.
    ends: Option<[Pcapng<CaptureFile>; 2]>,
    /// Whether an end ignores all packets, because its connection has ended or its proxy is moving.
    deaf: [bool; 2],
    diary: Option<SenderLog>,
    /// The log that a QUIC library writes.
    library_log: Option<CaptureFile>,
}

impl Captures {
    /// Starts the captures that a scenario requests in `folder`. Returns `None` if it requests none.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn begin(scenario: &Scenario, folder: &Path, application: &str) -> Result<Option<Self>, RecordError> {
        let chosen = &scenario.record.capture;
        if chosen.is_empty() {
            return Ok(None);
        }
        let folder = Folder {
            about: format!("run of \"{}\", seed {}", scenario.name, scenario.seed),
            application: application.to_owned(),
            at: folder.to_owned(),
            failed: Arc::default(),
        };
        let snap = chosen.snap.map(|bytes| bytes.get() as u32);
        let ip = if chosen.ipv6 { Ip::V6 } else { Ip::V4 };
        let wanted = &chosen.pcap_links;
        let links = (!wanted.is_empty()).then(|| folder.pcapng("links")).transpose()?;
        let has_quic = scenario.flows.iter().any(|flow| matches!(flow.kind, FlowKind::Quic { .. }));
        let most = if has_quic { u16::MAX.into() } else { FlowHeaders::longest(ip) };
        let links = links.map(|file| Links::new(file, wanted, snap, most));
        Ok(Some(Self { flows: BTreeMap::new(), links, flying: OnLinks::default(), snap, ip, folder }))
    }

    /// Returns a flag that is set when a file cannot be written. The driver of the run checks this flag.
    /// [`Captures::finish`] returns the error.
    pub(crate) fn failed(&self) -> Arc<AtomicBool> {
        self.folder.failed.clone()
    }

    /// Begins the files of flows and of their parts, after the network was built. From now on, QUIC endpoints keep the
    /// data that these files need.
    ///
    /// # Errors
    /// A link given for a capture does not exist, or a file cannot be written.
    pub(crate) fn lay(&mut self, plan: &Plan, endpoints: &[AnyEndpoint]) -> Result<(), SimError> {
        let scenario = &*plan.scenario;
        self.links.as_ref().map_or(Ok(()), |links| links.check(plan))?;
        let (chosen, flows) = (&scenario.record.capture, &scenario.flows);
        let (pcap, at_links, qlog) = (chosen.pcap(flows), chosen.at_links(flows), chosen.qlog(flows));
        let of_flows = flows.iter().enumerate();
        let of_flows = of_flows.flat_map(|(at, flow)| (0..flow.count).map(move |_| at)).collect::<Vec<_>>();
        let mut names = Names::default();
        // The file names of a flow start with the same text at every part.
        let mut files = BTreeMap::new();
        for (number, flow_plan) in plan.flows.iter().enumerate() {
            let part = flow_plan.part.as_ref();
            let flow = part.map_or(number, |part| part.flow) as u32;
            let (at_ends, logged) = (pcap.contains(&flow), qlog.contains(&flow));
            let captured = at_ends || at_links.contains(&flow);
            let sender = &endpoints[2 * number];
            if !captured && !logged {
                continue;
            }
            let (number, place) = (number as u32, part.map_or(0, |part| part.place));
            let kind = &flows[of_flows[flow as usize]].kind;
            let ends = plan.settings(kind, number as usize);
            if captured {
                sender.keep_secrets();
            }
            let packet_headers = captured.then(|| FlowHeaders::new(kind, ends.clone(), flow, place, self.ip));
            let mut seen =
                Flow { packet_headers, ends: None, deaf: [false; 2], diary: None, library_log: None };
            // Only flows with their own files need a name.
            if at_ends || logged {
                let host = files.entry(flow).or_insert_with(|| names.flow(&flow_plan.name, number)).clone();
                let proxy = part.map(|part| names.part(&host, part.place, number));
                let file = |end| proxy.as_ref().filter(|_| flow_plan.is_at_proxy(end)).unwrap_or(&host);
                if let Some(packet_headers) = seen.packet_headers.as_ref().filter(|_| at_ends) {
                    let [sends, receives] =
                        [0, 1].map(|end| self.end(plan, flow, flow_plan, packet_headers, end, file(end)));
                    seen.ends = Some([sends?, receives?]);
                }
                if let AnyEndpoint::QuicSource(source) = sender
                    && logged
                {
                    source.keep_qlog();
                    seen.library_log = Some(self.folder.library_log(file(0))?);
                }
                if let Some([sends, receives]) = &ends
                    && matches!(kind, FlowKind::Tcp { .. })
                    && logged
                {
                    let breaks = part.is_some_and(|part| part.may_lose_state);
                    let [config, _] = sends.towards(receives);
                    seen.diary = Some(self.folder.diary(&flow_plan.name, file(0), &config, breaks)?);
                }
            }
            self.flows.insert(number, seen);
        }
        Ok(())
    }

    /// Creates the capture at one end of a flow or of a part: at a host, or at a proxy.
    fn end(
        &self,
        plan: &Plan,
        flow: u32,
        flow_plan: &FlowPlan,
        packet_headers: &FlowHeaders,
        end: usize,
        file: &str,
    ) -> Result<Pcapng<CaptureFile>, RecordError> {
        let (word, address) = (["sender", "receiver"][end], packet_headers.address(end == 1));
        let (name, description) = if flow_plan.is_at_proxy(end) {
            let (name, site) =
                (flow_plan.part_name(), &plan.site_names[usize::from([flow_plan.from, flow_plan.to][end])]);
            let at = format!("the proxy at \"{site}\" on behalf of {address}, {word} of \"{name}\"");
            (name, at)
        } else {
            let name = plan.flows[flow as usize].name.clone();
            let at = format!("the host {address}, {word} of the flow \"{name}\"");
            (name, at)
        };
        let name = format!("{name} {word}");
        let snap = self.snap.unwrap_or(packet_headers.most_kept());
        self.folder
            .capture(&format!("{file}.{word}"), &Interface { name: &name, description: &description, snap })
    }

    /// Completes the files of a run that ended at `end`.
    ///
    /// # Errors
    /// If a file could not be written.
    pub fn finish(self, end: Time) -> Result<(), RecordError> {
        for flow in self.flows.into_values() {
            for end in flow.ends.into_iter().flatten() {
                end.into_inner().finish()?;
            }
            if let Some(diary) = flow.diary {
                diary.into_file().finish()?;
            }
            if let Some(log) = flow.library_log {
                log.finish()?;
            }
        }
        self.links.map_or(Ok(()), |links| links.finish(end, &self.flying).finish())
    }

    /// Writes the packets whose transmission on links started before `now`.
    fn until(&mut self, now: Time) -> Option<(&mut Links, &mut OnLinks)> {
        let links = self.links.as_mut()?;
        links.until(now, &self.flying);
        Some((links, &mut self.flying))
    }
}

impl Flow {
    /// Writes a packet at one of the ends.
    fn at_end(&mut self, now: Time, end: usize, way: Way, packet: &Wired, snap: Option<u32>) {
        if let Some(ends) = &mut self.ends {
            let (kept, length) = (packet.kept(snap), packet.length);
            // The file keeps the error, and the run ends.
            let _ = ends[end].packet(&Captured { interface: 0, at: now, way, kept, length });
        }
    }
}

/// Returns the number of the packet's flow or part, and the end that sent the packet.
fn origin(packet: &Packet) -> (u32, usize) {
    (packet.from / 2, packet.from as usize % 2)
}

impl Observer<AnyBody> for Captures {
    fn laid(&mut self, link: u32, name: &str) {
        if let Some(links) = &mut self.links {
            links.laid(link, name);
        }
    }
    fn sent(&mut self, now: Time, packets: &Slab<AnyBody>, handle: u32, size: u16) {
        self.until(now);
        let packet = packets.get(handle);
        let (flow, from) = origin(packet);
        let Some(flow) = self.flows.get_mut(&flow) else { return };
        if let Some(packet_headers) = &mut flow.packet_headers {
            let wired = packet_headers.wire(now, from, packet.stream, &packet.body, size);
            flow.at_end(now, from, Way::Out, &wired, self.snap);
            self.flying.put(handle, wired);
        }
        if let Some(diary) = flow.diary.as_mut().filter(|_| from == 0) {
            let _ = diary.sent(now, packet.body.segment(), size);
        }
    }
    fn entered(&mut self, now: Time, _: u32, _: &Slab<AnyBody>, handle: u32, _: u16) {
        if let Some((links, _)) = self.until(now) {
            links.taken_back(handle);
        }
    }
    fn begins(&mut self, now: Time, link: u32, packets: &Slab<AnyBody>, handle: u32, at: Time) {
        let Some((links, flying)) = self.until(now) else { return };
        let Some(wired) = flying.get_mut(handle) else { return };
        // The ECN field may have changed since the packet was sent: queues mark it, and middleboxes clear it.
        wired.carry(packets.get(handle).body.ecn());
        links.begins(link, handle, at);
    }
    fn arrived(&mut self, now: Time, link: u32, _: &Slab<AnyBody>, handle: u32, _: u16) {
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
            wired.carry(packet.body.ecn());
            if let Some(packet_headers) = flow.packet_headers.as_mut().filter(|_| !flow.deaf[1 - from]) {
                packet_headers.heard(1 - from, &wired);
            }
            flow.at_end(now, 1 - from, Way::In, &wired, self.snap);
        }
        if let Some(diary) = flow.diary.as_mut().filter(|_| from == 1 && !flow.deaf[0]) {
            let _ = diary.received(now, packet.stream, packet.body.segment(), size);
        }
    }
    fn acted<E: Endpoint<Body = AnyBody>>(&mut self, now: Time, number: usize, endpoints: &mut [E]) {
        let Some(flow) = self.flows.get_mut(&(number as u32 / 2)) else { return };
        let endpoint: &mut dyn Any = &mut endpoints[number];
        let Some(endpoint) = endpoint.downcast_mut::<AnyEndpoint>() else { return };
        let secrets = endpoint.take_secrets();
        if !secrets.is_empty() {
            for file in flow.ends.iter_mut().flatten() {
                let _ = file.secrets(&secrets);
            }
            if let Some(links) = &mut self.links {
                links.secrets(&secrets);
            }
        }
        if let (AnyEndpoint::QuicSource(source), Some(log)) = (&mut *endpoint, &mut flow.library_log) {
            // The file keeps the error, and the run ends.
            let _ = log.write_all(&source.take_qlog());
        }
        let connection = match endpoint {
            AnyEndpoint::Resettable(end) => {
                flow.deaf[number % 2] = !end.is_up();
                end.connection()
            }
            AnyEndpoint::Relay(relay) => {
                flow.deaf[number % 2] = relay.is_away();
                0
            }
            _ => 0,
        };
        let source = match endpoint {
            AnyEndpoint::TcpSource(source) => Some(source),
            AnyEndpoint::Resettable(end) => end.source(),
            _ => None,
        };
        if let Some((diary, source)) = flow.diary.as_mut().zip(source) {
            let _ = diary.turn_to(now, connection).and_then(|()| diary.acted(now, source));
        }
    }
}
