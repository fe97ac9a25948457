// SPDX-License-Identifier: MIT OR Apache-2.0
//! The test cases of the draft's appendix A, "BBR Example Test Cases". Each case runs over a small deterministic
//! [`pipe`].
//!
//! The default path has 10 Mbit/s, 40 ms, and a queue of four BDP. A BDP is 50 packets of 1000 bytes. The smallest RTT
//! is 40.8 ms, including the transmission time of one packet.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod pipe;

use super::*;
use pipe::{MSS, Pipe};

const CRUISE: &str = "probe bandwidth: cruise";
const DOWN: &str = "probe bandwidth: down";
const REFILL: &str = "probe bandwidth: refill";
const UP: &str = "probe bandwidth: up";
const PROBE_RTT: &str = "probe RTT";

/// The default values of the draft.
pub(super) fn defaults() -> Parameters {
    Parameters {
        startup_pacing_gain: 2.77,
        drain_pacing_gain: 0.5,
        cwnd_gain: 2.0,
        pacing_margin: 0.01,
        loss_threshold: 0.02,
        beta: 0.7,
        headroom: 0.15,
        probe_wait: Span::from_secs(2),
        min_rtt_window: Span::from_secs(10),
        probe_rtt_interval: Span::from_secs(5),
        probe_rtt_duration: Span::from_millis(200),
        probe_rtt_cwnd_gain: 0.5,
        offload_quanta: 3.0,
        selective_acks: true,
    }
}

fn deep() -> Pipe {
    Pipe::new(10.0, 40, 200)
}

/// A path on which ProbeRTT does not occur within a minute.
fn without_probe_rtt(queue: u64) -> Pipe {
    Pipe::with(10.0, 40, queue, |parameters| {
        parameters.probe_rtt_interval = Span::from_secs(60);
        parameters.min_rtt_window = Span::from_secs(120);
    })
}

fn near(got: f64, wanted: f64, tolerance: f64) -> bool {
    (got - wanted).abs() <= tolerance * wanted
}

fn phases(pipe: &Pipe) -> Vec<&'static str> {
    pipe.phases.iter().map(|(_, phase)| *phase).collect()
}

#[test]
fn a01_startup_ends_on_a_bandwidth_plateau() {
    let mut pipe = deep();
    pipe.until_phase(5, "drain");
    assert_eq!(pipe.number("full_bw_count"), 3.0);
    assert_eq!(pipe.number("full_bw_reached"), 1.0);
    assert!(near(pipe.number("max_bw_mbit_s"), 10.0, 0.02), "{}", pipe.number("max_bw_mbit_s"));
    assert_eq!(phases(&pipe), ["startup", "drain"]);
}

#[test]
fn a02_startup_ends_on_loss_when_application_limited() {
    let mut pipe = deep();
    pipe.app_rate = 0.9 * pipe.rate;
    pipe.run(1_000);
    assert_eq!(pipe.phase(), "startup");
    pipe.drop_every = 5; // 9 of a round's 46
    // The flight is below a BDP. Drain therefore ends with the ACK that begins it.
    pipe.until(2, |pipe| pipe.phase() != "startup");
    assert!(pipe.bbr.full_pipe.now && pipe.bbr.full_pipe.reached);
    assert!(pipe.number("full_bw_count") < 3.0, "not a plateau: the samples are application-limited");
    // max(bdp, inflight_latest)
    let bdp = pipe.number("bdp_segments");
    assert!(pipe.number("inflight_longterm_segments") >= bdp.min(0.9 * 50.0));
    assert!(pipe.number("inflight_longterm_segments") < 60.0);
}

#[test]
fn a03_drain_ends_when_the_queue_is_empty() {
    let mut pipe = deep();
    pipe.until_phase(5, "drain");
    assert_eq!(pipe.number("pacing_gain"), 0.5);
    let mut before = (0, 0.0);
    let round = pipe.bbr.rounds.count;
    pipe.until(5, |pipe| {
        if pipe.phase() == "drain" {
            before = (pipe.in_flight(), pipe.bbr.inflight(pipe.bbr.bw, 1.0));
        }
        pipe.phase() != "drain"
    });
    assert!(pipe.bbr.state.is_probe_bw());
    assert!(before.0 as f64 - 1_000.0 <= before.1, "{before:?}");
    assert!(pipe.bbr.rounds.count <= round + 3);
}

