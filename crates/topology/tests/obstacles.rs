// SPDX-License-Identifier: MIT OR Apache-2.0
//! Obstacles that hide satellites: skylines and the geostationary arc, compared with geometry worked by hand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_topology as topology;
use orbit::Walker;
use topology::{
    Attachment, ConstellationSpec, Gateway, Mask, Orbits, Pass, Policy, SatelliteChoice, Shell, Site,
    Visibility, constellation, passes, presets, sites, trace,
};
use units::{Angle, Code, Distance, Span, Time};

fn deg(deg: f64) -> Angle {
    Angle::from_deg(deg)
}

fn place(name: &str, latitude: f64, longitude: f64) -> Site {
    Site {
        name: name.to_owned(),
        latitude: deg(latitude),
        longitude: deg(longitude),
        altitude: Distance::default(),
    }
}

/// Returns satellites in the equatorial plane, which are used above 25 degrees.
fn equatorial(satellites: u32, km: f64) -> ConstellationSpec {
    let walker =
        Walker { first_node: deg(90.0), ..Walker::delta(1, satellites, Distance::from_km(km), deg(0.0)) };
    ConstellationSpec {
        shells: vec![Shell { name: "ring".to_owned(), orbits: Orbits::Walker(walker) }],
        isl: None,
        visibility: Visibility::Elevation(deg(25.0)),
        ..presets::find("iridium").unwrap()
    }
}

fn masked(spec: ConstellationSpec, site: &Site, points: &[(f64, f64)]) -> ConstellationSpec {
    ConstellationSpec { masks: vec![(site.name.clone(), Mask::new(points.to_vec()).unwrap())], ..spec }
}

/// Returns the passes of one satellite that begin and end within six hours: start, and length in seconds.
fn whole(spec: &ConstellationSpec, site: &Site) -> Vec<(Time, f64)> {
    let found: Vec<Pass> = passes::passes(spec, site, Span::from_secs(6 * 3600)).unwrap();
    let ends = found.iter().filter_map(|pass| Some((pass.rise?, pass.set?)));
    ends.map(|(rise, set)| (rise, set.since(rise).secs_f64())).collect()
}

fn apart_ms(one: Time, other: Time) -> u64 {
    one.nanos().abs_diff(other.nanos()).div_ceil(1_000_000)
}

/// Angular speed, in degrees per second, of a satellite at 550 km over the rotating equator: sqrt(398600.4418 km3/s2 /
/// (6928.137 km)^3) is 1.094796e-3 rad/s, minus the Earth's 7.292115e-5.
const RATE_DEG_S: f64 = 0.058_551;

#[test]
fn a_wall_in_the_west_lets_a_satellite_rise_late() {
    // A satellite over the equator rises in the west (270 degrees) and sets in the east (90). The angle at the centre
    // of the Earth between the site and a satellite at elevation e is acos(6378.137 / 6928.137 cos e) - e: 8.451
    // degrees for e = 25, and 2.593 for e = 60.
    let site = place("a yard", 0.0, 0.0);
    let (one, behind) = (equatorial(1, 550.0), [(0.0, 0.0), (180.0, 0.0), (180.0, 60.0), (360.0, 60.0)]);
    let open = whole(&one, &site);
    let late = whole(&masked(one.clone(), &site, &behind), &site);
    assert!(open.len() >= 3 && open.len() == late.len(), "{open:?} {late:?}");
    for (&(rise, lasts), &(late, shorter)) in open.iter().zip(&late) {
        assert!((lasts * RATE_DEG_S - 2.0 * 8.451).abs() < 0.005, "{lasts}");
        assert!((shorter * RATE_DEG_S - (8.451 + 2.593)).abs() < 0.005, "{shorter}");
        assert!((late.since(rise).secs_f64() * RATE_DEG_S - (8.451 - 2.593)).abs() < 0.005);
    }
    // A mask below the minimum elevation has no effect. Times are accurate to a millisecond.
    let low = whole(&masked(one, &site, &[(90.0, 10.0), (200.0, 24.9)]), &site);
    for ((one, lasts), (other, same)) in low.into_iter().zip(open) {
        assert!(apart_ms(one, other) <= 1 && (lasts - same).abs() < 2e-3);
    }
}

