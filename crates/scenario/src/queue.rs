// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue as a file says it: its limit as text, or a table of discipline and limit.

mod checks;
mod settings;

use crate::ScenarioError;
use crate::check::Source;
use crate::text::{Q, Written};
use crate::words::{W, Word, words};
use link::{Discipline, QueueLimit, WaitEstimate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Bytes, Code, Span};

/// A queue: its limit ("50 packets", "75 kB", "100 ms", "1 BDP", "unlimited"), which is drop-tail, or a table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Queue {
    Limit(Q<QueueLimit>),
    Table(Box<QueueTable>),
}

/// A queue with its discipline. Packets of a flow with ECN (`ecn` in its table `tcp`) are marked where a discipline says
/// dropped; "drop-front", "priority" and "drr" mark what `mark_above` says, and nothing without it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ discipline = \"codel\", interval = \"600 ms\" }"))]
pub struct QueueTable {
    /// Who goes next, and what is dropped or marked: "codel", for example.
    #[schemars(extend("x-decides" = "a queue of discipline"))]
    pub discipline: W<Discipline>,
    /// How much may wait. Default: "1000 packets" of CoDel and PIE, "10240 packets" of FQ-CoDel, "250 ms" of DualPI2;
    /// of others what the link has without this key.
    pub limit: Option<Q<QueueLimit>>,
    /// CoDel, FQ-CoDel, PIE, DualPI2: a wait that may stand. Default "5 ms" of CoDel and FQ-CoDel, "15 ms" of PIE and
    /// of DualPI2's classic queue.
    #[schemars(
        extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "discipline": ["codel", "fq-codel", "pie", "dualpi2"] })
    )]
    pub target: Option<Q<Span>>,
    /// CoDel, FQ-CoDel: packets are dropped once waits were above the target for so long; about a round trip (RFC 8289,
    /// section 4.3). Default "100 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "discipline": ["codel", "fq-codel"] }))]
    pub interval: Option<Q<Span>>,
    /// CoDel, FQ-CoDel: what waited longer than this is marked when it leaves, besides what CoDel marks; what cannot be
    /// marked is left alone. Default: nothing is.
    #[schemars(extend("x-min" = "0 s", "x-max" = "1 h", "x-only" = { "discipline": ["codel", "fq-codel"] }))]
    pub ce_threshold: Option<Q<Span>>,
    /// Whom `ce_threshold` marks: "all" that can be marked, or "ect1", packets of L4S alone. Default "all".
    #[schemars(extend("x-only" = { "discipline": ["codel", "fq-codel"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["ce_threshold"],
        "why": "there is no ce_threshold whose packets this would choose",
        "fix": "write ce_threshold = \"1 ms\", or remove it",
    }]))]
    pub ce_threshold_of: Option<W<CeOf>>,
    /// FQ-CoDel: how many queues there may be; no two senders share one before there are more of them. Default 1024.
    #[schemars(range(min = 1, max = 65_536), extend("x-only" = { "discipline": ["fq-codel"] }))]
    pub flows: Option<u32>,
    /// FQ-CoDel, DRR: what a queue may send in its turn. Default "1514 B".
    #[schemars(extend("x-min" = "64 B", "x-max" = "65535 B", "x-only" = { "discipline": ["fq-codel", "drr"] }))]
    pub quantum: Option<Q<Bytes>>,
    /// Threshold, priority, DRR: a packet that finds more than this waiting is marked, of its own class under priority, of its
    /// own sender under DRR. Drop-front: one that leaves with more than this behind it. As a time, all four: one that waited
    /// longer, when it leaves. Default "0.15 BDP" of threshold (DCTCP needs a seventh); the others mark nothing.
    #[schemars(extend("x-only" = { "discipline": ["threshold", "drop-front", "priority", "drr"] }))]
    pub mark_above: Option<Q<QueueLimit>>,
    /// RED: with a mean queue below this nothing is dropped. Packets, bytes, a time or BDP, as `max_threshold`.
    /// Default: a third of that, or "5 packets".
    #[schemars(extend("x-only" = { "discipline": ["red"] }))]
    pub min_threshold: Option<Q<QueueLimit>>,
    /// RED: from this mean queue on everything is dropped, or, gentle, from twice as much on. Default: three times
    /// `min_threshold`.
    #[schemars(extend("x-only" = { "discipline": ["red"] }))]
    pub max_threshold: Option<Q<QueueLimit>>,
    /// RED: weight of a new sample in the mean queue. Default 0.002.
    #[schemars(range(min = 1e-9, max = 1.0), extend("x-only" = { "discipline": ["red"] }))]
    pub weight: Option<f64>,
    /// RED: probability of a drop at a mean queue of `max_threshold`. Default 0.1.
    #[schemars(range(min = 1e-9, max = 1.0), extend("x-only" = { "discipline": ["red"] }))]
    pub max_p: Option<f64>,
    /// RED: from `max_threshold` to twice as much the probability grows to 1, instead of being 1 at once. Default true.
    #[schemars(extend("x-only" = { "discipline": ["red"] }))]
    pub gentle: Option<bool>,
    /// PIE: so often the probability of a drop is reckoned. Default "15 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 min", "x-only" = { "discipline": ["pie"] }))]
    pub update: Option<Q<Span>>,
    /// PIE: so long nothing is dropped after the queue was short. Default "150 ms".
    #[schemars(extend("x-max" = "1 h", "x-only" = { "discipline": ["pie"] }))]
    pub burst: Option<Q<Span>>,
    /// PIE: by how much a second of wait above the target raises the probability in one step, before it is scaled. Default
    /// 0.125.
    #[schemars(range(min = 1e-9, max = 1e6), extend("x-only" = { "discipline": ["pie"] }))]
    pub alpha: Option<f64>,
    /// PIE: by how much a wait that has grown by a second raises it. Default 1.25.
    #[schemars(range(min = 1e-9, max = 1e6), extend("x-only" = { "discipline": ["pie"] }))]
    pub beta: Option<f64>,
    /// PIE: from this probability on what could be marked is dropped too. Default 0.1.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-only" = { "discipline": ["pie"] }))]
    pub mark_below: Option<f64>,
    /// PIE: how the wait is known: "timestamp" of the packet that left last, or "rate", at which packets leave. Default
    /// "timestamp".
    #[schemars(extend("x-only" = { "discipline": ["pie"] }))]
    pub estimate: Option<W<WaitEstimate>>,
    /// DualPI2: the longest round trip expected; how fast probabilities move follows from it. Default "100 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "discipline": ["dualpi2"] }))]
    pub rtt_max: Option<Q<Span>>,
    /// DualPI2: L4S is marked with so many times the root of the probability with which others are dropped. Default 2.
    #[schemars(range(min = 1.0, max = 100.0), extend("x-only" = { "discipline": ["dualpi2"] }))]
    pub coupling: Option<f64>,
    /// DualPI2: what of L4S waited longer than this may be marked for that alone. Default "800 us".
    #[schemars(extend("x-max" = "1 h", "x-only" = { "discipline": ["dualpi2"] }))]
    pub ramp_from: Option<Q<Span>>,
    /// DualPI2: after so much more it always is, in between with a share that grows. "0 s" is a step. Default "400 us".
    #[schemars(extend("x-max" = "1 h", "x-only" = { "discipline": ["dualpi2"] }))]
    pub ramp_range: Option<Q<Span>>,
    /// DualPI2: who goes next, "wrr" (by bytes in turn) or "time-shifted" (who waited longest; L4S counts for more). Default
    /// "wrr".
    #[schemars(extend("default" = "wrr", "x-decides" = "scheduler", "x-only" = { "discipline": ["dualpi2"] }))]
    pub scheduler: Option<W<SchedulerWord>>,
    /// DualPI2, "wrr": share of the classic queue where both have packets. Default 0.0625.
    #[schemars(range(min = 0.001, max = 0.999), extend("x-only" = { "discipline": ["dualpi2"], "scheduler": ["wrr"] }))]
    pub classic_share: Option<f64>,
    /// DualPI2, "time-shifted": for so much more a packet of L4S counts. Default "50 ms".
    #[schemars(extend("x-max" = "1 h", "x-only" = { "discipline": ["dualpi2"], "scheduler": ["time-shifted"] }))]
    pub time_shift: Option<Q<Span>>,
}

