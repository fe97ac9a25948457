// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passes, path changes and k shortest paths of constellations, each compared with another way to compute it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_topology as topology;
use orbit::{Ground, Walker};
use std::collections::BTreeSet;
use topology::{
    ConstellationSpec, GroundKind, Orbits, Shell, Site, Visibility, passes, presets, shortest, sites,
    switches, trace, why,
};
use units::{Angle, Code, Distance, Span, Time};

const MS: Span = Span::from_millis(1);

fn site(name: &str) -> Site {
    sites::find(name).unwrap()
}

/// Returns one satellite over the poles without links: a bent pipe that is only sometimes available.
fn lone() -> ConstellationSpec {
    let walker = Walker::delta(1, 1, Distance::from_km(780.0), Angle::from_deg(90.0));
    ConstellationSpec {
        shells: vec![Shell { name: "lone".to_owned(), orbits: Orbits::Walker(walker) }],
        isl: None,
        ..presets::find("iridium").unwrap()
    }
}

#[test]
fn passes_are_what_is_seen_and_end_at_the_bound() {
    let (spec, place) = (presets::find("starlink-550").unwrap(), site("London"));
    let duration = Span::from_secs(1800);
    let found = passes::passes(&spec, &place, duration).unwrap();
    for secs in (0..=1800).step_by(37) {
        let at = Time::ZERO + Span::from_secs(secs);
        let seen: BTreeSet<u32> = trace::snapshot(&spec, std::slice::from_ref(&place), at)
            .unwrap()
            .ground_links
            .iter()
            .map(|&(satellite, ..)| satellite)
            .collect();
        let passing = found
            .iter()
            .filter(|pass| pass.rise.is_none_or(|rise| rise <= at) && pass.set.is_none_or(|set| at < set));
        assert_eq!(passing.map(|pass| pass.satellite).collect::<BTreeSet<_>>(), seen, "{at}");
    }
    // Computed only with the crate `orbit`: the elevation of 25 degrees is between the found time and the millisecond
    // before it.
    let Orbits::Walker(walker) = &spec.shells[0].orbits else { panic!("starlink-550 is a Walker shell") };
    let ground = Ground::new(place.latitude, place.longitude);
    let height = |satellite: u32, at: Time| ground.elevation(walker.position(satellite as usize, at)).deg();
    let before = |at: Time| Time::ZERO + at.since(Time::ZERO).saturating_sub(MS);
    let mut whole = 0;
    for pass in &found {
        if let Some(rise) = pass.rise {
            assert!(height(pass.satellite, before(rise)) < 25.0 && height(pass.satellite, rise) >= 25.0);
        }
        if let Some(set) = pass.set {
            assert!(height(pass.satellite, before(set)) >= 25.0 && height(pass.satellite, set) < 25.0);
        }
        let top = pass.highest.deg();
        assert!((height(pass.satellite, pass.culmination) - top).abs() < 1e-9);
        if let (Some(rise), Some(set)) = (pass.rise, pass.set) {
            whole += 1;
            let mut at = rise;
            while at < set {
                assert!(height(pass.satellite, at) <= top + 1e-6, "{pass:?}");
                at += Span::from_secs(1);
            }
        }
    }
    assert!(whole > 50, "{whole}");
}

#[test]
fn short_passes_at_the_edges_of_a_run_are_found() {
    // Passes in the middle of a run must be the same in other runs that begin or end near these passes.
    let spec = ConstellationSpec {
        visibility: Visibility::Elevation(Angle::from_deg(55.0)),
        ..presets::find("starlink").unwrap()
    };
    let place = site("London");
    let found = passes::passes(&spec, &place, Span::from_secs(12 * 3600)).unwrap();
    let short: Vec<(u32, Time, Time)> = found
        .iter()
        .filter_map(|pass| Some((pass.satellite, pass.rise?, pass.set?)))
        .filter(|&(_, rise, set)| set.since(rise) < Span::from_secs(5) && rise.secs_f64() > 10.0)
        .collect();
    assert!(short.len() >= 3, "{}", short.len());
    for (satellite, rise, set) in short {
        for (before, duration) in [(500, 9000), (500, 60_000), (45_000, 0)] {
            let offset = rise.since(Time::ZERO).saturating_sub(Span::from_millis(before));
            let end = set.since(Time::ZERO + offset);
            // The run ends one second after the end of the pass.
            let duration = if duration == 0 { end + Span::from_secs(1) } else { Span::from_millis(duration) };
            let edge = ConstellationSpec { offset: spec.offset + offset, ..spec.clone() };
            let same = passes::passes(&edge, &place, duration)
                .unwrap()
                .into_iter()
                .find(|pass| pass.satellite == satellite)
                .and_then(|pass| Some((pass.rise?, pass.set?)));
            let expected = [rise.since(Time::ZERO + offset), end];
            let (again, gone) = same.unwrap_or_else(|| panic!("{satellite} {rise} {duration}"));
            for (one, other) in [again, gone].into_iter().zip(expected) {
                assert!(
                    one.since(Time::ZERO).nanos().abs_diff(other.nanos()) <= 2 * MS.nanos(),
                    "{one} {other}"
                );
            }
        }
    }
}

