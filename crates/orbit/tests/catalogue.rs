// SPDX-License-Identifier: MIT OR Apache-2.0
//! Formats of catalogues, and the fleets made from them. In each format, the messages are CelesTrak's messages of
//! 2020-07-12 for the same two satellites, as quoted in the tests of the `sgp4` crate (MIT licence).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_orbit as orbit;
use orbit::{
    Catalogue, Fleet, FleetOptions, Format, Note, Objects, OnBad, OrbitError, Other, Place, Refusal,
    Satellites, tle,
};
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

/// The messages as CelesTrak writes them in CSV.
const CSV: &str = "\
OBJECT_NAME,OBJECT_ID,EPOCH,MEAN_MOTION,ECCENTRICITY,INCLINATION,RA_OF_ASC_NODE,ARG_OF_PERICENTER,MEAN_ANOMALY,\
EPHEMERIS_TYPE,CLASSIFICATION_TYPE,NORAD_CAT_ID,ELEMENT_SET_NO,REV_AT_EPOCH,BSTAR,MEAN_MOTION_DOT,MEAN_MOTION_DDOT\r
ISS (ZARYA),1998-067A,2020-07-12T21:16:01.000416,15.49507896,.0001413,51.6461,221.2784,89.1723,280.4612,0,U,25544,\
999,23600,-.31515E-4,-.2218E-4,0\r
KESTREL EYE IIM (KE2M),1998-067NE,2020-07-12T01:38:52.903968,15.70564504,.0002758,51.6338,155.6245,166.8841,\
193.2228,0,U,42982,999,15494,.72204E-4,.8489E-4,0\r
";

/// The first message as Space-Track provides it: every number is text, there are additional fields, and the unknown
/// name is null.
const SPACE_TRACK: &str = r#"{
    "CCSDS_OMM_VERS": "2.0", "COMMENT": "GENERATED VIA SPACE-TRACK.ORG API", "CENTER_NAME": "EARTH",
    "REF_FRAME": "TEME", "TIME_SYSTEM": "UTC", "MEAN_ELEMENT_THEORY": "SGP4",
    "OBJECT_NAME": null, "OBJECT_ID": "1998-067A", "EPOCH": "2020-07-12T21:16:01.000416",
    "MEAN_MOTION": "15.49507896", "ECCENTRICITY": "0.00014130", "INCLINATION": "51.6461", "RA_OF_ASC_NODE": "221.2784",
    "ARG_OF_PERICENTER": "89.1723", "MEAN_ANOMALY": "280.4612", "EPHEMERIS_TYPE": "0", "CLASSIFICATION_TYPE": "U",
    "NORAD_CAT_ID": "25544", "ELEMENT_SET_NO": "999", "REV_AT_EPOCH": "23600", "BSTAR": "-0.00003151500000",
    "MEAN_MOTION_DOT": "-0.00002218", "MEAN_MOTION_DDOT": "0.0000000000000", "DECAY_DATE": null
}"#;

fn fleet_of(text: &str, options: FleetOptions<'_>) -> Result<(Fleet, Vec<Note>), OrbitError> {
    Fleet::from_catalogue(&Catalogue::read(text)?, options)
}

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
        let sets: Vec<_> = catalogue.records.into_iter().map(|record| record.set).collect();
        assert_eq!(sets[0].object_name.as_deref(), Some("ISS (ZARYA)"));
        assert_eq!(sets[1].object_name.as_deref(), Some("KESTREL EYE IIM (KE2M)"));
        assert_eq!(sets[1].international_designator.as_deref(), Some("1998-067NE"));
        assert_eq!(sets[1].norad_id, 42982);
        // Epochs in lines have eight decimals of a day. Epochs in the other formats have microseconds: 0.5 us at 7.7
        // km/s.
        for (a, b) in positions(text).iter().zip(&lines) {
            assert!(orbit::earth::distance_m(*a, *b) < 0.01, "{a:?} {b:?}");
        }
    }
    // JSON and CSV contain exactly the same data.
    assert_eq!(Catalogue::read(JSON).unwrap(), Catalogue::read(CSV).unwrap());
    let one = Catalogue::read(SPACE_TRACK).unwrap().records.remove(0).set;
    assert_eq!(one.object_name, None);
    assert_eq!(
        sgp4::Elements { object_name: Some("ISS (ZARYA)".to_owned()), ..one },
        Catalogue::read(JSON).unwrap().records[0].set
    );
}

/// Returns lines of elements, with the checksum of each line corrected.
fn whole(text: &str) -> String {
    let repaired = |line: &str| match line.get(..68).filter(|_| line.len() == 69) {
        Some(text) => format!("{text}{}\n", tle::checksum(line)),
        None => format!("{line}\n"),
    };
    text.lines().map(repaired).collect()
}

