// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares SGP4 with the official verification vectors (AIAA 2006-6753), and tests damaged element sets.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_orbit as orbit;
use orbit::{Fleet, Geodetic, OrbitError, Satellites, tle};
use units::{Code, Time};

const ELEMENTS: &str = include_str!("data/SGP4-VER.TLE");
const VECTORS: &str = include_str!("data/tcppver.out");
const ONEWEB: &str = include_str!("../../../data/oneweb_2022-09-14.tle");

/// Returns a line of the official file in a form that the parser accepts. The line is cut to 69 columns, because the
/// file appends the times to be computed. The blank ephemeris type of 11801 is filled in. Checksums are corrected (the
/// checksums of 33333 to 33335 are wrong).
fn repaired(line: &str) -> String {
    let mut line = format!("{:69}", &line[..line.len().min(69)]);
    if line.starts_with("1 11801") {
        // Column 63, the ephemeris type.
        line.replace_range(62..63, "0");
    }
    let checksum = tle::checksum(&line);
    line.replace_range(68.., &checksum.to_string());
    line
}

#[test]
fn official_vectors_within_a_centimetre() {
    let lines: Vec<&str> = ELEMENTS.lines().filter(|line| !line.starts_with('#')).collect();
    // Satellite 20413 has two blocks of vectors in the file. Therefore sets and blocks are paired in order.
    let blocks: Vec<&str> = VECTORS.split_inclusive('\n').collect();
    let mut blocks = blocks.split(|line| line.contains("xx")).skip(1);
    let (mut states, mut worst_km, mut worst_km_s) = (0, 0.0_f64, 0.0_f64);
    for pair in lines.chunks(2) {
        let (first, second) = (repaired(pair[0]), repaired(pair[1]));
        let set = tle::parse(&format!("{first}\n{second}\n")).unwrap().remove(0);
        let constants = orbit::fleet::constants(&set);
        for row in blocks.next().unwrap() {
            let numbers: Vec<f64> =
                row.split_whitespace().take(7).map(|word| word.parse().unwrap()).collect();
            let state = constants.as_ref().unwrap().propagate(sgp4::MinutesSinceEpoch(numbers[0]));
            if set.norad_id == 33334 {
                // "try and check error code 2": the perturbed eccentricity is outside its domain from the start.
                assert!(state.is_err());
                continue;
            }
            let state = state.unwrap();
            let error = orbit::earth::distance_m(state.position, [numbers[1], numbers[2], numbers[3]]);
            worst_km = worst_km.max(error);
            let error = orbit::earth::distance_m(state.velocity, [numbers[4], numbers[5], numbers[6]]);
            worst_km_s = worst_km_s.max(error);
            states += 1;
        }
    }
    // All rows of the file except that row.
    assert_eq!(states, VECTORS.lines().filter(|line| !line.contains("xx")).count() - 1);
    assert!(worst_km < 1e-5, "{worst_km} km over {states} states");
    assert!(worst_km_s < 1e-8, "{worst_km_s} km/s over {states} states");
}

#[test]
fn oneweb_flies_where_oneweb_flies() {
    // In mid-2022, satellites are on station at 1200 km with an inclination of 87.9 degrees. Some are still being
    // raised from 450 km.
    let fleet = Fleet::from_tle(ONEWEB, None).unwrap();
    assert_eq!(fleet.len(), 426);
    assert_eq!(fleet.name(0), "ONEWEB-0012");
    assert!(fleet.start().starts_with("2022-09-14T"), "{}", fleet.start());
    let satellites = Satellites::Sgp4(fleet);
    let mut positions = Vec::new();
    satellites.positions(Time::from_secs_f64(600.0), &mut positions).unwrap();
    let places: Vec<Geodetic> = positions.iter().map(|&position| Geodetic::from_fixed(position)).collect();
    assert!(places.iter().all(|place| (400.0..1260.0).contains(&place.altitude.km())));
    assert!(places.iter().all(|place| place.latitude.deg().abs() < 88.5));
    let on_station = places.iter().filter(|place| place.altitude.km() > 1150.0).count();
    assert!(on_station > 350, "{on_station}");
}

