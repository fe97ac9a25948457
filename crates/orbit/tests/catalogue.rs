// SPDX-License-Identifier: MIT OR Apache-2.0
//! Formats of catalogues, and fleets made from them. The messages are CelesTrak's of 2020-07-12 for the same two
//! satellites in each format, as the tests of the `sgp4` crate (MIT) quote them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_orbit as orbit;
use orbit::{Catalogue, Fleet, FleetOptions, Note, OnBad, OrbitError, Place, Refusal, Satellites, tle};
use units::{Code, Span, Time};

const STARLINK: &str = include_str!("../../../data/starlink_2022-09-14.tle");

const LINES: &str = "\
ISS (ZARYA)
1 25544U 98067A   20194.88612269 -.00002218  00000-0 -31515-4 0  9992
2 25544  51.6461 221.2784 0001413  89.1723 280.4612 15.49507896236008
0 KESTREL EYE IIM (KE2M)
1 42982U 98067NE  20194.06866787  .00008489  00000-0  72204-4 0  9997
2 42982  51.6338 155.6245 0002758 166.8841 193.2228 15.70564504154944
";

const JSON: &str = r#"[{
    "OBJECT_NAME": "ISS (ZARYA)", "OBJECT_ID": "1998-067A", "EPOCH": "2020-07-12T21:16:01.000416",
    "MEAN_MOTION": 15.49507896, "ECCENTRICITY": 0.0001413, "INCLINATION": 51.6461, "RA_OF_ASC_NODE": 221.2784,
    "ARG_OF_PERICENTER": 89.1723, "MEAN_ANOMALY": 280.4612, "EPHEMERIS_TYPE": 0, "CLASSIFICATION_TYPE": "U",
    "NORAD_CAT_ID": 25544, "ELEMENT_SET_NO": 999, "REV_AT_EPOCH": 23600, "BSTAR": -3.1515e-5,
    "MEAN_MOTION_DOT": -2.218e-5, "MEAN_MOTION_DDOT": 0
},{
    "OBJECT_NAME": "KESTREL EYE IIM (KE2M)", "OBJECT_ID": "1998-067NE", "EPOCH": "2020-07-12T01:38:52.903968",
    "MEAN_MOTION": 15.70564504, "ECCENTRICITY": 0.0002758, "INCLINATION": 51.6338, "RA_OF_ASC_NODE": 155.6245,
    "ARG_OF_PERICENTER": 166.8841, "MEAN_ANOMALY": 193.2228, "EPHEMERIS_TYPE": 0, "CLASSIFICATION_TYPE": "U",
    "NORAD_CAT_ID": 42982, "ELEMENT_SET_NO": 999, "REV_AT_EPOCH": 15494, "BSTAR": 7.2204e-5,
    "MEAN_MOTION_DOT": 8.489e-5, "MEAN_MOTION_DDOT": 0
}]"#;

/// As CelesTrak lays its tables out.
const CSV: &str = "\
OBJECT_NAME,OBJECT_ID,EPOCH,MEAN_MOTION,ECCENTRICITY,INCLINATION,RA_OF_ASC_NODE,ARG_OF_PERICENTER,MEAN_ANOMALY,\
EPHEMERIS_TYPE,CLASSIFICATION_TYPE,NORAD_CAT_ID,ELEMENT_SET_NO,REV_AT_EPOCH,BSTAR,MEAN_MOTION_DOT,MEAN_MOTION_DDOT\r
ISS (ZARYA),1998-067A,2020-07-12T21:16:01.000416,15.49507896,.0001413,51.6461,221.2784,89.1723,280.4612,0,U,25544,\
999,23600,-.31515E-4,-.2218E-4,0\r
KESTREL EYE IIM (KE2M),1998-067NE,2020-07-12T01:38:52.903968,15.70564504,.0002758,51.6338,155.6245,166.8841,\
193.2228,0,U,42982,999,15494,.72204E-4,.8489E-4,0\r
";

