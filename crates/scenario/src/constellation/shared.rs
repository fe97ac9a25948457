// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes which links share a transmitter, with their weights and priorities.

use super::key::at;
use crate::ScenarioError;
use crate::check::Source;
use crate::format::{self, RateStep};
use crate::link_text::{rate_steps, schedule};
use crate::text::Q;
use crate::words::W;
use topology::{Beam, ConstellationSpec, Gateway, Scope, Shared, Site, Terminal, TotalRate, Totals, Turns};
use units::{Code, Rate};

impl format::SharedLinks {
    /// Reads which links share a transmitter. Checks that every key has an effect.
    pub fn read(
        &self,
        old: Option<Shared>,
        terminals: &[(Site, Terminal)],
        gateways: &[Gateway],
        source: &Source<'_>,
    ) -> Result<Shared, ScenarioError> {
        let old = old.unwrap_or_default();
        let said = |word: Option<W<Scope>>| word.map(|word| word.0);
        let total = |way: &str, constant: Option<Q<Rate>>, steps: Option<&[RateStep]>| {
            let key = at(&format!("shared.{way}_total_steps"));
            let steps = steps.map(|steps| schedule(steps, source, &key)).transpose()?;
            Ok(steps.map(TotalRate::Schedule).or(constant.map(|q| TotalRate::Constant(q.0))))
        };
        let shared = Shared {
            uplink: said(self.uplink).or(old.uplink),
            downlink: said(self.downlink).or(old.downlink),
            feeder: said(self.feeder).or(old.feeder),
            turns: self.turns.map_or(old.turns, |word| word.0),
            totals: Totals {
                uplink: total("uplink", self.uplink_total, self.uplink_total_steps.as_deref())?
                    .or(old.totals.uplink),
                downlink: total("downlink", self.downlink_total, self.downlink_total_steps.as_deref())?
                    .or(old.totals.downlink),
                feeder: total("feeder", self.feeder_total, self.feeder_total_steps.as_deref())?
                    .or(old.totals.feeder),
            },
        };
        let fault = |key: &str, message: &str| {
            Err(source.error(Code::ScenarioValue, &at(&format!("shared.{key}")), message))
        };
        for (key, scope) in [("uplink", shared.uplink), ("downlink", shared.downlink)] {
            match scope {
                Some(Scope::Gateway) => {
                    return fault(
                        key,
                        "\"gateway\" is for feeder links: gateways do not transmit to sites (write \"beam\" or \
                        \"satellite\")",
                    );
                }
                Some(Scope::Beam) if terminals.iter().all(|(_, terminal)| terminal.cell.is_none()) => {
                    let message = "\"beam\" means that the sites of a cell share a beam, but no site has a cell \
                        (write cell = \"north\" for some of `sites`, or write \"satellite\")";
                    return fault(key, message);
                }
                _ => {}
            }
        }
        match shared.feeder {
            Some(Scope::Beam) => {
                return fault(
                    "feeder",
                    "\"beam\" is only for links to sites, but feeder links lead to gateways (write \"gateway\" or \
                     \"satellite\")",
                );
            }
            Some(_) if gateways.is_empty() => {
                return fault(
                    "feeder",
                    "feeder links lead to gateways, but this constellation has none (remove this key, or write \
                     `gateways`)",
                );
            }
            _ => {}
        }
        if self.turns.is_some() && [shared.uplink, shared.downlink, shared.feeder] == [None; 3] {
            let message = "`turns` has no effect: no links share a transmitter (add downlink = \"beam\" or \
                \"satellite\", or remove `turns`)";
            return fault("turns", message);
        }
        match misplaced(&shared, gateways) {
            None => Ok(shared),
            Some((key, message)) => fault(key, message),
        }
    }

    /// Returns the text form of these settings.
    pub fn of(shared: &Shared) -> Option<Self> {
        let word = |scope: Option<Scope>| scope.map(W);
        let constant = |total: &Option<TotalRate>| match total {
            Some(TotalRate::Constant(rate)) => Some(Q(*rate)),
            _ => None,
        };
        let steps = |total: &Option<TotalRate>| match total {
            Some(TotalRate::Schedule(schedule)) => Some(rate_steps(schedule)),
            _ => None,
        };
        let Totals { uplink, downlink, feeder } = &shared.totals;
        let text = Self {
            uplink: word(shared.uplink),
            downlink: word(shared.downlink),
            feeder: word(shared.feeder),
            turns: (shared.turns != Turns::default()).then_some(W(shared.turns)),
            uplink_total: constant(uplink),
            uplink_total_steps: steps(uplink),
            downlink_total: constant(downlink),
            downlink_total_steps: steps(downlink),
            feeder_total: constant(feeder),
            feeder_total_steps: steps(feeder),
        };
        (*shared != Shared::default()).then_some(text)
    }
}

