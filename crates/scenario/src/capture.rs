// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the flows whose packets or whose sender's state is captured, by their names.

use crate::ScenarioError;
use crate::check::{Source, nearest};
use crate::document::{Capture, Flow, FlowKind, NetworkChoice, Pep, Record, Scenario};
use crate::text::Q;
use crate::{format, pep};
use std::collections::BTreeSet;
use units::Code;

/// Largest number of connections that can be captured. Each connection keeps files open during the run.
const MOST: usize = 200;

impl Flow {
    /// Returns the name of flow number `index` among the `count` flows of this entry.
    pub fn name_of(&self, index: u32) -> String {
        if self.count == 1 { self.name.clone() } else { format!("{} {}", self.name, index + 1) }
    }
}

/// Returns all flows of a run: number, name, and the entry of the scenario.
fn all(flows: &[Flow]) -> impl Iterator<Item = (u32, String, &Flow)> {
    let each = flows.iter().flat_map(|flow| (0..flow.count).map(move |index| (flow, index)));
    each.enumerate().map(|(number, (flow, index))| (number as u32, flow.name_of(index), flow))
}

/// Returns the numbers of the flows that a name matches: one flow, or all flows with this name. Upper and lower case
/// are equal.
fn meant(flows: &[Flow], name: &str) -> BTreeSet<u32> {
    let wanted = name.trim().to_lowercase();
    let is = |known: &str| known.to_lowercase() == wanted;
    all(flows).filter(|(_, own, flow)| is(own) || is(&flow.name)).map(|(number, ..)| number).collect()
}

/// Flows that may be captured, proxies that may split them, and their network.
type Of<'a> = (&'a [Flow], &'a [Pep], &'a NetworkChoice);

/// Returns the number of connections of the chosen flows. Each flow has one connection, and one more for each proxy
/// that splits it.
fn connections((flows, peps, network): Of<'_>, chosen: &BTreeSet<u32>) -> usize {
    let each = flows.iter().flat_map(|flow| (0..flow.count).map(move |index| (flow, index)));
    let chosen = each.enumerate().filter(|(number, _)| chosen.contains(&(*number as u32)));
    chosen.map(|(_, (flow, index))| 1 + pep::met(peps, network, flow, index).len()).sum()
}

impl Capture {
    /// Returns the numbers of the flows whose packets are captured.
    pub fn pcap(&self, flows: &[Flow]) -> BTreeSet<u32> {
        self.pcap.iter().flat_map(|name| meant(flows, name)).collect()
    }

    /// Returns the numbers of the flows that write a qlog.
    pub fn qlog(&self, flows: &[Flow]) -> BTreeSet<u32> {
        self.qlog.iter().flat_map(|name| meant(flows, name)).collect()
    }

    /// Returns the numbers of the flows whose packets are captured at links.
    pub fn at_links(&self, flows: &[Flow]) -> BTreeSet<u32> {
        match (self.pcap_links.is_empty(), self.pcap.is_empty()) {
            (true, _) => BTreeSet::new(),
            (false, false) => self.pcap(flows),
            (false, true) => all(flows).map(|(number, ..)| number).collect(),
        }
    }

    /// Returns whether nothing is captured.
    pub fn is_empty(&self) -> bool {
        self.pcap.is_empty() && self.pcap_links.is_empty() && self.qlog.is_empty()
    }

    /// Returns the faults of the captures: for each, the key and the reason.
    fn faults(&self, of: Of<'_>) -> Vec<(String, String)> {
        let (flows, ..) = of;
        let mut faults = Vec::new();
        for (key, names) in [("pcap", &self.pcap), ("qlog", &self.qlog)] {
            for (at, name) in names.iter().enumerate() {
                if let Some(why) = refused(key == "qlog", name, flows) {
                    faults.push((format!("{key}[{at}]"), why));
                }
            }
            let chosen = names.iter().flat_map(|name| meant(flows, name)).collect::<BTreeSet<_>>();
            let count = connections(of, &chosen);
            if count > MOST {
                let why = format!(
                    "this choice captures {count} flows (and parts of flows that proxies split), but at most {MOST} \
                     are possible (name single flows, such as \"{}\")",
                    all(flows).next().map_or_else(String::new, |(_, name, _)| name)
                );
                faults.push((key.to_owned(), why));
            }
        }
        faults
    }
}