/// Whom a shallow threshold marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CeOf {
    All,
    Ect1,
}

/// Which of two queues goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchedulerWord {
    Weighted,
    TimeShifted,
}

words! {
    /// Whom a shallow threshold marks.
    CeOf { All = "all", Ect1 = "ect1" }
    /// Which of two queues goes next.
    SchedulerWord { Weighted = "wrr", TimeShifted = "time-shifted" }
    /// How a queue knows how long packets wait.
    WaitEstimate { Timestamp = "timestamp", DepartureRate = "rate" }
}

impl Word for Discipline {
    const NAME: &'static str = "Discipline";
    const MEANING: &'static str = "Who goes next, and what is dropped or marked.";
    const ALL: &'static [Self] = Self::ALL;
    fn word(self) -> &'static str {
        self.word()
    }
}

/// The queue that a file says at `key`, or else `base`.
pub fn over(
    text: Option<Queue>,
    base: link::Queue,
    source: &Source<'_>,
    key: &str,
) -> Result<link::Queue, ScenarioError> {
    match text {
        None => Ok(base),
        Some(Queue::Limit(Q(limit))) => Ok(limit.into()),
        Some(Queue::Table(mut table)) => {
            let mut discipline = table.discipline.0;
            let limit = table.complete(&mut discipline, base.limit);
            let limit = table.limit.map_or(limit, |q| q.0);
            if let Some((of, message)) = checks::contradiction(discipline, limit) {
                return Err(source.error(Code::ScenarioValue, &format!("{key}.{of}"), message));
            }
            Ok(link::Queue { limit, discipline })
        }
    }
}

/// Refuses a threshold in BDPs on a link whose rate changes: there is no one BDP, and nothing would be marked.
pub fn needs_no_rate(queue: link::Queue, source: &Source<'_>, key: &str) -> Result<(), ScenarioError> {
    let (of, threshold) = match (queue.discipline.threshold(), queue.discipline) {
        (Some(threshold), _) => ("mark_above", threshold.above),
        (None, Discipline::Red(red)) => ("max_threshold", red.max_threshold),
        _ => return Ok(()),
    };
    if !matches!(threshold, QueueLimit::Bdp(_)) {
        return Ok(());
    }
    let message = format!(
        "{of} of {} has no meaning on a link whose rate changes: nothing would be marked",
        threshold.write()
    );
    Err(source
        .error(Code::ScenarioValue, &format!("{key}.{of}"), message)
        .fix(format!("write {of} = \"20 packets\" or \"7 ms\"")))
}

impl From<link::Queue> for Queue {
    fn from(queue: link::Queue) -> Self {
        let link::Queue { limit, mut discipline } = queue;
        if discipline == Discipline::DropTail {
            return Self::Limit(Q(limit));
        }
        let mut table = Box::new(QueueTable {
            discipline: W(discipline),
            limit: Some(Q(limit)),
            ..QueueTable::default()
        });
        table.complete(&mut discipline, limit);
        Self::Table(table)
    }
}
