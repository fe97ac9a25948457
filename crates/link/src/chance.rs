// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lists the random draws of a link.
//!
//! Collects the random draws of a link. Each type with a random stream has a method `draws`, which returns whether the
//! type draws random numbers. Each result names the key in the link's table that causes the draw. The code destructures
//! every struct field by field. If a field is added, the code does not compile until its author decides whether the
//! field draws.

use crate::sight::{Axis, BySight};
use crate::{Changes, Grants, Jitter, LinkSpec};

/// A random draw of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The key in the link's table.
    pub key: &'static str,
    /// What is drawn, in words.
    pub what: &'static str,
}

impl LinkSpec {
    /// Returns the random draws of the link. The result does not contain losses of a [recording](crate::Recorded),
    /// because its file is not read here. For these, see [`PathTrace::draws`](crate::PathTrace::draws).
    pub fn chance(&self) -> Vec<Chance> {
        let Self {
            rate: _,
            queue,
            loss,
            // Retransmissions use the probabilities of `loss`. Without a loss, no frame is retransmitted.
            arq: _,
            listed: _,
            // A policer (a token bucket), an MTU and ECN clearing are deterministic.
            policer: _,
            mtu: _,
            ecn_bleach: _,
            jitter,
            reorder: _,
            warning: _,
            changes,
            dama,
            grants,
            acks: _,
        } = self;
        let jitter = jitter.is_some_and(Jitter::draws).then_some("jitter");
        let access = dama.is_some_and(|dama| dama.draws()).then_some("random access");
        let grants = grants.is_some_and(Grants::draws).then_some("grants");
        let own = [
            ("queue", queue.draws()),
            ("loss", loss.draws()),
            ("jitter", jitter),
            ("dama.random_access", access),
            ("grants", grants),
        ];
        let own = own.into_iter().filter_map(|(key, what)| Some(Chance { key, what: what? }));
        let changes = changes.iter().flat_map(|changes| changes.chance());
        own.chain(changes).collect()
    }
}

impl Changes {
    fn chance(&self) -> Vec<Chance> {
        let Self { rate: _, loss, extra_delay: _, ramps, stop: _, recorded: _, sight } = self;
        let steps = loss.iter().any(|&(_, probability)| is_open(probability)) || ramps.draws();
        let steps = steps.then_some(Chance { key: "loss.steps", what: "loss over time" });
        steps.into_iter().chain(sight.iter().flat_map(|sight| sight.chance())).collect()
    }
}

impl BySight {
    fn chance(&self) -> Vec<Chance> {
        // Another module lists the draws of a link budget.
        let Self { rate: _, rate_by_hour: _, loss, loss_by_hour, delay: _, delay_by_hour: _ } = self;
        let by_place = loss.as_ref().filter(|curve| curve.draws()).map(|curve| match curve.axis {
            Axis::Elevation => Chance { key: "loss_by_elevation", what: "loss by elevation" },
            Axis::Range => Chance { key: "loss_by_range", what: "loss by range" },
        });
        let by_hour = loss_by_hour.as_ref().filter(|by| by.draws());
        let by_hour = by_hour.map(|_| Chance { key: "loss_by_hour", what: "loss by hour" });
        by_place.into_iter().chain(by_hour).collect()
    }
}

/// Whether an event of this probability can both happen and not happen.
pub(crate) fn is_open(probability: f64) -> bool {
    probability > 0.0 && probability < 1.0
}

/// Whether a probability that takes these values, and all values between neighbours, is [open](is_open) at some time.
pub(crate) fn passes_between(mut values: impl Iterator<Item = f64>) -> bool {
    let mut last = None;
    values.any(|value| is_open(value) || last.replace(value).is_some_and(|last| last != value))
}
