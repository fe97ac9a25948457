// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls on paths that are simple enough to compute their quality by hand.

use record::calls::{CallSummary, Way};
use record::summary::FlowSummary;
use sim::Options;

fn run(text: &str) -> sim::Outcome {
    let scenario = scenario::Scenario::from_toml(text, "call.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the last flow over a bottleneck, and its call.
fn call(network: &str, flow: &str) -> (FlowSummary, CallSummary) {
    let text = format!("{network}\n[[flows]]\nkind = \"call\"\n{flow}\n");
    let mut flow = run(&text).summary.flows.pop().unwrap_or_else(|| panic!("there is a flow"));
    let call = flow.call.take().unwrap_or_else(|| panic!("it is a call"));
    (flow, *call)
}

fn near(got: f64, expected: f64, by: f64) {
    assert!((got - expected).abs() <= by, "{got}, not {expected}");
}

#[test]
fn a_voice_call_on_an_idle_path_is_as_the_e_model_promises() {
    let (flow, call) = call(
        "duration = \"11 s\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", rtt = \"50 ms\" }",
        "stop = \"10 s\"",
    );
    assert_eq!((flow.kind.as_str(), flow.name.as_str(), call.profile.as_str()), ("call", "voice", "voice"));
    // One packet per 20 ms in each direction, and all arrive.
    assert_eq!((flow.sent_packets, flow.delivered_packets), (1000, 1000));
    // 200 B at 10 Mbit/s take 160 us.
    for way in [&call.there, &call.back] {
        let delay = way.one_way_delay_ms.unwrap_or_else(|| panic!("packets arrive"));
        assert_eq!((delay.samples, delay.min, delay.max), (500, 25.16, 25.16));
        assert_eq!(way.delay_variation_ms.map(|variation| variation.max), Some(0.0));
        assert_eq!((way.jitter_ms, way.loss_ratio), (Some(0.0), Some(0.0)));
        assert_eq!((way.frames, way.late_frames, way.lost_frames, way.bursts), (500, 0, 0, 0));
        near(way.play_delay_ms.unwrap_or(0.0), 85.16, 1e-9);
        let voice = way.voice.unwrap_or_else(|| panic!("it is voice"));
        near(voice.mouth_to_ear_ms, 105.16, 1e-9);
        // The line of Cole and Rosenbluth (CCR 31(2), 2001) at 105 ms, from the undisturbed R of 93.2: 93.2 - 2.5.
        near(voice.r, 90.7, 0.5);
        // G.107, table B.1: the MOS is 4.34 at R = 90.
        near(voice.mos, 4.35, 0.02);
    }
    assert_eq!(call.worse, Way::There);
}

#[test]
fn a_video_call_sends_bursts_and_larger_ones_for_key_frames() {
    let (flow, call) = call(
        "duration = \"11 s\"\nnetwork.dumbbell = { rate = \"100 Mbit/s\", rtt = \"50 ms\", queue = \"1000 packets\" }",
        "profile = \"video-call\"\nstop = \"9.99 s\"",
    );
    // 1.2 Mbit/s are 5000 B in 1/30 s. One of 300 frames has five times the bytes of each other frame: x (299 + 5) =
    // 300 * 5000. So the key frame has 24671 B in 21 packets, and each other frame has 4934 B in 5 packets.
    assert_eq!((call.there.frames, call.there.sent_packets), (300, 21 + 299 * 5));
    let wire = f64::from(24_671 + 299 * 4934 + 40 * (21 + 299 * 5));
    near(flow.goodput_mbit_s.unwrap_or(f64::NAN) * 1e6 / 8.0 * 9.99, 2.0 * wire, 0.01 * wire);
    // The last packet of a key frame waits for twenty packets of 99.2 us, and takes 56.88 us itself.
    let delay = call.back.one_way_delay_ms.unwrap_or_else(|| panic!("packets arrive"));
    near(delay.min, 25.0992, 1e-9);
    near(delay.max, 27.040_88, 1e-9);
    // The fastest complete frame takes four times 99.2 us plus 13.92 us, and the playout delay is 100 ms.
    near(call.back.play_delay_ms.unwrap_or(0.0), 125.410_72, 1e-9);
    assert_eq!((call.back.voice, call.back.missed_ratio), (None, Some(0.0)));
}

#[test]
fn the_two_ways_of_a_game_differ() {
    let (flow, call) = call(
        "duration = \"11 s\"\nnetwork.dumbbell = { rate = \"1 Mbit/s\", rtt = \"20 ms\" }",
        "profile = \"game\"\nstop = \"10.25 s\"\nback = { interval = \"100 ms\", rate = \"80 kbit/s\", payload = \"400 B\" }",
    );
    // 68 B every 41 ms: 250 packets of 10.544 ms each. 1000 B every 100 ms in packets of 428, 428 and 228 B.
    let delays =
        [&call.there, &call.back].map(|way| way.one_way_delay_ms.map(|delay| (delay.min, delay.max)));
    assert_eq!(delays, [Some((10.544, 10.544)), Some((13.424, 18.672))]);
    assert_eq!((call.there.sent_packets, call.back.sent_packets, flow.sent_packets), (250, 309, 559));
    // Neither direction loses packets, so the slower direction is the worse one.
    assert_eq!(call.worse, Way::Back);
}

#[test]
fn what_comes_after_its_turn_is_late() {
    // From 10 s on, the delay is 80 ms longer, and the playout buffer covers 60 ms. The second half of the frames is
    // late.
    let (_, call) = call(
        "duration = \"21 s\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", delay_steps = [[\"0 s\", \"20 ms\"], [\"10 s\", \"100 ms\"]] }",
        "stop = \"20 s\"",
    );
    let way = &call.there;
    assert_eq!((way.frames, way.late_frames, way.lost_frames, way.loss_ratio), (1000, 500, 0, Some(0.0)));
    assert_eq!((way.bursts, way.longest_burst_frames, way.missed_ratio), (1, 500, Some(0.5)));
    assert_eq!(way.delay_variation_ms.map(|variation| variation.max), Some(80.0));
    near(way.play_delay_ms.unwrap_or(0.0), 80.16, 1e-9);
    // A playout buffer of 81 ms covers all frames, and the delay of the call increases by the difference.
    let (_, patient) = self::call(
        "duration = \"21 s\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", delay_steps = [[\"0 s\", \"20 ms\"], [\"10 s\", \"100 ms\"]] }",
        "stop = \"20 s\"\nplayout = \"81 ms\"",
    );
    assert_eq!(patient.there.missed_ratio, Some(0.0));
    near(patient.there.play_delay_ms.unwrap_or(0.0), 101.16, 1e-9);
}

#[test]
fn a_silence_of_the_link_is_one_burst() {
    // In one direction, 10 frames of 20 ms are lost.
    let (flow, call) = call(
        "duration = \"11 s\"\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\nreverse = { loss = { spans = [[\"5 s\", \"5.2 s\"]] } }",
        "stop = \"10 s\"",
    );
    assert_eq!((flow.losses.outage, call.there.lost_packets, call.back.lost_packets), (10, 0, 10));
    let way = &call.back;
    assert_eq!((way.frames, way.late_frames, way.lost_frames), (500, 0, 10));
    assert_eq!((way.bursts, way.mean_burst_frames, way.longest_burst_frames), (1, Some(10.0), 10));
    assert_eq!((way.loss_ratio, call.worse), (Some(0.02), Way::Back));
}

#[test]
fn random_losses_come_alone() {
    let (flow, call) = call(
        "duration = \"201 s\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", rtt = \"50 ms\", loss = { per = 0.05 } }",
        "stop = \"200 s\"",
    );
    let way = &call.there;
    // 10000 frames: four standard deviations of the fraction, each 0.0022.
    near(way.loss_ratio.unwrap_or(0.0), 0.05, 0.0087);
    assert_eq!((way.lost_packets, way.late_frames, way.frames), (way.lost_frames, 0, 10_000));
    // For independent losses, the mean length of a burst is 1 / (1 - p) frames.
    near(way.mean_burst_frames.unwrap_or(0.0), 1.0 / 0.95, 0.05);
    // G.107 (7-29) with Bpl of G.113: 95 * 5 / (5 + 25.1) = 15.8 below the undisturbed call, whose R is 90.7 here.
    near(way.voice.map_or(0.0, |voice| voice.r), 90.7 - 15.8, 2.5);
    // All packets are counted.
    assert_eq!(flow.sent_packets, flow.delivered_packets + flow.losses.error);
}

#[test]
fn the_warm_up_does_not_count() {
    let (flow, call) = call(
        "duration = \"11 s\"\nwarm_up = \"6 s\"\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\nloss = { spans = [[\"1 s\", \"5 s\"]] }",
        "stop = \"10 s\"",
    );
    // The frames that leave at 6 s and later do not count. Frames that leave before 6 s also do not count if their
    // playout, 25.16 ms and 60 ms later, is after 6 s: the frames of 5.92, 5.94, 5.96 and 5.98 s.
    assert_eq!((call.there.sent_packets, call.there.frames, call.there.bursts), (200, 204, 0));
    assert_eq!(flow.losses.outage, 0);
}
