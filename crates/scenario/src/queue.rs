// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue as a file says it: its limit as text, or a table of discipline and limit.

use crate::ScenarioError;
use crate::check::Source;
use crate::text::{Q, Written};
use crate::words::{W, Word};
use link::{Discipline, QueueLimit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Bytes, Code, Span};

/// A queue: its limit ("50 packets", "75 kB", "100 ms", "1 BDP", "unlimited"), which is drop-tail, or a table.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Queue {
    Limit(Q<QueueLimit>),
    Table(QueueTable),
}

/// A queue with its discipline. Packets of a flow with ECN (`ecn` in its table `tcp`) are marked where a discipline says
/// dropped.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ discipline = \"codel\", interval = \"600 ms\" }"))]
pub struct QueueTable {
    /// Who goes next, and what is dropped or marked: "codel", for example.
    #[schemars(extend("x-decides" = "a queue of discipline"))]
    pub discipline: W<Discipline>,
    /// How much may wait. Default: "1000 packets" of CoDel, "10240 packets" of FQ-CoDel; of others what the link has
    /// without this key.
    pub limit: Option<Q<QueueLimit>>,
    /// CoDel, FQ-CoDel: a wait that may stand. Default "5 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "discipline": ["codel", "fq-codel"] }))]
    pub target: Option<Q<Span>>,
    /// CoDel, FQ-CoDel: packets are dropped once waits were above the target for so long; about a round trip (RFC 8289,
    /// section 4.3). Default "100 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "discipline": ["codel", "fq-codel"] }))]
    pub interval: Option<Q<Span>>,
    /// FQ-CoDel: how many queues there may be; no two senders share one before there are more of them. Default 1024.
    #[schemars(range(min = 1, max = 65_536), extend("x-only" = { "discipline": ["fq-codel"] }))]
    pub flows: Option<u32>,
    /// FQ-CoDel: what a queue may send in its turn. Default "1514 B".
    #[schemars(extend("x-min" = "64 B", "x-max" = "65535 B", "x-only" = { "discipline": ["fq-codel"] }))]
    pub quantum: Option<Q<Bytes>>,
    /// Threshold: a packet that finds more than this waiting is marked; as a time, one that waited longer, when it leaves.
    /// Default "0.15 BDP" (DCTCP needs a seventh).
    #[schemars(extend("x-only" = { "discipline": ["threshold"] }))]
    pub mark_above: Option<Q<QueueLimit>>,
}

impl Word for Discipline {
    const NAME: &'static str = "Discipline";
    const MEANING: &'static str = "Who goes next, and what is dropped or marked.";
    const ALL: &'static [Self] = Self::ALL;
    fn word(self) -> &'static str {
        self.word()
    }
}

impl QueueTable {
    /// Brings a table and the settings of its discipline together: what the table says goes into the settings, what it
    /// does not say is filled in from there. Gives the limit where a file says none; `base` is that of the link.
    fn complete(&mut self, discipline: &mut Discipline, base: QueueLimit) -> QueueLimit {
        match discipline {
            Discipline::DropTail => base,
            Discipline::CoDel(codel) => {
                codel.target = self.target.get_or_insert(Q(codel.target)).0;
                codel.interval = self.interval.get_or_insert(Q(codel.interval)).0;
                // tc-codel(8)
                QueueLimit::Packets(1000)
            }
            Discipline::FqCoDel(fair) => {
                fair.codel.target = self.target.get_or_insert(Q(fair.codel.target)).0;
                fair.codel.interval = self.interval.get_or_insert(Q(fair.codel.interval)).0;
                fair.flows = *self.flows.get_or_insert(fair.flows);
                fair.quantum = self.quantum.get_or_insert(Q(fair.quantum)).0;
                // tc-fq_codel(8)
                QueueLimit::Packets(10_240)
            }
            Discipline::Threshold(threshold) => {
                threshold.above = self.mark_above.get_or_insert(Q(threshold.above)).0;
                base
            }
        }
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
            if let Discipline::Threshold(threshold) = discipline
                && never_exceeds(threshold.above, limit)
            {
                let message = format!(
                    "no packet finds more than mark_above of {} waiting in a queue with a limit of {}: nothing would be marked \
                     (lower mark_above, or write a larger limit)",
                    threshold.above.write(),
                    limit.write()
                );
                return Err(source.error(Code::ScenarioValue, &format!("{key}.mark_above"), message));
            }
            Ok(link::Queue { limit, discipline })
        }
    }
}

/// Refuses a threshold in BDPs on a link whose rate changes: there is no one BDP, and nothing would be marked.
pub fn needs_no_rate(queue: link::Queue, source: &Source<'_>, key: &str) -> Result<(), ScenarioError> {
    let Discipline::Threshold(link::Threshold { above: above @ QueueLimit::Bdp(_) }) = queue.discipline
    else {
        return Ok(());
    };
    let message = format!(
        "mark_above of {} has no meaning on a link whose rate changes: nothing would be marked (write mark_above = \"20 packets\" \
         or \"7 ms\")",
        above.write()
    );
    Err(source.error(Code::ScenarioValue, &format!("{key}.mark_above"), message))
}

/// Whether so much as `above` never waits before a packet that a queue of this limit takes. Amounts of several kinds cannot be
/// compared before rate and round trip are known.
fn never_exceeds(above: QueueLimit, limit: QueueLimit) -> bool {
    match (above, limit) {
        // The last packet that the queue takes finds one less than its limit.
        (QueueLimit::Packets(above), QueueLimit::Packets(limit)) => above.saturating_add(1) >= limit,
        (QueueLimit::Bytes(above), QueueLimit::Bytes(limit)) => above >= limit,
        (QueueLimit::Time(above), QueueLimit::Time(limit)) => above >= limit,
        (QueueLimit::Bdp(above), QueueLimit::Bdp(limit)) => above >= limit,
        (QueueLimit::Unlimited, _) => true,
        _ => false,
    }
}

impl From<link::Queue> for Queue {
    fn from(queue: link::Queue) -> Self {
        let link::Queue { limit, mut discipline } = queue;
        if discipline == Discipline::DropTail {
            return Self::Limit(Q(limit));
        }
        let mut table =
            QueueTable { discipline: W(discipline), limit: Some(Q(limit)), ..QueueTable::default() };
        table.complete(&mut discipline, limit);
        Self::Table(table)
    }
}
