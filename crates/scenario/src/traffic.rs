// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic matrices: expands tables of `[[traffic]]` into flows, one for each pair of ends.

use crate::ScenarioError;
use crate::application;
use crate::document::{Flow, NetworkChoice};
use crate::flow::FlowReader;
use crate::format::{self, Kind, Matrix, Sizes, Traffic};
use crate::text::{Q, Written};
use crate::words::Word;
use csvfile::{Fault, Rows};
use random::{Draw as _, SeedableRng as _, SplitMix64};
use std::collections::BTreeMap;
use std::path::Path;
use units::{Bytes, Code, Span, input};

mod size;

/// A pair of ends with its own settings.
#[derive(Debug)]
struct Entry {
    from: String,
    to: String,
    count: Option<u32>,
    start: Option<Q<Span>>,
    size: Option<Sizes>,
    spot: Spot,
}

/// Position of a pair in the text.
#[derive(Debug)]
enum Spot {
    /// The pair is at a key of the table.
    Key(String),
    /// The pair is in a line of the matrix file.
    Line(u64),
}

impl Entry {
    const fn new(from: String, to: String, spot: Spot) -> Self {
        Self { from, to, count: None, start: None, size: None, spot }
    }
}

/// Returns the flows of one table.
pub fn read(
    mut reader: FlowReader<'_>,
    mut text: Traffic,
    defaults: Option<&format::Tcp>,
) -> Result<Vec<Flow>, ScenarioError> {
    check(&reader, &text)?;
    let file = text.file.as_deref().map(|name| reader.source.file(name)).unwrap_or_default();
    let entries = match text.matrix.0 {
        Matrix::Pairs => pairs(&reader, text.pairs.take())?,
        Matrix::Permutation => permutation(&mut reader, &text)?,
        Matrix::Gravity => gravity(&mut reader, &text)?,
        Matrix::File => from_file(&file)?,
    };
    let prefix = text.flow.name.take().map_or_else(String::new, |name| format!("{name} "));
    // If the column has a size for each flow, the table does not need a size.
    let all_sized = text.flow.kind == Some(Kind::Transfers)
        && text.flow.size.is_none()
        && entries.iter().all(|entry| entry.size.is_some());
    if all_sized {
        text.flow.size = Some(Sizes::Always(Q(Bytes::new(1))));
    }
    let mut flows = expand(reader, text.flow, entries, &file, defaults)?;
    for flow in &mut flows {
        flow.name = format!("{prefix}{} > {}", flow.from, flow.to);
    }
    Ok(flows)
}

/// Returns whether an end of a flow is a pattern.
pub fn is_pattern(flow: &format::Flow) -> bool {
    [&flow.from, &flow.to].into_iter().flatten().any(|end| end.contains('*'))
}

/// Returns a flow for each pair of sites that the patterns in `from` and `to` match. A number is appended to the name.
pub fn matching(
    reader: FlowReader<'_>,
    mut text: format::Flow,
    defaults: Option<&format::Tcp>,
) -> Result<Vec<Flow>, ScenarioError> {
    let default = reader.network.default_ends();
    let mut ends = Vec::new();
    for (at, (key, said)) in [("from", text.from.take()), ("to", text.to.take())].into_iter().enumerate() {
        let Some(said) = said.or_else(|| default.as_ref().map(|ends| ends[at].clone())) else {
            let message =
                format!("`{}` needs the key `{key}`, which names a site of the network", reader.path);
            return Err(reader.error(Code::ScenarioMissingKey, key, message));
        };
        let sites = reader.network.sites_named(&said);
        ends.push((key, sites.map_err(|(code, message)| reader.error(code, key, message))?));
    }
    let (to, from) = (ends.pop().unwrap_or_default(), ends.pop().unwrap_or_default());
    // A pattern does not match the other end of the flow.
    let several = from.1.len() * to.1.len() > 1;
    let key = if from.1.len() > 1 { from.0 } else { to.0 };
    let pairs = from.1.iter().flat_map(|from| to.1.iter().map(move |to| (from, to)));
    let entries = pairs.filter(|(from, to)| from != to || !several);
    let entries = entries.map(|(from, to)| Entry::new(from.clone(), to.clone(), Spot::Key(key.to_owned())));
    let mut flows = expand(reader, text, entries.collect(), Path::new(""), defaults)?;
    for (number, flow) in (1..).zip(&mut flows) {
        flow.name = format!("{} {number}", flow.name);
    }
    Ok(flows)
}

