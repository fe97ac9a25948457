// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the users of an application flow felt.

use super::Distribution;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sessions of an application flow (transfers, pages, films, requests) that began after the warm-up. Those that were not
/// over at the end of the run are counted and are in no distribution: where they are many, the distributions are of the
/// quicker ones. Films that have begun to play are in all of them, over or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionsSummary {
    /// What a session is: "transfer", "page", "film" or "exchange".
    pub of: String,
    /// How many began.
    pub begun: u64,
    /// How many of them were over before the run was.
    pub finished: u64,
    /// How many were not.
    pub unfinished: u64,
    /// Payload that arrivals ask for in the mean, sessions per second times their mean size; `null` for users who wait for one
    /// session before they begin the next, and where sizes have no mean.
    pub offered_mbit_s: Option<f64>,
    /// The same with headers over the smallest link rate on the way; over 1 it cannot be served. `null` also where that rate
    /// is not known before the run.
    pub load: Option<f64>,
    /// The time that counts, from the session's beginning: until the last byte of a transfer, a page or an answer, until a
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
    /// Time and slow-down by what a session fetched, in classes of our own; left out for films.
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
}

/// Sessions that are over, by the bytes of their answers. The bounds are ours: about an initial window, a page's object, a
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

/// Sessions of one class.
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
