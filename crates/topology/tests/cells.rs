// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sites of one cell that share a beam: one satellite at a time serves all of them. Expected numbers are distances over
//! the equator, where satellites are stationary.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_topology as topology;
use orbit::Walker;
use topology::{
    Attachment, ConstellationSpec, Gateway, Mask, Orbits, Policy, SatelliteChoice, Scope, Shared, Shell,
    Site, Slot, Terminal, Visibility, constellation, presets, trace,
};
use units::{Angle, Code, Distance, Span, Time};

const POLICIES: [Policy; 3] = [Policy::LowestDelay, Policy::HighestElevation, Policy::Nearest];

fn place(name: &str, latitude: f64, longitude: f64) -> Site {
    let (latitude, longitude) = (Angle::from_deg(latitude), Angle::from_deg(longitude));
    Site { name: name.to_owned(), latitude, longitude, altitude: Distance::default() }
}

/// Returns a site on the equator at this longitude in degrees east.
fn east(name: &str, longitude: f64) -> Site {
    place(name, 0.0, longitude)
}

fn in_cell(sites: &[Site], cell: &str) -> Vec<(Site, Terminal)> {
    let terminal = Terminal { cell: Some(cell.to_owned()), ..Terminal::PLAIN };
    sites.iter().map(|site| (site.clone(), terminal.clone())).collect()
}

/// Returns geostationary satellites every 20 degrees (satellite n at 20 n degrees east), with sites that share the beam
/// of a cell.
fn ring(policy: Policy, min_elevation_deg: f64, cell: &[Site]) -> ConstellationSpec {
    let walker = Walker::delta(1, 18, Distance::from_km(35786.0), Angle::from_deg(0.0));
    ConstellationSpec {
        shells: vec![Shell { name: "ring".to_owned(), orbits: Orbits::Walker(walker) }],
        visibility: Visibility::Elevation(Angle::from_deg(min_elevation_deg)),
        choice: SatelliteChoice { policy, slot: None, hysteresis: Angle::from_deg(0.0) },
        shared: Shared { downlink: Some(Scope::Beam), ..Shared::default() },
        terminals: in_cell(cell, "atlantic"),
        ..presets::find("geo").unwrap()
    }
}

/// Returns the satellites that each site uses at the start.
fn used(spec: &ConstellationSpec, sites: &[Site]) -> Vec<Vec<u32>> {
    let snapshot = trace::snapshot(spec, sites, Time::ZERO).unwrap();
    let first = snapshot.satellites.len() as u32 + (spec.gateways.len() + spec.pops.len()) as u32;
    let of = |site: u32| {
        snapshot.ground_links.iter().filter(move |link| link.1 == first + site).map(|link| link.0)
    };
    (0..sites.len() as u32).map(|site| of(site).collect()).collect()
}

#[test]
fn a_cell_has_the_satellite_that_is_best_for_its_worst_site() {
    // A site alone: the western site is 8 degrees from the satellite at 0, and the middle site is 7 degrees from the
    // satellite at 20. As a cell: the farther site is 13 degrees from the satellite at 0, but only 12 degrees from the
    // satellite at 20.
    let cell = [east("west", 8.0), east("middle", 13.0)];
    for policy in POLICIES {
        assert_eq!(used(&ring(policy, 10.0, &cell), &cell), [[1], [1]], "{policy:?}");
        // The result is the same if one site has no traffic, and for any order of the sites.
        assert_eq!(used(&ring(policy, 10.0, &cell), &cell[..1]), [[1]], "{policy:?}");
        let turned = [cell[1].clone(), cell[0].clone()];
        assert_eq!(used(&ring(policy, 10.0, &turned), &cell), [[1], [1]], "{policy:?}");
        // The distances are 12 degrees to the satellite in the west instead of 13, and 12.5 degrees to the satellite in
        // the east.
        let nearer = [east("west", 7.5), east("middle", 12.0)];
        assert_eq!(used(&ring(policy, 10.0, &nearer), &nearer), [[0], [0]], "{policy:?}");
    }
    // Without a cell, or without a shared beam, each site chooses its own satellite. With the lowest-delay policy, it
    // uses all satellites in view, within 71.4 degrees.
    let alone = ConstellationSpec { terminals: Vec::new(), ..ring(Policy::Nearest, 10.0, &cell) };
    assert_eq!(used(&alone, &cell), [[0], [1]]);
    let unshared = ConstellationSpec { shared: Shared::default(), ..ring(Policy::Nearest, 10.0, &cell) };
    assert_eq!(used(&unshared, &cell), [[0], [1]]);
    let alone = ConstellationSpec { terminals: Vec::new(), ..ring(Policy::LowestDelay, 10.0, &cell) };
    assert_eq!(used(&alone, &cell), [[0, 1, 2, 3, 15, 16, 17], [0, 1, 2, 3, 4, 16, 17]]);
}

