// SPDX-License-Identifier: MIT OR Apache-2.0
//! The satellite that a site uses, links on the ground, and the times at which paths change.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_topology as topology;
use orbit::Ground;
use topology::{
    Attachment, ConstellationSpec, Gateway, Network, Policy, RouteTimes, SatelliteChoice, Site, Slot,
    constellation, presets, sites, trace,
};
use units::{Angle, Code, Span, Time};

fn site(name: &str) -> Site {
    sites::find(name).unwrap()
}

fn secs(secs: u64) -> Span {
    Span::from_secs(secs)
}

fn with_access(policy: Policy, slot: Option<Slot>, hysteresis_deg: f64) -> ConstellationSpec {
    ConstellationSpec {
        choice: SatelliteChoice { policy, slot, hysteresis: Angle::from_deg(hysteresis_deg) },
        route_step: secs(1),
        ..presets::find("starlink-550").unwrap()
    }
}

/// Returns the first satellite of the path from Madrid to Boston, for every second.
fn serving(spec: &ConstellationSpec, duration: Span) -> Vec<u32> {
    let samples = trace::path_over_time(spec, &site("Madrid"), &site("Boston"), duration, secs(1)).unwrap();
    samples.iter().map(|sample| sample.satellites[0]).collect()
}

/// Returns the elevations of all satellites over Madrid at a time, in degrees.
fn elevations(spec: &ConstellationSpec, at: Time) -> Vec<f64> {
    let madrid = Ground::new(site("Madrid").latitude, site("Madrid").longitude);
    let sky = trace::snapshot(spec, &[], at).unwrap();
    sky.satellites.iter().map(|satellite| madrid.elevation(satellite.position_m).deg()).collect()
}

#[test]
fn the_highest_satellite_serves() {
    let spec = with_access(Policy::HighestElevation, None, 0.0);
    for (second, satellite) in serving(&spec, secs(100)).into_iter().enumerate().step_by(10) {
        let elevations = elevations(&spec, Time::ZERO + secs(second as u64));
        let best = elevations.iter().copied().fold(f64::MIN, f64::max);
        assert_eq!(elevations[satellite as usize], best, "at {second} s");
    }
}

#[test]
fn in_slots_a_satellite_changes_at_boundaries_or_when_it_sets() {
    let slot = Some(Slot { period: secs(15), phase: secs(12) });
    let spec = with_access(Policy::HighestElevation, slot, 0.0);
    let serving = serving(&spec, secs(300));
    let mut changes = 0;
    for second in 1..serving.len() {
        if serving[second] == serving[second - 1] {
            continue;
        }
        changes += 1;
        let set = elevations(&spec, Time::ZERO + secs(second as u64))[serving[second - 1] as usize] < 25.0;
        assert!(second % 15 == 12 || set, "changed at {second} s");
    }
    assert!(changes > 3, "{changes}");
}