/// The draft's case lowers the bandwidth by 10 %. Drain's gain of 0.5 then still drains the flight. The flight stays
/// large only if the bandwidth falls by 60 %.
#[test]
fn a04_drain_ends_after_three_rounds() {
    let mut pipe = deep();
    pipe.until_phase(5, "drain");
    let start = pipe.bbr.drain_start_round;
    pipe.set_rate(0.4 * pipe.rate);
    let mut above = true;
    pipe.until(10, |pipe| {
        above &= pipe.phase() != "drain" || pipe.in_flight() as f64 > pipe.bbr.inflight(pipe.bbr.bw, 1.0);
        pipe.phase() != "drain"
    });
    assert!(above, "the flight drained");
    assert_eq!(pipe.bbr.rounds.count, start + 4);
    assert_eq!(pipe.phase(), DOWN);
}

#[test]
fn a05_up_ends_on_a_bandwidth_plateau() {
    let mut pipe = deep();
    pipe.until_phase(10, UP);
    assert_eq!((pipe.number("pacing_gain"), pipe.number("cwnd_gain")), (1.25, 2.25));
    let round = pipe.bbr.rounds.count;
    pipe.until(10, |pipe| pipe.phase() != UP);
    assert_eq!(pipe.phase(), DOWN);
    assert_eq!(pipe.number("full_bw_count"), 3.0);
    assert_eq!(pipe.bbr.rounds.count, round + 3);
    assert_eq!(pipe.lost, 0);
    assert_eq!(pipe.number("inflight_longterm_segments"), f64::INFINITY);
}

/// "BBR.inflight_longterm is updated appropriately": HandleInflightTooHigh() does not change it, because the flow was
/// not searching for the largest flight.
#[test]
fn a06_up_ends_on_loss_when_application_limited() {
    let mut pipe = deep();
    pipe.until_phase(10, UP);
    pipe.app_rate = 0.5 * pipe.rate;
    pipe.run(160);
    assert_eq!(pipe.phase(), UP);
    pipe.drop_every = 10;
    pipe.until(1, |pipe| pipe.phase() != UP);
    assert_eq!(pipe.phase(), DOWN);
    assert!(pipe.bbr.cycle.prev_probe_too_high);
    assert!(pipe.number("full_bw_count") < 3.0);
    assert_eq!(pipe.number("inflight_longterm_segments"), f64::INFINITY);
}

#[test]
fn a07_application_limited_without_loss_startup_and_up_go_on() {
    let mut startup = deep();
    startup.app_rate = 0.5 * startup.rate;
    startup.run(60_000);
    assert!(phases(&startup).iter().all(|phase| ["startup", PROBE_RTT].contains(phase)));
    assert_eq!(startup.number("full_bw_reached"), 0.0);

    let mut up = without_probe_rtt(200);
    up.until_phase(10, UP);
    up.app_rate = 0.5 * up.rate;
    up.run(20_000);
    assert_eq!(up.phase(), UP);
}

#[test]
fn a08_down_ends_when_the_queue_is_empty() {
    let mut pipe = deep();
    pipe.until_phase(10, UP);
    pipe.until_phase(10, DOWN);
    assert_eq!(pipe.number("pacing_gain"), 0.9);
    let mut last = 0;
    pipe.until(10, |pipe| {
        let cruises = pipe.phase() == CRUISE;
        if !cruises {
            last = pipe.in_flight();
        }
        cruises
    });
    let bdp = pipe.bbr.inflight(pipe.bbr.max_bw.get(), 1.0);
    assert!(last as f64 - 1_000.0 <= bdp && last as f64 > bdp - 2_000.0, "{last} {bdp}");
}

#[test]
fn a09_down_ends_when_its_time_is_over() {
    let mut pipe = without_probe_rtt(200);
    pipe.until_phase(10, UP);
    pipe.until_phase(10, DOWN);
    pipe.set_rate(0.9 * pipe.rate);
    let start = pipe.now;
    pipe.until(10, |pipe| pipe.phase() != DOWN);
    assert_eq!(pipe.phase(), REFILL);
    let waited = pipe.now.since(start);
    assert!((Span::from_secs(2)..Span::from_millis(3_150)).contains(&waited), "{waited}");
}

