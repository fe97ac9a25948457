// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the carriers that branches of a star share, and the terminals on these carriers.

use crate::ScenarioError;
use crate::check::{Source, nearest};
use crate::document::{ReturnCarriers, Wire, WireService};
use crate::format;
use crate::link_text::rate_steps;
use crate::return_link::goes_with_dama;
use crate::text::{Q, Unlimited};
use crate::words::{W, words};
use link::{Carrier, Dama, Piece, RateSchedule, Sharing};
use units::{Code, Rate, Time};

words! {
    /// How a shared carrier is divided if the requests exceed its capacity.
    Sharing { MaxMin = "max-min", Proportional = "proportional" }
}

/// Carriers with their names.
pub type Named = Vec<(String, Carrier)>;

/// Reads the table of carriers at `path`.
pub fn read(
    text: Option<Vec<format::Carrier>>,
    source: &Source<'_>,
    path: &str,
) -> Result<Named, ScenarioError> {
    let mut carriers = Named::new();
    for (index, one) in text.unwrap_or_default().into_iter().enumerate() {
        let fault = |key: &str, message: String| {
            source.error(Code::ScenarioValue, &format!("{path}[{index}].{key}"), message)
        };
        if carriers.iter().any(|(known, _)| *known == one.name) {
            let message = format!("the carrier name \"{}\" is used twice", one.name);
            return Err(fault("name", message).fix("give each carrier its own name"));
        }
        let carrier = Carrier {
            rate: one.rate.0,
            superframe: one.superframe.0,
            latency: one.latency.0,
            sharing: one.sharing.map_or_else(Sharing::default, |W(sharing)| sharing),
        };
        if carrier.capacity() == 0 {
            let message = format!(
                "at the rate of {}, a superframe of {} carries less than one byte, so nothing can be granted",
                carrier.rate, carrier.superframe
            );
            return Err(fault("superframe", message).fix("write a longer `superframe`, or a higher rate"));
        }
        carriers.push((one.name, carrier));
    }
    Ok(carriers)
}

/// Returns the text form of these carriers.
pub fn write(carriers: &Named) -> Option<Vec<format::Carrier>> {
    let text = |(name, carrier): &(String, Carrier)| format::Carrier {
        name: name.clone(),
        rate: Q(carrier.rate),
        superframe: Q(carrier.superframe),
        latency: Q(carrier.latency),
        sharing: Some(W(carrier.sharing)),
    };
    (!carriers.is_empty()).then(|| carriers.iter().map(text).collect())
}

/// Refuses carriers without terminals, and carriers whose constant assignments exceed their capacity.
pub fn check(
    shared: &ReturnCarriers,
    branches: &[(String, Wire)],
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    for (number, (name, carrier)) in shared.carriers.iter().enumerate() {
        let terminals = branches.iter().enumerate().filter_map(|(at, (_, wire))| {
            let dama = wire.spec.dama.filter(|dama| dama.carrier.map(usize::from) == Some(number))?;
            Some((dama, shared.clear_rate(at)))
        });
        let mut terminals = terminals.peekable();
        let fault =
            |message: String| source.error(Code::ScenarioValue, &format!("{path}[{number}]"), message);
        if terminals.peek().is_none() {
            let message = format!("the carrier \"{name}\" has no terminal");
            return Err(fault(message).fix(format!(
                "write carrier = \"{name}\" in the `dama` of a branch, or remove the carrier"
            )));
        }
        let (mut assigned, mut bytes, mut slower) = (0, 0, "");
        for (dama, own) in terminals {
            assigned += dama.cra.bits_per_s();
            // The constant assignment of a superframe is rounded up.
            let nanobits = u128::from(dama.cra.bits_per_s()) * u128::from(carrier.superframe.nanos());
            let needs = nanobits.div_ceil(8_000_000_000);
            // A slower terminal needs more time for the same bytes.
            bytes += match own.map(|own| u128::from(own.bits_per_s())) {
                Some(own) if own > 0 && needs > 0 => {
                    slower = " at the rates of the terminals";
                    (needs * u128::from(carrier.rate.bits_per_s())).div_ceil(own)
                }
                _ => needs,
            };
        }
        if bytes > u128::from(carrier.capacity()) {
            let message = format!(
                "the `cra` of the terminals is {} in total. In each superframe, this needs {bytes} bytes{slower}, \
                 but a superframe of the carrier has only {} bytes",
                Rate::from_bits_per_s(assigned),
                carrier.capacity()
            );
            return Err(fault(message).fix("lower `cra`, or write a higher rate of the carrier"));
        }
    }
    Ok(())
}

/// Returns the highest rate of a terminal in its slots. Rain only lowers the rate of a budget, so this is the rate in
/// clear sky.
fn highest(pace: &WireService) -> Option<Rate> {
    match pace {
        WireService::Steps(schedule) => schedule.highest(),
        WireService::Budget(budget) => Some(budget.radio.clear_rate()).filter(|rate| *rate > Rate::default()),
        WireService::Constant | WireService::ByHour(_) | WireService::Trace(_) | WireService::PathTrace => {
            None
        }
    }
}

