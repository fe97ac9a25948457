// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads scenarios: a checked scenario with all units resolved.
//!
//! [`Scenario::from_toml`] reads a file. It checks the TOML against the JSON Schema of the format (unknown and missing
//! keys, types, units, bounds). Then it fills in defaults and refuses contradictions. Faults are reported together:
//! either all faults against the schema, or else all contradictions, unknown controllers and parameters.
//! [`Scenario::to_toml`] prints the same document with all defaults. [`Places`] has the positions of a scenario's parts
//! in its text.
//!
//! Traffic matrices, including matrix files, become flows here. Other files that a scenario names are read where they
//! are used. [`constellation()`] resolves the name of a constellation.

mod acks;
mod application;
mod budget;
mod call;
mod capture;
mod carrier;
mod chance;
mod check;
mod constellation;
pub mod document;
mod error;
mod facts;
mod files;
mod flow;
mod format;
mod forward;
mod ideal;
mod identity;
mod jitter;
mod law;
mod link_text;
mod loss_text;
mod model;
mod moving_budget;
mod named;
mod network;
mod on_off;
mod overload;
mod packet_sizes;
mod path_load;
mod pep;
mod places;
mod plain;
mod policer;
mod preset;
mod queue;
mod quic;
mod random_access;
mod return_link;
mod scenario;
mod settings;
mod sight;
mod station;
mod text;
mod traffic;
mod transport;
mod two_state_text;
mod varied;
mod wire;
mod words;

pub use budget::{Budget, BudgetSheet, has_budget, rain_starts};
pub use call::{Call, Media, Profile};
pub use capture::{check_instead as check_captures, matches as link_matches};
pub use chance::{Chance, ChanceKind};
pub use check::{key_lines, nearest, parse_toml};
pub use document::{
    AccessLink, Capture, ControllerChoice, Flow, FlowKind, ForwardCarrier, ForwardCarriers, ForwardTurn,
    Losses, NetworkChoice, OnHandover, Pep, Record, ReturnCarriers, Scenario, Starlink, TransportConfig,
    Value, Window, Wire, WireDelay, WireService,
};
pub use error::{Context, ScenarioError};
pub use facts::DefaultQueue;
pub use identity::{Identity, NamedFile};
pub use moving_budget::FollowedPass;
pub use named::{Named, constellation, constellation_of_network};
pub use on_off::{Law, OnOff, Period};
pub use places::Places;
pub use preset::{NetworkPreset, Origin, PresetFile, network_presets};
pub use quic::{
    AckFrequency, ControllerSource, Keys, LIBRARY_CONTROLLERS, QUIC_HEADERS, QuicConfig, label as quic_label,
    paced_anyway,
};
pub use radio::{LookAngles as LinkLookAngles, State as LinkState, Weather};
pub use scenario::{Overrides, json_schema};
pub use text::Quantity;
pub use transport::{OwnTcp, TcpPreset, label as tcp_label, presets as tcp_presets};