#[test]
fn a_pass_through_the_zenith_lasts_as_long_as_the_geometry_says() {
    // Passes over a place below an orbit at 780 km, above 8.2 degrees. For a circular orbit over a sphere, a pass lasts
    // 11.2 min. At London's latitude, the radius of the ellipsoid is 13 km smaller than at the equator. The height is
    // therefore 793 km, and the pass is 0.9 % longer.
    let found = passes::passes(&lone(), &site("London"), Span::from_secs(5 * 86_400)).unwrap();
    let longest = found
        .iter()
        .filter_map(|pass| Some(pass.set?.since(pass.rise?).secs_f64() / 60.0))
        .fold(0.0, f64::max);
    assert!((11.2..11.45).contains(&longest), "{longest}");
    // Short passes are also found. In every revolution of 6027 s, there is a pass, or the highest elevation is below
    // 8.2 degrees.
    assert!(found.iter().any(|pass| pass.highest.deg() < 10.0));
}

#[test]
fn a_bent_pipe_switches_when_its_satellite_rises_and_sets() {
    let (from, to) = (site("London"), site("Paris"));
    let duration = Span::from_secs(86_400);
    let found = switches::switches(&lone(), &from, &to, duration, Span::from_secs(5)).unwrap();
    let [one, other] = [&from, &to].map(|place| passes::passes(&lone(), place, duration).unwrap());
    // Both places see the satellite from the later rise to the earlier set.
    let mut expected = Vec::new();
    for a in &one {
        for b in &other {
            let (rise, set) = (a.rise.max(b.rise), a.set.min(b.set));
            if let (Some(rise), Some(set)) = (rise, set)
                && rise < set
            {
                expected.extend([rise, set]);
            }
        }
    }
    assert!(expected.len() >= 4, "{expected:?}");
    assert_eq!(found.len() - 1, expected.len());
    for (switch, at) in found[1..].iter().zip(&expected) {
        let apart = switch.after.at.nanos().abs_diff(at.nanos());
        assert!(apart <= 2 * MS.nanos(), "{} {at}", switch.after.at);
        assert_ne!(switch.before.hops.is_empty(), switch.after.hops.is_empty());
    }
}

#[test]
fn between_switches_the_path_is_the_one_found_at_steps() {
    let spec = presets::find("starlink-550").unwrap();
    let (from, to) = (site("New York"), site("London"));
    let duration = Span::from_secs(600);
    let found = switches::switches(&spec, &from, &to, duration, Span::from_secs(1)).unwrap();
    let samples = trace::path_over_time(&spec, &from, &to, duration, Span::from_millis(2500)).unwrap();
    assert!(found.len() > 5, "{}", found.len());
    for sample in samples.iter().filter(|sample| sample.at.since(Time::ZERO) < duration) {
        let in_force = found.iter().rev().find(|switch| switch.after.at <= sample.at).unwrap();
        assert_eq!(in_force.after.nodes, sample.nodes, "{}", sample.at);
    }
    let mut crossings = 0;
    for pair in found.windows(2) {
        assert!(pair[0].after.at < pair[1].after.at);
        assert_eq!(pair[0].after.nodes, pair[1].before.nodes);
        // No site loses or gains a satellite at this change: the new path has just become shorter. The lengths of both
        // paths change by less than 100 us per second.
        let seen = |way: &trace::PathSample, at: Time| {
            let links = trace::snapshot(&spec, &[from.clone(), to.clone()], at).unwrap().ground_links;
            let ends = [(way.nodes[1], 1584), (way.nodes[way.nodes.len() - 2], 1585)];
            ends.iter().all(|end| links.iter().any(|&(a, b, _)| (a, b) == *end))
        };
        let (at, earlier) = (pair[1].after.at, Time::from_nanos(pair[1].after.at.nanos() - MS.nanos()));
        let apart = pair[1].after.rtt().unwrap().nanos().abs_diff(pair[1].before.rtt().unwrap().nanos());
        if seen(&pair[1].before, at) && seen(&pair[1].after, earlier) {
            assert!(apart < 200, "{at}: {apart} ns");
            crossings += 1;
        } else {
            assert!(apart > 200, "{at}: {apart} ns");
        }
    }
    assert!(crossings > 0);
}

#[test]
fn the_first_of_the_shortest_is_the_path_and_none_has_a_loop() {
    let spec = presets::find("kuiper").unwrap();
    let (from, to) = (site("Manila"), site("Dalian"));
    let at = Time::ZERO + Span::from_secs(600);
    let best = shortest::shortest(&spec, &from, &to, at, 20).unwrap();
    let path = trace::path_over_time(&spec, &from, &to, Span::from_secs(600), Span::from_secs(600)).unwrap();
    assert_eq!(best[0], path[1]);
    assert_eq!(best.len(), 20);
    assert!(best.windows(2).all(|pair| pair[0].one_way() <= pair[1].one_way()));
    assert_eq!(best.iter().map(|way| &way.nodes).collect::<BTreeSet<_>>().len(), 20);
    for way in &best {
        assert_eq!(way.nodes.iter().collect::<BTreeSet<_>>().len(), way.nodes.len());
    }
    // A single satellite allows at most one path.
    assert!(shortest::shortest(&lone(), &from, &to, Time::ZERO, 5).unwrap().len() <= 1);
}