#[test]
fn a_tower_in_the_north_makes_two_passes_of_one() {
    // Seen from 4 degrees south, the satellite passes in the north. On a sphere, its azimuth a and its difference of
    // longitude l satisfy tan l = tan a sin 4. For a = 10, l is 0.7047 degrees.
    let site = place("a yard", -4.0, 0.0);
    let one = equatorial(1, 550.0);
    let tower = [(0.0, 89.0), (10.0, 89.0), (10.0, 0.0), (350.0, 0.0), (350.0, 89.0), (360.0, 89.0)];
    let (open, split) = (whole(&one, &site), whole(&masked(one.clone(), &site, &tower), &site));
    assert!(open.len() >= 3, "{open:?}");
    assert_eq!(split.len(), 2 * open.len(), "{split:?}");
    for (halves, &(rise, lasts)) in split.chunks(2).zip(&open) {
        let [(one, first), (other, second)] = [halves[0], halves[1]];
        assert!(apart_ms(one, rise) <= 1, "{one} {rise}");
        let gap = other.since(one).secs_f64() - first;
        assert!((gap * RATE_DEG_S - 2.0 * 0.7047).abs() < 0.01, "{gap}");
        assert!((first + gap + second - lasts).abs() < 0.01);
    }
    // The search for the satellite that stays longest ends when the satellite goes behind the tower. Passes and choices
    // use the same rule for hidden satellites.
    let spec = masked(one, &site, &tower);
    let at = split[0].0 + Span::from_secs_f64(split[0].1 + 1.0);
    let links = |at| trace::snapshot(&spec, std::slice::from_ref(&site), at).unwrap().ground_links.len();
    assert_eq!((links(split[0].0 + Span::from_secs(1)), links(at), links(split[1].0)), (1, 0, 1));
}

#[test]
fn a_choice_goes_by_what_is_free() {
    // The satellites are 6 degrees apart, from longitude 90 on. Seen from longitude 1, the satellite over longitude 0
    // is the highest. It is in the west, where a wall reaches to the zenith. With every policy, a satellite in the east
    // serves.
    let site = place("a yard", 0.0, 1.0);
    let ring = equatorial(60, 1200.0);
    let west = [(0.0, 0.0), (180.0, 0.0), (180.0, 90.0), (360.0, 90.0)];
    let in_view = |spec: &ConstellationSpec| {
        let sky = trace::snapshot(spec, std::slice::from_ref(&site), Time::ZERO).unwrap();
        sky.ground_links.iter().map(|&(satellite, ..)| satellite).collect::<Vec<_>>()
    };
    let (all, free) = (in_view(&ring), in_view(&masked(ring.clone(), &site, &west)));
    assert!(!free.is_empty() && free.len() < all.len() && free.iter().all(|one| all.contains(one)));
    let highest = 45;
    assert!(all.contains(&highest) && !free.contains(&highest), "{all:?} {free:?}");
    for policy in [Policy::HighestElevation, Policy::Nearest, Policy::LongestVisible] {
        let choice = SatelliteChoice { policy, ..ring.choice };
        let open = ConstellationSpec { choice, ..ring.clone() };
        let [served] = in_view(&masked(open.clone(), &site, &west))[..] else {
            panic!("one satellite serves")
        };
        assert!(free.contains(&served), "{policy:?}");
        assert_eq!(in_view(&open) == [highest], policy != Policy::LongestVisible, "{policy:?}");
    }
}

#[test]
fn over_the_equator_the_arc_hides_what_flies_over_the_equator() {
    let ring = |km, exclusion| ConstellationSpec { gso_exclusion: deg(exclusion), ..equatorial(40, km) };
    let seen = |spec: &ConstellationSpec, site: &Site| {
        trace::snapshot(spec, std::slice::from_ref(site), Time::ZERO).unwrap().ground_links.len()
    };
    let equator = place("Quito", 0.0, -78.5);
    assert!(seen(&ring(1200.0, 0.0), &equator) >= 3);
    assert_eq!(seen(&ring(1200.0, 0.5), &equator), 0);
    // Geostationary satellites are on the arc. Beyond 81.3 degrees of latitude, the arc is not visible, so no satellite
    // is excluded.
    assert_eq!(seen(&ring(35_786.0, 20.0), &equator), seen(&ring(35_786.0, 0.0), &equator));
    // Seen from 30 degrees north, a satellite at 8062 km over the same meridian is lower in the south than the arc,
    // because tan e = (cos 30 - R / r) / sin 30 with R = 6373 km at this latitude. Its elevation is 40.34 degrees
    // instead of 55.03, so its angle to the arc is 14.69 degrees.
    let north = place("New Orleans", 30.0, -90.0);
    let one = |exclusion| ConstellationSpec {
        visibility: Visibility::Elevation(deg(40.1)),
        ..ring(8062.0, exclusion)
    };
    assert_eq!([0.0, 14.4, 15.0].map(|exclusion| seen(&one(exclusion), &north)), [1, 1, 0]);
}