/// Returns the two sets with other catalogue numbers. The first number has five characters.
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
        assert_eq!(Catalogue::read(&renumbered(text)).unwrap().records[0].set.norad_id, number);
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
        (JSON.replace("\"BSTAR\": 7.2204e-5,", ""), record, "BSTAR is missing"),
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
        (CSV.replace("42982,", ""), Place::Line(3), "the row has 16 values, but the header names 17"),
        (CSV.lines().next().unwrap().to_owned(), Place::Line(1), "no message"),
        ("<?xml version=\"1.0\"?><ndm/>".to_owned(), Place::Line(1), "no element `omm`"),
        ("<ndm><omm>".to_owned(), Place::Line(1), "not XML"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><ndm/>".to_owned(), Place::Line(1), "not XML"),
        ("CCSDS_OMM_VERS = 2.0\nEPOCH".to_owned(), Place::Line(2), "KEYWORD = value"),
        ("CCSDS_OMM_VERS = 2.0\nEPOCH = 1\nEPOCH = 2".to_owned(), Place::Line(3), "EPOCH is given twice"),
        // Columns with another separator, keywords in lower case, and an empty text.
        (CSV.replace(',', ";"), Place::Line(1), "separated by semicolons"),
        (CSV.replace(',', "\t"), Place::Line(1), "separated by tabs"),
        (CSV.replace("NORAD_CAT_ID", "norad_cat_id"), Place::Line(1), "lower case"),
    ] {
        let error = Catalogue::read(&text).unwrap_err();
        assert_eq!(error.code(), Code::ElementsSyntax);
        let OrbitError::ElementsSyntax { place: at, what } = &error else { panic!("{error:?}") };
        assert_eq!(*at, place, "{error}");
        assert!(what.contains(word), "{error}");
    }
    // Errors in lines also name the field. CelesTrak's answer if no data exist is not a catalogue.
    for (good, bad, name) in [
        ("221.2784", "22l.2784", "right ascension of the node is \"22l.2784\""),
        ("51.6461", "    nan", "inclination"),
        ("20194.88612269", "20194 88612269", "epoch day"),
        // Day 0, and day 366 of a year without this day. The year 2020 has 366 days.
        ("20194.88612269", "17000.00000000", "epoch day is 000.00000000, and days of 2017 are 1 to 365"),
        ("20194.88612269", "17366.50000000", "epoch day is 366.50000000, and days of 2017 are 1 to 365"),
        ("20194.88612269", "20367.00000000", "days of 2020 are 1 to 366"),
    ] {
        let error = Catalogue::read(&whole(&LINES.replace(good, bad))).unwrap_err();
        assert_eq!(error.code(), Code::TleSyntax);
        assert!(error.to_string().contains(name), "{error}");
    }
    // Ephemeris type 4 in column 63.
    let error = Catalogue::read(&whole(&LINES.replace("31515-4 0", "31515-4 4"))).unwrap_err();
    assert!(error.to_string().contains("line 2") && error.to_string().contains("SGP4-XP"), "{error}");
    let error = Catalogue::read("No GP data found").unwrap_err();
    assert!(error.to_string().contains("\"No GP data found\" has no elements"), "{error}");
}

/// Returns the names of a fleet, and its notes.
fn flown(text: &str, options: FleetOptions<'_>) -> (Vec<String>, Vec<Note>) {
    let (fleet, notes) = fleet_of(text, options).unwrap();
    ((0..fleet.len()).map(|index| fleet.name(index).to_owned()).collect(), notes)
}

#[test]
fn of_several_sets_of_one_satellite_the_nearest_to_the_start_is_used() {
    let older = JSON.replace("2020-07-12T21", "2020-07-02T21").replace("ISS (ZARYA)", "ISS BEFORE");
    let both = format!("{},{}", older.trim_end_matches(']'), JSON.trim_start_matches('['));
    let at = |start| FleetOptions { start: Some(start), ..FleetOptions::default() };
    let (ke2m, before, after) = ("KESTREL EYE IIM (KE2M)", "ISS BEFORE", "ISS (ZARYA)");
    // The names are in the order of the file. If two sets are equally old, the first set is used.
    for (start, names, dropped) in [
        ("2020-07-12T22:00:00Z", [ke2m, after], [before, ke2m]),
        ("2020-07-02T22:00:00Z", [before, ke2m], [ke2m, after]),
        // The start is exactly between both epochs, at 2020-07-07T21:16. Of two equally near sets, the older set is
        // used, because it is propagated forward.
        ("2020-07-07T21:16:01.000416Z", [before, ke2m], [ke2m, after]),
        ("2020-07-07T21:17:00Z", [ke2m, after], [before, ke2m]),
        ("2020-07-07T21:15:00Z", [before, ke2m], [ke2m, after]),
    ] {
        let (mut found, notes) = flown(&both, at(start));
        found.sort();
        let mut names = names.map(str::to_owned).to_vec();
        names.sort();
        assert_eq!(found, names, "{start}");
        let mut left = dropped.map(str::to_owned).to_vec();
        left.sort();
        let Some(Note::Duplicates { dropped }) = notes.first() else { panic!("{notes:?}") };
        let mut dropped = dropped.clone();
        dropped.sort();
        assert_eq!(dropped, left, "{start}");
    }
    // Without a start, the run starts at the newest epoch of the file.
    assert!(flown(&both, FleetOptions::default()).0.contains(&after.to_owned()));
    // The number 0 means that there is no number. Names then identify the satellites.
    let unnumbered = JSON.replace("25544", "0").replace("42982", "0");
    assert_eq!(flown(&unnumbered, FleetOptions::default()).0.len(), 2);
}