#[test]
fn range_rates_are_what_ranges_change_by() {
    for name in ["starlink-550", "hypatia-kuiper-630"] {
        let spec = presets::find(name).unwrap();
        let (from, to) = (site("Manila"), site("Dalian"));
        let step = Span::from_millis(50);
        let samples = trace::path_over_time(&spec, &from, &to, Span::from_secs(20), step).unwrap();
        let mut compared = 0;
        for three in samples.windows(3).filter(|three| three.iter().all(|s| s.nodes == three[1].nodes)) {
            for leg in 0..three[1].legs.len() {
                let metres = three[2].legs[leg].metres - three[0].legs[leg].metres;
                let apart = metres / 0.1 - three[1].legs[leg].range_rate_m_s;
                // The velocity of SGP4 differs from the derivative of its position by centimetres per second.
                assert!(apart.abs() < 0.1, "{name}: {apart} m/s");
                compared += 1;
            }
        }
        assert!(compared > 100, "{name}: {compared}");
    }
}

#[test]
fn what_is_not_connected_is_told_why_and_when() {
    let step = Span::from_secs(10);
    // The single satellite starts over the equator at longitude zero. London has to wait for it.
    let places = [site("London"), site("Paris"), site("Sydney")];
    let lone = lone();
    let reason = why::unconnected(&lone, &places, 0, 1, Span::from_secs(60), step).unwrap().unwrap();
    assert_eq!(reason.code(), Code::NoSatelliteInView);
    let first = passes::passes(&lone, &places[0], Span::from_secs(86_400)).unwrap()[0].rise.unwrap();
    let topology::TopologyError::NoSatelliteInView { next: Some(next), .. } = reason else {
        panic!("{reason}")
    };
    assert!(next >= first && next.since(first) <= Span::from_secs(30), "{next} {first}");
    let reason = why::unconnected(&lone, &places, 0, 2, Span::from_secs(86_400), step).unwrap().unwrap();
    assert_eq!(reason.code(), Code::NoPath);
    assert_eq!(why::unconnected(&lone, &places, 0, 1, Span::from_secs(86_400), step).unwrap(), None);
    // If the range is smaller than the height of the orbit, no satellite is ever seen.
    let blind = ConstellationSpec { visibility: Visibility::Range(Distance::from_km(500.0)), ..lone };
    let reason = why::unconnected(&blind, &places, 0, 1, Span::from_secs(60), step).unwrap().unwrap();
    assert_eq!(reason.code(), Code::NoSatelliteInView);
    let topology::TopologyError::NoSatelliteInRange { next: None, bound, least, .. } = reason else {
        panic!("{reason}")
    };
    // The orbit is 780 km above the equatorial radius, which is 793 km above the ellipsoid at London.
    assert!((bound.km() - 500.0).abs() < 1e-9 && (780.0..2000.0).contains(&least.km()), "{}", least.km());
    // A path from a place to itself is refused.
    let step = Span::from_secs(10);
    let same = trace::path_over_time(&blind, &places[0], &places[0], step, step).unwrap_err();
    assert_eq!(
        (same.code(), same),
        (Code::ScenarioValue, topology::TopologyError::SameSite { name: "London".to_owned() })
    );
    let wired = ConstellationSpec {
        pops: vec![site("Paris")],
        attachments: vec![("London".to_owned(), topology::Attachment::Fibre)],
        ..blind
    };
    let refused = passes::passes(&wired, &places[0], step).unwrap_err();
    assert_eq!(refused, topology::TopologyError::NoDish { name: "London".to_owned() });
}

#[test]
fn what_stands_on_the_ground_is_part_of_the_picture() {
    let spec = presets::find("oneweb").unwrap();
    let gateway = topology::Gateway {
        site: site("Madrid"),
        pop: Some(0),
        visibility: None,
        mask: None,
        gso_exclusion: None,
    };
    let spec = ConstellationSpec { gateways: vec![gateway], pops: vec![site("Paris")], ..spec };
    let sky = trace::snapshot(&spec, &[site("London")], Time::ZERO).unwrap();
    let kinds: Vec<GroundKind> = sky.ground.iter().map(|ground| ground.kind).collect();
    assert_eq!(kinds, [GroundKind::Gateway, GroundKind::Pop, GroundKind::Site]);
    let count = sky.satellites.len() as u32;
    assert_eq!(count, 588);
    // The great-circle distance from Madrid to Paris is 1053 km. The fibre is 1.5 times as long (great-circle
    // calculators, to 1 %).
    let fibre = sky.ground_links.iter().find(|&&(a, b, _)| (a, b) == (count, count + 1)).unwrap();
    assert!((fibre.2 / 1e3 - 1.5 * 1053.0).abs() < 16.0, "{}", fibre.2);
    assert!(sky.ground_links.iter().any(|&(a, b, _)| a < count && b == count + 2));
}