#[test]
fn every_site_of_a_cell_sees_its_satellite_if_one_is_seen_by_all() {
    // A wall in the east (azimuth 90) of the western site hides the satellite at 20 degrees from this site.
    let cell = [east("west", 8.0), east("middle", 13.0)];
    let wall = Mask::new(vec![(0.0, 0.0), (45.0, 0.0), (45.0, 89.0), (135.0, 89.0), (135.0, 0.0)]).unwrap();
    let walled = ConstellationSpec {
        masks: vec![("west".to_owned(), wall)],
        ..ring(Policy::HighestElevation, 10.0, &cell)
    };
    assert_eq!(used(&walled, &cell), [[0], [0]]);
    // Above 70 degrees of elevation, a geostationary satellite is seen within 17.0 degrees: acos(6378.137 / 42164.137
    // cos 70) - 70. The first site sees only the satellite at 0. The other sites see the satellite at 20, which most
    // sites see. The first site therefore has no satellite.
    let wide = [east("west", 1.0), east("middle", 16.0), east("east", 18.0)];
    assert_eq!(used(&ring(Policy::Nearest, 70.0, &wide), &wide), [vec![], vec![1], vec![1]]);
}

#[test]
fn by_the_lowest_delay_a_cell_has_a_satellite_that_leads_on() {
    let cell = [east("west", 8.0), east("middle", 13.0)];
    let spec = ring(Policy::LowestDelay, 10.0, &cell);
    let with = |other: Site| [cell[0].clone(), cell[1].clone(), other];
    // A satellite is seen within 71.4 degrees. A hub at 50 west sees the satellite at 0, and no satellite farther east.
    // A hub at 10 east also sees the satellite at 20.
    for (hub, satellite) in [(-55.0, 0), (10.0, 1)] {
        let used = used(&spec, &with(east("hub", hub)));
        assert_eq!(used[..2], [[satellite], [satellite]], "{hub}");
    }
    // A gateway has the same effect as a hub.
    let gateway = Gateway {
        site: east("gateway", -55.0),
        pop: Some(0),
        visibility: None,
        mask: None,
        gso_exclusion: None,
    };
    let fed = ConstellationSpec {
        pops: vec![east("pop", -55.0)],
        gateways: vec![gateway],
        attachments: vec![("server".to_owned(), Attachment::Fibre)],
        ..spec.clone()
    };
    assert_eq!(used(&fed, &with(east("server", -55.0)))[..2], [[0], [0]]);
    // The highest-elevation policy ignores onward links.
    let highest = ConstellationSpec { choice: ring(Policy::HighestElevation, 10.0, &[]).choice, ..fed };
    assert_eq!(used(&highest, &with(east("server", -55.0)))[..2], [[1], [1]]);
}