#[test]
fn mixed_epochs_are_weighed() {
    // The ages at 2020-07-17T00:00 are 4.11 and 4.93 days, at altitudes of 410 and 360 km.
    let start = Some("2020-07-17T00:00:00Z");
    let (fleet, notes) = fleet_of(JSON, FleetOptions { start, ..FleetOptions::default() }).unwrap();
    assert!((fleet.age_days(0) - 4.114).abs() < 1e-3 && (fleet.age_days(1) - 4.931).abs() < 1e-3);
    let [Note::FarFromEpoch { satellites, days, off: Some(off), unknown: 0, .. }] = &notes[..] else {
        panic!("{notes:?}")
    };
    assert_eq!(satellites[..], ["KESTREL EYE IIM (KE2M)", "ISS (ZARYA)"]);
    // Measured errors of Starlink satellites below 450 km: 691 km and 3,077 km at 4 days, 2,245 km and 10,114 km at 7
    // days.
    assert!((days - 4.931).abs() < 1e-3 && (691.0..2245.0).contains(&off.median_km), "{off:?}");
    assert!((3076.0..10_114.0).contains(&off.p90_km), "{off:?}");
    let text = notes[0].to_string();
    assert!(text.contains("(up to 4.9 days); half of these have position errors of at most"), "{text}");
    // The run starts near the epochs, but it ends when the elements have the same age as above.
    let start = Some("2020-07-13T00:00:00Z");
    let (fleet, notes) = fleet_of(JSON, FleetOptions { start, ..FleetOptions::default() }).unwrap();
    assert_eq!((notes, fleet.far_at_end(Span::from_secs(86_399))), (Vec::new(), None));
    let at_end = fleet.far_at_end(Span::from_secs(4 * 86_400)).unwrap().to_string();
    assert_eq!(at_end, text.replace("from the start", "from the end"));

    // Outside the measured ages, no errors are given.
    let start = Some("2020-09-12T00:00:00Z");
    let (_, notes) = fleet_of(JSON, FleetOptions { start, ..FleetOptions::default() }).unwrap();
    let [Note::FarFromEpoch { off: None, unknown: 2, .. }] = &notes[..] else { panic!("{notes:?}") };
    assert!(notes[0].to_string().contains("the errors are unknown"), "{}", notes[0]);

    let start = Some("2020-07-17T00:00:00Z");
    let max_age = Some(Span::from_secs(86_400 * 9 / 2));
    let options = FleetOptions { start, max_age, ..FleetOptions::default() };
    let (fleet, notes) = fleet_of(JSON, options).unwrap();
    assert_eq!((fleet.len(), fleet.name(0)), (1, "ISS (ZARYA)"));
    let old = Note::TooOld { satellites: vec!["KESTREL EYE IIM (KE2M)".to_owned()], max_age_days: 4.5 };
    assert_eq!(notes[0], old);
    assert!(notes[0].to_string().contains("more than 4.5 days from the start"), "{}", notes[0]);
    let second = Note::TooOld { satellites: Vec::new(), max_age_days: 1.0 / 86_400.0 };
    assert!(second.to_string().contains("more than 1 s from the start"), "{second}");

    // The start precedes the epochs by more than the largest allowed age, so no satellite is left.
    let options = FleetOptions { start: Some("2020-07-01T00:00:00Z"), ..options };
    let error = fleet_of(JSON, options).unwrap_err();
    assert_eq!(error.code(), Code::FleetEmpty);
    assert!(error.to_string().contains("2 satellites were left out"), "{error}");

    // Without a start, the run starts at the newest epoch.
    let (fleet, notes) = fleet_of(JSON, FleetOptions::default()).unwrap();
    assert_eq!((fleet.start().as_str(), notes), ("2020-07-12T21:16:01.000416Z", Vec::new()));
}

#[test]
fn what_sgp4_refuses_is_named_or_left_out() {
    // At the newest epoch, a piece of debris in the catalogue is at a height of 42 km.
    let all = FleetOptions { objects: Objects::All, ..FleetOptions::default() };
    let error = fleet_of(STARLINK, all).unwrap_err();
    assert_eq!(error.code(), Code::OrbitPropagation);
    assert!(
        error.to_string().contains("FALCON 9 DEB") && error.to_string().contains("inside the atmosphere"),
        "{error}"
    );
    let skip = FleetOptions { on_bad: OnBad::Skip, ..FleetOptions::default() };

    // Errors 1 and 2, caused by invalid elements.
    for (text, number) in [
        (JSON.replace("0.0001413", "1.5"), 1),
        (JSON.replace("0.0001413", "-0.5"), 1),
        (JSON.replace("15.49507896", "0"), 2),
        (JSON.replace("15.49507896", "-15.5"), 2),
        (JSON.replace("15.49507896", "17.9"), 6),
    ] {
        let (fleet, notes) = fleet_of(&text, skip).unwrap();
        assert_eq!(fleet.len(), 1);
        let Note::Refused { satellites } = &notes[0] else { panic!("{notes:?}") };
        assert_eq!(
            (satellites[0].0.as_str(), satellites[0].1.number()),
            ("ISS (ZARYA)", Some(number)),
            "{notes:?}"
        );
    }
    assert_eq!(Refusal::from(sgp4::Error::NegativeSemiLatusRectum { t: 0.0 }).number(), Some(4));
}

#[test]
fn a_start_is_so_long_past_a_multiple_of_a_period() {
    let past = |start, period| Fleet::from_tle(LINES, Some(start)).unwrap().past(Span::from_secs(period));
    assert_eq!(past("2020-07-12T23:59:59.25Z", 15), Span::from_millis(14_250));
    assert_eq!(past("2020-07-12T23:59:59.25Z", 60), Span::from_millis(59_250));
    assert_eq!(past("2020-07-12T06:00:05Z", 86_400), Span::from_secs(6 * 3600 + 5));
}

/// A set with high drag. According to SGP4 (the reference code in `sgp4` 2.27), the satellite is at a height of 26 km
/// on day 207. SGP4 refuses it with error 6 from day 215 to day 740. From day 745 on, it is at 547 to 28,485 km.
const DRAG: &str = "\
1 45110U 20007A   23232.80903846 0.00110000  00000-0  32750-2 0    04
2 45110  69.9913 111.5649 0009740 159.9373 200.0626 15.34502222    06
";

#[test]
fn what_has_decayed_does_not_come_back() {
    let epoch = sgp4::chrono::NaiveDate::from_ymd_opt(2023, 8, 20).unwrap();
    let refused = |days: u64| {
        let start = format!("{}T20:00:00Z", epoch + sgp4::chrono::Days::new(days));
        fleet_of(&whole(DRAG), FleetOptions { start: Some(&start), ..FleetOptions::default() }).err()
    };
    for days in [0, 1, 30, 100, 180] {
        assert_eq!(refused(days), None, "day {days}");
    }
    for days in [207, 215, 300, 500, 735, 745, 800, 849, 1500, 3600] {
        let Some(OrbitError::Propagation { why, .. }) = refused(days) else { panic!("day {days} flies") };
        let decayed = matches!(why, Refusal::Decayed { .. } | Refusal::Atmosphere { .. });
        assert!(decayed, "day {days}: {why}");
    }
    // A height of 26 km without an error code.
    let Some(OrbitError::Propagation { why, .. }) = refused(207) else { panic!() };
    assert!(matches!(why, Refusal::Atmosphere { .. }), "{why}");
}

