// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes how a terminal gains access to the channel.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::WireService;
use crate::format::{self, ReturnLink};
use crate::text::{Fraction, Q, Unlimited};
use link::{Dama, Grants, LinkSpec};
use units::{Code, Rate, Span};

impl ReturnLink {
    /// Returns the link with these settings.
    pub fn over(
        self,
        spec: LinkSpec,
        service: &WireService,
        source: &Source<'_>,
        path: &str,
    ) -> Result<LinkSpec, ScenarioError> {
        let dama = self.dama.map(|dama| dama.read(&spec, service, source, &format!("{path}.dama")));
        let sends_at_once = spec.rate.is_none() && *service == WireService::Constant;
        let acks = self.acks.map(|acks| acks.read(&spec, sends_at_once, source, &format!("{path}.acks")));
        let spec = LinkSpec {
            dama: dama.transpose()?,
            grants: self.grants.map(format::Grants::read),
            acks: acks.transpose()?,
            ..spec
        };
        if spec.dama.is_some() {
            goes_with_dama(&spec, source, &format!("{path}.dama"))?;
        }
        Ok(spec)
    }

    /// Returns the text form of a link's settings.
    pub fn of(spec: &LinkSpec) -> Self {
        Self {
            dama: spec.dama.map(format::Dama::of),
            grants: spec.grants.map(format::Grants::of),
            acks: spec.acks.map(format::Acks::of),
        }
    }
}

/// Message for a link with both kinds of grants.
pub const TWO_GRANTS: &str =
    "`dama` (grants on demand) and `grants` (grants at fixed times) contradict each other";
/// Message for a link with demand assignment and ARQ.
pub const NO_REPETITION: &str =
    "a link with demand assignment has no ARQ: a retransmission would need its own grant";

/// Refuses settings of a link that are not possible with demand assignment. `path` is the path of `dama`.
pub fn goes_with_dama(spec: &LinkSpec, source: &Source<'_>, path: &str) -> Result<(), ScenarioError> {
    let fault =
        |path: &str, message: &str, fix: &str| Err(source.error(Code::ScenarioValue, path, message).fix(fix));
    if spec.grants.is_some() {
        return fault(&path.replace(".dama", ".grants"), TWO_GRANTS, "keep one of `dama` and `grants`");
    }
    if spec.arq.is_some() {
        return fault(path, NO_REPETITION, "keep one of `dama` and `arq`");
    }
    if spec.warning.is_some() {
        let message = "a link that waits for grants sends no congestion warnings";
        return fault(path, message, "remove `warn_above`, or `dama`");
    }
    Ok(())
}

impl format::Grants {
    pub fn read(self) -> Grants {
        let or = self.long_share.zip(self.long_period).map(|(Fraction(share), Q(period))| (share, period));
        Grants { apart: self.period.0, or: or.unwrap_or_default() }
    }

    fn of(grants: Grants) -> Self {
        let (share, period) = grants.or;
        let long = (period > Span::ZERO).then_some((share, Q(period)));
        Self {
            period: Q(grants.apart),
            long_period: long.map(|(_, period)| period),
            long_share: long.map(|(share, _)| Fraction(share)),
        }
    }
}

