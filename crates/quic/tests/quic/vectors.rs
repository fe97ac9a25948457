// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cases of `vectors/` with datagrams of 1,200 bytes, through noq's interface. A script takes the place of the
//! library, and makes the calls that correspond to the events of a case. The expected values are the values of the
//! files.
//!
//! The script sends each packet of a case before the packet is acknowledged or lost. It chooses bytes in flight,
//! smoothed RTT and the order of the calls so that the adapter computes the values of the case: rounds, episodes,
//! recovery. Some events do not exist in noq's interface, and the adapter counts some values itself. `inexpressible`
//! determines the cases with such events. `not-over-noq.toml` lists the cases with such values; each of these cases
//! must fail.

use crate::cases::{self, AckStep, Case, Event, File, LossStep, PathStep, ms};
use crate::expect::Answer;
use crate::pipe::{self, EPOCH, Path};
use crate::profile::Profile;
use bentpipe_quic::control::catalogue::{self, Domain};
use bentpipe_quic::control::{LossVerdict, PathChange, PathKind, PathState, SavedPath};
use bentpipe_quic::units::{Bytes, Rate, Span, Time};
use bentpipe_quic::{EventKind, Hints, Pacing, Setup, Watch};
use noq_proto::RttEstimator;
use noq_proto::congestion::{Controller, ControllerFactory};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

/// Stores the RTT estimator of its connection at the first acknowledgement. An estimator cannot be created in any other
/// way.
#[derive(Clone, Debug, Default)]
struct Capture(Arc<Mutex<Option<RttEstimator>>>);

impl ControllerFactory for Capture {
    fn build(self: Arc<Self>, _now: Instant, _mtu: u16) -> Box<dyn Controller> {
        Box::new((*self).clone())
    }
}

impl Controller for Capture {
    fn on_ack(&mut self, _: Instant, _: Instant, _: u64, _: u64, _: bool, rtt: &RttEstimator) {
        self.0.lock().unwrap().get_or_insert(*rtt);
    }
    fn on_congestion_event(&mut self, _: Instant, _: Instant, _: bool, _: bool, _: u64, _: u64) {}
    fn on_mtu_update(&mut self, _: u16) {}
    fn window(&self) -> u64 {
        12_000
    }
    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
    fn initial_window(&self) -> u64 {
        12_000
    }
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
        self
    }
}

/// Returns an estimator of noq with this smoothed RTT. It comes from a connection whose initial RTT is this value.
fn estimator(srtt: Span) -> RttEstimator {
    static KNOWN: LazyLock<Mutex<BTreeMap<Span, RttEstimator>>> = LazyLock::new(Mutex::default);
    *KNOWN.lock().unwrap().entry(srtt).or_insert_with(|| {
        let capture = Capture::default();
        let rtt = Duration::from_nanos(srtt.nanos());
        pipe::transfer(&Path { rtt, ..Path::of(0) }, Arc::new(capture.clone()), 1);
        let found = capture.0.lock().unwrap().unwrap();
        assert_eq!(found.get(), rtt);
        found
    })
}

/// Time 0 of a case. Packets of some cases were sent before this time. The value is a multiple of Starlink's 15 s.
const START: Span = Span::from_secs(60);

/// Converts a time of a case to an instant of the library.
fn instant(time: Time) -> Instant {
    *EPOCH + Duration::from_nanos(time.nanos())
}

/// Returns the time `at_ms` of a case. It is negative before the start of the case.
fn at(at_ms: f64) -> Time {
    Time::ZERO + ms(START.millis_f64() + at_ms)
}

/// A packet of a case, identified by the event that needs it and by its number there. A case may use the same number
/// for a lost packet and later for an acknowledged packet: these are two packets.
type Name = (usize, u64);

/// The event before which a packet is sent, and the time of sending.
#[derive(Clone, Copy)]
struct Packet {
    slot: usize,
    sent_at: Time,
    propagation_ms: Option<f64>,
}

/// Makes the calls of a case, in place of a library.
struct Script<'a> {
    case: &'a Case,
    controller: Box<dyn Controller>,
    watch: Watch,
    hints: Hints,
    path: PathState,
    mss: u32,
    scale: f64,
    planned: BTreeMap<Name, Packet>,
    /// Number and time of each sent packet.
    sent: BTreeMap<Name, (u64, Time)>,
    /// The packets that separate events sent, by number.
    sent_by_event: BTreeMap<u64, Name>,
    next_number: u64,
    next_tx: u64,
    verdict: Option<LossVerdict>,
}