/// The first as Space-Track serves it: every number is text, there is more than is needed, an unknown name is null.
const SPACE_TRACK: &str = r#"{
    "CCSDS_OMM_VERS": "2.0", "COMMENT": "GENERATED VIA SPACE-TRACK.ORG API", "CENTER_NAME": "EARTH",
    "REF_FRAME": "TEME", "TIME_SYSTEM": "UTC", "MEAN_ELEMENT_THEORY": "SGP4",
    "OBJECT_NAME": null, "OBJECT_ID": "1998-067A", "EPOCH": "2020-07-12T21:16:01.000416",
    "MEAN_MOTION": "15.49507896", "ECCENTRICITY": "0.00014130", "INCLINATION": "51.6461", "RA_OF_ASC_NODE": "221.2784",
    "ARG_OF_PERICENTER": "89.1723", "MEAN_ANOMALY": "280.4612", "EPHEMERIS_TYPE": "0", "CLASSIFICATION_TYPE": "U",
    "NORAD_CAT_ID": "25544", "ELEMENT_SET_NO": "999", "REV_AT_EPOCH": "23600", "BSTAR": "-0.00003151500000",
    "MEAN_MOTION_DOT": "-0.00002218", "MEAN_MOTION_DDOT": "0.0000000000000", "DECAY_DATE": null
}"#;

fn positions(text: &str) -> Vec<[f64; 3]> {
    let satellites = Satellites::Sgp4(Fleet::from_tle(text, Some("2020-07-13T00:00:00Z")).unwrap());
    let mut positions = Vec::new();
    satellites.positions(Time::from_secs_f64(1000.0), &mut positions).unwrap();
    positions
}

#[test]
fn every_format_gives_the_same_satellites() {
    let lines = positions(LINES);
    let windows = format!("\u{feff}{}", LINES.replace('\n', "\r\n"));
    let quoted: String = CSV
        .lines()
        .map(|row| row.split(',').map(|field| format!("\"{field}\"")).collect::<Vec<_>>().join(",") + "\n")
        .collect();
    for text in [JSON, CSV, &windows, &quoted] {
        let catalogue = Catalogue::read(text).unwrap();
        assert_eq!(catalogue.notes, []);
        assert_eq!(catalogue.sets[0].object_name.as_deref(), Some("ISS (ZARYA)"));
        assert_eq!(catalogue.sets[1].object_name.as_deref(), Some("KESTREL EYE IIM (KE2M)"));
        assert_eq!(catalogue.sets[1].international_designator.as_deref(), Some("1998-067NE"));
        assert_eq!(catalogue.sets[1].norad_id, 42982);
        // The epochs of lines have eight decimals of a day, the others microseconds: 0.5 us at 7.7 km/s.
        for (a, b) in positions(text).iter().zip(&lines) {
            assert!(orbit::earth::distance_m(*a, *b) < 0.01, "{a:?} {b:?}");
        }
    }
    // JSON and CSV say exactly the same.
    assert_eq!(Catalogue::read(JSON).unwrap(), Catalogue::read(CSV).unwrap());
    let one = Catalogue::read(SPACE_TRACK).unwrap().sets.remove(0);
    assert_eq!(one.object_name, None);
    assert_eq!(
        sgp4::Elements { object_name: Some("ISS (ZARYA)".to_owned()), ..one },
        Catalogue::read(JSON).unwrap().sets[0]
    );
}

/// Lines of elements with the checksums of their text.
fn whole(text: &str) -> String {
    let repaired = |line: &str| match line.get(..68).filter(|_| line.len() == 69) {
        Some(text) => format!("{text}{}\n", tle::checksum(line)),
        None => format!("{line}\n"),
    };
    text.lines().map(repaired).collect()
}

/// The two under other catalogue numbers, the first of five characters.
fn renumbered(number: &str) -> String {
    whole(&LINES.replace("1 25544", &format!("1 {number}")).replace("2 25544", &format!("2 {number}")))
}

#[test]
fn catalogue_numbers_beyond_five_digits() {
    // Space-Track's table of Alpha-5.
    for (text, number) in [
        ("00005", 5),
        ("A0000", 100_000),
        ("E8493", 148_493),
        ("H9999", 179_999),
        ("J2931", 182_931),
        ("P4018", 234_018),
        ("W1928", 301_928),
        ("Z9999", 339_999),
    ] {
        assert_eq!(Catalogue::read(&renumbered(text)).unwrap().sets[0].norad_id, number);
    }
    for text in ["I0000", "O0000", "a0000"] {
        assert_eq!(Catalogue::read(&renumbered(text)).unwrap_err().code(), Code::TleSyntax);
    }
    for number in ["100000", "799501002", "\"270001\""] {
        let fleet = Fleet::from_tle(&JSON.replace("25544", number), None).unwrap();
        assert_eq!(fleet.norad_id(0).to_string(), number.replace('"', ""));
        assert_eq!(fleet.epoch(0), "2020-07-12T21:16:01.000416Z");
    }
}

