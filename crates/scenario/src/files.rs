// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that a scenario names. The scenario keeps the paths under which files are opened. In the text of a
//! scenario, paths are relative to its folder.

use crate::NamedFile;
use crate::document::{NetworkChoice, Scenario, Wire, WireDelay, WireService};
use link::LinkSpec;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use topology::Orbits;

impl Scenario {
    /// Returns the scenario for a text in `folder`, which need not exist yet. Paths relative to the folder `home`
    /// become relative to `folder`. Absolute paths do not change.
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

    /// Returns the files that a run of the scenario reads, with their digests.
    pub fn named_files(&self) -> Vec<NamedFile> {
        self.clone().paths().into_iter().map(|path| NamedFile::read(path)).collect()
    }

    /// Returns the paths of the files that a run of the scenario reads.
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

/// Returns the files that a link replays, in addition to the path trace of a plain link.
fn recorded(link: &mut LinkSpec) -> impl Iterator<Item = &mut PathBuf> {
    let recorded = link.changes.as_mut().and_then(|changes| Arc::make_mut(changes).recorded.as_mut());
    recorded.into_iter().flat_map(link::Recorded::files)
}

/// Returns the files of a link of a plain network.
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

/// Returns the folder without symbolic links and `..`. Parts of the path that do not exist yet are appended unchanged.
fn real(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().unwrap_or_else(|_| match (folder.parent(), folder.file_name()) {
        (Some(above), Some(name)) => real(above).join(name),
        _ => folder.to_owned(),
    })
}

/// Returns the relative path from one folder to another.
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