/// Returns the flows of a table, one for each pair of ends. `file` is the file of entries that come from a line.
fn expand(
    mut reader: FlowReader<'_>,
    text: format::Flow,
    entries: Vec<Entry>,
    file: &Path,
    defaults: Option<&format::Tcp>,
) -> Result<Vec<Flow>, ScenarioError> {
    let load = text.load.map(|load| load.0);
    let mut flow_text = Some(text);
    let mut model: Option<Flow> = None;
    // Number of flows of earlier entries. All flows of a table start one after another.
    let mut before = 0_u64;
    let mut flows: Vec<Flow> = Vec::with_capacity(entries.len());
    for entry in entries {
        let fault = |reader: &FlowReader<'_>, column: &str, code, message: String| match &entry.spot {
            Spot::Key(key) => reader.error(code, key, message),
            Spot::Line(line) => ScenarioError::in_file(file, Some(*line), column, code, message),
        };
        let mut ends = Vec::new();
        for (column, name) in [("from", &entry.from), ("to", &entry.to)] {
            let site = reader.network.site(name);
            ends.push(site.map_err(|(code, message)| fault(&reader, column, code, message))?);
        }
        let (to, from) = (ends.pop().unwrap_or_default(), ends.pop().unwrap_or_default());
        if from == to {
            let message = format!("a flow goes from \"{from}\" to itself");
            return Err(fault(&reader, "to", Code::ScenarioValue, message).fix("name another site"));
        }
        // The first flow is read from the table's text, to report its faults. The other flows differ only in their
        // ends, count, start and size.
        if let Some(text) = flow_text.take() {
            let ends = format::Flow { from: Some(from.clone()), to: Some(to.clone()), ..text };
            model = Some(reader.read(ends, defaults)?);
        }
        let Some(model) = &model else { unreachable!("the first entry set it") };
        let mut flow = Flow { from, to, ..model.clone() };
        flow.count = entry.count.unwrap_or(flow.count);
        flow.start += flow.stagger * before;
        before += u64::from(flow.count);
        if entry.start.is_some() {
            let stop = flow.stop.map(|stop| Q(stop.since(units::Time::ZERO)));
            let times = reader.times(entry.start, stop, false);
            flow.start = times.map_err(|error| fault(&reader, "start", error.code, error.message))?.0;
        }
        if let Some(size) = &entry.size {
            let set = size::set(&mut flow.kind, size, reader.source);
            set.map_err(|(code, message)| fault(&reader, "size", code, message))?;
        }
        // The load is a fraction of the smallest link on this flow's path, in visits of this flow's size.
        if let Some(load) = load {
            let set = application::at_load(load, &mut flow, &reader.network.choice, reader.end);
            set.map_err(|why| fault(&reader, "to", Code::ScenarioValue, why))?;
        }
        flows.push(flow);
    }
    Ok(flows)
}

/// Checks that the table has the key that the matrix needs. Refuses the ends `from` and `to`, which the matrix
/// determines.
fn check(reader: &FlowReader<'_>, text: &Traffic) -> Result<(), ScenarioError> {
    // Either `sites` or `top` is required. This is checked where they are read.
    let needed = match text.matrix.0 {
        Matrix::Pairs => ("pairs", text.pairs.is_some()),
        Matrix::Gravity => ("flows", text.flows.is_some()),
        Matrix::File => ("file", text.file.is_some()),
        Matrix::Permutation => ("", true),
    };
    if let (key, false) = needed {
        let message = format!("the matrix \"{}\" needs the key `{key}`", text.matrix.0.word());
        return Err(reader.error(Code::ScenarioMissingKey, key, message));
    }
    for (key, there) in [("from", text.flow.from.is_some()), ("to", text.flow.to.is_some())] {
        if there {
            let message = "the matrix determines the sites of the flows, so this key has no effect";
            return Err(reader
                .error(Code::ScenarioValue, key, message)
                .fix(format!("remove `{key}`, or write [[flows]]")));
        }
    }
    Ok(())
}

fn pairs(reader: &FlowReader<'_>, pairs: Option<Vec<Vec<String>>>) -> Result<Vec<Entry>, ScenarioError> {
    let pairs = pairs.unwrap_or_default();
    if pairs.is_empty() {
        let message = "the matrix has no pairs";
        return Err(reader
            .error(Code::ScenarioValue, "pairs", message)
            .fix("write pairs = [[\"Wuhan\", \"Madrid\"]]"));
    }
    let read = |(index, pair): (usize, Vec<String>)| {
        let key = format!("pairs[{index}]");
        match <[String; 2]>::try_from(pair) {
            Ok([from, to]) => Ok(Entry::new(from, to, Spot::Key(key))),
            Err(other) => {
                let message =
                    format!("a pair needs two sites, from and to, but this pair has {}", other.len());
                Err(reader.error(Code::ScenarioValue, &key, message))
            }
        }
    };
    pairs.into_iter().enumerate().map(read).collect()
}

