// SPDX-License-Identifier: MIT OR Apache-2.0
//! The presets. A letter in a comment below names the source of a number:
//!
//! - A: the example trace of `LeoCC` (`SpaceNetLab/LeoCC`, MIT; SIGCOMM 2025), a well-placed bent pipe, 120 s at 1 ms;
//! - B: one-way delays, rates and losses of a far user (Lagos 2024), 5,445 s in bins of 100 ms, aligned with the epochs;
//! - C: pings over a path with inter-satellite links (2024-08-12), 63 per second;
//! - R: the replay settings of `LeoCC` (its README) for a path as good as A: queues, random loss;
//! - S: U. Speidel, "Starlink hidden buffers" (bufferbloat's list for Starlink, 2023-05-13): under load round trips reach
//!   hundreds of milliseconds over bent pipes that have 20 ms, and the rest is waiting within Starlink.
//!
//! The numbers of A and B are medians and quantiles of measured series. We assume that a measured rate is the capacity
//! of the radio link.

use super::draws::{Autoregression, Draw};
use super::{Boundary, Bursts, Direction, Impairment, PathDelay, Preset, QueueLimit, Span};

/// R: "uplink queue 500 packets, downlink 50,000 packets".
const QUEUE_UP: QueueLimit = QueueLimit::Packets(500);
const QUEUE_DOWN: QueueLimit = QueueLimit::Packets(50_000);

/// No queue was measured on the other paths. The queues of R are counted in packets and fit the rates of A: 50,000
/// packets at the median rate of the far path are 6.6 s, but S reports hundreds of milliseconds. The queues of the
/// other paths therefore have the same length in time as R's uplink queue at A's rate: 500 packets of 1504 bytes at
/// 48.7 Mbit/s are 123 ms.
const fn queue(median_mbit_s: f64) -> QueueLimit {
    QueueLimit::Packets((500.0 * median_mbit_s / 48.7) as u64)
}

/// A: bursts begin 4 or 8 ms apart (3 or 6 frames of 1.333 ms), with a mean of 4.32 ms. The fraction with 8 ms is
/// therefore 0.08.
const GRANTS_UP: (Span, f64, Span) = (Span::from_millis(4), 0.08, Span::from_millis(8));
/// A: the base delay varies by +-2 ms; the downlink's own bursts are not measured.
const GRANTS_DOWN: (Span, f64, Span) = (Span::from_millis(4), 0.0, Span::ZERO);

const NONE: Draw = Draw::Constant(0.0);
const STEADY: Autoregression = Autoregression { sigma: 0.0, correlation: 0.0 };

/// A: the level of an epoch steps by 20 %, correlated by one half; the means are 50 and 200 Mbit/s.
const GOOD_LEVEL: Autoregression = Autoregression { sigma: 0.2, correlation: 0.5 };
/// Mean over median of a log-normal: exp(sigma^2 / 2).
const GOOD_MEAN_OVER_MEDIAN: f64 = 1.020_201;

const GOOD_UP: Direction = Direction {
    median_mbit_s: GOOD_UP_MBIT_S,
    level: GOOD_LEVEL,
    // A: within an epoch the rates of whole seconds vary by 5 %.
    hold: Span::from_secs(1),
    variation: Autoregression { sigma: 0.05, correlation: 0.0 },
    // A: the median one-way delay is 11 ms, of which 2 ms are the wait for grants; jumps of N(0, 3 ms).
    path: PathDelay { way_ms: Draw::Constant(9.0), redraw: 0.0, jump_ms: 3.0 },
    extra_ms: None,
    grants: GRANTS_UP,
    // A: delivery stops for 60 to 140 ms, then ramps for 100 to 200 ms.
    boundary: Boundary {
        early_ms: NONE,
        dark_ms: 0.0,
        pause_ms: Draw::Uniform(60.0, 140.0),
        ramp: Span::from_millis(150),
        losses: (0.0, &[]),
        at_far_end: false,
    },
    // R: uplink 0.002, downlink 0.0001.
    loss: Impairment::PacketErrorRate(0.002),
    queue: QUEUE_UP,
};

const FAR_UP: Direction = Direction {
    // B: median 6.4 Mbit/s. The quantiles 2.8 and 26 give 0.9 octaves in addition to the variation within an epoch.
    median_mbit_s: FAR_UP_MBIT_S,
    level: Autoregression { sigma: 0.9 * std::f64::consts::LN_2, correlation: 0.8 },
    // B: coefficient of variation 0.23 within an epoch, so sigma = sqrt(ln(1 + 0.23^2)); correlation as on the
    // downlink.
    hold: Span::from_millis(100),
    variation: Autoregression { sigma: 0.227, correlation: 0.42 },
    // B: delays of epochs 44, 80, 130 ms (p5, p50, p95), correlated by one half; jumps of 12 and 50 ms (p50, p90): half
    // of the boundaries draw a new path delay, and at all boundaries the delay jumps by 10.5 ms.
    path: PathDelay { way_ms: Draw::LogNormal(80.0, 0.33), redraw: 0.5, jump_ms: 10.5 },
    extra_ms: None,
    grants: GRANTS_UP,
    // B: the delay at the boundary increases by 75 ms (median) and 133 ms (p95); loss in bins of 100 ms.
    boundary: Boundary {
        early_ms: NONE,
        dark_ms: 0.0,
        pause_ms: Draw::LogNormal(75.0, 0.348),
        ramp: Span::ZERO,
        losses: (0.0, &[0.47, 0.20, 0.037, 0.019, 0.012]),
        at_far_end: false,
    },
    loss: BURSTS_UP,
    queue: queue(FAR_UP_MBIT_S),
};

