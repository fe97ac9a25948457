// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decides which senders belong in the L4S queue, and warns about senders in the wrong queue.
//!
//! RFC 9331, section 4.1: a packet is treated as L4S if it carries ECT(1). Section 4.3: its sender should respond to
//! marks so that their frequency does not depend on the rate (a *scalable* controller). A controller that responds to a
//! mark as to a loss is not scalable.

use crate::{FlowPlan, Plan};
use control::{Signals, catalogue};

/// The controller that is made for L4S, as scenarios name it.
const PRAGUE: &str = "prague";

/// Returns the settings that a controller that depends on marks needs: the key `ecn` of the flow, and a discipline that
/// marks as the controller expects.
pub fn needs(controller: &str) -> (&'static str, &'static str) {
    if controller == PRAGUE { ("accurate-l4s", "dualpi2") } else { ("dctcp", "threshold") }
}

/// Returns whether a controller of the catalogue is scalable; `None` if it is not in the catalogue.
fn is_scalable(controller: &str) -> Option<bool> {
    // A controller that requires marks is scalable.
    let built = catalogue::build(controller, &[]).ok()?;
    Some(Signals::ECN.missing_from(built.requires()).is_empty())
}

/// Returns warnings about flows whose ECN codepoint does not match their controller.
pub fn wrong_sides(plan: &Plan) -> impl Iterator<Item = String> {
    let is_coupled =
        plan.configs().any(|config| matches!(config.spec.queue.discipline, link::Discipline::DualPi2(_)));
    plan.flows.iter().filter_map(move |flow| wrong_side(flow, is_coupled))
}

/// Returns the warning about one flow. `is_coupled` states whether a queue treats both kinds of senders differently.
fn wrong_side(flow: &FlowPlan, is_coupled: bool) -> Option<String> {
    let (controller, ecn) = (flow.controller.as_deref()?, flow.ecn?);
    let name = &flow.name;
    match (is_scalable(controller)?, ecn.codepoint() == tcp::Flags::ECT1) {
        (true, false) if is_coupled || controller == PRAGUE => {
            let ecn = if controller == PRAGUE { needs(controller).0 } else { "l4s" };
            Some(format!(
                "flow \"{name}\": {controller} responds to the fraction of marks, but the flow sends ECT(0). A queue \
                 for L4S then treats the flow as a classic sender, so the flow takes the share of real classic \
                 senders (RFC 9331, section 4.1; write tcp = {{ ecn = \"{ecn}\" }})"
            ))
        }
        (false, true) => Some(format!(
            "flow \"{name}\": {controller} does not respond to the fraction of marks, but the flow sends ECT(1). \
             Among L4S senders, the flow gets less than its share of the rate or takes the share of the L4S senders \
             (RFC 9331, section 4.3; write tcp = {{ ecn = \"accurate\" }})"
        )),
        _ => None,
    }
}
