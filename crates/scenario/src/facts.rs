// SPDX-License-Identifier: MIT OR Apache-2.0
//! The defaults in a scenario that determine results.

use crate::check::Source;
use crate::document::{NetworkChoice, Wire, WireService};
use crate::text::Written as _;
use link::{Queue, QueueLimit};
use units::Rate;

/// A queue whose limit is the default of its network.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultQueue {
    /// Key of the queue limit.
    pub key: String,
    /// Queue limit that applies.
    pub limit: QueueLimit,
    /// Rate of the link; `None` if it is not constant.
    pub rate: Option<Rate>,
}

impl DefaultQueue {
    /// Returns the limit as text.
    pub fn limit_text(&self) -> String {
        self.limit.write()
    }
}

/// Returns the queues of a scenario that have default limits, in the order of the file. A network preset sets all of
/// its queues, so it has none with a default limit.
pub fn default_queues(network: &NetworkChoice, source: &Source<'_>) -> Vec<DefaultQueue> {
    if source.network_origin().is_some() {
        return Vec::new();
    }
    let mut found = Found { source, all: Vec::new() };
    match network {
        NetworkChoice::Dumbbell { forward, .. } => found.wire("network.dumbbell", forward),
        NetworkChoice::Chain { links } if source.has("network.chain.links[0]") => {
            for (at, link) in links.iter().enumerate() {
                found.wire(&format!("network.chain.links[{at}]"), link);
            }
        }
        NetworkChoice::Chain { links } => {
            if let Some(link) = links.first() {
                found.wire("network.chain.link", link);
            }
        }
        NetworkChoice::Star { branches, .. } => {
            // A table with a `count` describes several branches with the same queue.
            let mut left = branches.iter();
            for table in 0.. {
                let path = format!("network.star.branches[{table}]");
                let Some((_, link)) = left.next() else { break };
                found.wire(&path, link);
                left.by_ref().take(source.count_at(&path) - 1).for_each(drop);
            }
        }
        NetworkChoice::Constellation { spec, .. } => {
            let isl = spec.isl.as_ref().map(|isl| ("isl", &isl.link));
            let user = [("uplink", &spec.uplink), ("downlink", &spec.downlink)];
            let feeder = (!spec.gateways.is_empty()).then_some(("feeder", &spec.feeder));
            for (kind, link) in isl.into_iter().chain(user).chain(feeder) {
                let is_user = kind == "uplink" || kind == "downlink";
                if !(is_user && source.limits_queue("network.constellation.user_link.queue")) {
                    found.queue(format!("network.constellation.{kind}.queue"), link.queue, link.rate);
                }
            }
        }
        NetworkChoice::Starlink(path) => {
            for (way, queue) in ["up", "down"].into_iter().zip(path.queues) {
                found.queue(format!("network.starlink.queue.{way}"), queue, None);
            }
        }
    }
    found.all
}

struct Found<'a> {
    source: &'a Source<'a>,
    all: Vec<DefaultQueue>,
}

impl Found<'_> {
    fn wire(&mut self, path: &str, link: &Wire) {
        let rate = link.spec.rate.filter(|_| matches!(link.service, WireService::Constant));
        self.queue(format!("{path}.queue"), link.spec.queue, rate);
    }

    fn queue(&mut self, key: String, queue: Queue, rate: Option<Rate>) {
        if !self.source.limits_queue(&key) {
            self.all.push(DefaultQueue { key, limit: queue.limit, rate });
        }
    }
}