/// Returns the steps as single events, each with the number of its step. Repeated acknowledgements become separate
/// events.
fn single(case: &Case) -> Vec<(usize, &Event, u32)> {
    let times = |event: &Event| if let Event::Ack(ack) = event { ack.repeat } else { 1 };
    let steps = case.steps.iter().enumerate();
    steps.flat_map(|(i, step)| (0..times(&step.event)).map(move |k| (i, &step.event, k))).collect()
}

fn ack_at(step: &AckStep, k: u32) -> Time {
    at(step.at_ms + f64::from(k) * step.every_ms)
}

/// Returns why noq's interface cannot express the event; `None` if it can.
fn unknown_to_noq(event: &Event) -> Option<&'static str> {
    let data = |kind: &str| kind.is_empty() || kind == "data";
    match event {
        Event::Timeout(_) => Some("a retransmission timeout"),
        Event::Recovered { .. } => Some("the end of a recovery by itself"),
        Event::Limited { by, .. } if by == "receiver" => Some("a limit of the receiver"),
        Event::Ack(ack) if ack.segments == 0 || ack.duplicate => Some("a duplicate ACK"),
        Event::Ack(ack) if !data(&ack.kind) || ack.probes > 0 => Some("probes and retransmissions"),
        Event::Ack(ack) if ack.one_way_delay_ms.is_some() => Some("one-way delays"),
        Event::Ack(ack) if ack.congestion_warning => Some("warnings of routers"),
        Event::Ack(ack) if ack.ce_segments > 0.0 => Some("counts of marks"),
        Event::Ack(ack) if ack.receiver_limited => Some("a limit of the receiver"),
        Event::Loss(loss) if !data(&loss.kind) => Some("probes and retransmissions"),
        Event::Sent(sent) if !data(&sent.kind) => Some("probes and retransmissions"),
        _ => None,
    }
}

/// Returns why a case cannot be run at all; `None` if it can be run.
fn inexpressible(file: &File, case: &Case) -> Option<String> {
    if case.start.rtt_ms.is_some() {
        return Some("the RTT of the handshake at the start".into());
    }
    let lacking = setup(file, case).err();
    lacking.or_else(|| case.steps.iter().find_map(|step| unknown_to_noq(&step.event)).map(str::to_owned))
}

fn hints(case: &Case) -> (Hints, PathState) {
    let start = &case.start;
    let scale = 1_200.0 / f64::from(case.mss.unwrap_or(cases::DEFAULT_MSS));
    let capacity = start.capacity_mbit_s.map(|mbit| Rate::from_bytes_per_s(mbit * scale * 1e6 / 8.0));
    let distance_m = start.distance_km.map(|km| km * 1e3);
    let path = PathState { propagation_rtt: start.propagation_ms.map(ms), distance_m, capacity, hops: None };
    // A value that is unknown at the start may become known later.
    let known = PathState { propagation_rtt: Some(Span::ZERO), distance_m: Some(0.0), ..path };
    let hints = Hints::new(known);
    hints.update(path);
    (hints, path)
}

fn setup(file: &File, case: &Case) -> Result<(Setup, Hints, PathState), String> {
    let mut settings = cases::parameters(case);
    // The adapter sets parameters that the case leaves at their defaults.
    let entry = catalogue::entry(&file.controller).unwrap();
    let limit = entry.parameters().find(|parameter| parameter.name == "growth_limit");
    if let Some(limit) = limit.filter(|limit| settings.iter().all(|(name, _)| *name != limit.name)) {
        assert!(matches!(limit.domain, Domain::Number(..)));
        settings.push((limit.name, limit.default));
    }
    let (hints, path) = hints(case);
    let setup = Setup::new(&file.controller, &settings).unwrap().epoch(*EPOCH).pacing(Pacing::Library);
    let setup = setup.seed(case.start.seed).initial_window(case.initial_window).hints(hints.clone());
    let setup = setup.saved_path(case.start.saved_segments.map(|segments| SavedPath {
        cwnd: Bytes::from_segments(segments, 1_200),
        rtt: ms(case.start.saved_rtt_ms),
        age: ms(case.start.saved_age_ms),
    }));
    setup.noq().map_err(|refused| refused.to_string())?;
    Ok((setup, hints, path))
}