#[test]
fn a10_probe_rtt_begins_and_ends() {
    let mut pipe = deep();
    pipe.until_phase(20, PROBE_RTT);
    assert!(pipe.now >= Time::ZERO + Span::from_secs(5));
    assert_eq!(pipe.number("cwnd_gain"), 0.5);
    assert!(pipe.control.cwnd.get() <= 26 * u64::from(MSS), "{:?}", pipe.control.cwnd);
    let start = pipe.now;
    pipe.until(5, |pipe| pipe.phase() != PROBE_RTT);
    let lasted = pipe.now.since(start);
    // ProbeRTT takes at least 200 ms with half a BDP in flight. Before this time, the flight drains within one or two
    // rounds.
    assert!((Span::from_millis(200)..Span::from_millis(350)).contains(&lasted), "{lasted}");
    assert_eq!(pipe.phase(), CRUISE);
    assert!(near(pipe.number("min_rtt_ms"), 40.8, 1e-3), "{}", pipe.number("min_rtt_ms"));
    let delivered = pipe.delivered;
    pipe.run(1_000);
    assert!((pipe.delivered - delivered) as f64 > 0.95 * pipe.rate, "it sends again");
    // The next ProbeRTT begins five seconds after the end of the first ProbeRTT.
    pipe.until_phase(10, PROBE_RTT);
    assert!(pipe.now.since(start) >= Span::from_secs(5));
}

#[test]
fn a11_probe_rtt_is_skipped_after_idling() {
    let mut pipe = deep();
    pipe.until_phase(10, CRUISE);
    pipe.run(500);
    let resumes = pipe.now + Span::from_secs(6);
    pipe.pause(6_000);
    pipe.until(10, |pipe| pipe.now >= resumes);
    assert!(pipe.bbr.idle_restart);
    // Section 5.4.1: the flow is paced at bw.
    assert!(near(pipe.control.pacing.unwrap().bytes_per_s(), 0.99 * pipe.bbr.bw, 1e-3));
    pipe.run(3_000);
    assert!(!pipe.bbr.idle_restart);
    assert!(!phases(&pipe).contains(&PROBE_RTT), "{:?}", pipe.phases);
}

/// ACKs arrive in bursts, with 30 ms between two bursts.
#[test]
fn a12_startup_finds_the_bandwidth_of_a_link_with_aggregation() {
    let mut pipe = deep();
    pipe.ack_every = Span::from_millis(30);
    let mut most = 0.0_f64;
    pipe.until(10, |pipe| {
        most = most.max(pipe.number("cwnd_segments") / pipe.number("bdp_segments"));
        pipe.phase() == "drain"
    });
    assert!(pipe.bbr.extra_acked.get() > 0.0);
    assert!(most > 2.0, "{most}");
    assert!(near(pipe.number("max_bw_mbit_s"), 10.0, 0.1), "{}", pipe.number("max_bw_mbit_s"));
}

#[test]
fn a13_cruise_fills_a_link_with_aggregation() {
    let mut pipe = without_probe_rtt(200);
    pipe.until_phase(10, UP);
    pipe.until_phase(10, CRUISE);
    pipe.ack_every = Span::from_millis(30);
    pipe.run(200);
    assert_eq!(pipe.phase(), CRUISE);
    // The ACKs of a burst acknowledge 30 ms of the link, which are 37 packets. The interval of such an ACK does not
    // explain any of these packets.
    let extra = pipe.number("extra_acked_segments");
    assert!((20.0..80.0).contains(&extra), "{extra}");
    let bdp = pipe.number("bdp_segments");
    assert!(pipe.number("cwnd_segments") > 2.0 * bdp + 0.9 * extra);
    let delivered = pipe.delivered;
    pipe.run(900);
    assert!((pipe.delivered - delivered) as f64 > 0.95 * 0.9 * pipe.rate);
}