#[test]
fn who_lacks_the_satellite_of_the_cell_is_told_so() {
    // The hub sees only the satellite at 0. The western site also sees this satellite, but its cell uses the satellite
    // at 20.
    let sites = [east("west", 1.0), east("middle", 16.0), east("east", 18.0), east("hub", -1.0)];
    let spec = ring(Policy::Nearest, 70.0, &sites[..3]);
    let refused = |spec: &ConstellationSpec, pairs: &[(u16, u16)]| {
        let error = constellation::build(spec, &sites, pairs, Span::from_secs(60)).unwrap_err();
        (error.code(), error.to_string())
    };
    let (code, said) = refused(&spec, &[(3, 0), (1, 2)]);
    assert_eq!(code, Code::NoPath, "{said}");
    assert!(said.starts_with("hub and west are not connected"), "{said}");
    assert!(
        said.contains("all sites of the cell \"atlantic\" use the same satellite, one that most of them see"),
        "{said}"
    );
    assert!(said.contains("remove its `cell`"), "{said}");
    // A cell without any coverage gets the same error as a single site.
    let polar = [place("far", 89.0, 0.0), place("farther", 89.5, 0.0)];
    let spec = ring(Policy::Nearest, 10.0, &polar);
    let error = constellation::build(&spec, &polar, &[(0, 1)], Span::from_secs(60)).unwrap_err();
    assert_eq!(error.code(), Code::NoSatelliteInView, "{error}");
}

/// Four sites within 14 km under Starlink's five shells, with satellites assigned at :12, :27, :42 and :57.
#[test]
fn all_sites_of_a_cell_change_their_satellite_in_the_same_slots() {
    let cell = [(42.0, -2.0), (42.1, -2.1), (42.1, -2.0), (42.0, -2.1)];
    let cell: Vec<Site> =
        ('a'..).zip(cell).map(|(name, (lat, lon))| place(&name.to_string(), lat, lon)).collect();
    let slot = Some(Slot { period: Span::from_secs(15), phase: Span::from_secs(12) });
    let gateway = Gateway {
        site: place("Villenave", 44.8, -0.6),
        pop: Some(0),
        visibility: None,
        mask: None,
        gso_exclusion: None,
    };
    let spec = ConstellationSpec {
        isl: None,
        choice: SatelliteChoice { policy: Policy::HighestElevation, slot, hysteresis: Angle::from_deg(5.0) },
        shared: Shared { uplink: Some(Scope::Beam), ..Shared::default() },
        terminals: in_cell(&cell, "rioja"),
        pops: vec![place("Madrid", 40.4, -3.7)],
        gateways: vec![gateway],
        attachments: vec![("server".to_owned(), Attachment::Fibre)],
        ..presets::find("starlink").unwrap()
    };
    let sites: Vec<Site> = cell.into_iter().chain([place("server", 40.4, -3.7)]).collect();
    let serving = |spec: &ConstellationSpec| {
        let mut serving = vec![Vec::new(); 301];
        let pairs = [(0, 4), (1, 4), (2, 4), (3, 4)];
        let second = Span::from_secs(1);
        trace::paths_over_time(spec, &sites, &pairs, Span::from_secs(300), second, |_, sample| {
            serving[(sample.at.nanos() / 1_000_000_000) as usize].extend(sample.satellites.first().copied());
        })
        .unwrap();
        serving
    };
    let together = serving(&spec);
    for (second, now) in together.iter().enumerate() {
        assert!(now.len() == 4 && now.iter().all(|satellite| *satellite == now[0]), "{second} s: {now:?}");
        assert!(second == 0 || second % 15 == 12 || *now == together[second - 1], "{second} s");
    }
    assert!(together.windows(2).filter(|pair| pair[0] != pair[1]).count() > 2);
    // If each site chooses independently, the sites do not always have the same satellite.
    let alone = serving(&ConstellationSpec { terminals: Vec::new(), ..spec });
    assert!(alone.iter().any(|now| now.iter().any(|satellite| *satellite != now[0])));
}
