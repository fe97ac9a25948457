// SPDX-License-Identifier: MIT OR Apache-2.0
//! The user's document: what a scenario says, checked, with every unit resolved.

pub mod document;

pub use document::{
    Access, ControllerChoice, Flow, FlowKind, NetworkChoice, Record, Scenario, Value, Window,
};