/// Returns the sites of a drawn matrix, each with its key.
fn sites(reader: &FlowReader<'_>, text: &Traffic) -> Result<Vec<(String, String)>, ScenarioError> {
    let named: Vec<(String, String)> = match (&text.sites, text.top) {
        (Some(names), _) => {
            names.iter().enumerate().map(|(at, name)| (name.clone(), format!("sites[{at}]"))).collect()
        }
        (None, Some(top)) => {
            if !matches!(reader.network.choice, NetworkChoice::Constellation { .. }) {
                let message = "`top` takes cities of the built-in list, but this network has its own sites";
                return Err(reader.error(Code::ScenarioValue, "top", message).fix("list them in `sites`"));
            }
            let cities = topology::sites::all().take(top as usize);
            cities.map(|site| (site.name, "top".to_owned())).collect()
        }
        (None, None) => {
            let message = format!("the matrix \"{}\" needs the key `sites` or `top`", text.matrix.0.word());
            return Err(reader
                .error(Code::ScenarioMissingKey, "sites", message)
                .fix("write sites = [\"Wuhan\", \"Madrid\"] or top = 100"));
        }
    };
    let mut sites: Vec<(String, String)> = Vec::new();
    for (name, key) in named {
        // Do not add the site to the network here. Flows add sites in the order of their use. The resolved text
        // contains only flows, and must give the same network.
        let site = reader.network.site_name(&name);
        let site = site.map_err(|(code, message)| reader.error(code, &key, message))?;
        if sites.iter().any(|(known, _)| *known == site) {
            let message = format!("the site \"{site}\" is listed twice");
            return Err(reader.error(Code::ScenarioValue, &key, message).fix("list each site once"));
        }
        sites.push((site, key));
    }
    if sites.len() < 2 {
        let message = format!("a matrix needs at least two sites, but this matrix has {}", sites.len());
        return Err(reader.error(Code::ScenarioValue, "sites", message).fix("list more sites"));
    }
    Ok(sites)
}

fn dice(text: &Traffic) -> SplitMix64 {
    SplitMix64::seed_from_u64(text.seed.map_or(1, i64::unsigned_abs))
}

/// Returns a random number below `bound`.
fn below(dice: &mut SplitMix64, bound: usize) -> usize {
    (dice.fraction() * bound as f64) as usize
}

/// Returns random pairs of sites, each in both directions: the "random reciprocal pairs" of Kassing et al., "Exploring
/// the 'Internet from space' with Hypatia", IMC 2020, section 4.
fn permutation(reader: &mut FlowReader<'_>, text: &Traffic) -> Result<Vec<Entry>, ScenarioError> {
    let mut sites = sites(reader, text)?;
    if sites.len() % 2 == 1 {
        let message = format!(
            "{} sites cannot be divided into pairs: the number of sites must be even (add or remove one site)",
            sites.len()
        );
        let key = if text.top.is_some() { "top" } else { "sites" };
        return Err(reader.error(Code::ScenarioValue, key, message));
    }
    let mut dice = dice(text);
    // Fisher-Yates shuffle: all orders are equally likely.
    for last in (1..sites.len()).rev() {
        sites.swap(last, below(&mut dice, last + 1));
    }
    let mut entries = Vec::with_capacity(sites.len());
    for pair in sites.chunks_exact(2) {
        let [(a, at_a), (b, at_b)] = [&pair[0], &pair[1]];
        entries.push(Entry::new(a.clone(), b.clone(), Spot::Key(at_a.clone())));
        entries.push(Entry::new(b.clone(), a.clone(), Spot::Key(at_b.clone())));
    }
    Ok(entries)
}

