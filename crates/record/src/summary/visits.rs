// SPDX-License-Identifier: MIT OR Apache-2.0
//! The quality of an application for its users.

use super::Distribution;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The visits of an application flow (transfers, pages, films, requests) that began after the warm-up. Visits that were
/// not finished at the end of the run are counted, but the distributions leave them out. If many visits are unfinished,
/// the distributions therefore describe only the faster visits. Films that began to play are in all distributions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VisitsSummary {
    /// Kind of a visit: "transfer", "page", "film" or "exchange".
    pub of: String,
    /// Number of visits that began.
    pub begun: u64,
    /// Number of visits that were finished before the end of the run.
    pub finished: u64,
    /// Number of visits that were not finished at the end of the run.
    pub unfinished: u64,
    /// Mean offered load: visits per second times their mean size. `null` if sizes have no mean. Also `null` in a
    /// closed loop, in which a user begins a visit only after the previous visit.
    pub offered_mbit_s: Option<f64>,
    /// Load that was drawn at random: the payload of the visits that began in the measured time, divided by the
    /// measured time between start and stop of the flow. `null` if this time is 0.
    pub drawn_mbit_s: Option<f64>,
    /// Mean offered load with headers, divided by the smallest link rate of the path. If the load exceeds 1, the path
    /// cannot carry it. `null` under the same conditions as `offered_mbit_s`, and if the rate is not known before the
    /// run.
    pub load: Option<f64>,
    /// Duration of a visit. A transfer, a page or an exchange lasts until its last byte has arrived. A film lasts until
    /// it plays.
    pub took_s: Option<Distribution>,
    /// Duration of a visit divided by its shortest possible duration on an empty path.
    pub slow_down: Option<Distribution>,
    /// For transfers and pages: time from the beginning of the visit until the first byte of the first answer arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_s: Option<Distribution>,
    /// Time from a request until the last byte of its answer arrives. Each sample is the mean over one exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_s: Option<Distribution>,
    /// Bytes that a transfer or a page fetched, divided by its duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goodput_mbit_s: Option<Distribution>,
    /// Duration and slow-down in four classes of visits, by the bytes that a visit fetched. Absent for films.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_size: Option<BySize>,
    /// Number of stalls of a film. `stalls`, `stalled_share`, `switches`, `quality_mbit_s` and `sustainable_mbit_s` are
    /// absent for other visits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalls: Option<Distribution>,
    /// Fraction of the time after a film began to play in which it stalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_share: Option<Distribution>,
    /// Number of quality changes of a film.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<Distribution>,
    /// Mean rate of the segments that a film fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_mbit_s: Option<Distribution>,
    /// Highest rate of the ladder that the path sustains if it carries only this film. At a sustained rate, each
    /// segment, including its round trip, arrives at least as fast as it plays. Films whose lowest rate is not
    /// sustained are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sustainable_mbit_s: Option<Distribution>,
    /// Packets of the users' requests. The other counts of the flow include only answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<RequestCounts>,
    /// Number of requests that were repeated because their connection was interrupted. Only behind proxies that may
    /// lose connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retried: Option<u64>,
    /// Quality measures over all visits, including unfinished visits. Absent if no visit began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<AllVisits>,
}

/// All visits that began after the warm-up, including visits that were not finished at the end of the run. Comparisons
/// use these numbers. Otherwise a controller could improve its numbers by leaving visits unfinished. Percentiles are
/// product-limit estimates (Kaplan and Meier 1958): an unfinished visit counts as longer than the time that it has
/// lasted. If a percentile was not reached, the whole measured time is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllVisits {
    /// Fraction of visits whose duration is known: the visit was finished, or the film played.
    pub done_ratio: f64,
    /// Duration of a visit.
    pub took_s: Percentiles,
    /// Duration of a visit divided by its shortest possible duration. Absent if the shortest duration is unknown, and
    /// if no visit was finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_down: Option<Percentiles>,
    /// For transfers and pages: time until the first byte of the first answer arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_s: Option<Percentiles>,
    /// Bytes that a transfer or a page fetched, divided by its duration. If the 5th percentile falls among visits that
    /// were never finished, it is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goodput_mbit_s: Option<LowPercentiles>,
    /// Only for films: how they played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub films: Option<AllFilms>,
}

/// All films together. The watched time of a film is the time in which it played or stalled. If a film never began to
/// play, its watched time is the time in which the user waited for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllFilms {
    /// Watched time of all films. It excludes the start-up time of films that later played.
    pub watched_s: f64,
    /// Fraction of the watched time in which films stalled or had not begun to play; `null` if the watched time is 0.
    pub stalled_ratio: Option<f64>,
    /// Stalls per minute of watched time.
    pub stalls_per_min: Option<f64>,
    /// Changes of quality per minute of watched time.
    pub switches_per_min: Option<f64>,
    /// Mean rate of the fetched segments, weighted by watched time. A film of which nothing arrived has rate 0.
    pub quality_mbit_s: Option<f64>,
}

/// Packets of the users' requests, including retransmissions and the payload of SYNs. If there is a proxy, only packets
/// of the connections between users and proxy count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestCounts {
    /// Data packets sent.
    pub sent_packets: u64,
    /// The part of `sent_packets` that was retransmitted.
    pub retransmitted_packets: u64,
    /// Lost data packets by true cause.
    pub losses: super::Losses,
    /// Retransmission timeouts.
    pub timeouts: u64,
}

/// Two percentiles of a quantity for which smaller values are better, in the unit of the field's name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Percentiles {
    /// Median.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
}

/// Two percentiles of a quantity for which larger values are better, in the unit of the field's name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LowPercentiles {
    /// 5th percentile.
    pub p5: f64,
    /// Median.
    pub p50: f64,
}

/// Finished visits in classes by the bytes of their answers. We chose the bounds. The classes correspond roughly to an
/// initial window, an object of a page, a whole page, and a download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BySize {
    /// Less than 10 kB.
    pub under_10_kb: SizeClass,
    /// 10 kB to less than 100 kB.
    pub under_100_kb: SizeClass,
    /// 100 kB to less than 1 MB.
    pub under_1_mb: SizeClass,
    /// 1 MB and more.
    pub from_1_mb: SizeClass,
}

/// Visits of one class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeClass {
    /// Number of finished visits.
    pub finished: u64,
    /// Duration of a visit.
    pub took_s: Option<Distribution>,
    /// Duration of a visit divided by its shortest possible duration.
    pub slow_down: Option<Distribution>,
}
