// SPDX-License-Identifier: MIT OR Apache-2.0
//! The presets. In the comments below, a letter names the source of a number:
//!
//! - A: the example trace of `LeoCC` (`SpaceNetLab/LeoCC`, MIT; SIGCOMM 2025). It is a bent pipe in a good location,
//!   recorded for 120 s at intervals of 1 ms.
//! - B: one-way delays, rates and losses of a far user (Lagos 2024). The series lasts 5,445 s in bins of 100 ms, which
//!   are aligned with the epochs.
//! - C: pings over a path with inter-satellite links (2024-08-12), 63 per second.
//! - R: the replay settings of `LeoCC` (its README) for a path that is as good as the path of A. They contain queues
//!   and random loss.
//! - S: U. Speidel, "Starlink hidden buffers" (bufferbloat's list for Starlink, 2023-05-13). Over bent pipes with a
//!   base round trip of 20 ms, round trips under load reach hundreds of milliseconds. The difference is waiting time
//!   within Starlink.
//!
//! The numbers from A and B are medians and quantiles of measured series. We assume that a measured rate is the
//! capacity of the radio link.

use super::draws::{Autoregression, Draw};
use super::{Boundary, Bursts, Direction, Impairment, PathDelay, Preset, QueueLimit, Span};

/// R: "uplink queue 500 packets, downlink 50,000 packets".
const QUEUE_UP: QueueLimit = QueueLimit::Packets(500);
const QUEUE_DOWN: QueueLimit = QueueLimit::Packets(50_000);

/// The limit of the queue of a path on which no queue was measured. The queues of R are counted in packets, and match
/// the rates of A. At the median rate of the far path, 50,000 packets would take 6.6 s, but S reports hundreds of
/// milliseconds. Therefore, the queues of the other paths have the length in time of R's uplink queue at A's rate: 500
/// packets of 1504 bytes at 48.7 Mbit/s take 123 ms.
const fn queue(median_mbit_s: f64) -> QueueLimit {
    QueueLimit::Packets((500.0 * median_mbit_s / 48.7) as u64)
}

/// A: bursts begin 4 or 8 ms apart (3 or 6 frames of 1.333 ms), with a mean of 4.32 ms. The fraction of intervals of 8
/// ms is therefore 0.08.
const GRANTS_UP: (Span, f64, Span) = (Span::from_millis(4), 0.08, Span::from_millis(8));
/// A: the base delay varies by +-2 ms. The bursts of the downlink itself were not measured.
const GRANTS_DOWN: (Span, f64, Span) = (Span::from_millis(4), 0.0, Span::ZERO);

const NONE: Draw = Draw::Constant(0.0);
const STEADY: Autoregression = Autoregression { sigma: 0.0, correlation: 0.0 };

/// A: the levels of successive epochs differ by 20 % and have a correlation of one half. The mean rates are 50 and 200
/// Mbit/s.
const GOOD_LEVEL: Autoregression = Autoregression { sigma: 0.2, correlation: 0.5 };
/// Ratio of mean to median of a log-normal distribution: exp(sigma^2 / 2).
const GOOD_MEAN_OVER_MEDIAN: f64 = 1.020_201;

const GOOD_UP: Direction = Direction {
    median_mbit_s: GOOD_UP_MBIT_S,
    level: GOOD_LEVEL,
    // A: within an epoch, the mean rates of whole seconds vary by 5 %.
    hold: Span::from_secs(1),
    variation: Autoregression { sigma: 0.05, correlation: 0.0 },
    // A: the median one-way delay is 11 ms, which includes 2 ms of waiting for grants. The jumps have the distribution
    // N(0, 3 ms).
    path: PathDelay { way_ms: Draw::Constant(9.0), redraw: 0.0, jump_ms: 3.0 },
    extra_ms: None,
    grants: GRANTS_UP,
    // A: delivery stops for 60 to 140 ms. The rate then rises for 100 to 200 ms.
    boundary: Boundary {
        early_ms: NONE,
        dark_ms: 0.0,
        pause_ms: Draw::Uniform(60.0, 140.0),
        ramp: Span::from_millis(150),
        losses: (0.0, &[]),
        at_far_end: false,
    },
    // R: the loss is 0.002 on the uplink and 0.0001 on the downlink.
    loss: Impairment::PacketErrorRate(0.002),
    queue: QUEUE_UP,
};

