// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the answers of models with numbers printed in the papers and with numbers computed by hand.

mod a_liad;
mod catalogue;
mod geo_reno;
mod hybic;
mod hybla;
mod response;
mod vegas_w;

use crate::{Answer, Cells, Given, compute};

/// Returns the answer of a model, which must accept `given`.
fn ask(name: &str, given: &[(&str, &[f64])]) -> Answer {
    let given: Vec<(&str, Given)> =
        given.iter().map(|(name, numbers)| (*name, Given::Numbers(numbers.to_vec()))).collect();
    compute(name, &given).unwrap_or_else(|error| panic!("{error}"))
}

impl Answer {
    fn value(&self, name: &str) -> f64 {
        let found = self.facts.iter().find(|(fact, _)| fact == name);
        found.unwrap_or_else(|| panic!("no fact {name} among {:#?}", self.facts)).1
    }

    fn column(&self, name: &str) -> Vec<f64> {
        match &self.cells(name) {
            Cells::Numbers(numbers) => numbers.iter().map(|cell| cell.unwrap_or(f64::NAN)).collect(),
            Cells::Words(_) => panic!("{name} has words"),
        }
    }

    fn words_of(&self, name: &str) -> Vec<String> {
        match self.cells(name) {
            Cells::Words(words) => words,
            Cells::Numbers(_) => panic!("{name} has numbers"),
        }
    }

    fn cells(&self, name: &str) -> Cells {
        let found = self.columns.iter().find(|column| column.name == name);
        found.unwrap_or_else(|| panic!("no column {name}")).cells.clone()
    }

    /// Returns the number in the column `name`, in the row where the column `x` is `at`.
    fn at(&self, name: &str, x: &str, at: f64) -> f64 {
        let row = self.column(x).iter().position(|value| (value - at).abs() < 1e-9);
        self.column(name)[row.unwrap_or_else(|| panic!("no row with {x} = {at}"))]
    }
}

/// Asserts that `value` differs from `expected` by at most `tolerance`. All three have the same unit.
#[track_caller]
fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value}, not {expected} within {tolerance}");
}
