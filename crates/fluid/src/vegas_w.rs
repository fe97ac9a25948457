// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts of Vegas-W as formulas (Qu, "An Enhanced TCP Vegas Algorithm Based on Route Surveillance and Bandwidth
//! Estimation over GEO Satellite Networks").

use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::parameter::{Parameter, Plain};

const RTT: Parameter = Parameter::one(
    "rtt_ms",
    "ms",
    &[540.0],
    1.0..=10_000.0,
    "round trip without a queue (the paper names GEO and gives no delay)",
);
const PACKET: Parameter =
    Parameter::one("packet_bytes", "bytes", &[1000.0], 40.0..=65_535.0, "packet (the paper's)");

pub(crate) const FILTER: Model = Model {
    name: "vegas-w-filter",
    about: "step response of Westwood's bandwidth filter, for several time constants",
    source: "Qu, TCP Vegas-W, equations 2 to 5",
    parameters: &[
        Parameter::list(
            "tau_s",
            "s",
            &[0.02, 0.05, 0.1, 0.5, 1.0],
            1e-3..=100.0,
            "time constants of the filter (the paper gives none; Westwood used 0.5 to 1 s)",
        ),
        Parameter::one(
            "capacity_mbit_s",
            "Mbit/s",
            &[15.0],
            0.01..=1e5,
            "rate that sets the spacing of ACKs (the paper's)",
        ),
        PACKET,
        RTT,
        Parameter::one("duration_s", "s", &[2.0], 1e-3..=100.0, "duration"),
    ],
    compute: filter,
};

/// Returns the filter coefficient of (4) as printed.
fn coefficient_printed(tau_s: f64, gap_s: f64) -> f64 {
    (2.0 * tau_s / gap_s - 1.0) / (2.0 * tau_s / gap_s + 1.0)
}

/// Returns the filter coefficient of (4), with numerator and denominator multiplied by the gap. Westwood's authors
/// write Tustin's rule in this form.
fn coefficient(tau_s: f64, gap_s: f64) -> f64 {
    (2.0 * tau_s - gap_s) / (2.0 * tau_s + gap_s)
}

/// Returns the estimate of (3), in segments/s, after each of `count` ACKs. The ACKs arrive after silence, at intervals
/// of `gap_s`, and acknowledge one segment each.
fn step_response(tau_s: f64, gap_s: f64, count: usize) -> Vec<f64> {
    let (a, sample) = (coefficient(tau_s, gap_s), 1.0 / gap_s);
    let (mut estimate, mut before) = (0.0, 0.0);
    let mut values = vec![0.0];
    for _ in 0..count {
        estimate = a * estimate + (1.0 - a) / 2.0 * (sample + before);
        before = sample;
        values.push(estimate);
    }
    values
}

