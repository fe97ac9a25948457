// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue in a file: its limit as text, or a table of discipline and limit.

mod checks;
mod settings;

use crate::ScenarioError;
use crate::check::Source;
use crate::text::{Fraction, Q, Written};
use crate::words::{W, Word, words};
use link::{Discipline, QueueLimit, WaitEstimate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Bytes, Code, Span};

/// A queue: the limit of a drop-tail queue ("50 packets", "75 kB", "100 ms", "1 BDP", "unlimited"), or a table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Queue {
    Limit(Q<QueueLimit>),
    Table(Box<QueueTable>),
}

/// A queue with its discipline. Where the keys below describe drops, packets of flows with ECN (`ecn` in their table
/// `tcp`) are marked instead. The disciplines "drop-front", "priority" and "drr" mark only by `mark_above`.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ discipline = \"codel\", interval = \"600 ms\" }"))]
pub struct QueueTable {
    /// Which packet goes next, and which packets are dropped or marked; for example "codel".
    #[schemars(extend("x-decides" = "a queue of discipline"))]
    pub discipline: W<Discipline>,
    /// Largest amount that may wait. Default: "1000 packets" for CoDel and PIE, "10240 packets" for FQ-CoDel, "250 ms"
    /// for DualPI2, and the link's default queue for other disciplines.
    pub limit: Option<Q<QueueLimit>>,
    /// CoDel, FQ-CoDel, PIE, DualPI2: target of the waiting time. Default "5 ms" for CoDel and FQ-CoDel, "15 ms" for
    /// PIE and for DualPI2's classic queue.
    #[schemars(
        extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "discipline": ["codel", "fq-codel", "pie", "dualpi2"] })
    )]
    pub target: Option<Q<Span>>,
    /// CoDel, FQ-CoDel: time for which packets wait longer than the target before the queue drops packets. It is about
    /// one round-trip time (RFC 8289, section 4.3). Default "100 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "discipline": ["codel", "fq-codel"] }))]
    pub interval: Option<Q<Span>>,
    /// CoDel, FQ-CoDel: packets that waited longer than this are marked when they leave, in addition to CoDel's marks.
    /// Packets without ECN are not affected. Default: no such marks.
    #[schemars(extend("x-min" = "0 s", "x-max" = "1 h", "x-only" = { "discipline": ["codel", "fq-codel"] }))]
    pub ce_threshold: Option<Q<Span>>,
    /// Packets that `ce_threshold` marks: "all" packets with ECN, or "ect1", only packets of L4S. Default "all".
    #[schemars(extend("x-only" = { "discipline": ["codel", "fq-codel"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["ce_threshold"],
        "why": "`ce_threshold_of` has no effect without `ce_threshold`",
        "fix": "write ce_threshold = \"1 ms\", or remove `ce_threshold_of`",
    }]))]
    pub ce_threshold_of: Option<W<CeOf>>,
    /// FQ-CoDel: number of queues. If there are fewer senders than queues, each sender has its own queue. Default 1024.
    #[schemars(range(min = 1, max = 65_536), extend("x-only" = { "discipline": ["fq-codel"] }))]
    pub flows: Option<u32>,
    /// FQ-CoDel, DRR: number of bytes that a queue may send in one turn. Default "1514 B".
    #[schemars(extend("x-min" = "64 B", "x-max" = "65535 B", "x-only" = { "discipline": ["fq-codel", "drr"] }))]
    pub quantum: Option<Q<Bytes>>,
    /// Threshold, priority, DRR: a packet is marked if more than this waits when it arrives. Priority counts packets of
    /// the same class, and DRR counts packets of the same sender. Drop-front: a packet is marked if more than this
    /// waits behind it when it leaves. If the value is a time, all four disciplines mark a packet when it leaves, if it
    /// waited longer than this time. Default "0.15 BDP" for threshold (DCTCP needs a seventh); no marks for the other
    /// disciplines.
    #[schemars(extend("x-only" = { "discipline": ["threshold", "drop-front", "priority", "drr"] }))]
    pub mark_above: Option<Q<QueueLimit>>,
    /// RED: no packets are dropped while the mean queue is below this value. The unit may be packets, bytes, a time or
    /// BDP. It must be the unit of `max_threshold`. Default: a third of `max_threshold`, or "5 packets".
    #[schemars(extend("x-only" = { "discipline": ["red"] }))]
    pub min_threshold: Option<Q<QueueLimit>>,
    /// RED: mean queue above which all packets are dropped. With `gentle`, all packets are dropped only above twice
    /// this value. Default: three times `min_threshold`.
    #[schemars(extend("x-only" = { "discipline": ["red"] }))]
    pub max_threshold: Option<Q<QueueLimit>>,
    /// RED: weight of a new sample in the mean queue. Default 0.002.
    #[schemars(range(min = 1e-9, max = 1.0), extend("x-only" = { "discipline": ["red"] }))]
    pub weight: Option<f64>,
    /// RED: drop probability when the mean queue equals `max_threshold`. Default 0.1.
    #[schemars(range(min = 1e-9, max = 1.0), extend("x-only" = { "discipline": ["red"] }))]
    pub max_p: Option<Fraction>,
    /// RED: if true, the drop probability rises gradually to 1 between `max_threshold` and twice `max_threshold`. If
    /// false, it jumps to 1 at `max_threshold`. Default true.
    #[schemars(extend("x-only" = { "discipline": ["red"] }))]
    pub gentle: Option<bool>,
    /// PIE: interval between computations of the drop probability. Default "15 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 min", "x-only" = { "discipline": ["pie"] }))]
    pub update: Option<Q<Span>>,
    /// PIE: time without drops after a period with a short queue. Default "150 ms".
    #[schemars(extend("x-max" = "1 h", "x-only" = { "discipline": ["pie"] }))]
    pub burst: Option<Q<Span>>,
    /// PIE: increase of the drop probability in one step, before scaling, for each second of waiting time above the
    /// target. Default 0.125.
    #[schemars(range(min = 1e-9, max = 1e6), extend("x-only" = { "discipline": ["pie"] }))]
    pub alpha: Option<f64>,
    /// PIE: increase of the drop probability in one step, before scaling, for each second by which the waiting time has
    /// grown. Default 1.25.
    #[schemars(range(min = 1e-9, max = 1e6), extend("x-only" = { "discipline": ["pie"] }))]
    pub beta: Option<f64>,
    /// PIE: from this drop probability on, packets with ECN are dropped instead of marked. Default 0.1.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-only" = { "discipline": ["pie"] }))]
    pub mark_below: Option<Fraction>,
    /// PIE: how the waiting time is measured: from the "timestamp" of the packet that left last, or from the "rate" at
    /// which packets leave. Default "timestamp".
    #[schemars(extend("x-only" = { "discipline": ["pie"] }))]
    pub estimate: Option<W<WaitEstimate>>,
    /// DualPI2: longest expected round-trip time. It determines the gains. Default "100 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "discipline": ["dualpi2"] }))]
    pub rtt_max: Option<Q<Span>>,
    /// DualPI2: coupling factor. L4S packets are marked with this factor times the square root of the drop probability
    /// of classic packets. Default 2.
    #[schemars(range(min = 1.0, max = 100.0), extend("x-only" = { "discipline": ["dualpi2"] }))]
    pub coupling: Option<f64>,
    /// DualPI2: waiting time from which the ramp may mark L4S packets. Default "800 us".
    #[schemars(extend("x-max" = "1 h", "x-only" = { "discipline": ["dualpi2"] }))]
    pub ramp_from: Option<Q<Span>>,
    /// DualPI2: length of the ramp, over which the mark probability grows from 0 to 1. "0 s" is a step. Default "400
    /// us".
    #[schemars(extend("x-max" = "1 h", "x-only" = { "discipline": ["dualpi2"] }))]
    pub ramp_range: Option<Q<Span>>,
    /// DualPI2: which queue sends next. "wrr": both in turn, weighted by bytes. "time-shifted": the queue with the
    /// longest waiting time, where L4S gets the addition `time_shift`. Default "wrr".
    #[schemars(extend("default" = "wrr", "x-decides" = "scheduler", "x-only" = { "discipline": ["dualpi2"] }))]
    pub scheduler: Option<W<SchedulerWord>>,
    /// DualPI2 with "wrr": fraction of the rate for the classic queue while both queues have packets. Default 0.0625.
    #[schemars(range(min = 0.001, max = 0.999), extend("x-only" = { "discipline": ["dualpi2"], "scheduler": ["wrr"] }))]
    pub classic_share: Option<Fraction>,
    /// DualPI2 with "time-shifted": addition to the waiting time of L4S packets. Default "50 ms".
    #[schemars(extend("x-max" = "1 h", "x-only" = { "discipline": ["dualpi2"], "scheduler": ["time-shifted"] }))]
    pub time_shift: Option<Q<Span>>,
}

/// Packets that a shallow threshold marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CeOf {
    All,
    Ect1,
}

/// Which of two queues sends next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchedulerWord {
    Weighted,
    TimeShifted,
}

words! {
    /// Packets that a shallow threshold marks.
    CeOf { All = "all", Ect1 = "ect1" }
    /// Which of two queues sends next.
    SchedulerWord { Weighted = "wrr", TimeShifted = "time-shifted" }
    /// How a queue measures the waiting time of packets.
    WaitEstimate { Timestamp = "timestamp", DepartureRate = "rate" }
}

impl Word for Discipline {
    const NAME: &'static str = "Discipline";
    const MEANING: &'static str = "Which packet goes next, and which packets are dropped or marked.";
    const ALL: &'static [Self] = Self::ALL;
    fn word(self) -> &'static str {
        self.word()
    }
}

/// Returns the queue of the file at `key`, with `base` for missing values.
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

/// Refuses a threshold in BDP on a link whose rate changes. The BDP is not defined for such a link, so no packet would
/// be marked.
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
        "{of} = {} is a share of a bandwidth-delay product, which is not defined on a link whose rate changes: no \
         packet would be marked",
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
