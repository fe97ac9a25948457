// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bent pipes, elements from files, other presets, and refused networks.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_topology as topology;
use std::path::PathBuf;
use topology::{
    ConstellationSpec, Objects, Orbits, Shell, Site, Visibility, constellation, presets, sites, trace,
};
use units::{Angle, Code, Distance, Span, Time};

const OWN_DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/");

fn site(name: &str) -> Site {
    sites::find(name).unwrap()
}

fn catalogue(file: PathBuf) -> Shell {
    let orbits =
        Orbits::Catalogue { file, start: None, oldest: None, skip_unusable: false, objects: Objects::All };
    Shell { name: "catalogue".to_owned(), orbits }
}

fn oneweb() -> ConstellationSpec {
    ConstellationSpec {
        name: "oneweb".to_owned(),
        shells: vec![catalogue(PathBuf::from(format!("{OWN_DATA}oneweb_2022-09-14.tle")))],
        isl: None,
        visibility: Visibility::Elevation(Angle::from_deg(15.0)),
        ..presets::find("iridium").unwrap()
    }
}

#[test]
fn a_bent_pipe_from_elements() {
    // Two terminals near each other, with OneWeb at 1200 km above 15 degrees, use 2 links. Each link is between 1200 km
    // (zenith, minus a margin for the lowest orbit) and 2762 km (rim) long. Therefore 2D/c is between 4*1100 km/c =
    // 14.7 ms and 4*2800 km/c = 37.4 ms.
    let samples = trace::path_over_time(
        &oneweb(),
        &site("London"),
        &site("Paris"),
        Span::from_secs(600),
        Span::from_secs(10),
    )
    .unwrap();
    let connected: Vec<_> = samples.iter().filter_map(|sample| Some((sample, sample.rtt()?))).collect();
    assert!(connected.len() > samples.len() / 2, "{} of {}", connected.len(), samples.len());
    for (sample, rtt) in connected {
        assert_eq!(sample.links(), 2);
        assert_eq!(sample.isl, Span::ZERO);
        assert!(sample.hops[1].starts_with("ONEWEB-"), "{:?}", sample.hops);
        assert!((14.7..37.4).contains(&rtt.millis_f64()), "{rtt}");
    }
}

#[test]
fn new_york_to_london_over_starlink() {
    // Three independent link patterns over this shell give 42 to 46 ms (Hypatia's layout gives 42.6 to 46.4 ms). Light
    // in vacuum over 5570 km takes 37 ms in both directions.
    let spec = presets::find("starlink-550").unwrap();
    let samples = trace::path_over_time(
        &spec,
        &site("New York"),
        &site("London"),
        Span::from_secs(600),
        Span::from_secs(15),
    )
    .unwrap();
    for sample in samples {
        let rtt = sample.rtt().unwrap().millis_f64();
        assert!((41.5..47.0).contains(&rtt), "{rtt} ms at {}", sample.at);
    }
}

#[test]
fn a_site_without_satellites_is_named() {
    // A shell at 550 km with an inclination of 53 degrees is seen above 25 degrees up to a latitude of 53 + 8.45 = 61.5
    // degrees.
    let spec = presets::find("starlink-550").unwrap();
    let north = Site {
        name: "Alert".to_owned(),
        latitude: Angle::from_deg(82.5),
        longitude: Angle::from_deg(-62.3),
        altitude: Distance::default(),
    };
    let error =
        constellation::build(&spec, &[site("London"), north], &[(0, 1)], Span::from_secs(60)).unwrap_err();
    assert_eq!(error.code(), Code::NoSatelliteInView);
    let text = error.to_string();
    assert!(text.contains("Alert") && text.contains("above 25 deg"), "{text}");

    let edge = |latitude| {
        let site = Site {
            name: "edge".to_owned(),
            latitude: Angle::from_deg(latitude),
            longitude: Angle::from_deg(0.0),
            altitude: Distance::default(),
        };
        constellation::build(&spec, &[site, self::site("London")], &[(0, 1)], Span::from_secs(60))
    };
    assert!(edge(60.5).is_ok());
    assert_eq!(edge(62.5).unwrap_err().code(), Code::NoSatelliteInView);
}

#[test]
fn bent_pipes_do_not_span_oceans() {
    let error =
        constellation::build(&oneweb(), &[site("London"), site("Tokyo")], &[(0, 1)], Span::from_secs(60))
            .unwrap_err();
    assert_eq!(error.code(), Code::NoPath);
    let text = error.to_string();
    assert!(text.contains("London and Tokyo are not") && text.contains("no inter-satellite links"), "{text}");
}

#[test]
fn a_missing_or_damaged_file_is_named() {
    let with_file = |file: PathBuf| ConstellationSpec { shells: vec![catalogue(file)], ..oneweb() };
    let error = trace::snapshot(&with_file(PathBuf::from("no-such.tle")), &[], Time::ZERO).unwrap_err();
    assert_eq!(error.code(), Code::ScenarioUnreadable);
    assert!(error.to_string().contains("no-such.tle"), "{error}");
    let error = trace::snapshot(&with_file(PathBuf::from(format!("{OWN_DATA}sites.csv"))), &[], Time::ZERO)
        .unwrap_err();
    // The extension of the name means that the file is a CSV table.
    assert_eq!(error.code(), Code::ElementsSyntax);
    assert!(error.to_string().contains("sites.csv"), "{error}");
}

#[test]
fn a_pair_that_is_connected_now_and_then_has_gaps() {
    // One plane of 8 polar satellites without links. It is a bent pipe that exists only at some times.
    let mut spec = presets::find("iridium").unwrap();
    let Orbits::Walker(walker) = &mut spec.shells[0].orbits else {
        unreachable!("iridium is a Walker shell")
    };
    (walker.planes, walker.per_plane) = (1, 8);
    spec.isl = None;
    let places = [sites::find("10, 0").unwrap(), sites::find("12, 1").unwrap()];
    let network = constellation::build(&spec, &places, &[(0, 1)], Span::from_secs(3600)).unwrap();
    let path = network.path(0, 1).unwrap();
    assert!(path.pieces.iter().any(|piece| piece.links.is_empty() && piece.delay.is_none()));
    assert!(path.pieces.iter().any(|piece| piece.links.len() == 2 && piece.delay.is_some()));
    // When a satellite sets, its links in both directions go down.
    assert!(network.updates.iter().any(|update| update.down.len() == 2));
}