#[test]
fn a_satellite_without_a_finite_position_does_not_fly() {
    let refused = fleet_of(&JSON.replace("-3.1515e-5", "-3.1e95"), FleetOptions::default()).unwrap_err();
    assert!(matches!(refused, OrbitError::Propagation { why: Refusal::Diverged, .. }), "{refused}");
}

#[test]
fn epochs_and_starts_are_of_the_years_that_elements_know() {
    for (year, fine) in
        [("1956", false), ("1957", true), ("2056", true), ("2057", false), ("5066", false), ("-5047", false)]
    {
        let text = JSON.replace("2020-07-12T01", &format!("{year}-07-12T01"));
        match Catalogue::read(&text) {
            Ok(_) => assert!(fine, "{year}"),
            Err(error) => {
                assert!(!fine, "{year}: {error}");
                assert!(error.to_string().contains("must be between 1957 and 2056"), "{error}");
            }
        }
        let start = format!("{year}-07-12T01:00:00Z");
        let refused = fleet_of(JSON, FleetOptions { start: Some(&start), ..FleetOptions::default() });
        let by_its_year = matches!(refused, Err(OrbitError::StartSyntax { .. }));
        assert_eq!(by_its_year, !fine, "{year}");
    }
}

#[test]
fn orbits_that_contradict_themselves_or_leave_the_earth_do_not_fly() {
    let start = |text: &str, start: &str| {
        let start = start.to_owned();
        let start = start.as_str();
        let options = FleetOptions { start: Some(start), ..FleetOptions::default() };
        match fleet_of(text, options) {
            Err(OrbitError::Propagation { why, .. }) => Some(why),
            _ => None,
        }
    };
    // At 213 km, SGP4's axis is the square of a linear function of time. If B* is negative, the axis grows: by a
    // twentieth in ten days (`sgp4` 2.27 returns no error code). Drag has the same effect before the epoch.
    let low = DRAG.replace("15.34502222", "16.20000000");
    let (climbs, sinks) = (whole(&low.replace(" 32750-2", "-32750-2")), whole(&low));
    assert_eq!(start(&climbs, "2023-08-21T00:00:00Z"), None);
    assert_eq!(start(&sinks, "2023-08-20T00:00:00Z"), None);
    assert!(matches!(start(&climbs, "2025-08-20T00:00:00Z"), Some(Refusal::Contradiction { .. })));
    assert!(matches!(start(&sinks, "2021-08-20T00:00:00Z"), Some(Refusal::Contradiction { .. })));
    // a = (mu / n^2)^(1/3). For 0.0001 revolutions per day, a is 19.6 million km. For the 0.0366 of the Moon, a is
    // 383,000 km.
    let slow = |motion: &str| JSON.replace("15.49507896", motion);
    assert!(matches!(start(&slow("0.0001"), "2020-07-12T22:00:00Z"), Some(Refusal::Escape { .. })));
    assert_eq!(start(&slow("0.0366"), "2020-07-12T22:00:00Z"), None);
    // The axis in the message must agree with the mean motion. For 15.495 revolutions per day, the axis is 6,796 km.
    let axis =
        |km: &str| JSON.replacen("\"OBJECT_ID\"", &format!("\"SEMIMAJOR_AXIS\": {km}, \"OBJECT_ID\""), 1);
    assert!(Catalogue::read(&axis("6796.0")).is_ok());
    assert!(Catalogue::read(&axis("7391.0")).unwrap_err().to_string().contains("SEMIMAJOR_AXIS is 7391 km"));
}