/// Draws flows one by one. The probability of a pair is proportional to the product of the populations of its ends: the
/// simple gravity model of Zhang, Roughan, Duffield, Greenberg, SIGMETRICS 2003, section 3.
fn gravity(reader: &mut FlowReader<'_>, text: &Traffic) -> Result<Vec<Entry>, ScenarioError> {
    let sites = sites(reader, text)?;
    let mut people = Vec::with_capacity(sites.len());
    for (site, key) in &sites {
        let Some(population) = topology::sites::population(site) else {
            let message = format!(
                "the matrix \"gravity\" needs the population of each site, but the population of \
                \"{site}\" is unknown"
            );
            return Err(reader
                .error(Code::ScenarioValue, key, message)
                .fix("remove the site, or write matrix = \"permutation\""));
        };
        people.push(population as f64);
    }
    let mut dice = dice(text);
    let all: f64 = people.iter().sum();
    let mut draw = || {
        let mut rest = dice.fraction() * all;
        let drawn = people.iter().position(|people| {
            rest -= people;
            rest < 0.0
        });
        // Rounding may leave a remainder.
        drawn.unwrap_or(people.len() - 1)
    };
    let mut counts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let mut order = Vec::new();
    for _ in 0..text.flows.unwrap_or_default() {
        // Draw both ends until they differ. Drawing only the second end again would favour pairs of small sites.
        let pair = loop {
            let pair = (draw(), draw());
            if pair.0 != pair.1 {
                break pair;
            }
        };
        let count = counts.entry(pair).or_default();
        *count += 1;
        if *count == 1 {
            order.push(pair);
        }
    }
    let entry = |(a, b): (usize, usize)| {
        let [(from, key), (to, _)] = [&sites[a], &sites[b]];
        let count = counts[&(a, b)].saturating_mul(text.flow.count.unwrap_or(1));
        Entry { count: Some(count), ..Entry::new(from.clone(), to.clone(), Spot::Key(key.clone())) }
    };
    Ok(order.into_iter().map(entry).collect())
}

/// Reads the pairs of a CSV file with the columns `from` and `to`, and the optional columns `count`, `start` and
/// `size`.
fn from_file(file: &Path) -> Result<Vec<Entry>, ScenarioError> {
    let unreadable =
        |line, why: String| ScenarioError::in_file(file, line, "", Code::ScenarioUnreadable, why);
    let text = input::read(file, input::SCENARIO)
        .map_err(|why| unreadable(None, format!("cannot read the traffic matrix: {why}")))?;
    let known = ["from", "to", "count", "start", "size"];
    let told = |Fault { line, why }| unreadable(line.map(|line| line as u64), why);
    let mut rows = Rows::of(&text);
    let head = rows.head(&known[..2].join(",")).map_err(told)?;
    let at_head = Some(head.line as u64);
    if let Some(other) = head.cells().find(|name| !known.contains(name)) {
        let message =
            format!("unknown column \"{other}\" of a traffic matrix (columns: {})", known.join(", "));
        return Err(ScenarioError::in_file(file, at_head, other, Code::ScenarioUnknownKey, message));
    }
    for name in &known[..2] {
        if !head.cells().any(|column| column == *name) {
            let message =
                format!("the traffic matrix needs the column \"{name}\" (name it in the first line)");
            return Err(ScenarioError::in_file(file, at_head, name, Code::ScenarioMissingKey, message));
        }
    }
    let mut entries = Vec::new();
    for row in rows {
        let row = row.map_err(told)?;
        let line = row.line as u64;
        let cell = |name: &str| {
            let column = head.cells().position(|column| column == name)?;
            Some(row.cell(column)).filter(|text| !text.is_empty())
        };
        let end = |name: &str| {
            cell(name).map(str::to_owned).ok_or_else(|| {
                let message = format!("the column \"{name}\" is empty (write a site)");
                ScenarioError::in_file(file, Some(line), name, Code::ScenarioMissingKey, message)
            })
        };
        let mut entry = Entry::new(end("from")?, end("to")?, Spot::Line(line));
        if let Some(text) = cell("count") {
            let count = text.parse().ok().filter(|count| (1..=100_000).contains(count));
            entry.count = Some(count.ok_or_else(|| {
                let message =
                    format!("\"{text}\" is not a count: it must be a whole number within 1 and 100000");
                ScenarioError::in_file(file, Some(line), "count", Code::ScenarioValue, message)
            })?);
        }
        entry.start = quantity(file, line, "start", cell("start"))?;
        let size = cell("size").map(size::cell).transpose();
        entry.size =
            size.map_err(|(code, message)| ScenarioError::in_file(file, Some(line), "size", code, message))?;
        entries.push(entry);
    }
    if entries.is_empty() {
        let message = "the traffic matrix has no rows (write one line for each pair)".to_owned();
        return Err(ScenarioError::in_file(file, None, "", Code::ScenarioValue, message));
    }
    Ok(entries)
}

fn quantity<T: Written>(
    file: &Path,
    line: u64,
    key: &str,
    text: Option<&str>,
) -> Result<Option<Q<T>>, ScenarioError> {
    let read = |text| T::read(text).map(Q);
    text.map(read)
        .transpose()
        .map_err(|(code, message)| ScenarioError::in_file(file, Some(line), key, code, message))
}