#[test]
fn malformed_messages_say_where_and_what() {
    let record = Place::Record(2);
    for (text, place, word) in [
        (JSON.replace("155.6245", "\"east\""), record, "RA_OF_ASC_NODE is \"east\""),
        (JSON.replace("155.6245", "\"nan\""), record, "RA_OF_ASC_NODE"),
        (JSON.replace("\"BSTAR\": 7.2204e-5,", ""), record, "no BSTAR"),
        (JSON.replace("42982", "1234567890"), record, "nine digits"),
        (JSON.replace("42982", "-1"), record, "NORAD_CAT_ID"),
        (JSON.replace("2020-07-12T01", "yesterday"), record, "EPOCH"),
        (JSON.replace("\"EPHEMERIS_TYPE\": 0", "\"EPHEMERIS_TYPE\": 4"), Place::Record(1), "SGP4-XP"),
        (JSON.replace("\"OBJECT_ID\"", "\"TIME_SYSTEM\": \"TAI\", \"ID\""), Place::Record(1), "TIME_SYSTEM"),
        (JSON.replace("15494,", "15494"), Place::Line(11), "not JSON"),
        ("[1]".to_owned(), Place::Record(1), "not an object"),
        ("[]".to_owned(), Place::Line(1), "no message"),
        (CSV.replace("166.8841", "x"), Place::Line(3), "ARG_OF_PERICENTER is \"x\""),
        (CSV.replace("166.8841", "x").replace('\r', ""), Place::Line(3), "ARG_OF_PERICENTER is \"x\""),
        (CSV.replace("42982,", ""), Place::Line(3), "fields"),
        (CSV.lines().next().unwrap().to_owned(), Place::Line(1), "no message"),
        ("<?xml version=\"1.0\"?><ndm/>".to_owned(), Place::Line(1), "FORMAT=json"),
    ] {
        let error = Catalogue::read(&text).unwrap_err();
        assert_eq!(error.code(), Code::ElementsSyntax);
        let OrbitError::ElementsSyntax { place: at, what } = &error else { panic!("{error:?}") };
        assert_eq!(*at, place, "{error}");
        assert!(what.contains(word), "{error}");
    }
    // Lines name the field as well; CelesTrak's apology is no catalogue.
    for (good, bad, name) in [
        ("221.2784", "22l.2784", "right ascension of the node is \"22l.2784\""),
        ("51.6461", "    nan", "inclination"),
        ("20194.88612269", "20194 88612269", "epoch day"),
    ] {
        let error = Catalogue::read(&whole(&LINES.replace(good, bad))).unwrap_err();
        assert_eq!(error.code(), Code::TleSyntax);
        assert!(error.to_string().contains(name), "{error}");
    }
    // Ephemeris type 4, column 63.
    let error = Catalogue::read(&whole(&LINES.replace("31515-4 0", "31515-4 4"))).unwrap_err();
    assert!(error.to_string().contains("line 2") && error.to_string().contains("SGP4-XP"), "{error}");
    let error = Catalogue::read("No GP data found").unwrap_err();
    assert!(error.to_string().contains("\"No GP data found\" has no elements"), "{error}");
}

#[test]
fn of_two_sets_of_one_satellite_the_newer_is_kept() {
    let older = JSON.replace("2020-07-12T21", "2020-07-11T21").replace("ISS (ZARYA)", "ISS YESTERDAY");
    let both = format!("{},{}", older.trim_end_matches(']'), JSON.trim_start_matches('['));
    let catalogue = Catalogue::read(&both).unwrap();
    let names: Vec<_> = catalogue.sets.iter().filter_map(|set| set.object_name.as_deref()).collect();
    // The order of the file; of two sets of one age the first.
    assert_eq!(names, ["KESTREL EYE IIM (KE2M)", "ISS (ZARYA)"]);
    let dropped = ["ISS YESTERDAY", "KESTREL EYE IIM (KE2M)"].map(str::to_owned).to_vec();
    assert_eq!(catalogue.notes, [Note::Duplicates { dropped }]);
    assert!(catalogue.notes[0].to_string().starts_with("2 older sets"), "{}", catalogue.notes[0]);
}