/// With 64 kbit/s and 1 ms, the path holds 8 bytes in addition to the packet on the link.
#[test]
fn a14_sub_packet_bdp() {
    let mut pipe = Pipe::with(0.064, 1, 100, |parameters| parameters.offload_quanta = 1.0);
    pipe.until_phase(60, CRUISE);
    let mut least = f64::INFINITY;
    let end = pipe.now + Span::from_secs(20);
    pipe.until(60, |pipe| {
        least = least.min(pipe.number("cwnd_segments"));
        pipe.now >= end
    });
    assert_eq!(least, 4.0);
    assert!(near(pipe.number("bw_mbit_s"), 0.064, 0.02), "{}", pipe.number("bw_mbit_s"));
    let pacing = pipe.control.pacing.unwrap().mbit_per_s();
    assert!(near(pacing, pipe.number("pacing_gain") * 0.99 * 0.064, 0.02), "{pacing}");
}

/// The bandwidth changes from 10 to 100 Mbit/s. Before that, the queue of 40 packets (less than a BDP) has set
/// `inflight_longterm`.
#[test]
fn a15_ten_times_the_bandwidth_is_found() {
    let mut pipe = without_probe_rtt(40);
    pipe.until_phase(20, UP);
    pipe.until(20, |pipe| pipe.number("inflight_longterm_segments") < f64::INFINITY);
    pipe.until_phase(20, CRUISE);
    pipe.set_rate(10.0 * pipe.rate);
    pipe.queue *= 10;
    let mut up_rounds = 0;
    let mut last = pipe.bbr.rounds.count;
    pipe.until(30, |pipe| {
        let now = pipe.bbr.rounds.count;
        up_rounds += u32::from(pipe.phase() == UP && now != last);
        last = now;
        pipe.number("max_bw_mbit_s") > 95.0
    });
    // UP takes at least ln 10 / ln 1.2375 = 11 rounds. The flight grows from 70 to 500 packets, for which 2^9 is
    // enough.
    assert!(up_rounds < 40, "{up_rounds} rounds of UP");
}

/// "In each successive round trip, BBR.inflight_longterm grows (in units of C.SMSS) by 1, 2, 4, 8, 16, etc."
#[test]
fn a15_the_step_doubles_each_round() {
    let mut bbr = controller(defaults());
    bbr.on_start(&Start::new(MSS, 64), &mut Control::new(Bytes::new(64_000)));
    bbr.inflight_longterm = 64_000.0;
    bbr.start_probe_bw_refill();
    bbr.state = State::ProbeBwUp;
    let rs = Sample { newly_acked: 1_000.0, is_cwnd_limited: true, ..Sample::default() };
    let mut grown = Vec::new();
    for _ in 0..5 {
        bbr.raise_inflight_longterm_slope();
        let before = bbr.inflight_longterm;
        for _ in 0..64 {
            // The window is at the limit. The round still has 64 ACKs.
            bbr.cwnd = bbr.inflight_longterm;
            bbr.probe_inflight_longterm_upward(&rs);
        }
        bbr.cwnd = 64_000.0;
        grown.push((bbr.inflight_longterm - before) / 1_000.0);
    }
    assert_eq!(grown, [1.0, 2.0, 4.0, 8.0, 16.0]);
}

/// The bandwidth changes from 100 to 10 Mbit/s.
#[test]
fn a16_a_tenth_of_the_bandwidth_is_accepted() {
    let mut pipe = Pipe::new(100.0, 40, 500);
    pipe.until_phase(20, UP);
    pipe.until_phase(20, CRUISE);
    assert!(near(pipe.number("max_bw_mbit_s"), 100.0, 0.02));
    pipe.set_rate(0.1 * pipe.rate);
    pipe.queue /= 10;
    pipe.until(2, |pipe| pipe.number("bw_shortterm_mbit_s") < 50.0);
    // The limit covers two cycles of at most 3 s each with their rounds, and two rounds of ProbeRTT.
    pipe.until(12, |pipe| near(pipe.number("max_bw_mbit_s"), 10.0, 0.05));
}

