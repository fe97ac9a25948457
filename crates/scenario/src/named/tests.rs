// SPDX-License-Identifier: MIT OR Apache-2.0
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use std::path::PathBuf;
use topology::{IslPattern, Orbits, Visibility};
use units::{Angle, Span};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/");

#[test]
fn a_preset_is_itself() {
    assert_eq!(constellation("iridium", "").unwrap().spec, presets::find("iridium").unwrap());
}

#[test]
fn changes_take_the_place_of_what_stands_there() {
    let changed =
        constellation("starlink-550", "min_elevation = \"40 deg\"\nisl = { shift = 0 }").unwrap().spec;
    let isl =
        presets::find("starlink-550").unwrap().isl.map(|isl| topology::IslSpec { shift: Some(0), ..isl });
    assert_eq!(changed.visibility, Visibility::Elevation(Angle::from_deg(40.0)));
    assert_eq!(changed.isl, isl);
}

#[test]
fn a_file_of_elements_has_the_rules_of_starlink() {
    let name = format!("{DATA}oneweb_2022-09-14.tle");
    let spec = constellation(&name, "start = \"2022-09-14T00:00:00Z\"").unwrap().spec;
    let starlink = presets::find("starlink-550").unwrap();
    assert_eq!((&spec.name, &spec.isl), (&"oneweb_2022-09-14".to_owned(), &starlink.isl));
    assert_eq!((spec.visibility, &spec.uplink), (starlink.visibility, &starlink.uplink));
    let Orbits::Catalogue { file, start, skip_unusable, .. } = &spec.shells[0].orbits else {
        panic!("{spec:?}")
    };
    assert_eq!(
        (file, start.as_deref(), *skip_unusable),
        (&PathBuf::from(name), Some("2022-09-14T00:00:00Z"), true)
    );
    let spec = constellation("x.csv", "isl = { pairs = [[0, 1]] }\nunusable = \"refuse\"").unwrap().spec;
    assert_eq!(spec.isl.unwrap().pattern, IslPattern::List(vec![(0, 1)]));
}

#[test]
fn a_scenario_lends_its_constellation_and_its_places() {
    let folder = std::env::temp_dir().join(format!("bentpipe-named-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("own.toml");
    let text = "[network.constellation]\npreset = \"geo\"\nsites = [{ name = \"Here\", latitude = \"1 deg\", \
                longitude = \"2 deg\" }]\n[[flows]]\nfrom = \"Here\"\n";
    std::fs::write(&file, text).unwrap();
    let named = constellation(file.to_str().unwrap(), "").unwrap();
    let changed = constellation(file.to_str().unwrap(), "offset = \"1 h\"").unwrap();
    std::fs::write(&file, text.replace("preset", "presset")).unwrap();
    let error = constellation(file.to_str().unwrap(), "").unwrap_err();
    std::fs::remove_dir_all(folder).unwrap();
    assert_eq!(named.spec, presets::find("geo").unwrap());
    assert_eq!(named.site("Here").unwrap().longitude.deg(), 2.0);
    assert_eq!(named.site("Boston").unwrap().latitude.deg(), 42.3);
    assert_eq!(changed.spec.offset, Span::from_secs(3600));
    assert_eq!((error.code(), error.line()), (Code::ScenarioUnknownKey, Some(2)));
}

#[test]
fn what_is_refused_says_what_there_could_be() {
    let error = constellation("irridium", "").unwrap_err();
    assert_eq!(error.code(), Code::PresetUnknown);
    let text = error.to_string();
    assert!(text.contains("\"iridium\"") && text.contains(".tle") && text.contains(".toml"), "{text}");
    assert_eq!(constellation("none.toml", "").unwrap_err().code(), Code::ScenarioUnreadable);
    assert_eq!(constellation("iridium", "colour = 1").unwrap_err().code(), Code::ScenarioUnknownKey);
    assert_eq!(constellation("iridium", "start = \"x\"").unwrap_err().code(), Code::ScenarioValue);
    assert_eq!(constellation("", "").unwrap_err().code(), Code::ScenarioMissingKey);
}
