// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the users of an application flow felt.

use super::Distribution;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The visits of an application flow (transfers, pages, films, requests) that began after the warm-up. Those that were not
/// over at the end of the run are counted and are in no distribution: where they are many, the distributions are of the
/// quicker ones. Films that have begun to play are in all of them, over or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VisitsSummary {
    /// What a visit is: "transfer", "page", "film" or "exchange".
    pub of: String,
    /// How many began.
    pub begun: u64,
    /// How many of them were over before the run was.
    pub finished: u64,
    /// How many were not.
    pub unfinished: u64,
    /// Payload that arrivals ask for in the mean, visits per second times their mean size; `null` for users who wait for one
    /// visit before they begin the next, and where sizes have no mean.
    pub offered_mbit_s: Option<f64>,
    /// Payload that the visits which began in the measured time asked for, over the part of that time between the flow's
    /// start and its stop: what chance made of it. `null` if there is no such part.
    pub drawn_mbit_s: Option<f64>,
    /// What arrivals ask for in the mean, with headers, over the smallest link rate on the way; over 1 it cannot be served. `null` also where that rate
    /// is not known before the run.
    pub load: Option<f64>,
    /// The time that counts, from the visit's beginning: until the last byte of a transfer, a page or an answer, until a
    /// film plays.
    pub took_s: Option<Distribution>,
    /// That time over the least that it could have taken on an empty path.
    pub slow_down: Option<Distribution>,
    /// Until the first byte of the first answer, of transfers and pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_s: Option<Distribution>,
    /// From a request until the last byte of its answer, the mean of each exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_s: Option<Distribution>,
    /// What a transfer or a page fetched over the time that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goodput_mbit_s: Option<Distribution>,
    /// Time and slow-down by what a visit fetched, in classes of our own; left out for films.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_size: Option<BySize>,
    /// How often a film stood still; left out for others, as what follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalls: Option<Distribution>,
    /// Share of its time after it began to play in which it stood still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_share: Option<Distribution>,
    /// How often its quality changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<Distribution>,
    /// Mean rate of what was fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_mbit_s: Option<Distribution>,
    /// The highest rate of the ladder that the path alone carries: a segment comes, its round trip included, no slower than it
    /// plays. Films of which it carries none are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sustainable_mbit_s: Option<Distribution>,
    /// The packets by which users asked, which are in none of the flow's own counts: these are of answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<RequestCounts>,
    /// Behind proxies that may lose connections: how many requests were made again because theirs broke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retried: Option<u64>,
    /// What they felt with those that were not over; left out if none began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<AllVisits>,
}

/// All visits that began after the warm-up, those included that were not over at the end of the run: comparisons go by these
/// numbers, so that nobody looks better for what was not finished. Percentiles are product-limit estimates (Kaplan and Meier
/// 1958): a visit that was cut off took longer than it had waited. A percentile that lies among what never came counts as
/// though it had taken all of the measured time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllVisits {
    /// Share whose time that counts is known: they were over, or the film played.
    pub done_ratio: f64,
    /// The time that counts.
    pub took_s: Percentiles,
    /// That time over the least that it could have taken; left out where that is not known, and if none was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_down: Option<Percentiles>,
    /// Until the first byte of the first answer, of transfers and pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_s: Option<Percentiles>,
    /// What a transfer or a page fetched over that time. A 5th percentile among what never came is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goodput_mbit_s: Option<LowPercentiles>,
    /// How films played; left out for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub films: Option<AllFilms>,
}

/// Films together, each with the time that it played, stood still, or was waited for if it never began to play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllFilms {
    /// That time, of all; a start-up that came is no part of it.
    pub watched_s: f64,
    /// Share of it in which a film stood still, or had never begun to play; `null` if it is 0.
    pub stalled_ratio: Option<f64>,
    /// Stalls per minute of it.
    pub stalls_per_min: Option<f64>,
    /// Changes of quality per minute of it.
    pub switches_per_min: Option<f64>,
    /// Mean rate of what was fetched, weighted by it; 0 of a film of which nothing came.
    pub quality_mbit_s: Option<f64>,
}

/// What users sent by which they asked: requests, their SYNs' payload, and what was sent again. Behind a proxy of the users' own
/// connections alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestCounts {
    /// Data packets sent.
    pub sent_packets: u64,
    /// Of these, packets sent again.
    pub retransmitted_packets: u64,
    /// Data packets lost, by true cause.
    pub losses: super::Losses,
    /// Retransmission timeouts.
    pub timeouts: u64,
}

/// Two percentiles, in the unit that the field's name gives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Percentiles {
    /// Median.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
}

/// Two percentiles of what is better the more it is, in the unit that the field's name gives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LowPercentiles {
    /// 5th percentile.
    pub p5: f64,
    /// Median.
    pub p50: f64,
}

/// Visits that are over, by the bytes of their answers. The bounds are ours: about an initial window, a page's object, a
/// whole page, a download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BySize {
    /// Less than 10 kB.
    pub under_10_kb: SizeClass,
    /// Less than 100 kB.
    pub under_100_kb: SizeClass,
    /// Less than 1 MB.
    pub under_1_mb: SizeClass,
    /// 1 MB and more.
    pub from_1_mb: SizeClass,
}

/// Visits of one class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeClass {
    /// How many were over.
    pub finished: u64,
    /// The time that counts.
    pub took_s: Option<Distribution>,
    /// That time over the least that it could have taken.
    pub slow_down: Option<Distribution>,
}
