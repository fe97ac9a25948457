// SPDX-License-Identifier: MIT OR Apache-2.0
//! Policers of links, read and written; and flows of which a policer would let no packet pass.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{Flow, NetworkChoice};
use crate::format;
use crate::text::{Q, Written as _};
use link::{LinkSpec, Policer};
use units::{Bytes, Code};

impl format::Policer {
    /// The policer that the table says.
    pub const fn read(self) -> Policer {
        Policer { rate: self.rate.0, burst: self.burst.0 }
    }

    /// What a file says of it.
    pub const fn of(policer: Policer) -> Self {
        Self { rate: Q(policer.rate), burst: Q(policer.burst) }
    }
}

/// Refuses a flow whose largest packets are larger than the burst of a policer of the network or of its hosts: none of them
/// would ever pass.
pub fn refuse_small_bursts(
    flow: &Flow,
    network: &NetworkChoice,
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    let packet = flow.kind.packet();
    let access = flow.access.as_ref().map(|access| &access.link);
    let bursts = links(network).into_iter().chain(access).filter_map(|link| Some(link.policer?.burst));
    let Some(burst) = bursts.min().filter(|&burst| burst < packet) else { return Ok(()) };
    let message = format!(
        "its largest packets have {}, and the bucket of a `policer` holds {}: it would drop all of them",
        packet.write(),
        burst.write()
    );
    let fix = format!("write a `burst` of {} or more", Bytes::new(packet.get()).write());
    Err(source.error(Code::ScenarioValue, path, message).fix(fix))
}

/// All links that the file says.
fn links(network: &NetworkChoice) -> Vec<&LinkSpec> {
    match network {
        NetworkChoice::Constellation { spec, .. } => {
            let between = spec.isl.as_ref().map(|isl| &isl.link);
            [&spec.uplink, &spec.downlink, &spec.feeder].into_iter().chain(between).collect()
        }
        NetworkChoice::Dumbbell { forward, reverse } => vec![&forward.spec, &reverse.spec],
        NetworkChoice::Chain { links } => links.iter().map(|wire| &wire.spec).collect(),
        NetworkChoice::Star { branches, .. } => branches.iter().map(|(_, wire)| &wire.spec).collect(),
        NetworkChoice::Starlink(_) => Vec::new(),
    }
}
