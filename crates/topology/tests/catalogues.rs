// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites of catalogues have a date: slots follow the clock, and some satellites decay during a run.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_topology as topology;
use orbit::{Fleet, Satellites};
use std::path::{Path, PathBuf};
use topology::{
    ConstellationSpec, Orbits, Policy, SatelliteChoice, Shell, Site, Slot, TopologyError, constellation,
    presets, trace,
};
use units::{Angle, Distance, Span, Time};

fn secs(s: u64) -> Span {
    Span::from_secs(s)
}

/// Returns the satellites of a file at a time, with all other values of starlink-550.
fn catalogue(file: PathBuf, start: &str, skip_unusable: bool) -> ConstellationSpec {
    let orbits = Orbits::Catalogue {
        file,
        start: Some(start.to_owned()),
        oldest: None,
        skip_unusable,
        objects: topology::Objects::All,
    };
    ConstellationSpec {
        shells: vec![Shell { name: "catalogue".to_owned(), orbits }],
        ..presets::find("starlink-550").unwrap()
    }
}

#[test]
fn slots_follow_the_clock() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/starlink_2022-09-14.tle");
    let slot = Slot { period: secs(15), phase: secs(12) };
    let spec = ConstellationSpec {
        choice: SatelliteChoice {
            policy: Policy::HighestElevation,
            slot: Some(slot),
            hysteresis: Angle::from_deg(0.0),
        },
        ..catalogue(file, "2022-09-14T12:00:05Z", true)
    };
    let site = |name| topology::sites::find(name).unwrap();
    let path = trace::path_over_time(&spec, &site("London"), &site("New York"), secs(119), secs(1)).unwrap();
    let switched = path.windows(2).filter(|pair| pair[0].satellites.first() != pair[1].satellites.first());
    let seconds: Vec<u64> = switched.map(|pair| pair[1].at.nanos() / 1_000_000_000).collect();
    // The start is five seconds into a minute. The times :12, :27, :42 and :57 are 7, 22, 37 and 52 s later.
    assert!(!seconds.is_empty());
    assert!(seconds.iter().all(|at| [7, 22, 37, 52].contains(&(at % 60))), "{seconds:?}");
}

/// Satellite 28872 of the verification set of AIAA 2006-6753 (`SGP4-VER.TLE`). In the reference output, it is 133.5 km
/// above the equatorial radius after 40 minutes and 68.8 km after 45 minutes. The output ends after 50 minutes. The
/// atmosphere begins at 122 km.
const DECAYING: &str = "\
1 28872U 05037B   05333.02012661  .25992681  00000-0  24476-3 0  1534
2 28872  96.4736 157.9986 0303955 244.0492 110.6523 16.46015938 10708
";

#[test]
fn a_satellite_that_decays_during_the_run_is_noted() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("decaying.tle");
    std::fs::write(&file, DECAYING).unwrap();
    // The start is the epoch of the set: day 333.02012661 of 2005.
    let spec = |skip_unusable| ConstellationSpec {
        isl: None,
        route_step: secs(300),
        ..catalogue(file.clone(), "2005-11-29T00:28:58.939Z", skip_unusable)
    };
    // Two places below the satellite, twenty minutes after the start.
    let moment = Time::ZERO + secs(1200);
    let below = trace::snapshot(&spec(true), &[], moment).unwrap().satellites[0].place;
    let place = |name: &str, north_deg: f64| Site {
        name: name.to_owned(),
        latitude: Angle::from_deg(below.latitude.deg() + north_deg),
        longitude: below.longitude,
        altitude: Distance::default(),
    };
    let sites = [place("south", -0.5), place("north", 0.5)];
    let build = |skip, duration| constellation::build(&spec(skip), &sites, &[(0, 1)], duration);
    let network = build(true, secs(3600)).unwrap();
    let left: Vec<&String> = network.notes.iter().filter(|note| note.contains("leave")).collect();
    assert_eq!(left.len(), 1, "{:?}", network.notes);
    assert!(left[0].starts_with("1 satellite leaves during the run"), "{left:?}");
    assert!(left[0].contains("28872 (gone at 45 min)"), "{left:?}");
    assert!(network.paths[0].delay(moment).is_some());
    // A missing satellite is an error unless `skip_unusable` is true. A run that ends before the satellite leaves has
    // no note.
    assert!(matches!(build(false, secs(3600)), Err(TopologyError::Orbit { .. })));
    assert!(!build(true, secs(2400)).unwrap().notes.iter().any(|note| note.contains("leave")));
}

/// SGP4 propagates 28872 again at its next apogee, although the satellite would have hit the ground.
#[test]
fn a_satellite_that_left_does_not_come_back() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("coming-back.tle");
    std::fs::write(&file, DECAYING).unwrap();
    let spec = ConstellationSpec { isl: None, ..catalogue(file, "2005-11-29T00:28:58.939Z", true) };
    let raw = Satellites::Sgp4(Fleet::from_tle(DECAYING, Some("2005-11-29T00:28:58.939Z")).unwrap());
    let flies: Vec<bool> =
        (0..300).map(|minute| raw.position(0, Time::ZERO + secs(60) * minute).is_ok()).collect();
    let first = flies.iter().position(|flies| !flies).unwrap();
    let back = first + flies[first..].iter().position(|&flies| flies).unwrap();
    let there = |minute: usize| {
        let sky = trace::snapshot(&spec, &[], Time::ZERO + secs(60) * minute as u64).unwrap();
        sky.satellites[0].position_m != [0.0; 3]
    };
    assert!(there(first - 1) && !there(first) && !there(back), "{first} {back}");
    // The satellite does not return in a run either, for any times at which the run is examined.
    let knots = topology::knots::Knots::new(&spec).unwrap();
    let at = |minute: usize| knots.state(0, Time::ZERO + secs(60) * minute as u64).is_some();
    assert!(at(first - 1) && !at(back) && at(0) && !at(first) && !at(back) && at(first - 1));
}