fn filter(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (taus, rtt_s) = (settings.list("tau_s"), settings.number("rtt_ms") / 1e3);
    let gap_s = 8.0 * settings.number("packet_bytes") / (settings.number("capacity_mbit_s") * 1e6);
    let acks = settings.number("duration_s") / gap_s;
    if acks < 1.0 || acks * taus.len() as f64 > crate::model::MOST_STEPS {
        return Err(settings.contradiction(format!(
            "duration_s = {} gives {acks:.0} ACKs for each of {} time constants; the total number of ACKs must be from \
            1 to {} (change the duration)",
            Plain(settings.number("duration_s")),
            taus.len(),
            crate::model::MOST_STEPS
        )));
    }
    let acks = acks as usize;
    let responses: Vec<Vec<f64>> = taus.iter().map(|tau| step_response(*tau, gap_s, acks)).collect();
    let full = 1.0 / gap_s;

    let mut answer = Answer::default();
    answer.fact("ack_spacing_ms", gap_s * 1e3);
    answer.fact("step_segments_s", full);
    for (tau, response) in taus.iter().zip(&responses) {
        let tau_name = Plain(*tau);
        for (name, share) in [("63", 1.0 - (-1.0_f64).exp()), ("95", 0.95)] {
            if let Some(ack) = response.iter().position(|value| *value >= share * full) {
                answer.fact(format!("reaches_{name}_percent_at_tau_{tau_name}_s"), ack as f64 * gap_s);
            }
        }
        answer.fact(format!("coefficient_at_tau_{tau_name}"), coefficient(*tau, gap_s));
        answer.fact(format!("coefficient_after_idle_round_trip_at_tau_{tau_name}"), coefficient(*tau, rtt_s));
    }
    let apart = |tau: &f64| (coefficient(*tau, gap_s) - coefficient_printed(*tau, gap_s)).abs();
    answer.fact("two_forms_of_coefficient_largest_difference", taus.iter().map(apart).fold(0.0, f64::max));
    let negative: Vec<String> =
        taus.iter().filter(|tau| rtt_s > 2.0 * **tau).map(|tau| Plain(*tau).to_string()).collect();
    if !negative.is_empty() {
        answer.note(format!(
            "After a silence of one round trip, the coefficient is negative for tau = {} s, because \
            Tustin's rule needs gaps below 2 tau. Westwood fills the silence with samples of zero. A lower \
            bound of zero has the same effect.",
            negative.join(", ")
        ));
    }
    answer.note(
        "In slow start, an estimate that averages over round trips is W/(2 RTT). The test \"W < estimate \
        times RTT\" would then never be true. Vegas-W therefore needs a tau that is much smaller than the \
        round trip, so that the estimate follows the spacing within a burst.",
    );
    answer.note(
        "The first ACK after a silence has only half of its effect, because the filter averages each sample with the \
         previous sample.",
    );
    let points: Vec<(usize, usize)> =
        (0..taus.len()).flat_map(|curve| (0..=acks).map(move |ack| (curve, ack))).collect();
    answer.numbers("tau_s", "tau, s", points.iter().map(|(curve, _)| taus[*curve]));
    answer.numbers("time_s", "time, s", points.iter().map(|(_, ack)| *ack as f64 * gap_s));
    answer.numbers(
        "estimate_segments_s",
        "estimate (3)",
        points.iter().map(|(curve, ack)| responses[*curve][*ack]),
    );
    // The filter discretises this function: a first-order low-pass, C (1 - exp(-t/tau)).
    answer.numbers(
        "continuous_segments_s",
        "continuous filter",
        points.iter().map(|(curve, ack)| full * -(-(*ack as f64) * gap_s / taus[*curve]).exp_m1()),
    );
    answer.panel(
        Panel::lines("Step response", "time_s", ["estimate_segments_s"], "estimate, segments/s").by("tau_s"),
    );
    Ok(answer)
}

pub(crate) const JUMP: Model = Model {
    name: "vegas-w-jump",
    about: "which jumps of the round trip the rule RTT > n mean(RTT) detects, and when queueing causes \
    false alarms",
    source: "Qu, TCP Vegas-W, section IV.B (n = 2, m = 20)",
    parameters: &[
        Parameter::list(
            "jump_factor",
            "none",
            &[
                1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.01, 2.05, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6,
                2.7, 2.8, 2.9, 3.0, 3.2, 3.4, 3.6, 3.8, 4.0,
            ],
            1.0..=100.0,
            "round trip without a queue after the change of route, divided by the round trip before the \
             change",
        ),
        Parameter::list(
            "buffer_bdp",
            "none",
            &[0.0, 0.2, 0.5, 1.0, 2.0],
            0.0..=100.0,
            "largest queue, in bandwidth-delay products (0.2: the paper's 200 packets)",
        ),
        Parameter::one("n", "none", &[2.0], 1.01..=100.0, "factor of the rule (the paper's)"),
        Parameter::whole("m", "none", &[20.0], 1.0..=1000.0, "number of packets in the mean (the paper's)"),
    ],
    compute: jump,
};

