// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real time and virtual time use the same code. A session that a clock advances page by page gives the same packets as
//! a run that is computed to its end.

#[allow(dead_code, reason = "the example's own program")]
#[path = "../examples/wall_clock.rs"]
mod wall_clock;

#[path = "shared/iridium.rs"]
mod iridium;

use engine::{Ledger, Observer, Packet, Slab};
use hosts::AnyBody;
use plan::{Plan, PlanError, never};
use scenario::Scenario;
use sim::{Session, Settings};
use std::time::Instant;
use units::{Span, Time};

/// Events of packets: time, kind, sender, and waiting time.
#[derive(Debug, Default)]
struct Diary(Vec<(Time, &'static str, u32, u64)>);

impl Observer<AnyBody> for Diary {
    fn entered(&mut self, now: Time, link: u32, packets: &Slab<AnyBody>, handle: u32, _size: u16) {
        self.0.push((now, "entered", link, packets.get(handle).queued_ns));
    }
    fn dropped(&mut self, now: Time, _: u32, _: u32, packet: &Packet<AnyBody>, _: u16, _: engine::Cause) {
        self.0.push((now, "dropped", packet.from, packet.queued_ns));
    }
    fn delivered(&mut self, now: Time, _: u32, packet: &Packet<AnyBody>, _size: u16) {
        self.0.push((now, "delivered", packet.from, packet.queued_ns));
    }
}

/// At these rates, every packet takes a whole number of nanoseconds. This matters because a link whose course is a
/// schedule carries fractions over, while a link without a course rounds each packet. In a run without an end, every
/// link at a site has a course if handovers hold packets.
fn scenario(constellation: &str) -> Scenario {
    iridium::over_iridium(&iridium::Over {
        head: r#"duration = "300 s""#,
        user_link: r#"{ rate = "10 Mbit/s", queue = "50 packets" }"#,
        constellation,
        cubic: r#"access = { rate = "10 Mbit/s", delay = "1 ms", queue = "50 packets" }"#,
        cbr: "",
        ping_to: "London",
    })
}

/// Returns the packet counts and the events of a run, and the number of links that it has created.
fn close(session: Session<Diary>) -> (Ledger, Diary, usize) {
    let engine = session.engine();
    engine.check_conservation().unwrap_or_else(|error| panic!("{error}"));
    let (ledger, links) = (*engine.ledger(), engine.links().count());
    (ledger, session.into_observer(), links)
}

fn session(plan: Result<Plan, PlanError>) -> Session<Diary> {
    let plan = plan.unwrap_or_else(|error| panic!("{error}"));
    let session = Session::new(plan, Settings::default(), Diary::default(), &never);
    session.unwrap_or_else(|error| panic!("{error}"))
}

/// Advances a run that is computed to its end to `until` at once.
fn at_once(scenario: &Scenario, until: Time) -> (Ledger, Diary, usize) {
    let mut session = session(Plan::of_run(scenario, &never));
    session.advance(until, &never).unwrap_or_else(|error| panic!("{error}"));
    close(session)
}

/// Returns the events without link numbers. If more links are known from the start, access links have higher numbers.
fn without_links(diary: Diary) -> Vec<(Time, &'static str, u32, u64)> {
    let nobody = |what, number| if what == "entered" { 0 } else { number };
    diary.0.into_iter().map(|(at, what, number, wait)| (at, what, nobody(what, number), wait)).collect()
}

#[test]
fn a_clock_moves_the_packets_that_a_run_moves() {
    let scenario = scenario("");
    let mut session = session(Plan::open_ended(&scenario, &never));
    let end = Time::ZERO + Span::from_millis(1500);
    let begun = Instant::now();
    let mut last = Time::ZERO;
    wall_clock::drive(&mut session, end, |now, session| {
        assert!(now >= last, "time runs forward");
        last = now;
        // Nothing happens before its time.
        assert!(now.secs_f64() <= begun.elapsed().as_secs_f64());
        assert!(session.engine().observer().0.last().is_none_or(|&(at, ..)| at < now));
    })
    .unwrap_or_else(|error| panic!("{error}"));
    assert!(begun.elapsed().as_secs_f64() >= 1.5);
    let (ledger, diary, _) = close(session);
    let (expected, expected_diary, _) = at_once(&scenario, end);
    assert!(ledger.delivered > 100, "{ledger:?}");
    assert_eq!(ledger, expected);
    assert!(without_links(diary) == without_links(expected_diary));
}

/// Five minutes in which satellites change: several pages, new links, announced paths, and handovers with an outage.
/// The run is divided into calls at arbitrary times.
#[test]
fn a_sky_without_end_is_the_sky_of_a_run() {
    for constellation in
        ["", "handover = { outage = \"200 ms\", during = \"lose\" }", "handover = { outage = \"200 ms\" }"]
    {
        let scenario = scenario(constellation);
        let mut session = session(Plan::open_ended(&scenario, &never));
        let begun_with = session.engine().links().count();
        let end = Time::ZERO + Span::from_secs(300);
        let mut now = Time::ZERO;
        while now < end {
            now = (now + Span::from_millis(377)).min(end);
            session.advance(now, &never).unwrap_or_else(|error| panic!("{error}"));
        }
        let (ledger, diary, links) = close(session);
        let (expected, expected_diary, all) = at_once(&scenario, end);
        assert!(begun_with < links && links >= all, "{begun_with} links, then {links}, of {all}");
        assert_eq!(ledger, expected, "{constellation}");
        assert!(without_links(diary) == without_links(expected_diary), "{constellation}");
    }
}

#[test]
fn a_path_that_is_drawn_for_a_duration_has_an_end() {
    let text = "duration = \"10 s\"\n[network.starlink]\npreset = \"starlink-good\"\n[[flows]]\ncontroller = \"cubic\"\n";
    let scenario = Scenario::from_toml(text, "s.toml").unwrap_or_else(|error| panic!("{error}"));
    let error = Plan::open_ended(&scenario, &never).err();
    let error = error.unwrap_or_else(|| panic!("it must be refused"));
    assert_eq!(error.code().as_str(), "scenario-value");
    assert!(error.to_string().contains("must be computed in advance"), "{error}");
}
