// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes probability distributions (laws).

use crate::ScenarioError;
use crate::check::Source;
use crate::format::{Cell, Counts, CountsTable, PageObjects, Sizes, SizesTable, Times, TimesTable};
use crate::text::{Q, Written};
use crate::words::{W, Word, words};
use std::path::Path;
use traffic::{Between, Cdf, Law, TrafficError};
use units::{Bytes, Code, Span, input};

/// Names of laws for values that have no measured laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainLaw {
    Exponential,
    LogNormal,
    Pareto,
    Points,
    File,
}

/// Names of laws for sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeLaw {
    Exponential,
    LogNormal,
    Pareto,
    Points,
    File,
    WebSearch,
    DataMining,
    InternetMix,
}

words! {
    /// Probability distribution.
    PlainLaw {
        Exponential = "exponential",
        LogNormal = "log-normal",
        Pareto = "pareto",
        Points = "points",
        File = "file",
    }
    /// Probability distribution of sizes.
    SizeLaw {
        Exponential = "exponential",
        LogNormal = "log-normal",
        Pareto = "pareto",
        Points = "points",
        File = "file",
        WebSearch = "web-search",
        DataMining = "data-mining",
        InternetMix = "internet-mix",
    }
}

/// A type of values with a law, and its conversion to a plain number (bytes, seconds or a count).
trait Value: Copy {
    /// A large value, as an example in messages.
    const EXAMPLE: &'static str;
    fn number(self) -> f64;
    fn of(number: f64) -> Self;
    fn read_cell(cell: &Cell) -> Result<Self, String>;
    fn write_cell(self) -> Cell;
}

fn read_text<T: Written>(cell: &Cell) -> Result<Q<T>, String> {
    match cell {
        Cell::Text(text) => T::read(text).map(Q).map_err(|(_, message)| message),
        Cell::Number(number) => Err(format!("{number} has no unit (write \"{number} {}\")", T::UNIT)),
    }
}

impl Value for Q<Bytes> {
    const EXAMPLE: &'static str = "\"100 kB\"";
    fn number(self) -> f64 {
        self.0.get() as f64
    }
    fn of(number: f64) -> Self {
        Self(Bytes::new(number.round() as u64))
    }
    fn read_cell(cell: &Cell) -> Result<Self, String> {
        read_text(cell)
    }
    fn write_cell(self) -> Cell {
        Cell::Text(self.0.write())
    }
}

impl Value for Q<Span> {
    const EXAMPLE: &'static str = "\"30 s\"";
    fn number(self) -> f64 {
        self.0.secs_f64()
    }
    fn of(number: f64) -> Self {
        Self(Span::from_secs_f64(number))
    }
    fn read_cell(cell: &Cell) -> Result<Self, String> {
        read_text(cell)
    }
    fn write_cell(self) -> Cell {
        Cell::Text(self.0.write())
    }
}

impl Value for f64 {
    const EXAMPLE: &'static str = "70";
    fn number(self) -> f64 {
        self
    }
    fn of(number: f64) -> Self {
        number
    }
    fn read_cell(cell: &Cell) -> Result<Self, String> {
        match cell {
            Cell::Number(number) => Ok(*number),
            Cell::Text(text) => Err(format!("\"{text}\" is not a number (write 70)")),
        }
    }
    fn write_cell(self) -> Cell {
        Cell::Number(self)
    }
}

/// The table of a law, for any type of value and any set of names.
#[derive(Debug)]
struct LawTable<V> {
    law: &'static str,
    mean: Option<V>,
    median: Option<V>,
    sigma: Option<f64>,
    shape: Option<f64>,
    least: Option<V>,
    most: Option<V>,
    points: Option<Vec<Vec<Cell>>>,
    file: Option<String>,
    between: Option<Between>,
}

impl<V> LawTable<V> {
    const fn new(law: &'static str) -> Self {
        Self {
            law,
            mean: None,
            median: None,
            sigma: None,
            shape: None,
            least: None,
            most: None,
            points: None,
            file: None,
            between: None,
        }
    }
}