#[test]
fn what_is_declared_to_be_no_working_satellite_is_left_out() {
    // The marks of CelesTrak and of Space-Track, in names and in fields.
    for (name, other) in [
        ("FALCON 9 DEB", Some(Other::Debris)),
        ("IRIDIUM 33 DEB", Some(Other::Debris)),
        ("COSMOS 2251 DEBRIS (COOLANT)", Some(Other::Debris)),
        ("CZ-6A R/B", Some(Other::RocketBody)),
        ("DELTA 2 R/B(1)", Some(Other::RocketBody)),
        ("SL-12 R/B(AUX MOTOR)", Some(Other::RocketBody)),
        ("FALCON 9 DEB [-]", Some(Other::Dead)),
        ("STAR 48 PKM", Some(Other::Part)),
        ("SL-8 PLAT", Some(Other::Part)),
        ("OBJECT A", Some(Other::Unidentified)),
        ("OBJECT BZ", Some(Other::Unidentified)),
        ("TBA - TO BE ASSIGNED", Some(Other::Unidentified)),
        ("tba", Some(Other::Unidentified)),
        ("UNKNOWN", Some(Other::Unidentified)),
        ("STARLINK-G10-2 STACK", Some(Other::Stack)),
        ("IRIDIUM 20 [-]", Some(Other::Dead)),
        ("STARLINK-1234 [D]", Some(Other::Decayed)),
        ("IRIDIUM 106 [+]", None),
        ("IRIDIUM 162 [S]", None),
        ("ORBCOMM FM37 [P]", None),
        ("NOAA 18 [B]", None),
        ("STARLINK-1130 (DARKSAT)", None),
        ("STARLINK-G10-2 SINGLE", None),
        ("DEBUTSAT", None),
        ("OBJECTIVE SAT", None),
        ("TBAX", None),
    ] {
        let text = JSON.replace("ISS (ZARYA)", name);
        let record = &Catalogue::read(&text).unwrap().records[0];
        assert_eq!(orbit::objects::declared(record), other, "{name}");
    }
    let with = |field: &str| JSON.replacen("\"OBJECT_ID\"", &format!("{field}, \"OBJECT_ID\""), 1);
    let start = Some("2020-07-13T00:00:00Z");
    let options = FleetOptions { start, ..FleetOptions::default() };
    for (field, other) in [
        ("\"OBJECT_TYPE\": \"DEBRIS\"", Some(Other::Debris)),
        ("\"OBJECT_TYPE\": \"ROCKET BODY\"", Some(Other::RocketBody)),
        ("\"OBJECT_TYPE\": \"UNKNOWN\"", Some(Other::Unidentified)),
        ("\"OBJECT_TYPE\": \"TBA\"", Some(Other::Unidentified)),
        ("\"OBJECT_TYPE\": \"PAYLOAD\", \"RCS_SIZE\": \"SMALL\"", None),
        ("\"OPS_STATUS_CODE\": \"-\"", Some(Other::Dead)),
        ("\"OPS_STATUS_CODE\": \"+\"", None),
        ("\"DECAY_DATE\": \"2020-07-12\"", Some(Other::Decayed)),
        ("\"DECAY_DATE\": \"2020-07-14\"", None),
        ("\"DECAY_DATE\": null", None),
    ] {
        let (names, notes) = flown(&with(field), options);
        match other {
            Some(other) => {
                assert_eq!(names, ["KESTREL EYE IIM (KE2M)"], "{field}");
                assert_eq!(notes, [Note::NotSatellites { objects: vec![("ISS (ZARYA)".to_owned(), other)] }]);
            }
            None => assert_eq!((names.len(), notes), (2, Vec::new()), "{field}"),
        }
    }
    // From its day of decay on, a satellite is missing, even if SGP4 can propagate it.
    let text = with("\"DECAY_DATE\": \"2020-07-14\"");
    let fleet = Satellites::Sgp4(Fleet::from_tle(&text, start).unwrap());
    assert!(fleet.position(0, Time::from_secs_f64(86_399.0)).is_ok());
    let error = fleet.position(0, Time::from_secs_f64(86_400.0)).unwrap_err();
    assert!(error.to_string().contains("DECAY_DATE"), "{error}");
    let all = FleetOptions { objects: Objects::All, on_bad: OnBad::Skip, ..options };
    let (names, notes) = flown(&with("\"DECAY_DATE\": \"2020-07-12\""), all);
    assert_eq!(names, ["KESTREL EYE IIM (KE2M)"]);
    assert!(matches!(notes[..], [Note::Refused { .. }]), "{notes:?}");
    assert!(with("\"DECAY_DATE\": \"soon\"").parse_fails("DECAY_DATE"));
}

trait ParseFails {
    fn parse_fails(&self, word: &str) -> bool;
}

impl ParseFails for String {
    fn parse_fails(&self, word: &str) -> bool {
        Catalogue::read(self).is_err_and(|error| error.to_string().contains(word))
    }
}

#[test]
fn the_shipped_catalogue_has_starlinks_alone() {
    // `grep -c '^FALCON 9 DEB' data/starlink_2022-09-14.tle` counts 31 of 3,023 names. One other object is SHERPA-LTC2.
    let skip = FleetOptions { on_bad: OnBad::Skip, ..FleetOptions::default() };
    let (names, notes) = flown(STARLINK, skip);
    assert!(names.iter().all(|name| name.starts_with("STARLINK")));
    let Note::NotSatellites { objects } = &notes[0] else { panic!("{notes:?}") };
    let count = |kind| objects.iter().filter(|(_, other)| *other == kind).count();
    let debris = STARLINK.lines().filter(|line| line.starts_with("FALCON 9 DEB")).count();
    assert_eq!((count(Other::Debris), count(Other::Stranger), objects.len()), (debris, 1, debris + 1));
    let text = notes[0].to_string();
    assert!(text.contains("debris (FALCON 9 DEB)") && text.contains("SHERPA-LTC2"), "{text}");
    assert!(text.contains("objects = \"all\""), "{text}");
    let all = FleetOptions { objects: Objects::All, ..skip };
    // Results of `sgp4` 2.27 at the newest epoch: error 1 (STARLINK-4653), error 6, and a piece of debris at a height
    // of 59 km without an error.
    assert_eq!(flown(STARLINK, all).0.len(), 3020);
    // Catalogues of many owners have no family.
    let mixed: String = STARLINK
        .lines()
        .scan(0, |set, line| {
            *set += usize::from(line.starts_with("STARLINK"));
            Some(if *set % 20 == 0 { line.replace("STARLINK-", "ONEWEB-0") } else { line.to_owned() } + "\n")
        })
        .collect();
    let (names, _) = flown(&mixed, skip);
    assert!(names.iter().any(|name| name.starts_with("ONEWEB")));
}

