// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures of chosen flows, written while the run goes on: packets at both hosts (pcapng), and what a sender knows (qlog).
//!
//! They are made of what an observer of the engine sees, so a run without them does nothing for them. In memory are the
//! packets of these flows that are on their way.

mod diary;
mod headers;
mod stream;

use crate::endpoint::AnyEndpoint;
use crate::packet::{Packet, SegmentBody};
use diary::Diary;
use engine::{Cause, Endpoint, Observer, Slab};
use headers::{Ends, LONGEST, Protocol, Talk, Wired};
use record::captures::{PCAPNG, SQLOG};
use record::pcapng::{Pcapng, Point, Way};
use record::qlog::{About, Qlog};
use record::{CaptureFile, RecordError};
use scenario::{FlowKind, Scenario};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use tcp::{Flags, Segment};
use units::Time;

/// What of a segment a router may change.
const CHANGES: Flags = Flags::CE.and(Flags::WARNED);

/// The captures of one run.
#[derive(Debug)]
pub struct Captures {
    flows: BTreeMap<u32, Flow>,
}

/// One flow's.
#[derive(Debug)]
struct Flow {
    packets: Option<Tap>,
    diary: Option<Diary>,
}

/// The packets of one flow at both hosts.
#[derive(Debug)]
struct Tap {
    ends: Ends,
    protocol: Protocol,
    snap: Option<u32>,
    hosts: [Host; 2],
    /// Headers of a packet.
    scratch: Vec<u8>,
}

/// One end: the sender, the receiver.
#[derive(Debug)]
struct Host {
    file: Pcapng<CaptureFile>,
    /// Packets that left here.
    sent: u16,
    /// Those that are on their way.
    flying: VecDeque<(Segment, Wired)>,
}

impl Captures {
    /// Begins the files that a scenario asks for in `folder`; `None` where it asks for none.
    ///
    /// # Errors
    /// One cannot be written.
    pub fn begin(scenario: &Scenario, folder: &Path, application: &str) -> Result<Option<Self>, RecordError> {
        let chosen = &scenario.record.capture;
        let (pcap, qlog) = (chosen.pcap(&scenario.flows), chosen.qlog(&scenario.flows));
        let about = format!("run of \"{}\", seed {}", scenario.name, scenario.seed);
        let snap = chosen.snap.map(|bytes| bytes.get() as u32);
        let mut names = Names::default();
        let mut flows = BTreeMap::new();
        let kinds = scenario.flows.iter().flat_map(|flow| (0..flow.count).map(move |index| (flow, index)));
        for (number, (flow, index)) in kinds.enumerate() {
            let number = number as u32;
            let (packets, diary) = (pcap.contains(&number), qlog.contains(&number));
            if !packets && !diary {
                continue;
            }
            let name = flow.name_of(index);
            let file = names.file(&name, number);
            let source = Source { name: &name, file: &file, about: &about, application, folder };
            let packets = packets.then(|| Tap::begin(&source, &flow.kind, number, snap)).transpose()?;
            let diary = match &flow.kind {
                FlowKind::Tcp { config, .. } if diary => Some(source.diary(config)?),
                _ => None,
            };
            flows.insert(number, Flow { packets, diary });
        }
        Ok((!flows.is_empty()).then_some(Self { flows }))
    }

    /// The run is over: the files are whole.
    ///
    /// # Errors
    /// Something of one could not be written.
    pub fn finish(self) -> Result<(), RecordError> {
        for flow in self.flows.into_values() {
            for host in flow.packets.into_iter().flat_map(|tap| tap.hosts) {
                host.file.into_inner().finish()?;
            }
            if let Some(diary) = flow.diary {
                diary.into_file().finish()?;
            }
        }
        Ok(())
    }
}

/// Names of files: each once, of characters that every file system takes.
#[derive(Debug, Default)]
struct Names(BTreeSet<String>);

impl Names {
    fn file(&mut self, flow: &str, number: u32) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_+.".contains(c) { c } else { '-' };
        let mut name: String = flow.chars().take(80).map(plain).collect();
        if name.is_empty() || name.starts_with('.') || !self.0.insert(name.to_lowercase()) {
            name = format!("{}-{number}", name.trim_start_matches('.'));
            self.0.insert(name.to_lowercase());
        }
        name
    }
}

/// Where a file comes from, for what it says of itself.
struct Source<'a> {
    name: &'a str,
    file: &'a str,
    about: &'a str,
    application: &'a str,
    folder: &'a Path,
}

impl Source<'_> {
    fn host(&self, end: &str, address: [u8; 4], snap: u32) -> Result<Host, RecordError> {
        let file = CaptureFile::create(self.folder, &format!("{}.{end}.{PCAPNG}", self.file))?;
        let address = address.map(|byte| byte.to_string()).join(".");
        let point = Point {
            application: self.application,
            comment: self.about,
            name: &format!("{} {end}", self.name),
            description: &format!("the host {address}, {end} of the flow \"{}\"", self.name),
            snap,
        };
        // A failure is kept by the file, which tells of it when it is finished.
        let file = match Pcapng::begin(file, &point) {
            Ok(file) => file,
            Err(error) => return Err(RecordError::writing(self.folder, error)),
        };
        Ok(Host { file, sent: 0, flying: VecDeque::new() })
    }

    fn diary(&self, config: &tcp::Config) -> Result<Diary, RecordError> {
        let file = CaptureFile::create(self.folder, &format!("{}.{SQLOG}", self.file))?;
        let description = format!(
            "{}: {}. The transport is TCP, not QUIC, in QUIC's events: a packet number counts what an end has sent, SYN is \
             \"initial\", SYN-ACK and its answer are \"handshake\", stream 0 are the bytes of the connection, and an \
             acknowledgement acknowledges the newest transmission of what it newly covers.",
            self.application, self.about
        );
        let about = About { title: self.name, description: &description, end: "sender" };
        let diary = Qlog::begin(file, &about).and_then(|log| Diary::new(log, config));
        diary.map_err(|error| RecordError::writing(self.folder, error))
    }
}