macro_rules! tables {
    ($($law:ident, $table:ident, $words:ty;)+) => {
        $(
            impl $table {
                /// Reads the law in the table at `path`.
                pub fn read(self, source: &Source<'_>, path: &str) -> Result<Law, ScenarioError> {
                    let Self { law, mean, median, sigma, shape, least, most, points, file, between } = self;
                    let between = between.map(|between| between.0);
                    let law = law.0.word();
                    LawTable { law, mean, median, sigma, shape, least, most, points, file, between }.read(source, path)
                }

                /// Returns the table of a law; `None` for a constant.
                pub fn of(law: &Law) -> Option<Self> {
                    let LawTable { law, mean, median, sigma, shape, least, most, points, file, between } = LawTable::of(law)?;
                    let law = <$words>::ALL.iter().find(|word| word.word() == law)?;
                    let between = between.map(W);
                    Some(Self { law: W(*law), mean, median, sigma, shape, least, most, points, file, between })
                }
            }

            impl $law {
                /// Reads the law in the value at `path`.
                pub fn read(self, source: &Source<'_>, path: &str) -> Result<Law, ScenarioError> {
                    match self {
                        Self::Always(value) => Ok(Law::Constant(value.number())),
                        Self::Table(table) => table.read(source, path),
                    }
                }

                /// Returns the text form of a law.
                pub fn of(law: &Law) -> Self {
                    match (law, $table::of(law)) {
                        (_, Some(table)) => Self::Table(table),
                        (law, None) => Self::Always(Value::of(law.mean().unwrap_or_default())),
                    }
                }
            }
        )+
    };
}

tables! {
    Sizes, SizesTable, SizeLaw;
    Times, TimesTable, PlainLaw;
    Counts, CountsTable, PlainLaw;
}

impl PageObjects {
    /// Returns the text form of a law of counts.
    pub fn of(law: &Law) -> Self {
        match Counts::of(law) {
            Counts::Always(number) => Self::Always(number),
            Counts::Table(table) => Self::Table(table),
        }
    }
}

impl<V: Value> LawTable<V> {
    fn read(self, source: &Source<'_>, path: &str) -> Result<Law, ScenarioError> {
        let error = |code, key: &str, message: String| source.error(code, &format!("{path}.{key}"), message);
        let needs = |keys: &str, key: &str, example: &str| {
            let message = format!("the law \"{}\" needs {keys} (write {key} = {example})", self.law);
            error(Code::ScenarioMissingKey, key, message)
        };
        let number = |value: V| value.number();
        // Exactly one of two keys must be present.
        let one_of = |(key, value): (&str, Option<V>), example| match (value, self.mean) {
            (None, None) => Err(needs(&format!("`mean` or `{key}`"), "mean", example)),
            _ => Ok((value.map(number), self.mean.map(number))),
        };
        let refused = |fault: TrafficError, key: &str| error(Code::ScenarioValue, key, fault.to_string());
        let law = match self.law {
            "exponential" => {
                let mean = self.mean.ok_or_else(|| needs("its mean", "mean", V::EXAMPLE))?;
                Law::Exponential { mean: mean.number() }
            }
            "log-normal" => {
                let (median, mean) = one_of(("median", self.median), V::EXAMPLE)?;
                let sigma = self.sigma.ok_or_else(|| needs("its width", "sigma", "1.5"))?;
                match (median, mean) {
                    (Some(median), _) => Law::LogNormal { median, sigma },
                    (None, mean) => Law::log_normal_of_mean(mean.unwrap_or_default(), sigma),
                }
            }
            "pareto" => {
                let (least, mean) = one_of(("least", self.least), V::EXAMPLE)?;
                let shape = self.shape.ok_or_else(|| needs("its shape", "shape", "1.2"))?;
                let most = self.most.map(number);
                match (least, mean) {
                    (Some(least), _) => Law::Pareto { least, shape, most },
                    (None, mean) => Law::pareto_of_mean(mean.unwrap_or_default(), shape, most)
                        .map_err(|fault| refused(fault, "mean"))?,
                }
            }
            "points" => {
                let points = self.points.as_deref().ok_or_else(|| {
                    let example = format!("[[{}, 0.5], [{}, 1]]", V::EXAMPLE, V::EXAMPLE);
                    needs("its points", "points", &example)
                })?;
                self.curve(points, source, &format!("{path}.points"))?
            }
            "file" => {
                let file = self.file.as_deref().ok_or_else(|| needs("its file", "file", "\"sizes.csv\""))?;
                from_file::<V>(&source.file(file), self.between.unwrap_or_default())?
            }
            name => {
                let known = Cdf::named(name)
                    .ok_or_else(|| error(Code::ScenarioValue, "law", format!("unknown law \"{name}\"")))?;
                Law::Empirical(known)
            }
        };
        let key_of = |fault: &TrafficError| match fault {
            TrafficError::Number { what, .. }
                if ["median", "sigma", "shape", "least", "most"].contains(what) =>
            {
                *what
            }
            _ => "mean",
        };
        law.check().map_err(|fault| refused(fault.clone(), key_of(&fault)))?;
        Ok(law)
    }

