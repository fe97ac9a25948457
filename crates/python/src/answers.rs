// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON that functions return to Python, and the schema of this JSON. `make docs` writes `scenario/answers.py` from the
//! schema.

use crate::ask::{ConstellationEntry, ControllerEntry};
use crate::budget::{LinkBudget, StandingBudget};
use crate::model::{ModelAnswer, ModelEntry};
use crate::path::PathFacts;
use crate::sky::SkyFacts;
use pyo3::prelude::*;
use scenario::{PresetFile, TcpPreset};
use schemars::JsonSchema;
use serde::Serialize;

/// Defines a struct that Python gets as JSON, and the function `new` that creates it. For each key, the macro gets a
/// type and a value.
macro_rules! answer {
    (
        $(#[$about:meta])*
        $name:ident($($from:ident: $of:ty),*) {
            $($(#[$note:meta])* $key:ident: $kind:ty = $value:expr,)*
        }
    ) => {
        $(#[$about])*
        #[derive(serde::Serialize, schemars::JsonSchema)]
        pub struct $name {
            $($(#[$note])* $key: $kind,)*
        }
        impl $name {
            pub fn new($($from: $of),*) -> Self {
                Self { $($key: $value,)* }
            }
        }
    };
}
pub(crate) use answer;

/// Types of the JSON that functions of `_core` return. Each field has the name of a function.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Answers {
    controllers: Vec<ControllerEntry>,
    tcp_presets: Vec<TcpPreset>,
    network_presets: Vec<PresetFile>,
    constellations: Vec<ConstellationEntry>,
    describe: SkyFacts,
    models: Vec<ModelEntry>,
    model: ModelAnswer,
    path_series: PathFacts,
    link_budget: LinkBudget,
    link_budgets: Vec<StandingBudget>,
}

/// Returns the JSON Schema of the JSON that functions return.
#[pyfunction]
pub fn answers_schema() -> String {
    record::schema_of::<Answers>()
}

/// Returns an answer as JSON.
pub fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("numbers, text and lists have a JSON form")
}