#[test]
fn earth_fixed_longitude_follows_sidereal_time() {
    // Vallado, Fundamentals of Astrodynamics, example 3-5: on 1992-08-20 12:14 UT1, the Greenwich mean sidereal time is
    // 152.578788 degrees. The longitude of a satellite is its right ascension minus this angle.
    let start = "1992-08-20T12:14:00Z";
    let text = "1 00005U 58002B   92233.50972222  .00000023  00000-0  28098-4 0  4750\n\
                2 00005  34.2682 348.7242 1859667 331.7664  19.3264 10.82419157413660\n";
    let text: String = text.lines().map(|line| repaired(line) + "\n").collect();
    let set = tle::parse(&text).unwrap().remove(0);
    let fleet = Fleet::from_tle(&text, Some(start)).unwrap();
    let inertial = orbit::fleet::constants(&set).unwrap().propagate(sgp4::MinutesSinceEpoch(0.0)).unwrap();
    let ascension = inertial.position[1].atan2(inertial.position[0]).to_degrees();
    let fixed = Satellites::Sgp4(fleet).position(0, Time::ZERO).unwrap();
    let longitude = fixed[1].atan2(fixed[0]).to_degrees();
    let sidereal = (ascension - longitude).rem_euclid(360.0);
    // The epoch has eight decimals of a day, which is a resolution of 0.4 ms or a ten-thousandth of a degree of the
    // satellite's path.
    assert!((sidereal - 152.578_788).abs() < 2e-4, "{sidereal}");
}

#[test]
fn damaged_elements_say_where_and_what() {
    let first = "1 00005U 58002B   00179.78495062  .00000023  00000-0  28098-4 0  4753";
    let second = "2 00005  34.2682 348.7242 1859667 331.7664  19.3264 10.82419157413667";
    assert_eq!(tle::parse(&format!("# a comment\nVANGUARD 1\n{first}\n{second}")).unwrap().len(), 1);

    // One digit of the inclination is changed: 34.2682 to 34.2683 changes the checksum from 7 to 8.
    let error = tle::parse(&format!("{first}\n{}", second.replace("34.2682", "34.2683"))).unwrap_err();
    assert_eq!(error, OrbitError::TleChecksum { line: 2, expected: 8, found: '7' });
    assert_eq!(error.code(), Code::TleChecksum);
    assert!(error.to_string().contains("line 2"), "{error}");

    for (text, line) in [
        (format!("{first}\n"), 1),
        (format!("{first}\n{first}\n"), 2),
        (format!("{first}\n{}\n", &second[..60]), 2),
        (format!("A\nB\n{first}\n{second}\n"), 2),
        (format!("{first}\n{second}\nORPHAN\n"), 3),
        (String::new(), 1),
    ] {
        let error = tle::parse(&text).unwrap_err();
        assert_eq!(error.code(), Code::TleSyntax, "{error}");
        assert!(matches!(error, OrbitError::TleSyntax { line: at, .. } if at == line), "{error}");
    }
    let error = Fleet::from_tle(&format!("{first}\n{second}"), Some("yesterday")).unwrap_err();
    assert_eq!(error.code(), Code::ScenarioValue);
}

#[test]
fn a_decayed_satellite_is_named() {
    // Satellite 28872 of the official set re-enters within an hour of its epoch. SGP4 refuses it some time later.
    let at = ELEMENTS.lines().position(|line| line.starts_with("1 28872")).unwrap();
    let text: String = ELEMENTS.lines().skip(at).take(2).map(|line| repaired(line) + "\n").collect();
    let satellites = Satellites::Sgp4(Fleet::from_tle(&text, None).unwrap());
    assert!(satellites.position(0, Time::ZERO).is_ok());
    let error = satellites.position(0, Time::from_secs_f64(86_400.0)).unwrap_err();
    assert_eq!(error.code(), Code::OrbitPropagation);
    assert!(error.to_string().contains("NORAD 28872"), "{error}");
}
