// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times a survey of routes: `survey_bench PRESET|FILE SITES DURATION_S STEP_MS THREADS` prints one JSON object.

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::num::NonZeroUsize;
use std::time::Instant;
use topology::{
    ConstellationSpec, IslPattern, IslSpec, Orbits, Shell, TopologyError, presets, sites, survey,
};
use units::{Angle, Distance, Span};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, count, duration_s, step_ms, threads] = arguments.as_slice() else {
        return Err("usage: survey_bench PRESET|75x75|FILE SITES DURATION_S STEP_MS THREADS".into());
    };
    let spec = constellation(what)?;
    let sites: Vec<_> = sites::all().take(count.parse()?).collect();
    let (duration, step) = (Span::from_secs(duration_s.parse()?), Span::from_millis(step_ms.parse()?));
    let begin = Instant::now();
    let survey = survey::routes::<TopologyError>(
        &spec,
        &sites,
        duration,
        step,
        NonZeroUsize::new(threads.parse()?).ok_or("at least one thread")?,
        |_, _| Ok(()),
    )?;
    let wall_s = begin.elapsed().as_secs_f64();
    println!(
        "{{\"what\": \"{what}\", \"satellites\": {}, \"sites\": {}, \"steps\": {}, \"entries\": {}, \"changes\": {}, \
         \"cpu_s\": {:.3}, \"wall_s\": {wall_s:.3}, \"peak_rss_mb\": {}}}",
        survey.satellites,
        sites.len(),
        survey.steps,
        survey.entries,
        survey.changes,
        cpu_s(),
        peak_rss_mb(),
    );
    Ok(())
}

fn constellation(what: &str) -> Result<ConstellationSpec, TopologyError> {
    let base = presets::find("starlink-550")?;
    if what == "75x75" {
        let shells = base
            .shells
            .into_iter()
            .map(|shell| match shell.orbits {
                Orbits::Walker(walker) => Shell {
                    orbits: Orbits::Walker(orbit::Walker {
                        planes: 75,
                        per_plane: 75,
                        altitude: Distance::from_km(1000.0),
                        ..walker
                    }),
                    ..shell
                },
                _ => shell,
            })
            .collect();
        // LEOCraft's workload: 1000 km.
        return Ok(ConstellationSpec { shells, ..base });
    }
    if !std::path::Path::new(what).exists() {
        return presets::find(what);
    }
    let isl = base.isl.map(|isl| IslSpec { pattern: IslPattern::Grid, ..isl });
    let orbits = Orbits::Catalogue {
        file: what.into(),
        start: None,
        oldest: None,
        skip_unusable: true,
        objects: topology::Objects::Satellites,
    };
    Ok(ConstellationSpec {
        shells: vec![Shell { name: what.to_owned(), orbits }],
        isl,
        visibility: topology::Visibility::Elevation(Angle::from_deg(25.0)),
        ..base
    })
}

/// CPU time of the process over all threads, from the kernel, in ticks of 10 ms; zero if the kernel does not report it.
fn cpu_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Fields 14 and 15. They are counted after the name, which may contain any characters but ends with a bracket.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>()
        / 100.0
}

/// Largest resident set so far, from the kernel; zero if the kernel does not report it.
fn peak_rss_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}