const FAR_UP: Direction = Direction {
    // B: the median is 6.4 Mbit/s. The quantiles 2.8 and 26 yield 0.9 octaves in addition to the variation within an
    // epoch.
    median_mbit_s: FAR_UP_MBIT_S,
    level: Autoregression { sigma: 0.9 * std::f64::consts::LN_2, correlation: 0.8 },
    // B: the coefficient of variation within an epoch is 0.23, so sigma = sqrt(ln(1 + 0.23^2)). The correlation is that
    // of the downlink.
    hold: Span::from_millis(100),
    variation: Autoregression { sigma: 0.227, correlation: 0.42 },
    // B: the delays of epochs are 44, 80 and 130 ms (p5, p50, p95), with a correlation of one half. The jumps are 12
    // and 50 ms (p50, p90). We therefore draw a new path delay at half of the boundaries, and add a jump of 10.5 ms at
    // all boundaries.
    path: PathDelay { way_ms: Draw::LogNormal(80.0, 0.33), redraw: 0.5, jump_ms: 10.5 },
    extra_ms: None,
    grants: GRANTS_UP,
    // B: at the boundary, the delay increases by 75 ms (median) and 133 ms (p95). The losses are in bins of 100 ms.
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
/// B: loss outside of the boundaries. The losses occur in bursts, with a mean of 0.5 % in each direction.
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
            // B: the median is 91 Mbit/s. The ratio of the levels of successive epochs is 0.40 (p5) to 2.56 (p95), with
            // a correlation of 0.5.
            median_mbit_s: FAR_DOWN_MBIT_S,
            level: Autoregression { sigma: 0.8 * std::f64::consts::LN_2, correlation: 0.5 },
            // B: the coefficient of variation is 0.54, and the correlation after 0.1 s is 0.42.
            variation: Autoregression { sigma: 0.506, correlation: 0.42 },
            // B: the delays of epochs are 39, 80 and 159 ms.
            path: PathDelay { way_ms: Draw::LogNormal(80.0, 0.43), redraw: 0.5, jump_ms: 10.5 },
            grants: GRANTS_DOWN,
            // B: at the boundary, the delay increases by 37 ms (median) and 171 ms (p95). Losses begin before the
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
        // C contains only delays. The rates are those of starlink-good.
        up: Direction { boundary: ISL_BOUNDARY_UP, ..ISL_UP },
        down: Direction {
            median_mbit_s: GOOD_DOWN_MBIT_S,
            grants: GRANTS_DOWN,
            // C: a silence of 0.68 to 0.75 s begins 20 to 40 ms before the boundary. Pings of 0.5 s are lost. Pings of
            // the following 0.2 s wait and arrive together. The last of them were sent one round trip before they
            // arrived, so they waited on the return path.
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
    // C: median round trips are 110 to 210 ms. We subtract 25 ms, the medians of the extra delay and of the waits for
    // grants. Half of the rest is the delay of each direction.
    path: PathDelay { way_ms: Draw::Uniform(42.5, 92.5), redraw: 1.0, jump_ms: 0.0 },
    // C: round trips exceed the smallest round trip by 10 to 40 ms. This includes 0 to 8 ms of waiting for grants.
    extra_ms: Some(Draw::Uniform(5.0, 16.0)),
    variation: STEADY,
    // The pings of C have no sequence numbers, so they do not show losses outside of the boundaries. We use the losses
    // of B, which were measured over the same kind of user link. The queue is R's queue at a rate like A's: 503
    // packets.
    loss: BURSTS_UP,
    queue: queue(GOOD_UP_MBIT_S),
    ..GOOD_UP
};

/// Pings that left before the boundary did come back. They show only an upper bound of the silence on the uplink: the
/// downlink's 0.5 s minus a round trip of 0.2 s. This value is an assumption, not a measurement.
const ISL_BOUNDARY_UP: Boundary = Boundary {
    early_ms: Draw::Uniform(20.0, 40.0),
    dark_ms: 300.0,
    pause_ms: NONE,
    ramp: Span::ZERO,
    losses: (0.0, &[]),
    at_far_end: false,
};