    fn curve(&self, points: &[Vec<Cell>], source: &Source<'_>, path: &str) -> Result<Law, ScenarioError> {
        let at = |index: usize| format!("{path}[{index}]");
        let mut read = Vec::with_capacity(points.len());
        for (index, point) in points.iter().enumerate() {
            let fault = |message: String| source.error(Code::ScenarioValue, &at(index), message);
            let [value, Cell::Number(share)] = point.as_slice() else {
                let message =
                    "a point of a distribution must be a pair: a value, and the probability that a number is at most \
                     this value"
                        .to_owned();
                return Err(fault(message).fix(format!("write [{}, 0.5]", V::EXAMPLE)));
            };
            read.push((V::read_cell(value).map_err(fault)?.number(), *share));
        }
        let curve = Cdf::new(read, self.between.unwrap_or_default()).map_err(|fault| match fault {
            TrafficError::CdfRow { line, why } => {
                source.error(Code::ScenarioValue, &at(line.saturating_sub(1)), why)
            }
            other => source.error(Code::ScenarioValue, path, other.to_string()),
        })?;
        Ok(Law::Empirical(curve.into()))
    }

    /// Returns the table of a law; `None` for a constant.
    fn of(law: &Law) -> Option<Self> {
        // A value that was computed from a mean is usually not a whole number of bytes or nanoseconds. In this case,
        // the mean is written.
        let exact = |number: f64| (V::of(number).number() == number).then(|| V::of(number));
        let mean = || law.mean().map(V::of);
        Some(match law {
            Law::Constant(_) => return None,
            Law::Exponential { mean } => Self { mean: Some(V::of(*mean)), ..Self::new("exponential") },
            Law::LogNormal { median, sigma } => {
                let median = exact(*median);
                let mean = if median.is_none() { mean() } else { None };
                Self { median, mean, sigma: Some(*sigma), ..Self::new("log-normal") }
            }
            Law::Pareto { least, shape, most } => {
                let least = exact(*least);
                let mean = if least.is_none() { mean() } else { None };
                let most = most.map(V::of);
                Self { least, mean, most, shape: Some(*shape), ..Self::new("pareto") }
            }
            Law::Empirical(cdf) => {
                let named = traffic::NAMED.iter().find(|named| named.cdf() == **cdf);
                if let Some(named) = named {
                    return Some(Self::new(named.name));
                }
                let point =
                    |&(value, share): &(f64, f64)| vec![V::of(value).write_cell(), Cell::Number(share)];
                Self {
                    points: Some(cdf.points().iter().map(point).collect()),
                    between: Some(cdf.between()),
                    ..Self::new("points")
                }
            }
        })
    }
}

/// Reads a curve from a file. Its values are rounded to values that a scenario can have.
fn from_file<V: Value>(file: &Path, between: Between) -> Result<Law, ScenarioError> {
    let fault = |line: Option<usize>, code, message: String| {
        ScenarioError::in_file(file, line.map(|line| line as u64), "", code, message)
    };
    let text = input::read(file, input::SCENARIO).map_err(|why| {
        fault(None, Code::ScenarioUnreadable, format!("cannot read the distribution: {why}"))
    })?;
    let refused = |error: TrafficError| match error {
        TrafficError::CdfRow { line, why } => fault(Some(line), Code::ScenarioValue, why),
        other => fault(None, Code::ScenarioValue, other.to_string()),
    };
    let read = Cdf::read(&text, between).map_err(refused)?;
    let points = read.points().iter().map(|&(value, share)| (V::of(value).number(), share)).collect();
    Ok(Law::Empirical(Cdf::new(points, between).map_err(refused)?.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every measured law has a word in scenarios, and every word has a law.
    #[test]
    fn every_measured_law_has_its_word() {
        let words: Vec<&str> = SizeLaw::ALL.iter().map(|law| law.word()).collect();
        let plain: Vec<&str> = PlainLaw::ALL.iter().map(|law| law.word()).collect();
        let named: Vec<&str> = traffic::NAMED.iter().map(|named| named.name).collect();
        assert_eq!(words, [plain, named].concat());
    }
}
