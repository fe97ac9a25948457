// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which links share a transmitter, and with what right, read and written.

use super::key::at;
use crate::ScenarioError;
use crate::check::Source;
use crate::format;
use crate::words::W;
use topology::{During, Gateway, Handover, Scope, Shared, Terminal};
use units::{Code, Span};

impl format::SharedLinks {
    /// Which links share a transmitter, and that every key does something.
    pub fn read(
        &self,
        old: Option<Shared>,
        (terminals, gateways): (&[(String, Terminal)], &[Gateway]),
        handover: Handover,
        source: &Source<'_>,
    ) -> Result<Shared, ScenarioError> {
        let old = old.unwrap_or_default();
        let said = |word: Option<W<Scope>>| word.map(|word| word.0);
        let shared = Shared {
            uplink: said(self.uplink).or(old.uplink),
            downlink: said(self.downlink).or(old.downlink),
            feeder: said(self.feeder).or(old.feeder),
        };
        let fault = |key: &str, message: &str| {
            Err(source.error(Code::ScenarioValue, &at(&format!("shared.{key}")), message))
        };
        for (key, scope) in [("uplink", shared.uplink), ("downlink", shared.downlink)] {
            match scope {
                Some(Scope::Gateway) => {
                    return fault(
                        key,
                        "no gateway sends to sites or hears them (write \"beam\" or \"satellite\")",
                    );
                }
                Some(Scope::Beam) if terminals.iter().all(|(_, terminal)| terminal.cell.is_none()) => {
                    let message = "a beam is shared by the sites of a cell, and no site has one (write cell = \"north\" for \
                                   some of `sites`, or \"satellite\")";
                    return fault(key, message);
                }
                Some(_) if handover.outage > Span::ZERO && handover.during == During::Hold => {
                    let message = "a terminal that waits for the end of an outage would hold up all others of its \
                                   transmitter (write handover = { during = \"lose\", ... }, or an outage of 0 s)";
                    return fault(key, message);
                }
                _ => {}
            }
        }
        match shared.feeder {
            Some(Scope::Beam) => {
                return fault(
                    "feeder",
                    "beams lead to sites, not to gateways (write \"gateway\" or \"satellite\")",
                );
            }
            Some(_) if gateways.is_empty() => {
                return fault(
                    "feeder",
                    "there is no gateway that a feeder link leads to (remove it, or write `gateways`)",
                );
            }
            _ => {}
        }
        Ok(shared)
    }

    /// What a file says of it.
    pub fn of(shared: Shared) -> Option<Self> {
        let word = |scope: Option<Scope>| scope.map(W);
        let text = Self {
            uplink: word(shared.uplink),
            downlink: word(shared.downlink),
            feeder: word(shared.feeder),
        };
        (shared != Shared::default()).then_some(text)
    }
}

/// What a site's keys say of its right; `None`: nothing.
pub fn read_terminal(site: &mut format::Site) -> Option<Terminal> {
    let terminal = Terminal {
        cell: site.cell.take(),
        weight: site.weight.unwrap_or(Terminal::PLAIN.weight),
        class: site.priority.unwrap_or(Terminal::PLAIN.class),
    };
    (terminal != Terminal::PLAIN).then_some(terminal)
}

/// Refuses rights of a site that would be to nothing; `index` is its place in `sites`.
pub fn check_terminals(
    sites: &[(usize, Terminal)],
    shared: Shared,
    source: &Source<'_>,
) -> Result<(), ScenarioError> {
    let scopes = [shared.uplink, shared.downlink];
    for (index, terminal) in sites {
        let fault = |key: &str, message: &str| {
            Err(source.error(Code::ScenarioValue, &at(&format!("sites[{index}].{key}")), message))
        };
        if terminal.cell.is_some() && !scopes.contains(&Some(Scope::Beam)) {
            let message = "sites of a cell share beams, and no beam is shared (write shared = { downlink = \"beam\" }, or \
                           remove it)";
            return fault("cell", message);
        }
        if scopes == [None; 2] {
            let key = if terminal.weight == Terminal::PLAIN.weight { "priority" } else { "weight" };
            let message = "no link to sites shares its transmitter (write shared = { downlink = \"satellite\" }, or remove it)";
            return fault(key, message);
        }
    }
    Ok(())
}
