// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which senders belong into the queue of L4S, and what to know of those on the wrong side.
//!
//! RFC 9331, section 4.1: a packet is treated as L4S if it carries ECT(1). Section 4.3: its sender should answer marks so
//! that they stay as frequent at high rates as at low ones (a *scalable* controller), which those do not that answer a mark
//! as a loss.

use crate::{FlowPlan, Plan};
use control::{Signals, catalogue};

/// The controller that is made for L4S, as scenarios name it.
const PRAGUE: &str = "prague";

/// What a controller that lives by marks needs: a flow's `ecn`, and a discipline that marks as it expects.
pub fn needs(controller: &str) -> (&'static str, &'static str) {
    if controller == PRAGUE { ("accurate-l4s", "dualpi2") } else { ("dctcp", "threshold") }
}

/// Whether a controller of the catalogue answers marks by their share; `None` of one that is not in it.
fn is_scalable(controller: &str) -> Option<bool> {
    // Those that do are those that cannot be without.
    let built = catalogue::build(controller, &[]).ok()?;
    Some(Signals::ECN.missing_from(built.requires()).is_empty())
}

/// What to know of flows whose packets say of them what they are not.
pub fn wrong_sides(plan: &Plan) -> impl Iterator<Item = String> {
    let is_coupled =
        plan.configs().any(|config| matches!(config.spec.queue.discipline, link::Discipline::DualPi2(_)));
    plan.flows.iter().filter_map(move |flow| wrong_side(flow, is_coupled))
}

/// The same of one flow; `is_coupled`: some queue tells the two kinds apart.
fn wrong_side(flow: &FlowPlan, is_coupled: bool) -> Option<String> {
    let (controller, ecn) = (flow.controller.as_deref()?, flow.ecn?);
    let name = &flow.name;
    match (is_scalable(controller)?, ecn.codepoint() == tcp::Flags::ECT1) {
        (true, false) if is_coupled || controller == PRAGUE => {
            let ecn = if controller == PRAGUE { needs(controller).0 } else { "l4s" };
            Some(format!(
                "flow \"{name}\": {controller} answers marks by their share and sends ECT(0): a queue that knows L4S takes \
                 it for a classic sender, and it takes the others' share (RFC 9331, section 4.1; write tcp = {{ ecn = \"{ecn}\" }})"
            ))
        }
        (false, true) => Some(format!(
            "flow \"{name}\": {controller} does not answer marks by their share and sends ECT(1): among senders of L4S it loses \
             its share, or takes theirs (RFC 9331, section 4.3; write tcp = {{ ecn = \"accurate\" }})"
        )),
        _ => None,
    }
}
