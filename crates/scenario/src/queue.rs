// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue as a file says it: its limit as text, or a table of discipline and limit.

use crate::text::Q;
use link::{CoDel, FqCoDel, QueueLimit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Bytes, Span};

/// Limits where a file gives a discipline alone: those of Linux (tc-codel(8), tc-fq_codel(8)).
const CODEL_LIMIT: QueueLimit = QueueLimit::Packets(1000);
const FQ_CODEL_LIMIT: QueueLimit = QueueLimit::Packets(10_240);

/// A queue: its limit ("50 packets", "75 kB", "100 ms", "1 BDP", "unlimited"), which is drop-tail, or a table.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Queue {
    Limit(Q<QueueLimit>),
    Table(QueueTable),
}

/// A queue with its discipline. Packets are dropped, never marked instead (no ECN).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ discipline = \"codel\", interval = \"600 ms\" }"))]
pub struct QueueTable {
    /// "drop-tail", "codel" (RFC 8289) or "fq-codel" (RFC 8290).
    #[schemars(extend("x-decides" = "a queue of discipline"))]
    pub discipline: Discipline,
    /// How much may wait. Default: "1000 packets" of CoDel, "10240 packets" of FQ-CoDel; of drop-tail what the link has
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
}

/// Who goes next, and what is dropped.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Discipline {
    DropTail,
    Codel,
    FqCodel,
}

/// The queue that a file says, or else `base`.
pub fn over(text: Option<Queue>, base: link::Queue) -> link::Queue {
    match text {
        None => base,
        Some(Queue::Limit(Q(limit))) => limit.into(),
        Some(Queue::Table(table)) => table.read(base.limit),
    }
}

impl QueueTable {
    fn read(self, base: QueueLimit) -> link::Queue {
        let CoDel { target, interval } = CoDel::default();
        let codel = CoDel {
            target: self.target.map_or(target, |q| q.0),
            interval: self.interval.map_or(interval, |q| q.0),
        };
        let (discipline, limit) = match self.discipline {
            Discipline::DropTail => (link::Discipline::DropTail, base),
            Discipline::Codel => (link::Discipline::CoDel(codel), CODEL_LIMIT),
            Discipline::FqCodel => {
                let FqCoDel { flows, quantum, .. } = FqCoDel::default();
                let fair = FqCoDel {
                    codel,
                    flows: self.flows.unwrap_or(flows),
                    quantum: self.quantum.map_or(quantum, |q| q.0),
                };
                (link::Discipline::FqCoDel(fair), FQ_CODEL_LIMIT)
            }
        };
        link::Queue { limit: self.limit.map_or(limit, |q| q.0), discipline }
    }

    const fn codel(discipline: Discipline, limit: QueueLimit, codel: CoDel) -> Self {
        Self {
            discipline,
            limit: Some(Q(limit)),
            target: Some(Q(codel.target)),
            interval: Some(Q(codel.interval)),
            flows: None,
            quantum: None,
        }
    }
}

impl From<link::Queue> for Queue {
    fn from(queue: link::Queue) -> Self {
        let limit = queue.limit;
        match queue.discipline {
            link::Discipline::DropTail => Self::Limit(Q(limit)),
            link::Discipline::CoDel(codel) => Self::Table(QueueTable::codel(Discipline::Codel, limit, codel)),
            link::Discipline::FqCoDel(FqCoDel { codel, flows, quantum }) => Self::Table(QueueTable {
                flows: Some(flows),
                quantum: Some(Q(quantum)),
                ..QueueTable::codel(Discipline::FqCodel, limit, codel)
            }),
        }
    }
}