impl Tap {
    fn begin(
        source: &Source<'_>,
        kind: &FlowKind,
        flow: u32,
        snap: Option<u32>,
    ) -> Result<Self, RecordError> {
        let ends = Ends::of(flow);
        let protocol = match kind {
            FlowKind::Tcp { config, .. } => Protocol::Tcp(Box::new(Talk::new(config))),
            FlowKind::Cbr { .. } => Protocol::Udp,
            FlowKind::Ping { .. } => Protocol::Echo,
        };
        let kept = snap.unwrap_or(LONGEST as u32);
        let sender = source.host("sender", ends.address(false), kept)?;
        let receiver = source.host("receiver", ends.address(true), kept)?;
        Ok(Self { ends, protocol, snap, hosts: [sender, receiver], scratch: Vec::new() })
    }

    fn sent(&mut self, now: Time, from: usize, segment: &Segment, size: u16) {
        let host = &mut self.hosts[from];
        let wired = self.protocol.wire(now, segment, size, self.ends, host.sent);
        host.sent = host.sent.wrapping_add(1);
        let length = wired.kept(self.snap, &mut self.scratch);
        // The file keeps what goes wrong, until it is finished.
        let _ = host.file.packet(now, Way::Out, &self.scratch, length);
        host.flying.push_back((*segment, wired));
    }

    /// Takes a packet out of those that are on their way.
    fn land(&mut self, from: usize, segment: &Segment) -> Option<Wired> {
        let same = |flying: &Segment| {
            flying.seq == segment.seq
                && Segment { flags: flying.flags.without(CHANGES), ..*flying }
                    == Segment { flags: segment.flags.without(CHANGES), ..*segment }
        };
        let flying = &mut self.hosts[from].flying;
        let at = flying.iter().position(|(flying, _)| same(flying))?;
        flying.remove(at).map(|(_, wired)| wired)
    }

    fn delivered(&mut self, now: Time, from: usize, segment: &Segment) {
        let Some(mut wired) = self.land(from, segment) else { return };
        if segment.flags.has(Flags::CE) {
            wired.mark();
        }
        if let Protocol::Tcp(talk) = &mut self.protocol
            && from == 1
        {
            talk.hear(wired.stamp);
        }
        let length = wired.kept(self.snap, &mut self.scratch);
        let _ = self.hosts[1 - from].file.packet(now, Way::In, &self.scratch, length);
    }
}

impl Captures {
    /// The flow of a packet, if it is captured, and which end sent it.
    fn of(&mut self, packet: &Packet) -> Option<(&mut Flow, usize)> {
        let from = packet.from as usize % 2;
        self.flows.get_mut(&(packet.from / 2)).map(|flow| (flow, from))
    }
}

impl Observer<SegmentBody> for Captures {
    fn sent(&mut self, now: Time, packets: &Slab<SegmentBody>, handle: u32, size: u16) {
        let packet = packets.get(handle);
        let Some((flow, from)) = self.of(packet) else { return };
        if let Some(tap) = &mut flow.packets {
            tap.sent(now, from, &packet.body, size);
        }
        if let Some(diary) = flow.diary.as_mut().filter(|_| from == 0) {
            let _ = diary.sent(now, &packet.body, size);
        }
    }
    fn dropped(&mut self, _now: Time, _link: u32, packet: &Packet, _size: u16, _cause: Cause) {
        if let Some((Flow { packets: Some(tap), .. }, from)) = self.of(packet) {
            tap.land(from, &packet.body);
        }
    }
    fn delivered(&mut self, now: Time, packet: &Packet, size: u16) {
        let Some((flow, from)) = self.of(packet) else { return };
        if let Some(tap) = &mut flow.packets {
            tap.delivered(now, from, &packet.body);
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

/// As without captures where there are none.
impl Observer<SegmentBody> for Option<Captures> {
    fn sent(&mut self, now: Time, packets: &Slab<SegmentBody>, handle: u32, size: u16) {
        if let Some(captures) = self {
            captures.sent(now, packets, handle, size);
        }
    }
    fn dropped(&mut self, now: Time, link: u32, packet: &Packet, size: u16, cause: Cause) {
        if let Some(captures) = self {
            captures.dropped(now, link, packet, size, cause);
        }
    }
    fn delivered(&mut self, now: Time, packet: &Packet, size: u16) {
        if let Some(captures) = self {
            captures.delivered(now, packet, size);
        }
    }
    fn acted<E: Endpoint<Body = SegmentBody>>(&mut self, now: Time, number: usize, endpoints: &mut [E]) {
        if let Some(captures) = self {
            captures.acted(now, number, endpoints);
        }
    }
}