/// Finds a total without effect, or a transmitter under two totals. Returns the key and the reason.
fn misplaced(shared: &Shared, gateways: &[Gateway]) -> Option<(&'static str, &'static str)> {
    let ways = [
        ("uplink_total", shared.uplink, &shared.totals.uplink),
        ("downlink_total", shared.downlink, &shared.totals.downlink),
    ];
    let whole =
        ways.into_iter().find(|&(_, scope, total)| total.is_some() && scope == Some(Scope::Satellite));
    if let Some((key, ..)) = whole {
        let message = "this total has no effect, because the satellite has one transmitter for all sites, which sends \
                       at the rate of the link (remove the total, or write \"beam\" instead of \"satellite\")";
        return Some((key, message));
    }
    shared.totals.feeder.as_ref()?;
    let message = match shared.feeder {
        Some(Scope::Gateway) => {
            "this total has no effect, because the gateway has one transmitter for all satellites, which sends at the \
             rate of the link (remove the total, or `feeder`)"
        }
        Some(_) => {
            "a transmitter can have only one total, but the links of a gateway would share the transmitters of several \
             satellites and the total of the gateway (remove the total, or `feeder`)"
        }
        None if gateways.is_empty() => {
            "feeder links lead to gateways, but this constellation has none (remove this key, or write `gateways`)"
        }
        None => return None,
    };
    Some(("feeder_total", message))
}

/// Reads which links share a transmitter, and the beams' weights in a total. `old` is the preset. `places` are the
/// settings of sites by index in `sites`.
pub fn read(
    links: Option<format::SharedLinks>,
    beams: Option<Vec<format::Beam>>,
    places: &[(usize, Terminal)],
    old: Option<&ConstellationSpec>,
    terminals: &[(Site, Terminal)],
    gateways: &[Gateway],
    source: &Source<'_>,
) -> Result<(Shared, Vec<Beam>), ScenarioError> {
    let shared =
        links.unwrap_or_default().read(old.map(|p| p.shared.clone()), terminals, gateways, source)?;
    check_terminals(places, &shared, source)?;
    let known = old.map(|p| p.beams.clone()).unwrap_or_default();
    let beams = read_beams(beams, known, &shared, terminals, source)?;
    Ok((shared, beams))
}

/// Reads the beams' weights and priorities within the totals of their satellites. Checks that every key has an effect.
fn read_beams(
    beams: Option<Vec<format::Beam>>,
    old: Vec<Beam>,
    shared: &Shared,
    terminals: &[(Site, Terminal)],
    source: &Source<'_>,
) -> Result<Vec<Beam>, ScenarioError> {
    let Some(beams) = beams else { return Ok(old) };
    let ways = [(shared.uplink, &shared.totals.uplink), (shared.downlink, &shared.totals.downlink)];
    let mut read: Vec<Beam> = Vec::new();
    for (index, beam) in beams.into_iter().enumerate() {
        let fault = |message: String| {
            Err(source.error(Code::ScenarioValue, &at(&format!("beams[{index}].cell")), message))
        };
        if !ways.iter().any(|&(scope, total)| scope == Some(Scope::Beam) && total.is_some()) {
            return fault(
                "`beams` has no effect: no satellite limits the total rate of its beams (write shared = { downlink = \
                \"beam\", downlink_total = \"500 Mbit/s\" }, or remove `beams`)"
                    .to_owned(),
            );
        }
        if read.iter().any(|known| known.cell == beam.cell) {
            return fault(format!(
                "`beams` lists the cell \"{}\" twice (keep one of the entries)",
                beam.cell
            ));
        }
        if !terminals.iter().any(|(_, terminal)| terminal.cell.as_ref() == Some(&beam.cell)) {
            return fault(format!(
                "the cell \"{0}\" has no site (write cell = \"{0}\" for one of `sites`)",
                beam.cell
            ));
        }
        let plain = Terminal::PLAIN;
        read.push(Beam {
            cell: beam.cell,
            weight: beam.weight.unwrap_or(plain.weight),
            class: beam.priority.unwrap_or(plain.class),
        });
    }
    Ok(read)
}

/// Returns the text form of these beams.
pub fn write_beams(beams: &[Beam]) -> Option<Vec<format::Beam>> {
    let of = |beam: &Beam| format::Beam {
        cell: beam.cell.clone(),
        weight: Some(beam.weight),
        priority: Some(beam.class),
    };
    (!beams.is_empty()).then(|| beams.iter().map(of).collect())
}

/// Reads a site's weight and priority; `None` if it has neither.
pub fn read_terminal(site: &mut format::Site) -> Option<Terminal> {
    let terminal = Terminal {
        cell: site.cell.take(),
        weight: site.weight.unwrap_or(Terminal::PLAIN.weight),
        class: site.priority.unwrap_or(Terminal::PLAIN.class),
    };
    (terminal != Terminal::PLAIN).then_some(terminal)
}

/// Refuses settings of a site that would have no effect. `index` is its index in `sites`.
fn check_terminals(
    sites: &[(usize, Terminal)],
    shared: &Shared,
    source: &Source<'_>,
) -> Result<(), ScenarioError> {
    let scopes = [shared.uplink, shared.downlink];
    for (index, terminal) in sites {
        let fault = |key: &str, message: &str| {
            Err(source.error(Code::ScenarioValue, &at(&format!("sites[{index}].{key}")), message))
        };
        if terminal.cell.is_some() && !scopes.contains(&Some(Scope::Beam)) {
            let message = "`cell` has no effect: the sites of a cell share a beam, but no beam is shared here (write \
            shared = { downlink = \"beam\" }, or remove `cell`)";
            return fault("cell", message);
        }
        if scopes == [None; 2] && shared.totals.uplink.as_ref().or(shared.totals.downlink.as_ref()).is_none()
        {
            let key = if terminal.weight == Terminal::PLAIN.weight { "priority" } else { "weight" };
            let message = "this key has no effect: no links to sites share a transmitter (write shared = { downlink \
                = \"satellite\" }, or remove this key)";
            return fault(key, message);
        }
    }
    Ok(())
}
