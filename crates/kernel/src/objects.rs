// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compiled controllers, and the declarations in their type information (BTF).

use crate::failure::Failure;
use crate::say;
use kernel::parameters::Parameter;
use libbpf_rs::btf::types::{DataSec, DeclTag};
use libbpf_rs::btf::{BtfType, ReferencesType};
use libbpf_rs::{Btf, MapType, OpenMap, OpenObject};
use serde_json::json;
use std::borrow::Cow;
use std::path::Path;

/// The controllers of Bentpipe: name in the kernel, and object file.
const CONTROLLERS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/controllers.rs"));
/// Ending of object files.
const OBJECT: &str = "o";
/// Section of constants.
pub const CONSTANTS: &str = ".rodata";

/// A parameter, and the place of its variable in the constants of the object.
pub struct Variable {
    pub parameter: Parameter,
    pub offset: usize,
}

/// An object file, by the name of a controller or by its path.
pub fn object(name: &str) -> Result<Cow<'static, [u8]>, Failure> {
    let path = Path::new(name);
    if path.extension().is_some_and(|ending| ending == OBJECT) {
        let read = std::fs::read(path);
        return read.map(Cow::Owned).map_err(|error| {
            Failure::argument(format!("{name}: cannot be read: {error} (give an object file of clang)"))
        });
    }
    // A controller's name in the kernel has no hyphen.
    let wanted = name.replace('-', "_");
    let found = CONTROLLERS.iter().find(|(known, _)| *known == wanted);
    found.map(|(_, bytes)| Cow::Borrowed(*bytes)).ok_or_else(|| {
        let known: Vec<&str> = CONTROLLERS.iter().map(|(name, _)| *name).collect();
        Failure::argument(format!(
            "{name}: no such controller is built in (built in are {})",
            known.join(", ")
        ))
    })
}

/// The type information of an object file.
pub fn types(bytes: &[u8]) -> Result<Btf<'_>, Failure> {
    let types =
        Btf::from_raw("controller", bytes).map_err(|error| Failure::refused("opening the object", &error))?;
    types.ok_or_else(|| Failure::argument("the object has no type information (compile it with clang -g)"))
}

/// The declared parameters, in the order of their variables.
pub fn variables(types: &Btf<'_>) -> Vec<Variable> {
    let Some(section) = types.type_by_name::<DataSec<'_>>(CONSTANTS) else { return Vec::new() };
    let offset_of = |variable: &BtfType<'_>| {
        section.iter().find(|one| one.ty == variable.type_id()).map(|one| one.offset as usize)
    };
    let mut variables: Vec<Variable> = types
        .type_by_kind::<DeclTag<'_>>()
        .filter_map(|tag| {
            let parameter = Parameter::of_tag(tag.name()?.to_str()?)?;
            Some(Variable { parameter, offset: offset_of(&tag.referenced_type())? })
        })
        .collect();
    variables.sort_by_key(|variable| variable.offset);
    variables
}

/// The constants of an open object.
pub fn constants(object: &OpenObject) -> Option<OpenMap<'_>> {
    object.maps().find(|map| map.name().to_string_lossy().ends_with(CONSTANTS))
}

/// Returns the 32-bit variable at an offset of the constants.
pub fn variable(constants: &[u8], offset: usize) -> u32 {
    u32::from_ne_bytes(std::array::from_fn(|place| constants[offset + place]))
}

/// The name of the controller, which is the name of its variable.
pub fn name_of(object: &OpenObject) -> Result<String, Failure> {
    let mut controllers = object.maps().filter(|map| map.map_type() == MapType::StructOps);
    match (controllers.next(), controllers.next()) {
        (Some(one), None) => Ok(one.name().to_string_lossy().into_owned()),
        _ => Err(Failure::argument(
            "the object must have exactly one tcp_congestion_ops (SEC(\".struct_ops.link\"))",
        )),
    }
}

/// Opens an object.
pub fn open(bytes: &[u8]) -> Result<OpenObject, Failure> {
    let opened = libbpf_rs::ObjectBuilder::default().open_memory(bytes);
    opened.map_err(|error| Failure::refused("opening the object", &error))
}

/// Prints the controllers and their parameters.
pub fn list() -> Result<(), Failure> {
    crate::failure::collect_messages();
    let mut controllers = Vec::new();
    for (name, bytes) in CONTROLLERS {
        let (types, object) = (types(bytes)?, open(bytes)?);
        let values =
            constants(&object).and_then(|map| map.initial_value().map(<[u8]>::to_vec)).unwrap_or_default();
        let parameters: Vec<_> = variables(&types)
            .iter()
            .map(|one| {
                json!({
                    "name": one.parameter.name,
                    "default": one.parameter.text(variable(&values, one.offset)),
                    "bounds": one.parameter.domain.to_string(),
                })
            })
            .collect();
        controllers.push(json!({"kernel_name": name, "parameters": parameters}));
    }
    say(&json!({"controllers": controllers}));
    Ok(())
}
