// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes what is known about the path into the maps `hints` of the loaded controllers (`bpf/include/hints.h`).

use crate::failure::{Failure, collect_messages};
use crate::say;
use libbpf_rs::query::MapInfoIter;
use libbpf_rs::{MapCore, MapFlags, MapHandle, MapType};
use serde::Deserialize;
use serde_json::json;
use std::io::BufRead as _;

/// Name of the map.
pub const NAME: &str = "hints";
/// Size of `struct hint`.
const SIZE: usize = 40;

/// A line of standard input: the members of `struct hint`. 0 is unknown.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hint {
    base_rtt_ns: u64,
    boundary_ns: u64,
    lasts_ns: u64,
    announced_ns: u64,
    distance_m: u32,
    kind: u32,
}

impl Hint {
    fn bytes(&self) -> Vec<u8> {
        let longs = [self.base_rtt_ns, self.boundary_ns, self.lasts_ns, self.announced_ns];
        let mut bytes: Vec<u8> = longs.iter().flat_map(|long| long.to_ne_bytes()).collect();
        bytes.extend(self.distance_m.to_ne_bytes());
        bytes.extend(self.kind.to_ne_bytes());
        bytes
    }
}

/// Returns the maps of all loaded controllers that take hints.
fn maps() -> Vec<MapHandle> {
    let is_hints = |map: &libbpf_rs::query::MapInfo| {
        map.name == NAME
            && map.ty == MapType::Array
            && map.value_size as usize == SIZE
            && map.max_entries == 1
    };
    MapInfoIter::default().filter(is_hints).filter_map(|map| MapHandle::from_map_id(map.id).ok()).collect()
}

/// Writes each line into the maps of all loaded controllers.
pub fn hints() -> Result<(), Failure> {
    collect_messages();
    // Controllers can be loaded and removed while hints are written.
    write_each(maps)
}

/// Writes each line of standard input into the maps that `maps` returns, and answers with their number.
pub fn write_each<Map: MapCore>(maps: impl Fn() -> Vec<Map>) -> Result<(), Failure> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::system("reading hints", error))?;
        let hint: Hint =
            serde_json::from_str(&line).map_err(|error| Failure::argument(format!("{line}: {error}")))?;
        let maps = maps();
        for map in &maps {
            map.update(&0_u32.to_ne_bytes(), &hint.bytes(), MapFlags::ANY)
                .map_err(|error| Failure::refused("writing a hint", &error))?;
        }
        say(&json!({"maps": maps.len()}));
    }
    Ok(())
}
