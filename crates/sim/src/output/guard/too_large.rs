// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flows with packets that were larger than the MTU of a link.

use super::super::measured::no_delivery::narrowest;
use engine::{Cause, Engine, Observer};
use hosts::{FlowTotals, Metered};
use plan::Plan;
use scenario::QUIC_HEADERS;
use units::{Span, Time};

/// Returns the period, the number of data packets of a flow that exceeded an MTU, and the text of the finding.
pub(super) fn told<E: Metered, O: Observer<E::Body>>(
    plan: &Plan,
    engine: &Engine<E, O>,
    flow: usize,
    since: Time,
) -> (Span, u64, String) {
    let flow_plan = &plan.flows[flow];
    let dropped = FlowTotals::of(engine.endpoints(), flow).sent.dropped[Cause::TooLarge as usize];
    let place = narrowest(plan, engine, &flow_plan.connections(flow));
    let which = place.map_or_else(String::new, |(name, mtu)| {
        let fix = if flow_plan.quic.is_some() {
            let fits = u32::from(mtu).saturating_sub(QUIC_HEADERS);
            format!(
                "this number includes the probes of path MTU discovery; to send no probes, write \
                largest_datagram = \"{fits} B\""
            )
        } else {
            "write a larger `mtu`, or smaller packets".to_owned()
        };
        format!(": \"{name}\" carries packets of at most {mtu} B ({fix})")
    });
    let packets = if dropped == 1 { "data packet" } else { "data packets" };
    let text = format!(
        "from {:.1} s on, {dropped} {packets} of the flow exceeded the MTU of a link and were dropped{which}",
        since.secs_f64()
    );
    (engine.now().since(since), dropped, text)
}