#[test]
fn xml_and_key_values_are_read() {
    // The first message of `JSON`, in CelesTrak's layout of FORMAT=xml and FORMAT=kvn (CCSDS 505.0-B-2 and 502.0-B-3).
    let kvn = "\
CCSDS_OMM_VERS = 2.0
COMMENT GENERATED FOR A TEST
CREATION_DATE = 2020-07-12T22:00:00
ORIGINATOR = TEST

OBJECT_NAME = ISS (ZARYA)
OBJECT_ID = 1998-067A
CENTER_NAME = EARTH
REF_FRAME = TEME
TIME_SYSTEM = UTC
MEAN_ELEMENT_THEORY = SGP4

EPOCH = 2020-07-12T21:16:01.000416
MEAN_MOTION = 15.49507896 [rev/day]
ECCENTRICITY = .0001413
INCLINATION = 51.6461 [deg]
RA_OF_ASC_NODE = 221.2784 [deg]
ARG_OF_PERICENTER = 89.1723 [deg]
MEAN_ANOMALY = 280.4612 [deg]
EPHEMERIS_TYPE = 0
CLASSIFICATION_TYPE = U
NORAD_CAT_ID = 25544
ELEMENT_SET_NO = 999
REV_AT_EPOCH = 23600
BSTAR = -.31515E-4
MEAN_MOTION_DOT = -.2218E-4
MEAN_MOTION_DDOT = 0
USER_DEFINED_OBJECT_TYPE = PAYLOAD
";
    let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<ndm xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><omm id=\"CCSDS_OMM_VERS\" version=\"2.0\"><header/><body>
<segment><metadata><OBJECT_NAME>ISS (ZARYA)</OBJECT_NAME><OBJECT_ID>1998-067A</OBJECT_ID><CENTER_NAME>EARTH</CENTER_NAME>
<REF_FRAME>TEME</REF_FRAME><TIME_SYSTEM>UTC</TIME_SYSTEM><MEAN_ELEMENT_THEORY>SGP4</MEAN_ELEMENT_THEORY></metadata>
<data><meanElements><EPOCH>2020-07-12T21:16:01.000416</EPOCH><MEAN_MOTION>15.49507896</MEAN_MOTION>
<ECCENTRICITY>.0001413</ECCENTRICITY><INCLINATION>51.6461</INCLINATION><RA_OF_ASC_NODE>221.2784</RA_OF_ASC_NODE>
<ARG_OF_PERICENTER>89.1723</ARG_OF_PERICENTER><MEAN_ANOMALY>280.4612</MEAN_ANOMALY></meanElements>
<tleParameters><EPHEMERIS_TYPE>0</EPHEMERIS_TYPE><CLASSIFICATION_TYPE>U</CLASSIFICATION_TYPE>
<NORAD_CAT_ID>25544</NORAD_CAT_ID><ELEMENT_SET_NO>999</ELEMENT_SET_NO><REV_AT_EPOCH>23600</REV_AT_EPOCH>
<BSTAR>-.31515E-4</BSTAR><MEAN_MOTION_DOT>-.2218E-4</MEAN_MOTION_DOT><MEAN_MOTION_DDOT>0</MEAN_MOTION_DDOT></tleParameters>
<userDefinedParameters><USER_DEFINED parameter=\"OBJECT_TYPE\">PAYLOAD</USER_DEFINED></userDefinedParameters></data>
</segment></body></omm></ndm>";
    let json = Catalogue::read(JSON).unwrap().records.remove(0).set;
    for text in [kvn.to_owned(), xml.to_owned(), format!("\u{feff}{}", kvn.replace('\n', "\r\n"))] {
        let record = Catalogue::read(&text).unwrap().records.remove(0);
        assert_eq!((record.set, record.kind.as_deref()), (json.clone(), Some("PAYLOAD")));
    }
    let two = format!("{kvn}\n{}", kvn.replace("25544", "25545"));
    assert_eq!(Catalogue::read(&two).unwrap().records.len(), 2);
    let error = Catalogue::read(&xml.replace("51.6461", "east")).unwrap_err();
    assert!(error.to_string().contains("line 6") && error.to_string().contains("INCLINATION"), "{error}");
}

#[test]
fn the_name_of_a_file_says_its_format_first() {
    let of = |name: &str| Format::of(std::path::Path::new(name));
    assert_eq!(
        [of("a.CSV"), of("a.json"), of("a.xml"), of("a.kvn")].map(Option::unwrap),
        [Format::Csv, Format::Json, Format::Xml, Format::Kvn]
    );
    // Files with these extensions may have any format.
    assert_eq!([of("a.tle"), of("a.txt"), of("a.3le"), of("a")], [None; 4]);
    // The error message is the message of the format.
    for (name, text, word) in [
        ("a.csv", String::new(), "the table is empty"),
        ("a.csv", "a;b\n1;2\n".to_owned(), "semicolons"),
        ("a.csv", LINES.to_owned(), "first row must name the fields"),
        ("a.json", LINES.to_owned(), "not JSON"),
        ("a.json", String::new(), "not JSON"),
        ("a.xml", JSON.to_owned(), "not XML"),
        ("a.kvn", CSV.to_owned(), "KEYWORD = value"),
    ] {
        let error = Catalogue::read_as(&text, of(name)).unwrap_err();
        assert_eq!(error.code(), Code::ElementsSyntax);
        assert!(error.to_string().contains(word), "{name}: {error}");
    }
    assert_eq!(Catalogue::read_as(JSON, of("a.tle")).unwrap(), Catalogue::read(JSON).unwrap());
}

/// Returns a set in two lines with correct checksums. The arguments are name, number, epoch (year and day),
/// eccentricity, and the columns of the element set number.
fn lines(name: &str, number: u32, epoch: &str, eccentricity: &str, set: &str) -> String {
    let first = format!("1 {number:05}U 20001A   {epoch}  .00000000  00000-0  00000-0 0 {set}");
    let second = format!("2 {number:05}  53.0000 100.0000 {eccentricity}  90.0000   0.0000 13.15000000    1");
    format!("{name}\n{first}{}\n{second}{}\n", tle::checksum(&first), tle::checksum(&second))
}

fn names(fleet: &Fleet) -> Vec<&str> {
    (0..fleet.len()).map(|index| fleet.name(index)).collect()
}

#[test]
fn the_set_is_chosen_before_its_object_is_judged() {
    let (then, later) = ("22247.50000000", "22257.50000000");
    let set = |name, number, epoch| lines(name, number, epoch, "0001000", " 999");
    let history =
        set("BIRD 7", 10001, then) + &set("BIRD 7 [-]", 10001, later) + &set("BIRD 8", 10002, later);
    let (fleet, notes) = fleet_of(&history, FleetOptions::default()).unwrap();
    assert_eq!(names(&fleet), ["BIRD 8"]);
    assert!(notes.iter().any(|note| note.to_string().contains("not operational (BIRD 7 [-])")), "{notes:?}");
    // At a start at which the satellite still worked, it is used.
    let start = Some("2022-09-04T12:00:00Z");
    let (fleet, _) = fleet_of(&history, FleetOptions { start, ..FleetOptions::default() }).unwrap();
    assert_eq!(names(&fleet), ["BIRD 7", "BIRD 8"]);
    // The nearest set has no name. It gets the name of the newest set.
    let history = set("TBA - TO BE ASSIGNED", 10001, then) + &set("BIRD 9", 10001, later);
    let (fleet, _) = fleet_of(&history, FleetOptions { start, ..FleetOptions::default() }).unwrap();
    assert_eq!((names(&fleet), fleet.age_days(0)), (vec!["BIRD 9"], 0.0));
}

