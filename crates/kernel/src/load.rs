// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loads a controller, and writes hints for it. The kernel removes the controller when this process ends.

use crate::failure::{Failure, collect_messages};
use crate::objects::{self, CONSTANTS};
use crate::{hints, say};
use kernel::parameters::{ParameterError, split};
use libbpf_rs::{ErrorKind, MapCore as _, MapType};
use serde_json::json;
use units::Code;

/// Loads the controller, answers, and writes each line of standard input into the controller's map of hints.
pub fn load(name: &str, options: &[&str]) -> Result<(), Failure> {
    collect_messages();
    let settings = settings(options)?;
    let bytes = objects::object(name)?;
    let types = objects::types(&bytes)?;
    let variables = objects::variables(&types);
    let mut opened = objects::open(&bytes)?;
    let controller = objects::name_of(&opened)?;
    for (key, value) in settings {
        let variable = variables.iter().find(|one| one.parameter.name == key).ok_or_else(|| {
            let known: Vec<&str> = variables.iter().map(|one| one.parameter.name.as_str()).collect();
            let known = if known.is_empty() { "it has none".to_owned() } else { known.join(", ") };
            ParameterError {
                code: Code::ParameterUnknown,
                message: format!("{name} has no parameter \"{key}\" in the kernel (parameters: {known})"),
            }
        })?;
        let number = variable.parameter.variable(value)?;
        let mut constants = opened
            .maps_mut()
            .find(|map| map.name().to_string_lossy().ends_with(CONSTANTS))
            .ok_or_else(|| Failure::argument("the object has no constants"))?;
        if let Some(bytes) = constants.initial_value_mut() {
            bytes[variable.offset..variable.offset + 4].copy_from_slice(&number.to_ne_bytes());
        }
    }
    let mut object = opened.load().map_err(|error| Failure::refused(&format!("loading {name}"), &error))?;
    let mut map = object
        .maps_mut()
        .find(|map| map.map_type() == MapType::StructOps)
        .ok_or_else(|| Failure::argument("the object has no tcp_congestion_ops"))?;
    let link = map.attach_struct_ops().map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::argument(format!(
            "the kernel has a controller {controller} already (bentpipe kernel list shows who holds it)"
        )),
        _ => Failure::refused(&format!("registering {controller}"), &error),
    })?;
    say(&json!({"loaded": controller}));
    let done = hints::write_each(|| object.maps().filter(|map| map.name() == hints::NAME).collect());
    drop(link);
    done
}

/// Reads `--set KEY=VALUE` ...
fn settings<'a>(options: &[&'a str]) -> Result<Vec<(&'a str, &'a str)>, Failure> {
    let pairs = options.chunks(2).map(|pair| match pair {
        ["--set", text] => split(text).map_err(Failure::from),
        _ => Err(Failure::argument(format!("unknown option {pair:?} (write --set KEY=VALUE)"))),
    });
    pairs.collect()
}