#[test]
fn hysteresis_and_staying_long_make_fewer_switches() {
    let switches = |spec: &ConstellationSpec| {
        let serving = serving(spec, secs(600));
        serving.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    let slot = Some(Slot { period: secs(15), phase: Span::ZERO });
    let eager = switches(&with_access(Policy::HighestElevation, slot, 0.0));
    let calm = switches(&with_access(Policy::HighestElevation, slot, 20.0));
    let lasting = switches(&with_access(Policy::LongestVisible, None, 0.0));
    // A pass above 25 degrees at 550 km lasts at most 4.7 minutes. The satellite that stays longest therefore serves
    // for minutes.
    assert!(eager > calm && calm >= lasting && lasting <= 6, "{eager} {calm} {lasting}");
}

#[test]
fn a_home_point_of_presence_is_always_passed() {
    let base = presets::find("starlink-550").unwrap();
    let gateway = |city: &str, pop| Gateway {
        site: Site { name: format!("{city} gateway"), ..site(city) },
        pop: Some(pop),
        visibility: None,
        mask: None,
        gso_exclusion: None,
    };
    let pop = |city: &str| Site { name: format!("{city} PoP"), ..site(city) };
    let spec = ConstellationSpec {
        pops: vec![pop("Madrid"), pop("London")],
        gateways: vec![gateway("Madrid", 0), gateway("Barcelona", 0), gateway("London", 1)],
        attachments: vec![
            ("at home in London".to_owned(), Attachment::Home(1)),
            ("server".to_owned(), Attachment::Fibre),
        ],
        ..base
    };
    // A dish near the gateway of Madrid, and a server near its point of presence.
    let dish = Site { name: "at home in London".to_owned(), ..site("Madrid") };
    let free = Site { name: "free".to_owned(), ..site("Madrid") };
    let server = Site { name: "server".to_owned(), ..site("Madrid") };
    let path = |from: &Site, to: &Site| {
        let samples = trace::path_over_time(&spec, from, to, secs(30), secs(15)).unwrap();
        samples.iter().map(|sample| (sample.hops.clone(), sample.rtt().unwrap())).collect::<Vec<_>>()
    };
    for (hops, _) in path(&dish, &server) {
        assert_eq!(hops[hops.len() - 3..], ["London gateway", "London PoP", "server"], "{hops:?}");
    }
    for (hops, _) in path(&server, &dish) {
        assert_eq!(hops[..3], ["server", "London PoP", "London gateway"], "{hops:?}");
    }
    for (hops, rtt) in path(&free, &server) {
        assert!(hops.contains(&"Madrid PoP".to_owned()), "{hops:?}");
        // The links up and down have 550 to 1123 km. In both directions, they take 4 x 1.83 to 4 x 3.75 ms. There is no
        // fibre, or the fibre from Barcelona: 505 km at 2/3 of c, 2.5 ms in each direction.
        assert!((7.3..20.1).contains(&rtt.millis_f64()), "{rtt}");
    }

    // In the network of a run, the server has one address for each home, and the paths lead through this home.
    let places = [dish.clone(), free, server];
    let network = constellation::build(&spec, &places, &[(0, 2), (1, 2)], secs(60)).unwrap();
    let (at_home, freely) = (network.address(0, 2), network.address(1, 2));
    assert_ne!(at_home, freely);
    let names = |network: &Network, from: u16, to: u16| {
        let piece = network.path(from, to).unwrap().piece(Time::ZERO).clone();
        piece.links.iter().map(|&link| network.links[link as usize].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&network, 0, at_home).last().unwrap(), "London PoP > server");
    assert_eq!(names(&network, 1, freely).last().unwrap(), "Madrid PoP > server");
    assert_eq!(names(&network, at_home, 0)[0], "server > London PoP");

    // Between two dishes, packets cannot pass the home of one of them.
    let error = constellation::build(&spec, &[dish, site("Rome")], &[(0, 1)], secs(60)).unwrap_err();
    assert_eq!(error.code(), Code::ScenarioValue);
    assert!(error.to_string().contains("Rome"), "{error}");
}

#[test]
fn gateways_without_a_pop_relay_bent_pipes() {
    // There are no links between satellites. From Lisbon, a packet goes up and down twice to reach a place near Rome,
    // 2300 km away.
    let spec = ConstellationSpec {
        isl: None,
        gateways: vec![Gateway {
            site: site("Barcelona"),
            pop: None,
            visibility: None,
            mask: None,
            gso_exclusion: None,
        }],
        ..presets::find("starlink-550").unwrap()
    };
    let lisbon = Site { name: "Lisbon".to_owned(), ..sites::find("38.7, -9.1").unwrap() };
    let samples = trace::path_over_time(&spec, &lisbon, &site("Rome"), secs(600), secs(15)).unwrap();
    let relayed = samples.iter().filter(|sample| sample.hops.len() == 5).collect::<Vec<_>>();
    assert!(relayed.len() > samples.len() / 2, "{} of {}", relayed.len(), samples.len());
    for sample in relayed {
        assert_eq!(sample.hops[2], "Barcelona");
    }
}

#[test]
fn paths_change_exactly_when_the_other_becomes_shorter_or_the_old_one_breaks() {
    let (madrid, boston) = (site("Madrid"), site("Boston"));
    let spec = ConstellationSpec {
        route_step: secs(15),
        route_times: RouteTimes::Events,
        ..presets::find("hypatia-kuiper-630").unwrap()
    };
    let places = [madrid.clone(), boston.clone()];
    let network = constellation::build(&spec, &places, &[(0, 1)], secs(300)).unwrap();
    let pieces = &network.path(0, 1).unwrap().pieces;
    assert!(pieces.len() > 3, "{}", pieces.len());
    // Steps of 100 ms, as in Hypatia, find the same changes. Each change is found at the first step after it.
    let steps = trace::path_over_time(&spec, &madrid, &boston, secs(300), Span::from_millis(100)).unwrap();
    let changed: Vec<u64> = steps
        .windows(2)
        .filter(|pair| pair[0].satellites != pair[1].satellites)
        .map(|pair| pair[1].at.nanos())
        .collect();
    let exact: Vec<u64> = pieces[1..].iter().map(|piece| piece.from.nanos()).collect();
    assert_eq!(exact.len(), changed.len(), "{exact:?} {changed:?}");
    let mut crossings = 0;
    for ((exact, step), pieces) in exact.iter().zip(&changed).zip(pieces.windows(2)) {
        assert!(step - exact < 100_000_000, "{exact} {step}");
        // If both paths exist at the time of the change, they have the same length: 2 ms at 50 us/s are 0.1 us.
        let (old, new) = (pieces[0].delay.as_ref().unwrap(), pieces[1].delay.as_ref().unwrap());
        let at = pieces[1].from;
        let apart = old.at(at).nanos().abs_diff(new.at(at).nanos());
        assert!(new.at(at + secs(1)) < old.at(at + secs(1)) || apart > 200, "{at}");
        crossings += usize::from(apart < 200);
    }
    assert!(crossings > 0, "no two ways of equal length");
}

#[test]
fn boundaries_of_slots_are_moments_of_their_own() {
    // Steps are 10 s apart, and slot boundaries are at 12, 27, 42, … s. In the middle of a slot, the satellite changes
    // only if the old satellite has set.
    let slot = Some(Slot { period: secs(15), phase: secs(12) });
    for route_times in [RouteTimes::Steps, RouteTimes::Events] {
        let spec = ConstellationSpec {
            route_step: secs(10),
            route_times,
            ..with_access(Policy::HighestElevation, slot, 0.0)
        };
        let places = [site("Madrid"), site("Boston")];
        let network = constellation::build(&spec, &places, &[(0, 1)], secs(120)).unwrap();
        let pieces = &network.path(0, 1).unwrap().pieces;
        let first = |links: &[u32]| links.first().map(|&link| network.links[link as usize].to);
        let mut switches = Vec::new();
        for pair in pieces.windows(2) {
            let (old, new) = (first(&pair[0].links), first(&pair[1].links));
            if old != new {
                let at = pair[1].from;
                let set = old.is_none_or(|old| elevations(&spec, at)[old as usize] < 25.0);
                assert!(at.nanos() % 15_000_000_000 == 12_000_000_000 || set, "switched at {at}");
                switches.push((at, new));
            }
        }
        // A computation for every second gives the same satellites.
        let looked = serving(&spec, secs(119));
        for (at, new) in switches {
            assert_eq!(new, Some(looked[at.secs_f64().ceil() as usize]), "at {at}");
        }
    }
}

#[test]
fn a_moment_shows_who_serves_since_the_last_boundary() {
    let slot = Some(Slot { period: secs(15), phase: secs(12) });
    let spec = with_access(Policy::HighestElevation, slot, 0.0);
    let looked = serving(&spec, secs(40));
    // A computation for a single time, such as 20 s or 27 s, gives the same result as a computation for every second.
    for at in [20_u32, 26, 27, 33] {
        let samples =
            trace::path_over_time(&spec, &site("Madrid"), &site("Boston"), secs(at.into()), secs(at.into()));
        assert_eq!(samples.unwrap()[1].satellites[0], looked[at as usize], "at {at} s");
    }
}

#[test]
fn two_wired_sites_are_refused_and_nearest_links_reach_as_far_as_they_must() {
    let base = presets::find("starlink-550").unwrap();
    let spec = ConstellationSpec {
        pops: vec![site("London")],
        attachments: vec![("a".to_owned(), Attachment::Fibre), ("b".to_owned(), Attachment::Fibre)],
        ..base
    };
    let named = |name: &str| Site { name: name.to_owned(), ..site("Paris") };
    let error = constellation::build(&spec, &[named("a"), named("b")], &[(0, 1)], secs(10)).unwrap_err();
    assert!(error.to_string().contains("both on fibre"), "{error}");

    let mut iridium = presets::find("iridium").unwrap();
    let isl = iridium.isl.as_mut().unwrap();
    isl.pattern = topology::IslPattern::Nearest { terminals: 4 };
    isl.latitude_limit = None;
    // 66 satellites with 4 terminals could have 132 links. The planes are 2000 to 4000 km apart.
    let links = trace::snapshot(&iridium, &[], Time::ZERO).unwrap().isls.len();
    assert!((110..=132).contains(&links), "{links}");
}

#[test]
fn catalogues_side_by_side_start_together_and_are_checked_when_the_run_begins() {
    let file = |name: &str| concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/").to_owned() + name;
    let shell = |name: &str, start: Option<&str>| topology::Shell {
        name: name.to_owned(),
        orbits: topology::Orbits::Catalogue {
            file: file(name).into(),
            start: start.map(str::to_owned),
            oldest: None,
            skip_unusable: true,
            objects: topology::Objects::All,
        },
    };
    let spec = |shells, offset| ConstellationSpec {
        shells,
        isl: None,
        offset,
        ..presets::find("starlink-550").unwrap()
    };
    let (starlink, oneweb) = ("starlink_2022-09-14.tle", "oneweb_2022-09-14.tle");
    let last = |spec: &ConstellationSpec| {
        let satellites = trace::snapshot(spec, &[], Time::ZERO).unwrap().satellites;
        satellites.last().unwrap().position_m
    };
    // The newest epoch of both files is in Starlink's file. OneWeb's satellites are then at their places at that time.
    let catalogue = orbit::Catalogue::read(&std::fs::read_to_string(file(starlink)).unwrap()).unwrap();
    let start = catalogue.newest_epoch(topology::Objects::All);
    let both = last(&spec(vec![shell(starlink, None), shell(oneweb, None)], Span::ZERO));
    let alone = last(&spec(vec![shell(oneweb, Some(&start))], Span::ZERO));
    assert!(orbit::earth::distance_m(both, alone) < 1e-3);
    // The run is sixty days later, by its start or by its offset. Both give the same places, and the same note on the
    // age of the elements.
    let late = spec(vec![shell(oneweb, None)], Span::from_secs(60 * 86_400));
    let network = constellation::build(&late, &[site("London"), site("Paris")], &[(0, 1)], secs(1)).unwrap();
    assert!(network.notes.iter().any(|note| note.contains("km")), "{:?}", network.notes);
}