/// Length of the bins of B.
const BIN: Span = Span::from_millis(100);
/// B: loss away from the boundaries, with a mean of 0.5 % in each direction, in bursts.
const BURSTS_UP: Impairment =
    Impairment::Bursts(Bursts { bin: BIN, to_bad: 0.033, to_good: 0.84, loss: 0.14 });
const BURSTS_DOWN: Impairment =
    Impairment::Bursts(Bursts { bin: BIN, to_bad: 0.0087, to_good: 0.42, loss: 0.25 });
/// B: median rates.
const FAR_UP_MBIT_S: f64 = 6.4;
const FAR_DOWN_MBIT_S: f64 = 91.0;
/// The mean rates of A's uplink and downlink, converted to medians.
const GOOD_UP_MBIT_S: f64 = 50.0 / GOOD_MEAN_OVER_MEDIAN;
const GOOD_DOWN_MBIT_S: f64 = 200.0 / GOOD_MEAN_OVER_MEDIAN;

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "starlink-good",
        up: GOOD_UP,
        down: Direction {
            median_mbit_s: GOOD_DOWN_MBIT_S,
            grants: GRANTS_DOWN,
            loss: Impairment::PacketErrorRate(0.0001),
            queue: QUEUE_DOWN,
            ..GOOD_UP
        },
    },
    Preset {
        name: "starlink-far",
        up: FAR_UP,
        down: Direction {
            // B: median 91 Mbit/s; levels of successive epochs differ by 0.40 to 2.56 (p5, p95) at a correlation of 0.5.
            median_mbit_s: FAR_DOWN_MBIT_S,
            level: Autoregression { sigma: 0.8 * std::f64::consts::LN_2, correlation: 0.5 },
            // B: coefficient of variation 0.54, correlation 0.42 after 0.1 s.
            variation: Autoregression { sigma: 0.506, correlation: 0.42 },
            // B: delays of epochs 39, 80, 159 ms.
            path: PathDelay { way_ms: Draw::LogNormal(80.0, 0.43), redraw: 0.5, jump_ms: 10.5 },
            grants: GRANTS_DOWN,
            // B: the delay at the boundary increases by 37 ms (median) and 171 ms (p95). Loss begins before the
            // boundary.
            boundary: Boundary {
                early_ms: NONE,
                dark_ms: 0.0,
                pause_ms: Draw::LogNormal(37.0, 0.93),
                ramp: Span::ZERO,
                losses: (-300.0, &[0.09, 0.18, 0.09, 0.02]),
                at_far_end: false,
            },
            loss: BURSTS_DOWN,
            queue: queue(FAR_DOWN_MBIT_S),
            ..FAR_UP
        },
    },
    Preset {
        name: "starlink-isl",
        // C has only delays; the rates are those of starlink-good.
        up: Direction { boundary: ISL_BOUNDARY_UP, ..ISL_UP },
        down: Direction {
            median_mbit_s: GOOD_DOWN_MBIT_S,
            grants: GRANTS_DOWN,
            // C: a silence of 0.68 to 0.75 s begins 20 to 40 ms before the boundary. The pings of 0.5 s are lost, and
            // the pings of 0.2 s wait and arrive together. The last of them were sent a round trip before they arrived,
            // so they waited on the return path.
            boundary: Boundary {
                early_ms: Draw::Uniform(20.0, 40.0),
                dark_ms: 500.0,
                pause_ms: Draw::Uniform(180.0, 250.0),
                ramp: Span::ZERO,
                losses: (0.0, &[]),
                at_far_end: true,
            },
            loss: BURSTS_DOWN,
            queue: queue(GOOD_DOWN_MBIT_S),
            ..ISL_UP
        },
    },
];

const ISL_UP: Direction = Direction {
    // C: median round trips of 110 to 210 ms. Of these, 25 ms are the medians of the extra delay and of the grants.
    // Half of the rest is the delay of each direction.
    path: PathDelay { way_ms: Draw::Uniform(42.5, 92.5), redraw: 1.0, jump_ms: 0.0 },
    // C: round trips are 10 to 40 ms above the smallest round trip, of which 0 to 8 ms are waits for grants.
    extra_ms: Some(Draw::Uniform(5.0, 16.0)),
    variation: STEADY,
    // C's pings show no losses away from the boundaries, because they have no sequence numbers. B's losses are used,
    // which were measured over the same kind of user link. The queue is R's at a rate like A's: 503 packets.
    loss: BURSTS_UP,
    queue: queue(GOOD_UP_MBIT_S),
    ..GOOD_UP
};

/// Pings that left before the boundary came back, so they show only an upper bound of the uplink's silence: the
/// downlink's 0.5 s minus a round trip of 0.2 s. This value is an assumption, not a measurement.
const ISL_BOUNDARY_UP: Boundary = Boundary {
    early_ms: Draw::Uniform(20.0, 40.0),
    dark_ms: 300.0,
    pause_ms: NONE,
    ramp: Span::ZERO,
    losses: (0.0, &[]),
    at_far_end: false,
};