impl<'a> Script<'a> {
    fn new(file: &File, case: &'a Case) -> Self {
        let (setup, hints, path) = setup(file, case).unwrap();
        let watch = Watch::recording();
        let factory = Arc::new(setup.watch(watch.clone()).noq().unwrap());
        let controller = factory.build(instant(at(0.0)), 1_200);
        let mut script = Self {
            case,
            controller,
            watch,
            hints,
            path,
            mss: 1_200,
            scale: 1_200.0 / f64::from(case.mss.unwrap_or(cases::DEFAULT_MSS)),
            planned: BTreeMap::new(),
            sent: BTreeMap::new(),
            sent_by_event: BTreeMap::new(),
            next_number: 0,
            next_tx: 0,
            verdict: None,
        };
        script.plan();
        script
    }

    /// Determines the event before which each packet is sent. The adapter derives rounds, episodes and recovery from
    /// packets: a round begins with the first ACK of a packet that was sent after the last round began. An episode
    /// begins with the loss of a packet that was sent after the last reduction. A recovery ends with the ACK of such a
    /// packet.
    fn plan(&mut self) {
        let events = single(self.case);
        let (mut round, mut reduction, mut resized, mut full, mut next_tx) = (0, 0, 0, 0, 0);
        let mut burst: Option<(u32, Time)> = None;
        for (place, (_, event, k)) in events.iter().enumerate() {
            match event {
                Event::Ack(step) => {
                    if step.round_start && *k == 0 {
                        round = place;
                    }
                    let newest = step.tx.unwrap_or(next_tx + u64::from(step.segments).saturating_sub(1));
                    next_tx = newest + 1;
                    let back = ack_at(step, *k).since(Time::ZERO + step.rtt_ms.map_or(Span::ZERO, ms));
                    let back = Time::ZERO + back;
                    let every = step.sent_every_ms.unwrap_or(step.every_ms);
                    let explicit = |at_ms: f64| at(at_ms + every * f64::from(*k));
                    let sent_at = match burst {
                        // All packets of a burst were sent at the same time as its first packet.
                        Some((number, left)) if number == step.burst && step.sent_at_ms.is_none() => left,
                        _ => step.sent_at_ms.map_or(back, explicit),
                    };
                    burst = (step.burst > 0).then_some((step.burst, sent_at));
                    let slot = if step.recovery { round.min(reduction) } else { round.max(reduction) };
                    let slot = if step.limited { slot } else { slot.max(full) }.max(resized);
                    if step.limited {
                        full = place + 1;
                    }
                    let packet = Packet { slot, sent_at, propagation_ms: step.propagation_ms };
                    for tx in (newest + 1).saturating_sub(step.segments.into())..=newest {
                        self.plan_one(place, tx, packet);
                    }
                }
                Event::Loss(step) => {
                    let sent_at = at(step.sent_at_ms);
                    let slot = if step.new_episode { round.max(reduction) } else { round.min(reduction) };
                    let slot = slot.max(resized);
                    if !step.ecn {
                        for tx in step.tx..step.tx + u64::from(step.segments) {
                            let packet = Packet { slot, sent_at, propagation_ms: None };
                            self.plan_one(place, tx, packet);
                        }
                    }
                    if step.new_episode {
                        reduction = place + 1;
                    }
                }
                // Nothing was in flight, or packets had another size.
                Event::Mss { .. } | Event::Idle { .. } => resized = place + 1,
                Event::Sent(step) => {
                    let tx = step.tx.unwrap_or(next_tx);
                    self.sent_by_event.insert(tx, (place, tx));
                }
                _ => {}
            }
        }
    }

    fn plan_one(&mut self, place: usize, tx: u64, packet: Packet) {
        if !self.sent_by_event.contains_key(&tx) {
            self.planned.insert((place, tx), packet);
        }
    }

    /// Returns number and time of a packet that the event at `place` calls `tx`.
    fn packet(&self, place: usize, tx: u64) -> Option<(u64, Time)> {
        let name = self.sent_by_event.get(&tx).copied().unwrap_or((place, tx));
        self.sent.get(&name).copied()
    }

    fn window(&self) -> u64 {
        self.controller.window()
    }

    fn bytes(&self, segments: f64) -> u64 {
        Bytes::from_segments(segments, self.mss).get()
    }

    /// Reports the number of bytes in flight. Nothing is acknowledged.
    fn in_flight(&mut self, now: Time, bytes: u64) {
        self.controller.on_end_acks(instant(now), bytes, false, None);
    }

    fn send(&mut self, name: Name, at: Time) {
        self.controller.on_packet_sent(instant(at), self.mss as u16, self.next_number);
        self.sent.insert(name, (self.next_number, at));
        self.next_number += 1;
    }

