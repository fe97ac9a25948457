// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the carriers on which the hub of a star transmits to several branches, and the weight and priority
//! of each branch.
//!
//! Such a carrier is a transmitter that links share. In a run, it has no rate of its own: each packet occupies it for
//! the time that the branch's rate needs. Its `turns` are those of the transmitter.

use crate::ScenarioError;
use crate::check::{Source, nearest};
use crate::document::{ForwardCarrier, ForwardCarriers, ForwardTurn, Wire, WireService};
use crate::format;
use crate::text::{Q, Unlimited};
use crate::words::W;
use topology::Turns;
use units::{Code, Rate};

/// The key of the carriers.
const PATH: &str = "network.star.forward_carriers";

impl ForwardCarriers {
    /// Reads the carriers of a star, without their branches.
    pub(crate) fn read(
        text: Option<Vec<format::ForwardCarrier>>,
        source: &Source<'_>,
    ) -> Result<Self, ScenarioError> {
        let mut carriers: Vec<ForwardCarrier> = Vec::new();
        for (index, format::ForwardCarrier { name, rate: Q(rate), turns }) in
            text.unwrap_or_default().into_iter().enumerate()
        {
            if carriers.iter().any(|known| known.name == name) {
                let message = format!("the carrier name \"{name}\" is used twice");
                return Err(source
                    .error(Code::ScenarioValue, &format!("{PATH}[{index}].name"), message)
                    .fix("give each carrier its own name"));
            }
            let turns = turns.map_or_else(Turns::default, |W(turns)| turns);
            carriers.push(ForwardCarrier { name, rate, turns });
        }
        Ok(Self { carriers, turns: Vec::new() })
    }

    /// Reads the carrier, weight and priority of the branch at `path`. A branch without a rate has the rate of the
    /// carrier.
    pub(crate) fn turn(
        &self,
        text: &format::Forward,
        wire: &mut format::Wire,
        source: &Source<'_>,
        path: &str,
    ) -> Result<ForwardTurn, ScenarioError> {
        let name = &text.carrier;
        let Some(number) = self.carriers.iter().position(|known| known.name == *name) else {
            let known = || self.carriers.iter().map(|known| known.name.as_str());
            let there = match nearest(name, known()) {
                _ if self.carriers.is_empty() => format!(
                    "write forward_carriers = [{{ name = \"{name}\", rate = \"100 Mbit/s\" }}] in `network.star`"
                ),
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("forward carriers are {}", known().collect::<Vec<_>>().join(", ")),
            };
            let message = format!("unknown forward carrier \"{name}\" ({there})");
            return Err(source.error(Code::ScenarioValue, &format!("{path}.forward.carrier"), message));
        };
        let service = &mut wire.service;
        let said = service.rate_steps.is_some()
            || service.rate_by_hour.is_some()
            || service.trace.is_some()
            || service.budget.is_some();
        if service.rate.is_none() && !said {
            service.rate = Some(Q(Unlimited(Some(self.carriers[number].rate))));
        }
        Ok(ForwardTurn {
            carrier: number as u16,
            weight: text.weight.unwrap_or(1),
            class: text.priority.unwrap_or(0),
        })
    }

    /// Refuses settings of a branch's link that are not possible on a shared carrier.
    pub(crate) fn check_branch(
        &self,
        turn: ForwardTurn,
        wire: &Wire,
        source: &Source<'_>,
        path: &str,
    ) -> Result<(), ScenarioError> {
        let fault = |key: &str, message: String| {
            Err(source.error(Code::ScenarioValue, &format!("{path}.{key}"), message))
        };
        let ForwardCarrier { name, rate: most, .. } = &self.carriers[usize::from(turn.carrier)];
        // Rain only lowers the rate of a budget, so MODCODs above that of clear sky are never used.
        let (key, highest) = match &wire.service {
            WireService::Constant => ("rate", wire.spec.rate),
            WireService::Steps(schedule) => ("rate_steps", schedule.highest()),
            WireService::ByHour(by) => {
                ("rate_by_hour", Some(Rate::from_bits_per_s(by.highest().round() as u64)))
            }
            WireService::Budget(budget) => ("budget", Some(budget.radio.clear_rate())),
            WireService::Trace(_) | WireService::PathTrace => {
                let message = format!(
                    "a trace sets the times of delivery of a single link, but the branch shares the carrier \"{name}\" \
                     with other branches (write rate, rate_steps or budget instead, or remove `forward`)"
                );
                return fault("trace", message);
            }
        };
        if highest.is_none_or(|highest| highest > *most) {
            let rate = highest.map_or_else(|| "unlimited".to_owned(), |rate| rate.to_string());
            let when = if key == "budget" { " in clear sky" } else { "" };
            let message = format!(
                "the branch's rate of {rate}{when} is above the rate of the carrier \"{name}\", which is {most} (write \
                 {most} or less, or a higher rate of the carrier)"
            );
            return fault(key, message);
        }
        Ok(())
    }

    /// Refuses carriers without branches.
    pub(crate) fn check(&self, source: &Source<'_>) -> Result<(), ScenarioError> {
        for (number, ForwardCarrier { name, .. }) in self.carriers.iter().enumerate() {
            if !self.turns.iter().flatten().any(|turn| usize::from(turn.carrier) == number) {
                let message = format!("the carrier \"{name}\" has no branch");
                return Err(source.error(Code::ScenarioValue, &format!("{PATH}[{number}]"), message).fix(
                    format!("write forward = {{ carrier = \"{name}\" }} in a branch, or remove the carrier"),
                ));
            }
        }
        Ok(())
    }

    /// Returns the text form of the carriers.
    pub(crate) fn write(&self) -> Option<Vec<format::ForwardCarrier>> {
        let text = |ForwardCarrier { name, rate, turns }: &ForwardCarrier| format::ForwardCarrier {
            name: name.clone(),
            rate: Q(*rate),
            turns: (*turns != Turns::default()).then_some(W(*turns)),
        };
        (!self.carriers.is_empty()).then(|| self.carriers.iter().map(text).collect())
    }

    /// Returns the text form of a branch's carrier, weight and priority.
    pub(crate) fn write_turn(&self, branch: usize) -> Option<format::Forward> {
        let turn = self.of(branch)?;
        Some(format::Forward {
            carrier: self.carriers[usize::from(turn.carrier)].name.clone(),
            weight: Some(turn.weight),
            priority: Some(turn.class),
        })
    }
}
