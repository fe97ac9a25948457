// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flows whose lost packets were mostly dropped by policers.

use engine::{Cause, Engine, Observer};
use hosts::{FlowTotals, Metered};
use link::Policer;
use plan::Plan;
use units::{Span, Time};

/// If policers dropped fewer packets than this, there is no finding.
const MANY: u64 = 10;

/// Returns the number of data packets of a flow that policers dropped, and the text of the finding. Returns `None` if
/// policers dropped too few packets, or if all other causes together lost at least as many.
pub(super) fn mostly<E: Metered, O: Observer<E::Body>>(
    plan: &Plan,
    engine: &Engine<E, O>,
    flow: usize,
    since: Time,
) -> Option<(Span, u64, String)> {
    let sent = FlowTotals::of(engine.endpoints(), flow).sent;
    let dropped = sent.dropped[Cause::Policer as usize];
    let lost: u64 = sent.dropped.iter().sum();
    if dropped < MANY || 2 * dropped <= lost {
        return None;
    }
    let lasted = engine.now().since(since);
    let share = 100.0 * dropped as f64 / sent.sent_packets.max(1) as f64;
    let which = the_only(plan, engine, flow).map_or_else(String::new, |(name, policer)| {
        format!(
            ". The policer of {name} passes a rate of {:.6} Mbit/s and a burst of {} B",
            policer.rate.mbit_per_s(),
            policer.burst.get()
        )
    });
    let text = format!(
        "from {:.1} s to {:.1} s, policers dropped {dropped} of the {lost} data packets that the flow lost. The \
         policers dropped {share:.2} % of all data packets that the flow sent{which}",
        since.secs_f64(),
        engine.now().secs_f64(),
    );
    Some((lasted, dropped, text))
}

/// Returns the policer that dropped the packets, if only one policer on the flow's path dropped anything. The policer
/// is on a link of the network or of the flow's hosts. The counts of a link do not distinguish flows.
fn the_only<'a, E: Metered, O: Observer<E::Body>>(
    plan: &'a Plan,
    engine: &Engine<E, O>,
    flow: usize,
) -> Option<(&'a str, Policer)> {
    let network = plan.network.links.iter().enumerate();
    let network = network.map(|(at, link)| (plan.engine_link(at as u32) as usize, &link.name, &link.config));
    let access = plan.access_links.iter().enumerate().filter(|(_, access)| access.flow == flow);
    let access = access.map(|(at, access)| (plan.engine_access(at), &access.name, &access.config));
    let mut active = network.chain(access).filter_map(|(number, name, config)| {
        let policer = config.spec.policer?;
        (engine.link(number).counters().policed > 0).then_some((name.as_str(), policer))
    });
    active.next().filter(|_| active.next().is_none())
}