    /// Sends the packets that must be sent before the event at `place`, in the order of their numbers in the case.
    fn send_slot(&mut self, place: usize) {
        let due = self.planned.iter().filter(|(_, packet)| packet.slot == place);
        let mut due: Vec<_> = due.map(|(name, packet)| (*name, *packet)).collect();
        due.sort_by_key(|((place, tx), _)| (*tx, *place));
        for (name, packet) in due {
            self.path.propagation_rtt = packet.propagation_ms.map(ms).or(self.path.propagation_rtt);
            self.hints.update(self.path);
            // The connection is not idle, and is far below the window.
            self.in_flight(packet.sent_at, 1);
            self.send(name, packet.sent_at);
        }
    }

    fn ack(&mut self, step: &AckStep, place: usize, k: u32) {
        let now = ack_at(step, k);
        let newest = step.tx.unwrap_or(self.next_tx + u64::from(step.segments) - 1);
        self.next_tx = newest + 1;
        // Less than half of the window is in use, so the window is not the limit.
        let share = if step.limited { 1 } else { 4 };
        let in_flight =
            step.in_flight_segments.map_or(self.window() / share, |segments| self.bytes(segments));
        let rtt = step.rtt_ms.map(ms);
        let srtt = step.srtt_ms.map(ms).or(rtt).unwrap_or_default();
        // The adapter adds an eighth of the sample.
        let before =
            Span::from_nanos((8 * srtt.nanos()).saturating_sub(rtt.unwrap_or_default().nanos()).div_ceil(7));
        let estimator = estimator(before);
        if step.limited {
            self.controller.on_cwnd_limited();
        }
        let app_limited = step.app_limited.unwrap_or(!step.limited);
        let now = instant(now);
        for tx in (newest + 1).saturating_sub(step.segments.into())..=newest {
            let Some((number, sent_at)) = self.packet(place, tx) else { continue };
            let bytes = self.mss.into();
            self.controller.on_ack(now, instant(sent_at), bytes, number, app_limited, &estimator);
        }
        let largest = rtt.and_then(|_| self.packet(place, newest)).map(|(number, _)| number);
        self.controller.on_end_acks(now, in_flight, app_limited, largest);
    }

    fn lose(&mut self, step: &LossStep, place: usize) {
        let now = at(step.at_ms);
        self.in_flight(now, self.bytes(step.in_flight_segments).max(1));
        let episode = self.watch.state().unwrap().episode;
        let mut events = Vec::new();
        self.watch.take_events(&mut events);
        events.clear();
        let at = instant(now);
        let last = (step.tx + u64::from(step.segments)).saturating_sub(1);
        let lost = u64::from(step.segments) * u64::from(self.mss);
        if step.ecn {
            self.controller.on_congestion_event(at, at, false, true, 0, last);
            let answered = self.watch.state().unwrap().episode > episode;
            self.verdict = Some(if answered { LossVerdict::Congestion } else { LossVerdict::LinkError });
            return;
        }
        for tx in step.tx..=last {
            if let Some((number, _)) = self.packet(place, tx) {
                self.controller.on_packet_lost(self.mss as u16, number, at);
            }
        }
        self.controller.on_congestion_event(at, at, false, false, lost, last);
        self.watch.take_events(&mut events);
        self.verdict = events.iter().find_map(|event| match event.kind {
            EventKind::Loss { verdict, .. } => verdict,
            _ => None,
        });
    }

    fn change(&mut self, step: &PathStep) {
        let now = at(step.at_ms);
        let distance_m = step.distance_km.map(|km| km * 1e3);
        self.hints.announce(PathChange {
            now,
            at: at(step.happens_ms.unwrap_or(step.at_ms)),
            uncertainty: ms(step.uncertainty_ms),
            lasts: step.lasts_ms.map(ms),
            kind: match step.kind.as_str() {
                "" | "handover" => PathKind::Handover,
                "reroute" => PathKind::Reroute,
                "rate" => PathKind::RateChange,
                _ => PathKind::Outage,
            },
            after: PathState {
                propagation_rtt: step.propagation_ms.map(ms),
                distance_m,
                ..PathState::default()
            },
        });
        self.watch.advance(now);
    }