impl format::Dama {
    pub fn read(
        self,
        spec: &LinkSpec,
        service: &WireService,
        source: &Source<'_>,
        path: &str,
    ) -> Result<Dama, ScenarioError> {
        let fault =
            |key: &str, message: &str| source.error(Code::ScenarioValue, &format!("{path}{key}"), message);
        let highest = match service {
            WireService::Constant => spec.rate,
            WireService::Steps(schedule) => schedule.highest(),
            WireService::ByHour(by) => Some(link::sight::bits(by.highest())),
            WireService::Budget(budget) => budget.radio.highest(),
            WireService::Trace(_) | WireService::PathTrace => {
                let message = "grants need a rate that is known when the scenario is read, but the trace is read \
                    later";
                return Err(
                    fault("", message).fix("write rate_steps, rate or budget instead, or remove `dama`")
                );
            }
        };
        let Some(rate) = highest else {
            let message = "demand assignment needs a link with a rate";
            return Err(fault("", message).fix("write rate = \"2 Mbit/s\", or remove `dama`"));
        };
        if self.random_access.is_some() && *service != WireService::Constant {
            let message = "random access needs a carrier with a constant rate";
            return Err(
                fault(".random_access", message).fix("write rate = \"2 Mbit/s\", or remove `random_access`")
            );
        }
        if let Some(name) = &self.carrier {
            let message = "only branches of a star can share carriers".to_owned();
            return Err(fault(".carrier", &message).fix(format!(
                "write the network as network.star with the carrier \"{name}\" in `carriers`, or remove `carrier`"
            )));
        }
        if let Some(Q(cra)) = self.cra.filter(|cra| cra.0 > rate) {
            let message = format!(
                "a `cra` of {cra} is more than the carrier's rate of {rate}, so this `cra` can never be \
                    granted"
            );
            return Err(fault(".cra", &message).fix(format!("write {rate} or less, or a higher rate")));
        }
        self.categories(rate, source, path)
    }

    /// Reads a terminal's request categories, for a carrier of this rate. If the rate changes, `rate` is the highest.
    pub fn categories(self, rate: Rate, source: &Source<'_>, path: &str) -> Result<Dama, ScenarioError> {
        let fault =
            |key: &str, message: &str| source.error(Code::ScenarioValue, &format!("{path}{key}"), message);
        let needed = |time: Option<Q<Span>>| time.map_or(Span::ZERO, |Q(time)| time);
        let asked =
            |limit: Option<Q<Unlimited<Rate>>>| limit.map(|Q(Unlimited(limit))| limit.unwrap_or(rate));
        let dama = Dama {
            superframe: needed(self.superframe),
            latency: needed(self.latency),
            cra: self.cra.map_or_else(Rate::default, |Q(rate)| rate),
            rbdc: asked(self.rbdc).unwrap_or_default(),
            vbdc: asked(self.vbdc).unwrap_or_default(),
            fca: self.fca.map_or(0.0, |fca| fca.0),
            random: None,
            carrier: None,
        };
        let none = Rate::default();
        if (dama.cra, dama.rbdc, dama.vbdc) == (none, none, none) && dama.fca == 0.0 {
            let fault = fault(".fca", "fca = 0 grants nothing");
            return Err(fault
                .fix("write a larger fraction, or one of cra, rbdc and vbdc, such as vbdc = \"unlimited\""));
        }
        let capacity = rate.bytes_in(dama.superframe).get();
        if capacity == 0 {
            let message = format!(
                "at {rate}, a superframe of {} carries less than one byte, so nothing can be granted",
                dama.superframe
            );
            return Err(fault(".superframe", &message).fix("write a longer `superframe`, or a higher rate"));
        }
        if dama.fca > 0.0 && dama.fca * (capacity as f64) < 1.0 {
            let message =
                format!("{} of the {capacity} bytes of a superframe is less than one byte", dama.fca);
            return Err(fault(".fca", &message)
                .fix(format!("write {} or more, or remove `fca`", 1.0 / capacity as f64)));
        }
        let random = self
            .random_access
            .map(|access| access.read(dama, capacity, source, &format!("{path}.random_access")));
        Ok(Dama { random: random.transpose()?, ..dama })
    }

    pub fn of(dama: Dama) -> Self {
        let asked = |limit: Rate| (limit > Rate::default()).then_some(limit);
        Self {
            carrier: None,
            rate: None,
            rate_steps: None,
            budget: None,
            superframe: Some(Q(dama.superframe)),
            latency: Some(Q(dama.latency)),
            cra: asked(dama.cra).map(Q),
            rbdc: asked(dama.rbdc).map(|limit| Q(Unlimited(Some(limit)))),
            vbdc: asked(dama.vbdc).map(|limit| Q(Unlimited(Some(limit)))),
            fca: (dama.fca > 0.0).then_some(Fraction(dama.fca)),
            random_access: dama.random.map(format::RandomAccess::of),
        }
    }
}