fn refused(qlog: bool, name: &str, flows: &[Flow]) -> Option<String> {
    let numbers = meant(flows, name);
    let Some(first) = numbers.first() else {
        let known: BTreeSet<&str> = flows.iter().map(|flow| flow.name.as_str()).collect();
        let hint = nearest(name, known.iter().copied())
            .map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
        let some: Vec<&str> = known.iter().copied().take(8).collect();
        let more = if known.len() > some.len() { ", …" } else { "" };
        return Some(format!("no flow is called \"{name}\" ({hint}the flows are {}{more})", some.join(", ")));
    };
    let (.., flow) = all(flows).nth(*first as usize)?;
    let other = flow.kind.word();
    match flow.kind {
        FlowKind::Tcp { .. } | FlowKind::Quic { .. } => return None,
        FlowKind::Application { .. } if qlog => {
            return Some(format!(
                "the flow \"{name}\" is of kind {other} and has many connections, but a qlog describes one sender \
                 (name a tcp flow here, or name \"{name}\" in `pcap`)"
            ));
        }
        FlowKind::Application { .. }
        | FlowKind::Cbr { .. }
        | FlowKind::Ping { .. }
        | FlowKind::Call(_)
        | FlowKind::Tap { .. } => {}
    }
    qlog.then(|| {
        format!(
            "the flow \"{name}\" is of kind {other} and has no congestion control that a qlog could describe (name a \
             tcp flow here, or name \"{name}\" in `pcap`)"
        )
    })
}

/// Returns whether a link matches a pattern. `*` in `pattern` matches any text. Upper and lower case are equal.
pub fn matches(pattern: &str, link: &str) -> bool {
    let (pattern, link) = (pattern.trim().to_lowercase(), link.to_lowercase());
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = link.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    // Each part matches as early as possible, which leaves the longest remainder for the other parts.
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

impl format::Record {
    /// Returns the captures that the file requests.
    pub(crate) fn take_capture(&mut self) -> Capture {
        Capture {
            pcap: self.pcap.take().unwrap_or_default(),
            pcap_links: self.pcap_links.take().unwrap_or_default(),
            ipv6: self.ipv6.take().unwrap_or_default(),
            qlog: self.qlog.take().unwrap_or_default(),
            snap: self.snap.take().map(|q| q.0),
        }
    }

    /// Returns the same table with the captures. Keys without effect are omitted.
    pub(crate) fn with_capture(self, capture: &Capture) -> Self {
        let names = |names: &[String]| (!names.is_empty()).then(|| names.to_vec());
        Self {
            pcap: names(&capture.pcap),
            pcap_links: names(&capture.pcap_links),
            ipv6: capture.ipv6.then_some(true),
            qlog: names(&capture.qlog),
            snap: capture.snap.map(Q),
            ..self
        }
    }
}

/// Records the faults of a file's captures.
pub(crate) fn check(capture: &Capture, of: Of<'_>, source: &Source<'_>) {
    for (key, why) in capture.faults(of) {
        source.keep::<()>(Err(source.error(Code::ScenarioValue, &format!("record.{key}"), why)));
    }
}

/// Checks capture names that do not come from a file.
///
/// # Errors
/// If a flow does not exist or is of another kind.
pub fn check_instead(scenario: &Scenario) -> Result<(), ScenarioError> {
    let Scenario { record: Record { capture, .. }, flows, peps, network, .. } = scenario;
    let faults = capture.faults((flows, peps, network)).into_iter().map(|(key, message)| {
        ScenarioError::new(Code::ScenarioValue, "", key.split('[').next().unwrap_or_default(), message)
    });
    ScenarioError::together(faults.collect()).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_anything() {
        for pattern in [
            "*",
            "left > right",
            " LEFT > Right",
            "left*",
            "*right",
            "*>*",
            "l*t > r*t",
            "**",
            "left > right*",
        ] {
            assert!(matches(pattern, "left > right"), "{pattern}");
        }
        for pattern in ["", "left", "right*", "*left", "left > right > *", "left*left > right", "l*x*t"] {
            assert!(!matches(pattern, "left > right"), "{pattern}");
        }
        // The start and the end of a pattern must match different characters.
        assert!(!matches("ab*ba", "aba"));
    }
}