#[test]
fn mixed_epochs_are_weighed() {
    // Ages at 2020-07-17T00:00: 4.11 and 4.93 days. Expected there: 1 km and 1 to 3 km for each day.
    let start = Some("2020-07-17T00:00:00Z");
    let (fleet, notes) =
        Fleet::from_catalogue(JSON, FleetOptions { start, ..FleetOptions::default() }).unwrap();
    assert!((fleet.age_days(0) - 4.114).abs() < 1e-3 && (fleet.age_days(1) - 4.931).abs() < 1e-3);
    let [Note::FarFromEpoch { satellites, days, error_km }] = &notes[..] else { panic!("{notes:?}") };
    assert_eq!(satellites[..], ["KESTREL EYE IIM (KE2M)", "ISS (ZARYA)"]);
    assert!(
        (days - 4.931).abs() < 1e-3 && (error_km.0 - 5.93).abs() < 0.01 && (error_km.1 - 15.79).abs() < 0.01
    );
    assert!(notes[0].to_string().contains("up to 4.9 days; expect errors of 6 to 16 km"), "{}", notes[0]);

    let max_age = Some(Span::from_secs(86_400 * 9 / 2));
    let options = FleetOptions { start, max_age, ..FleetOptions::default() };
    let (fleet, notes) = Fleet::from_catalogue(JSON, options).unwrap();
    assert_eq!((fleet.len(), fleet.name(0)), (1, "ISS (ZARYA)"));
    let old = Note::TooOld { satellites: vec!["KESTREL EYE IIM (KE2M)".to_owned()], max_age_days: 4.5 };
    assert_eq!(notes[0], old);
    assert!(notes[0].to_string().contains("more than 4.5 days from the start"), "{}", notes[0]);
    let second = Note::TooOld { satellites: Vec::new(), max_age_days: 1.0 / 86_400.0 };
    assert!(second.to_string().contains("more than 1 s from the start"), "{second}");

    // As far before the epochs as it may be: nobody is left.
    let options = FleetOptions { start: Some("2020-07-01T00:00:00Z"), ..options };
    let error = Fleet::from_catalogue(JSON, options).unwrap_err();
    assert_eq!(error.code(), Code::FleetEmpty);
    assert!(error.to_string().contains("2 satellites were left out"), "{error}");

    // Without a start: the newest epoch.
    let (fleet, notes) = Fleet::from_catalogue(JSON, FleetOptions::default()).unwrap();
    assert_eq!((fleet.start().as_str(), notes), ("2020-07-12T21:16:01.000416Z", Vec::new()));
}

#[test]
fn what_sgp4_refuses_is_named_or_left_out() {
    // Error 6: a piece of debris of the catalogue is below the ground when the newest set begins.
    let error = Fleet::from_tle(STARLINK, None).unwrap_err();
    assert_eq!(error.code(), Code::OrbitPropagation);
    assert!(
        error.to_string().contains("FALCON 9 DEB") && error.to_string().contains("SGP4 error 6"),
        "{error}"
    );
    let skip = FleetOptions { on_bad: OnBad::Skip, ..FleetOptions::default() };
    let (fleet, notes) = Fleet::from_catalogue(STARLINK, skip).unwrap();
    assert_eq!((fleet.len(), notes.len()), (3021, 1));

    // Errors 1 and 2 by elements that are none.
    for (text, number) in [
        (JSON.replace("0.0001413", "1.5"), 1),
        (JSON.replace("0.0001413", "-0.5"), 1),
        (JSON.replace("15.49507896", "0"), 2),
        (JSON.replace("15.49507896", "-15.5"), 2),
        (JSON.replace("15.49507896", "17.9"), 6),
    ] {
        let (fleet, notes) = Fleet::from_catalogue(&text, skip).unwrap();
        assert_eq!(fleet.len(), 1);
        let Note::Refused { satellites } = &notes[0] else { panic!("{notes:?}") };
        assert_eq!(
            (satellites[0].0.as_str(), satellites[0].1.number()),
            ("ISS (ZARYA)", number),
            "{notes:?}"
        );
    }
    assert_eq!(Refusal::from(sgp4::Error::NegativeSemiLatusRectum { t: 0.0 }).number(), 4);
}

#[test]
fn a_start_is_so_long_past_a_multiple_of_a_period() {
    let past = |start, period| Fleet::from_tle(LINES, Some(start)).unwrap().past(Span::from_secs(period));
    assert_eq!(past("2020-07-12T23:59:59.25Z", 15), Span::from_millis(14_250));
    assert_eq!(past("2020-07-12T23:59:59.25Z", 60), Span::from_millis(59_250));
    assert_eq!(past("2020-07-12T06:00:05Z", 86_400), Span::from_secs(6 * 3600 + 5));
}