/// A policer of 5 Mbit/s with a bucket of 100 packets on the path of 10 Mbit/s.
#[test]
fn a17_policer() {
    let mut pipe = deep();
    pipe.policer = Some((0.5 * pipe.rate, 100_000.0));
    pipe.until(20, |pipe| pipe.number("bw_shortterm_mbit_s") < 10.0);
    assert!(pipe.number("inflight_shortterm_segments") < f64::INFINITY);
    pipe.run(20_000);
    let (delivered, lost) = (pipe.delivered, pipe.lost);
    pipe.run(20_000);
    let (delivered, lost) = ((pipe.delivered - delivered) as f64, (pipe.lost - lost) as f64);
    let goodput = delivered / 20.0 / (0.5 * pipe.rate);
    let loss_rate = lost / (delivered + lost);
    assert!(goodput > 0.9, "{goodput}");
    assert!(loss_rate < 0.05, "{loss_rate}");
}

/// Returns a flow in UP with `inflight_longterm` set, and the value of `inflight_longterm` before the loss.
fn up_with_bounds() -> (Pipe, f64) {
    let mut pipe = without_probe_rtt(200);
    pipe.until_phase(10, UP);
    pipe.bbr.inflight_longterm = 100_000.0;
    pipe.run(60);
    assert_eq!(pipe.phase(), UP);
    let longterm = pipe.bbr.inflight_longterm;
    (pipe, longterm)
}

#[test]
fn a18_spurious_fast_recovery() {
    let (mut pipe, longterm) = up_with_bounds();
    pipe.feign_loss(10);
    assert_eq!(pipe.phase(), DOWN, "10 of some 55 are more than 2 %");
    assert!(pipe.bbr.inflight_longterm < longterm);
    let undo = pipe.bbr.undo.unwrap();
    assert_eq!(undo.state, Some(State::ProbeBwUp));
    pipe.run(100);
    assert!(pipe.number("inflight_shortterm_segments") < f64::INFINITY, "a round with a loss, not probing");
    let spurious = Spurious { now: pipe.now, episode: pipe.episode };
    pipe.bbr.on_spurious(&spurious, &mut pipe.control);
    assert_eq!(pipe.phase(), REFILL);
    assert_eq!(pipe.bbr.inflight_longterm, longterm);
    assert_eq!(pipe.number("inflight_shortterm_segments"), f64::INFINITY);
    assert_eq!(pipe.number("bw_shortterm_mbit_s"), f64::INFINITY);
    pipe.until(1, |pipe| pipe.phase() == UP);
    // A second report of the same episode changes nothing.
    let before = pipe.control.clone();
    pipe.bbr.on_spurious(&spurious, &mut pipe.control);
    assert_eq!(before, pipe.control);
}

#[test]
fn a19_spurious_timeout() {
    let (mut pipe, longterm) = up_with_bounds();
    let cwnd = pipe.control.cwnd;
    pipe.episode += 1;
    let (now, episode) = (pipe.now, pipe.episode);
    let timeout = Timeout { now, consecutive: 1, in_flight_before: Bytes::new(pipe.in_flight()), episode };
    pipe.bbr.on_timeout(&timeout, &mut pipe.control);
    assert_eq!(pipe.control.cwnd, Bytes::new(MSS.into()));
    assert_eq!(pipe.phase(), DOWN);
    pipe.bbr.on_spurious(&Spurious { now, episode }, &mut pipe.control);
    assert_eq!(pipe.control.cwnd, cwnd);
    assert_eq!(pipe.bbr.inflight_longterm, longterm);
    assert_eq!(pipe.number("inflight_shortterm_segments"), f64::INFINITY);
    assert_eq!(pipe.phase(), REFILL);
    pipe.until(1, |pipe| pipe.phase() == UP);
}

#[test]
fn a20_probe_rtt_in_startup() {
    let mut pipe = deep();
    pipe.app_rate = 0.2 * pipe.rate;
    pipe.until_phase(10, PROBE_RTT);
    pipe.until(2, |pipe| pipe.phase() != PROBE_RTT);
    assert_eq!(pipe.phase(), "startup");
    pipe.app_rate = f64::INFINITY;
    pipe.until_phase(5, "drain");
    assert!(near(pipe.number("max_bw_mbit_s"), 10.0, 0.02));
}