fn jump(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (factors, buffers) = (settings.list("jump_factor"), settings.list("buffer_bdp"));
    let (n, m) = (settings.number("n"), settings.number("m"));
    // The queue is q (in round trips R, uniform in 0..b) for all m packets and the new packet. A jump is detected if f
    // R + q R > n (R + q R), which is equivalent to q < (f - n)/(n - 1).
    let seen = |factor: f64, buffer: f64| {
        let bound = (factor - n) / (n - 1.0);
        match () {
            () if bound <= 0.0 => 0.0,
            () if bound >= buffer => 1.0,
            () => bound / buffer,
        }
    };
    // A jump is always detected if it is detected with a full queue during the mean and an empty queue at the new
    // packet: f R > n (R + b R). A jump is never detected if it is not detected in the opposite case: f R + b R > n R.
    let sure = |buffer: f64| n * (1.0 + buffer);
    let possible = |buffer: f64| (n - buffer).max(1.0);
    // A burst arrives at an empty queue. The k-th packet waits k s, and its m predecessors wait k(k - 1)/(2m) s on
    // average (k <= m). The rule fires if R + k s > n (R + k(k - 1)/(2m) s), which is equivalent to R < s (k - n k(k -
    // 1)/(2m))/(n - 1).
    let burst = (1..=m as u32)
        .map(f64::from)
        .map(|k| (k - n * k * (k - 1.0) / (2.0 * m)) / (n - 1.0))
        .fold(0.0, f64::max);

    let mut answer = Answer::default();
    answer.fact("least_jump_seen_with_empty_queue", n);
    for buffer in buffers {
        let name = Plain(*buffer);
        // If the bound equals b, f = n + (n - 1) b.
        answer.fact(format!("seen_at_any_steady_queue_from_at_buffer_{name}"), n + (n - 1.0) * buffer);
        answer.fact(format!("seen_for_sure_from_at_buffer_{name}"), sure(*buffer));
        answer.fact(format!("never_seen_up_to_at_buffer_{name}"), possible(*buffer));
        // A false alarm is possible if R + b R > n R.
        answer.fact(format!("false_alarm_possible_at_buffer_{name}"), f64::from(*buffer > n - 1.0));
    }
    answer.fact("burst_fools_it_below_bdp_packets", burst);
    answer.note(
        "With a steady queue, a change of route that increases the round trip by less than the factor n is \
        never detected. For n = 2, examples are an increase from 540 to 1000 ms, and most changes of route \
        in constellations.",
    );
    answer.note(
        "A false alarm needs a queue that grows to more than n - 1 round trips within m packets. A \
        burst causes a false alarm only if the path holds fewer packets than \
        burst_fools_it_below_bdp_packets (5.5 at n = 2, m = 20).",
    );
    answer.note(
        "The probability assumes that the queue is constant over m packets, and that all lengths up to the \
        buffer are equally likely. A varying queue, a jump during slow start, and packets that are held \
        during the change need a simulation.",
    );
    answer.note(
        "Only the first packets after a jump can trigger the rule. After m packets, the mean is the new round trip, so \
         the rule cannot detect the jump any more, and Vegas-W keeps the old base round trip.",
    );
    let rows: Vec<(f64, f64)> =
        buffers.iter().flat_map(|buffer| factors.iter().map(|factor| (*buffer, *factor))).collect();
    answer.numbers("buffer_bdp", "buffer, BDP", rows.iter().map(|row| row.0));
    answer.numbers("jump_factor", "jump of the round trip", rows.iter().map(|row| row.1));
    answer.numbers(
        "detection_probability",
        "detected, steady queue",
        rows.iter().map(|(buffer, factor)| seen(*factor, *buffer)),
    );
    answer.words(
        "with_any_queue",
        "detected, any queue",
        rows.iter().map(|(buffer, factor)| match () {
            () if *factor > sure(*buffer) => "always",
            () if *factor <= possible(*buffer) => "never",
            () => "sometimes",
        }),
    );
    answer.panel(
        Panel::lines("Detected changes of route", "jump_factor", ["detection_probability"], "probability")
            .by("buffer_bdp"),
    );
    Ok(answer)
}