    fn step(&mut self, event: &Event, place: usize, k: u32) {
        self.verdict = None;
        let in_flight = self.watch.state().unwrap().in_flight.get();
        match event {
            Event::Ack(step) => self.ack(step, place, k),
            Event::Loss(step) => self.lose(step, place),
            Event::PersistentCongestion { at_ms } => {
                let now = instant(at(*at_ms));
                self.controller.on_congestion_event(now, now, true, false, 0, 0);
            }
            Event::Spurious { .. } => self.controller.on_spurious_congestion_event(),
            Event::Idle { at_ms, idle_ms } => {
                self.in_flight(at(at_ms - idle_ms), 0);
                self.send((place, u64::MAX), at(*at_ms));
            }
            Event::Sent(step) => {
                let before = self.bytes(step.in_flight_segments).saturating_sub(self.mss.into());
                let now = at(step.at_ms);
                self.in_flight(now, if step.after_idle { 0 } else { before.max(1) });
                self.send((place, step.tx.unwrap_or(self.next_tx)), now);
            }
            Event::Path(step) => self.change(step),
            Event::Timer { at_ms, .. } => self.watch.advance(at(*at_ms)),
            Event::Limited { at_ms, .. } => {
                self.controller.on_end_acks(instant(at(*at_ms)), in_flight, true, None);
            }
            Event::Mss { factor, .. } => {
                self.mss = (f64::from(self.mss) * factor) as u32;
                self.controller.on_mtu_update(self.mss as u16);
            }
            Event::Timeout(_) | Event::Recovered { .. } => {}
        }
    }

    /// Returns the differences from the case, each with its step.
    fn run(mut self, profile: &Profile) -> Vec<String> {
        let mut out = Vec::new();
        let events = single(self.case);
        for (place, (i, event, k)) in events.iter().enumerate() {
            self.send_slot(place);
            self.step(event, place, *k);
            if events.get(place + 1).is_some_and(|(next, ..)| next == i) {
                continue;
            }
            let mut control = self.watch.state().unwrap().control;
            let of_case = |at: Time| Time::ZERO + at.since(Time::ZERO + START);
            control.timers = control.timers.map(|timer| timer.map(of_case));
            control.hold_until = control.hold_until.map(of_case);
            let answer = Answer {
                control: &control,
                mss: self.mss,
                scale: self.scale,
                verdict: self.verdict,
                probes: 0,
                snapshot: self.watch.snapshot(),
            };
            let found = answer.differences(profile, self.case.roundings, &self.case.steps[*i].expect);
            out.extend(found.into_iter().map(|difference| format!("step {}: {difference}", i + 1)));
        }
        out
    }
}

/// Returns the cases that `not-over-noq.toml` lists, by file.
fn listed() -> BTreeMap<String, Vec<String>> {
    let place = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/quic/not-over-noq.toml");
    toml::from_str(&std::fs::read_to_string(place).unwrap()).unwrap()
}

/// All cases must pass, except the cases that are listed. Each listed case must fail.
#[test]
fn cases_through_the_interface_of_noq() {
    let profile = &Profile::all()["datagrams"];
    // The tolerance is one byte for each command, and one byte for the given bytes in flight, as in the direct tests of
    // the controllers.
    let profile = Profile { tolerance_segments: 2.0 / f64::from(profile.mss), ..profile.clone() };
    let (mut held, mut not_asked, mut wrong) = (0, 0, Vec::new());
    let mut listed = listed();
    for (name, file) in cases::files() {
        let mut expected = listed.remove(&name).unwrap_or_default();
        for case in file.cases.iter().filter(|case| !case.not_on.contains_key("datagrams")) {
            if inexpressible(&file, case).is_some() {
                not_asked += 1;
                continue;
            }
            let found = Script::new(&file, case).run(&profile);
            let is_listed = expected.iter().position(|one| *one == case.name);
            let is_listed = is_listed.map(|place| expected.swap_remove(place)).is_some();
            match (found.is_empty(), is_listed) {
                (true, false) => held += 1,
                (true, true) => wrong.push(format!("{name}: {}: holds, and is listed", case.name)),
                (false, true) => {}
                (false, false) => {
                    wrong.extend(found.iter().map(|one| format!("{name}: {}: {one}", case.name)));
                }
            }
        }
        wrong.extend(expected.iter().map(|one| format!("{name}: {one}: is listed, and is no case")));
    }
    assert!(listed.is_empty(), "no such files: {:?}", listed.keys());
    assert!(wrong.is_empty(), "{held} held, {not_asked} not asked\n{}", wrong.join("\n"));
    assert!(held > 250, "{held}");
}