/// With a queue of 40 packets, a flight of 90 packets causes an overflow.
#[test]
fn a21_loss_in_up_with_inflight_longterm() {
    let mut pipe = without_probe_rtt(40);
    pipe.until_phase(10, UP);
    pipe.until_phase(10, DOWN);
    assert!(pipe.bbr.cycle.prev_probe_too_high);
    let target = pipe.bbr.target_inflight();
    let longterm = pipe.bbr.inflight_longterm;
    assert!((0.7 * target..95_000.0).contains(&longterm), "{longterm}");
    // The next probe is precautionary and ends at this level. It causes no loss, so another probe follows immediately.
    pipe.until_phase(10, UP);
    pipe.until_phase(10, DOWN);
    assert!(!pipe.bbr.cycle.prev_probe_too_high);
    pipe.until_phase(1, REFILL);
    let last = pipe.phases.len();
    assert_eq!(phases(&pipe)[last - 3..], [UP, DOWN, REFILL]);
    pipe.until_phase(1, UP);
    // A loss of 5 of about 60 packets is simulated before the plateau.
    let tx = pipe.in_flight() as f64;
    pipe.run(45);
    assert_eq!(pipe.phase(), UP);
    pipe.feign_loss(10);
    assert_eq!(pipe.phase(), DOWN);
    assert!(pipe.bbr.cycle.prev_probe_too_high);
    let beta = 0.7 * pipe.bbr.target_inflight();
    assert!((beta..tx + 2_000.0).contains(&pipe.bbr.inflight_longterm), "{}", pipe.bbr.inflight_longterm);
}

#[test]
fn a22_application_limited_in_refill() {
    let mut pipe = without_probe_rtt(200);
    pipe.until_phase(10, REFILL);
    let max_bw = pipe.bbr.max_bw.get();
    pipe.app_rate = 0.3 * pipe.rate;
    pipe.until_phase(1, UP);
    pipe.run(200);
    assert_eq!(pipe.bbr.max_bw.get(), max_bw);
    assert_eq!(pipe.phase(), UP);
    pipe.app_rate = f64::INFINITY;
    pipe.until(2, |pipe| pipe.phase() == DOWN);
    assert!(near(pipe.number("max_bw_mbit_s"), 10.0, 0.02));
}

/// This case is not in the appendix: a handover to a longer path. The old RTT must be replaced before it is 10 s old.
#[test]
fn a_longer_path_is_believed_within_the_filter() {
    let mut pipe = Pipe::new(20.0, 30, 300);
    pipe.run(20_000);
    assert!(near(pipe.number("min_rtt_ms"), 30.4, 1e-3));
    pipe.rtt = Span::from_millis(60);
    pipe.until(11, |pipe| near(pipe.number("min_rtt_ms"), 60.4, 1e-3));
    pipe.run(1_000);
    let delivered = pipe.delivered;
    pipe.run(3_000);
    assert!((pipe.delivered - delivered) as f64 > 0.9 * 3.0 * pipe.rate);
}

/// "Design Considerations for Choosing Constant Parameters" (section 5.3.3): outside of probes, a round in which the
/// fraction X is lost lowers the sending rate by X. N rounds therefore leave (1 - X)^N. The pacing margin, which this
/// section does not count, lowers the rate by another 1 % in each round. At most 0.99 (1 - X) of the bound then
/// remains. Packets are sent in quanta, and the largest sample of a round decides. The bound therefore falls more
/// slowly, but it falls.
#[test]
fn losses_lower_the_bound_in_each_round_but_no_faster_than_by_the_drafts_arithmetic() {
    // 40 Mbit/s and 40 ms are 200 packets per round. Two of these packets are dropped (three, if a round counts one
    // more packet).
    let mut pipe = Pipe::with(40.0, 40, 800, |parameters| {
        parameters.probe_rtt_interval = Span::from_secs(60);
        parameters.min_rtt_window = Span::from_secs(120);
    });
    pipe.until_phase(10, CRUISE);
    pipe.drop_every = 100;
    pipe.until(1, |pipe| pipe.number("bw_shortterm_mbit_s").is_finite());
    let (bound, round) = (pipe.number("bw_shortterm_mbit_s"), pipe.number("round_count"));
    pipe.until(1, |pipe| pipe.number("round_count") >= round + 20.0);
    assert_eq!(pipe.phase(), CRUISE);
    let kept = (pipe.number("bw_shortterm_mbit_s") / bound).powf(1.0 / 20.0);
    assert!((0.99 * (1.0 - 3.0 / 200.0)..1.0).contains(&kept), "{kept} a round");
}