impl format::Dama {
    /// Reads a terminal's rate in its slots of a carrier; `None` if it is the carrier's rate.
    fn pace(
        &mut self,
        name: &str,
        carrier: &Carrier,
        source: &Source<'_>,
        path: &str,
    ) -> Result<Option<WireService>, ScenarioError> {
        let own = self.rate.take();
        let service = format::Service {
            rate: own.map(|Q(rate)| Q(Unlimited(Some(rate)))),
            rate_steps: self.rate_steps.take(),
            budget: self.budget.take(),
            ..format::Service::default()
        };
        let pace = match (service.read(source, path)?, own) {
            (None, _) => return Ok(None),
            (Some(WireService::Constant), Some(Q(rate))) => {
                let schedule =
                    RateSchedule::new(vec![Piece::constant(Time::ZERO, rate)]).map_err(|error| {
                        source.error(Code::ScenarioValue, &format!("{path}.rate"), error.to_string())
                    })?;
                WireService::Steps(schedule)
            }
            (Some(pace), _) => pace,
        };
        let (most, superframe) = (carrier.rate, carrier.superframe);
        let message = match highest(&pace) {
            Some(highest) if highest > most => format!(
                "a terminal of the carrier \"{name}\" sends at {highest}, which is above the carrier's rate of {most} \
                 (write {most} or less, or a higher rate of the carrier)"
            ),
            Some(highest) if highest.bytes_in(superframe).get() == 0 => format!(
                "at the rate of {highest}, a superframe of {superframe} carries less than one byte, so nothing can \
                 be granted (write a higher rate, or a longer superframe of the carrier)"
            ),
            _ => return Ok(Some(pace)),
        };
        let key = match &pace {
            WireService::Budget(_) => "budget",
            _ if own.is_some() => "rate",
            _ => "rate_steps",
        };
        Err(source.error(Code::ScenarioValue, &format!("{path}.{key}"), message))
    }

    /// Returns the terminal on `wire`, which shares one of these carriers, and its rate in its slots.
    pub fn on_carrier(
        mut self,
        carriers: &Named,
        wire: &Wire,
        source: &Source<'_>,
        path: &str,
    ) -> Result<(Dama, Option<WireService>), ScenarioError> {
        let fault =
            |key: &str, message: &str| source.error(Code::ScenarioValue, &format!("{path}{key}"), message);
        let name = self.carrier.take().unwrap_or_default();
        let Some(number) = carriers.iter().position(|(known, _)| *known == name) else {
            let known = || carriers.iter().map(|(known, _)| known.as_str());
            let there = match nearest(&name, known()) {
                _ if carriers.is_empty() => format!(
                    "write carriers = [{{ name = \"{name}\", rate = \"2 Mbit/s\", superframe = \"40 ms\", latency = \"560 ms\" }}] \
                     in `network.star`"
                ),
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("carriers are {}", known().collect::<Vec<_>>().join(", ")),
            };
            return Err(fault(".carrier", &format!("unknown carrier \"{name}\" ({there})")));
        };
        let carrier = carriers[number].1;
        if matches!(wire.service, WireService::Trace(_) | WireService::PathTrace) {
            let message = "the trace defines one rate for both directions, but the carrier defines the rate towards \
                the hub, and the branch defines only the rate from the hub";
            return Err(fault("", message).fix("write rate = \"20 Mbit/s\", rate_steps or budget instead"));
        }
        (self.superframe, self.latency) = (Some(Q(carrier.superframe)), Some(Q(carrier.latency)));
        goes_with_dama(&wire.spec, source, path)?;
        let pace = self.pace(&name, &carrier, source, path)?;
        let dama = self.categories(carrier.rate, source, path)?;
        Ok((Dama { carrier: Some(number as u16), ..dama }, pace))
    }

    /// Returns the text form of a terminal's demand assignment. If the terminal uses one of the carriers, the text
    /// contains the name of the carrier and the terminal's rate in its slots.
    pub fn on(dama: Dama, carriers: &ReturnCarriers, branch: usize) -> Self {
        let mut text = Self::of(dama);
        let Some(number) = dama.carrier else { return text };
        text.carrier = carriers.carriers.get(usize::from(number)).map(|(name, _)| name.clone());
        (text.superframe, text.latency) = (None, None);
        match carriers.pace(branch) {
            Some(WireService::Steps(schedule)) => match schedule.pieces() {
                [only] => text.rate = Some(Q(only.start)),
                _ => text.rate_steps = Some(rate_steps(schedule)),
            },
            Some(WireService::Budget(budget)) => text.budget = Some(format::Budget::of(budget)),
            _ => {}
        }
        text
    }
}