#[test]
fn what_does_not_fly_and_slips_of_the_pen_do_not_set_the_start() {
    let good: String =
        (1..10).map(|number| lines("BIRD", number, "22257.50000000", "0001000", " 999")).collect();
    let start = |text: &str| Catalogue::read(text).unwrap().newest_epoch(Objects::Satellites);
    assert_eq!(start(&good), "2022-09-14T12:00:00Z");
    // An epoch that is a few days newer is accepted.
    assert_eq!(
        start(&(good.clone() + &lines("BIRD", 10, "22260.50000000", "0001000", " 999"))),
        "2022-09-17T12:00:00Z"
    );
    // An epoch that is ten years later is a mistake.
    assert_eq!(
        start(&(good.clone() + &lines("BIRD", 10, "32257.50000000", "0001000", " 999"))),
        "2022-09-14T12:00:00Z"
    );
    // A piece of debris, and a set that was made after the object had decayed.
    assert_eq!(
        start(&(good + &lines("BIRD DEB", 10, "22260.50000000", "0001000", " 999"))),
        "2022-09-14T12:00:00Z"
    );
    let decayed = JSON.replace(
        "\"2020-07-12T21:16:01.000416\",",
        "\"2020-07-12T21:16:01.000416\", \"DECAY_DATE\": \"2020-07-01\",",
    );
    assert_eq!(start(&decayed), "2020-07-12T01:38:52.903968Z");
}

/// The format implies a decimal point before columns 27 to 33. In other fields, the format has blanks for leading
/// zeros.
#[test]
fn blanks_of_a_fraction_are_zeros() {
    let read =
        |eccentricity: &str| tle::parse(&lines("BIRD", 1, "22257.50000000", eccentricity, " 999")).unwrap();
    for (written, expected) in [("0001000", 0.0001), ("   1000", 0.0001), ("1000   ", 0.1), ("      1", 1e-7)]
    {
        let found = read(written)[0].eccentricity;
        assert!((found - expected).abs() < 1e-12, "{written}: {found}");
    }
    let no_number = tle::parse(&lines("BIRD", 1, "22257.50000000", "0001000", "    ")).unwrap();
    assert_eq!(no_number[0].element_set_number, 0);
    let error = tle::parse(&lines("BIRD", 1, "22257.50000000", "0001000", "99x9")).unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("number of the set"), "{error}");
    let indented = format!(" {}", &lines("BIRD", 1, "22257.50000000", "0001000", " 999")[5..]);
    let error = tle::parse(&indented).unwrap_err().to_string();
    assert!(error.contains("line 1 of the set begins with blanks"), "{error}");
}

#[test]
fn angles_have_a_range_and_keys_stand_once() {
    let refused = |text: &str| Catalogue::read(text).unwrap_err().to_string();
    for (key, wrong) in [
        ("\"INCLINATION\": 51.6461", "\"INCLINATION\": -5"),
        ("\"INCLINATION\": 51.6461", "\"INCLINATION\": 353"),
        ("\"RA_OF_ASC_NODE\": 221.2784", "\"RA_OF_ASC_NODE\": 400"),
        ("\"MEAN_ANOMALY\": 280.4612", "\"MEAN_ANOMALY\": 1e300"),
    ] {
        assert!(JSON.contains(key), "{key}");
        let error = refused(&JSON.replace(key, wrong));
        assert!(error.contains("record 1") && error.contains("degrees, not between"), "{error}");
    }
    let twice = JSON.replace("\"BSTAR\": -3.1515e-5", "\"BSTAR\": -3.1515e-5, \"BSTAR\": 0");
    assert!(refused(&twice).contains("BSTAR is given twice"), "{}", refused(&twice));
    let xml = "<ndm><omm><BSTAR>0</BSTAR><BSTAR>1</BSTAR></omm></ndm>";
    assert!(refused(xml).contains("BSTAR is given twice"), "{}", refused(xml));
    assert!(refused("<!DOCTYPE html>\n<html></html>").contains("web page"));
    let json = Catalogue::read_as(JSON, Some(Format::Csv)).unwrap_err().to_string();
    assert!(json.contains("it is JSON"), "{json}");
}