#[test]
fn what_hides_every_satellite_says_which_key_of_whom() {
    let (london, paris) = (sites::find("London").unwrap(), sites::find("Paris").unwrap());
    let places = [london.clone(), paris];
    let starlink = presets::find("starlink-550").unwrap();
    let build = |spec: &ConstellationSpec| {
        constellation::build(spec, &places, &[(0, 1)], Span::from_secs(60)).unwrap_err()
    };
    let error = build(&masked(starlink.clone(), &london, &[(0.0, 90.0)]));
    assert_eq!(error.code(), Code::NoSatelliteInView);
    let text = error.to_string();
    assert!(
        text.starts_with(
            "London can use no satellite of starlink-550 during a day because of `mask` or `mask_file`"
        ),
        "{text}"
    );
    // If a mask allows a satellite later, the error contains this time.
    let pair = [place("a yard", 0.0, 0.0), place("next door", 0.0, 1.0)];
    let narrow = masked(equatorial(10, 550.0), &pair[0], &[(0.0, 89.0)]);
    let error = constellation::build(&narrow, &pair, &[(0, 1)], Span::from_secs(1)).unwrap_err();
    let topology::TopologyError::Hidden { next: Some(next), .. } = error else { panic!("{error}") };
    let first = passes::passes(&narrow, &pair[0], Span::from_secs(3600)).unwrap()[0].rise.unwrap();
    assert!(next >= first, "{next} {first}");
    // Only the exclusion of the arc, and both obstacles.
    let ring = ConstellationSpec { gso_exclusion: deg(10.0), ..equatorial(40, 1200.0) };
    let quito = [place("Quito", 0.0, -78.5), place("Belem", 0.0, -70.0)];
    let error = constellation::build(&ring, &quito, &[(0, 1)], Span::from_secs(60)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("Quito can use no satellite of iridium during a day because of `gso_exclusion`"),
        "{error}"
    );
    let both = masked(ring, &quito[0], &[(0.0, 30.0)]);
    let error = constellation::build(&both, &quito, &[(0, 1)], Span::from_secs(60)).unwrap_err();
    assert!(error.to_string().contains("because of `mask` or `mask_file` and `gso_exclusion`"), "{error}");
}

#[test]
fn gateways_behind_walls_are_named() {
    let (london, madrid) = (sites::find("London").unwrap(), sites::find("Madrid").unwrap());
    let gateway = |name: &str, mask| Gateway {
        site: Site { name: name.to_owned(), ..madrid.clone() },
        pop: Some(0),
        visibility: None,
        mask,
        gso_exclusion: None,
    };
    let wall = Mask::new(vec![(0.0, 90.0)]).ok();
    let spec = |gateways| ConstellationSpec {
        isl: None,
        gateways,
        pops: vec![madrid.clone()],
        attachments: vec![("server".to_owned(), Attachment::Fibre)],
        ..presets::find("starlink-550").unwrap()
    };
    let places = [london.clone(), Site { name: "server".to_owned(), ..madrid.clone() }];
    let build =
        |spec: &ConstellationSpec| constellation::build(spec, &places, &[(0, 1)], Span::from_secs(60));
    let network = build(&spec(vec![gateway("walled", wall.clone()), gateway("open", None)])).unwrap();
    let note = network.notes.iter().find(|note| note.contains("walled")).unwrap();
    assert!(note.contains("`mask`") && !note.contains("open"), "{note}");
    let error = build(&spec(vec![gateway("walled", wall)])).unwrap_err();
    assert_eq!(error.code(), Code::NoPath);
    assert!(error.to_string().contains("walled (because of `mask` or `mask_file` of `gateways`"), "{error}");
    let open = build(&spec(vec![gateway("open", None)])).unwrap();
    assert!(open.notes.iter().all(|note| !note.contains("gateways")), "{:?}", open.notes);
}
