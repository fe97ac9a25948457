// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that a scenario names. Paths are kept as they are opened; the text of the scenario has them relative to
//! its folder.

use crate::NamedFile;
use crate::document::{NetworkChoice, Scenario, Wire, WireDelay, WireService};
use link::LinkSpec;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use topology::Orbits;

impl Scenario {
    /// The scenario for a text in `folder`, which need not exist yet: files that were named relative to the folder
    /// `home` are named relative to `folder`. Absolute paths stay as they are.
    #[must_use]
    pub fn seen_from(&self, folder: &Path, home: &Path) -> Self {
        let mut scenario = self.clone();
        let folder = real(folder);
        let by_home = |file: &Path| !home.as_os_str().is_empty() && file.starts_with(home);
        for file in scenario.paths().into_iter().filter(|file| file.is_relative() || by_home(file)) {
            let here = file.parent().map_or_else(PathBuf::new, real);
            *file = between(&folder, &here).join(file.file_name().unwrap_or_default());
        }
        scenario
    }

    /// The files that a run of the scenario reads, with their digests.
    pub fn named_files(&self) -> Vec<NamedFile> {
        self.clone().paths().into_iter().map(|path| NamedFile::read(path)).collect()
    }

    /// The paths of the files that a run of the scenario reads.
    pub(crate) fn paths(&mut self) -> Vec<&mut PathBuf> {
        let hosts = self.flows.iter_mut().filter_map(|flow| flow.access.as_mut());
        let of_hosts = hosts.flat_map(|access| recorded(&mut access.link));
        let of_network = match &mut self.network {
            NetworkChoice::Constellation { spec, .. } => {
                let links = [&mut spec.uplink, &mut spec.downlink, &mut spec.feeder].into_iter();
                let recorded = links.chain(spec.isl.as_mut().map(|isl| &mut isl.link)).flat_map(recorded);
                let catalogues = spec.shells.iter_mut().filter_map(|shell| match &mut shell.orbits {
                    Orbits::Catalogue { file, .. } => Some(file),
                    Orbits::Walker(_) | Orbits::Elements { .. } => None,
                });
                catalogues.chain(recorded).collect()
            }
            NetworkChoice::Dumbbell { forward, reverse } => {
                [forward, reverse].into_iter().flat_map(of).collect()
            }
            NetworkChoice::Chain { links } => links.iter_mut().flat_map(of).collect(),
            NetworkChoice::Star { branches, .. } => {
                branches.iter_mut().flat_map(|(_, wire)| of(wire)).collect()
            }
            NetworkChoice::Starlink(_) => Vec::new(),
        };
        of_network.into_iter().chain(of_hosts).collect()
    }
}

/// The files that a link replays in addition to its own path.
fn recorded(link: &mut LinkSpec) -> impl Iterator<Item = &mut PathBuf> {
    let recorded = link.changes.as_mut().and_then(|changes| Arc::make_mut(changes).recorded.as_mut());
    recorded.into_iter().flat_map(link::Recorded::files)
}

/// The files of a link of a plain network.
fn of(wire: &mut Wire) -> impl Iterator<Item = &mut PathBuf> {
    let service = match &mut wire.service {
        WireService::Trace(file) => Some(file),
        WireService::Constant
        | WireService::Steps(_)
        | WireService::ByHour(_)
        | WireService::Budget(_)
        | WireService::PathTrace => None,
    };
    let delay = match &mut wire.delay {
        WireDelay::Trace(file) => Some(file),
        WireDelay::Given(_) | WireDelay::PathTrace => None,
    };
    service.into_iter().chain(delay).chain(wire.path_trace.as_mut())
}

/// The folder without links and `..`; a part that does not exist yet is appended to the part that does.
fn real(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().unwrap_or_else(|_| match (folder.parent(), folder.file_name()) {
        (Some(above), Some(name)) => real(above).join(name),
        _ => folder.to_owned(),
    })
}

/// The relative path from one folder to another.
fn between(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    up.chain(to.components().skip(common)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_folders() {
        for (from, to, way) in [
            ("/a/runs/x", "/a/traces", "../../traces"),
            ("/a", "/a/traces/b", "traces/b"),
            ("/a/b", "/a/b", ""),
            ("/tmp/x", "/home/me", "../../home/me"),
        ] {
            assert_eq!(between(Path::new(from), Path::new(to)), Path::new(way), "{from} to {to}");
        }
    }
}