pub(crate) const QUEUE: Model = Model {
    name: "vegas-queue",
    about: "the target queue of Vegas, depending on the unit of alpha and beta",
    source: "Qu, TCP Vegas-W, equation 1 and the text below it; Brakmo and Peterson 1995",
    parameters: &[
        Parameter::one("alpha", "as read", &[1.0], 0.001..=1e6, "lower bound of diff (the paper's 1)"),
        Parameter::one("beta", "as read", &[3.0], 0.001..=1e6, "upper bound of diff (the paper's 3)"),
        Parameter::list(
            "rtt_ms",
            "ms",
            &[25.0, 50.0, 100.0, 250.0, 540.0, 1000.0],
            1.0..=10_000.0,
            "round trips without a queue (540: GEO)",
        ),
        PACKET,
        Parameter::one(
            "capacity_mbit_s",
            "Mbit/s",
            &[15.0],
            0.01..=1e5,
            "rate of the bottleneck (the paper's)",
        ),
    ],
    compute: queue,
};

/// Function that returns the size of one unit of diff, in packets, from the round trip in s and the packet size in
/// bits.
type Unit = fn(f64, f64) -> f64;

fn queue(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (alpha, beta) = (settings.number("alpha"), settings.number("beta"));
    let bits = 8.0 * settings.number("packet_bytes");
    let packets_s = settings.number("capacity_mbit_s") * 1e6 / bits;
    if alpha > beta {
        return Err(settings
            .contradiction(format!("alpha = {alpha} must not be larger than beta = {beta} (swap them)")));
    }
    // diff is a rate. diff times BaseRTT is the number of packets in the queue. Each reading has a function that
    // converts one unit of diff to packets:
    let readings: [(&str, Unit); 3] = [
        ("packets", |_, _| 1.0),
        ("kbit/s", |rtt_s, bits| 1e3 * rtt_s / bits),
        ("kbyte/s", |rtt_s, bits| 8e3 * rtt_s / bits),
    ];
    let rows: Vec<(&str, f64, f64)> = readings
        .iter()
        .flat_map(|(name, unit)| {
            settings.list("rtt_ms").iter().map(move |rtt| (*name, *rtt, unit(rtt / 1e3, bits)))
        })
        .collect();
    let mut answer = Answer::default();
    for (name, rtt, unit) in &rows {
        if *name != "packets" {
            let name = name.replace('/', "_");
            answer.fact(format!("alpha_as_{name}_at_{rtt}_ms_packets"), alpha * unit);
            answer.fact(format!("beta_as_{name}_at_{rtt}_ms_packets"), beta * unit);
        }
    }
    answer.note(
        "The text calls diff \"the amount of extra packets\" but gives alpha and beta in kb/s. The target \
        queue is independent of the path only if alpha and beta are in packets. In kb/s, it grows with the \
        round trip; with the paper's 1 and 3 kb/s, it is less than one packet, which no window can keep.",
    );
    answer.note(
        "n flows have n times the target queue. If the estimate of the base round trip is too large by x ms, Vegas \
         does not detect x ms of queueing delay.",
    );
    answer.words("reading", "alpha and beta in", rows.iter().map(|row| row.0));
    answer.numbers("rtt_ms", "round trip, ms", rows.iter().map(|row| row.1));
    answer.numbers("least_queue_packets", "least queue", rows.iter().map(|row| alpha * row.2));
    answer.numbers("largest_queue_packets", "largest queue", rows.iter().map(|row| beta * row.2));
    answer.numbers(
        "largest_queue_ms",
        "largest queue, ms",
        rows.iter().map(|row| beta * row.2 / packets_s * 1e3),
    );
    answer.panel(
        Panel::lines("Largest target queue", "rtt_ms", ["largest_queue_packets"], "packets")
            .by("reading")
            .log_y(),
    );
    Ok(answer)
}
