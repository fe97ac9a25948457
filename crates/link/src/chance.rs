// SPDX-License-Identifier: MIT OR Apache-2.0
//! The random draws of a link.
//!
//! Each type that owns a random stream has a method `draws`. This module collects the answers, each with the key of the
//! link's table that causes the draw. It destructures every struct field by field, so a new field does not compile
//! until its author states whether it draws.

use crate::sight::{Axis, BySight};
use crate::{Changes, Grants, Jitter, LinkSpec};

/// Something that a link draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The key of the link's table.
    pub key: &'static str,
    /// What is drawn, in words.
    pub what: &'static str,
}

impl LinkSpec {
    /// What the link draws, except losses of a [recording](crate::Recorded). Its file is not read here;
    /// [`PathTrace::draws`](crate::PathTrace::draws) returns whether it draws.
    pub fn chance(&self) -> Vec<Chance> {
        let Self {
            rate: _,
            queue,
            loss,
            // Retransmissions draw from `loss`: without a loss, nothing is retransmitted.
            arq: _,
            listed: _,
            // A token bucket and a mask of bits are deterministic.
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
        // The draws of a link budget are listed by another module.
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

/// Whether an event of this probability sometimes happens and sometimes does not.
pub(crate) fn is_open(probability: f64) -> bool {
    probability > 0.0 && probability < 1.0
}

/// Whether a probability that takes these values and all values in between is ever [open](is_open).
pub(crate) fn passes_between(mut values: impl Iterator<Item = f64>) -> bool {
    let mut last = None;
    values.any(|value| is_open(value) || last.replace(value).is_some_and(|last| last != value))
}