/// 502.0-B-3, table 4-3, requires degrees and revolutions per day. 0.925 rad are 53 degrees.
#[test]
fn other_units_than_those_of_the_standard_are_refused() {
    let kvn = "CCSDS_OMM_VERS = 2.0\nOBJECT_NAME = BIRD\nNORAD_CAT_ID = 50001\nEPOCH = 2022-09-14T12:00:00\n\
               MEAN_MOTION = 15.06 [rev/day]\nECCENTRICITY = 0.0001\nINCLINATION = 53.0 [deg]\nRA_OF_ASC_NODE = 10\n\
               ARG_OF_PERICENTER = 0\nMEAN_ANOMALY = 0\nBSTAR = 0 [1/ER]\nGM = 398600.8 [km**3/s**2]\n";
    assert_eq!(Catalogue::read(kvn).unwrap().records[0].set.inclination, 53.0);
    let refused = |text: &str| Catalogue::read(text).unwrap_err().to_string();
    let error = refused(&kvn.replace("53.0 [deg]", "0.925 [rad]"));
    assert!(error.contains("line 7") && error.contains("INCLINATION has the unit [rad]"), "{error}");
    let error = refused(&kvn.replace("15.06 [rev/day]", "5737 [s]"));
    assert!(error.contains("line 5") && error.contains("[rev/day]"), "{error}");
    // Other errors also have the place of their field. If a field is missing, the error has the place of the message.
    let two = |change: &dyn Fn(&str) -> String| format!("{kvn}{}", change(&kvn.replace("50001", "50002")));
    for (good, bad, place, word) in [
        ("INCLINATION = 53.0", "INCLINATION = fifty", "line 19", "INCLINATION is \"fifty\""),
        ("EPOCH = 2022-09-14", "EPOCH = 2022-19-14", "line 16", "EPOCH is"),
        ("OBJECT_NAME = BIRD", "TIME_SYSTEM = TAI", "line 14", "TIME_SYSTEM is \"TAI\""),
        ("BSTAR = 0 [1/ER]", "bstar = 0", "line 23", "write BSTAR"),
        ("50002", "1234567890", "line 15", "nine digits"),
        ("BSTAR = 0 [1/ER]\n", "", "line 13", "BSTAR is missing"),
    ] {
        let error = refused(&two(&|text| text.replace(good, bad)));
        assert!(error.contains(place) && error.contains(word), "{error}");
    }
    let xml = |inclination: &str| {
        format!(
            "<omm><OBJECT_NAME>BIRD</OBJECT_NAME><NORAD_CAT_ID>50001</NORAD_CAT_ID>\
             <EPOCH>2022-09-14T11:06:57<!-- read --><![CDATA[.5]]></EPOCH><MEAN_MOTION>15<?of 2?>.06</MEAN_MOTION>\
             <ECCENTRICITY>0</ECCENTRICITY><RA_OF_ASC_NODE>10</RA_OF_ASC_NODE><ARG_OF_PERICENTER>0</ARG_OF_PERICENTER>\
             <MEAN_ANOMALY>0</MEAN_ANOMALY><BSTAR>0</BSTAR>\n{inclination}</omm>"
        )
    };
    // Comments and processing instructions inside an XML text are not part of its value.
    let set =
        Catalogue::read(&xml("<INCLINATION units=\"DEG\">53</INCLINATION>")).unwrap().records.remove(0).set;
    assert_eq!((set.mean_motion, set.datetime.and_utc().timestamp_millis() % 1000), (15.06, 500));
    let error = refused(&xml("<INCLINATION units=\"rad\">0.925</INCLINATION>"));
    assert!(error.contains("line 2") && error.contains("INCLINATION has the unit [rad]"), "{error}");
    let error = refused(&xml("\n<INCLINATION>fifty</INCLINATION>"));
    assert!(error.contains("line 3") && error.contains("INCLINATION is \"fifty\""), "{error}");
    let error = refused(&format!("<ndm>\n{}</ndm>", xml("")));
    assert!(error.contains("line 2") && error.contains("INCLINATION is missing"), "{error}");
}

#[test]
fn keywords_in_small_letters_are_refused_where_they_would_be_left_out() {
    let head = "OBJECT_NAME,NORAD_CAT_ID,EPOCH,MEAN_MOTION,ECCENTRICITY,INCLINATION,RA_OF_ASC_NODE,ARG_OF_PERICENTER,\
                MEAN_ANOMALY,BSTAR";
    let row = "BIRD,50001,2022-09-14T12:00:00,15.06,0.0001,53,10,0,0,0";
    let table = |field: &str| format!("# of a test\n{head},{field}\n{row},DEBRIS\n");
    assert_eq!(Catalogue::read(&table("OBJECT_TYPE")).unwrap().records[0].kind.as_deref(), Some("DEBRIS"));
    let error = Catalogue::read(&table("object_type")).unwrap_err().to_string();
    assert!(error.contains("object_type is not a keyword of the standard: write OBJECT_TYPE"), "{error}");
    // Fields that are not read may have any keyword.
    assert!(Catalogue::read(&table("colour")).is_ok());
    let json = JSON.replace("\"OBJECT_NAME\"", "\"object_name\"");
    assert!(Catalogue::read(&json).unwrap_err().to_string().contains("object_name"));
}

#[test]
fn sets_that_contradict_each_other_are_told_and_nameless_ones_of_no_number_are_satellites_each() {
    let plane = |node: &str, name: &str, number: u32| {
        let first = format!("1 {number:05}U 20001A   22257.50000000  .00000000  00000-0  00000-0 0  999");
        let second = format!("2 {number:05}  53.0000 {node} 0001000  90.0000   0.0000 13.15000000    1");
        format!("{name}{first}{}\n{second}{}\n", tle::checksum(&first), tle::checksum(&second))
    };
    let two = plane("100.0000", "BIRD\n", 50_001) + &plane("190.0000", "BIRD\n", 50_001);
    let (fleet, notes) = fleet_of(&two, FleetOptions::default()).unwrap();
    assert_eq!(fleet.len(), 1);
    let said: Vec<String> = notes.iter().map(Note::to_string).collect();
    assert!(
        said.iter().any(|note| note.contains("different sets with the same number and epoch")),
        "{said:?}"
    );
    // Two identical sets do not contradict each other.
    let same = plane("100.0000", "BIRD\n", 50_001).repeat(2);
    let (_, notes) = fleet_of(&same, FleetOptions::default()).unwrap();
    assert!(matches!(&notes[..], [Note::Duplicates { dropped }] if dropped.len() == 1), "{notes:?}");
    let nameless = plane("100.0000", "", 0) + &plane("190.0000", "", 0);
    assert_eq!(fleet_of(&nameless, FleetOptions::default()).unwrap().0.len(), 2);
}

#[test]
fn two_lines_of_two_objects_are_told_by_their_numbers() {
    let one = lines("BIRD", 50_001, "22257.50000000", "0001000", " 999");
    let other = lines("BIRD", 50_002, "22257.50000000", "0001000", " 999");
    let mixed: Vec<&str> = one.lines().take(2).chain(other.lines().skip(2)).collect();
    let error = Catalogue::read(&mixed.join("\n")).unwrap_err().to_string();
    assert!(
        error.contains("line 3") && error.contains("number is 50002") && error.contains("line 1 is 50001"),
        "{error}"
    );
}
