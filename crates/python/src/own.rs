// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controllers in Python that a scenario names, with the digests of their code.

use pyo3::prelude::*;
use record::OwnController;
use scenario::Scenario;
use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

/// Returns the controllers in Python that a scenario names, sorted by name.
pub fn controllers(scenario: &Scenario) -> Vec<OwnController> {
    let of_flows = scenario.flows.iter().filter_map(|flow| flow.kind.controller());
    let of_proxies = scenario.peps.iter().filter_map(|pep| pep.controller.as_ref());
    let names: BTreeSet<&str> = of_flows.chain(of_proxies).map(|choice| choice.name.as_str()).collect();
    let own: Vec<&str> = names.into_iter().filter(|name| control::catalogue::is_added(name)).collect();
    if own.is_empty() {
        return Vec::new();
    }
    Python::attach(|py| {
        let digest = |name: &str| -> PyResult<Option<String>> {
            py.import("bentpipe.scenario.own_source")?.getattr("digest_of")?.call1((name,))?.extract()
        };
        // If an exception is raised during the computation of a digest, the class has no digest.
        let own = own.into_iter();
        own.map(|name| OwnController { name: name.to_owned(), sha256: digest(name).unwrap_or(None) })
            .collect()
    })
}

/// Returns a number that identifies this process. It is constant within the process, and different in every other
/// process.
pub fn process() -> u64 {
    static NUMBER: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
    *NUMBER
}
