// SPDX-License-Identifier: MIT OR Apache-2.0
//! Masks (skylines), and the angle to the geostationary arc, in scenarios.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use bentpipe_scenario::{NetworkChoice, Scenario, ScenarioError};
use std::path::PathBuf;
use topology::ConstellationSpec;
use units::Code;

fn text(keys: &str) -> String {
    format!(
        "[network.constellation]\npreset = \"iridium\"\n{keys}\n[[flows]]\ncontroller = \"reno\"\nfrom = \"Paris\"\n\
         to = \"Madrid\"\n"
    )
}

fn read(keys: &str) -> Result<Scenario, ScenarioError> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/masks/a.toml");
    Scenario::from_toml(&text(keys), &folder.display().to_string())
}

fn spec(scenario: &Scenario) -> &ConstellationSpec {
    let NetworkChoice::Constellation { spec, .. } = &scenario.network else { panic!("it has satellites") };
    spec
}

#[test]
fn masks_are_read_and_written() {
    let points = [(0.0, 25.0), (90.0, 40.5), (270.0, -1.0)];
    for mask in ["mask = [[0, 25], [90, 40.5], [270, -1]]", "mask_file = \"skyline.csv\""] {
        let keys = format!(
            "gso_exclusion = \"18 deg\"\npops = [{{ name = \"Rome\" }}]\nsites = [{{ name = \"Paris\", {mask} }}]\n\
             gateways = [{{ name = \"Madrid\", pop = \"Rome\", gso_exclusion = \"4 deg\", {mask} }}]"
        );
        let scenario = read(&keys).unwrap_or_else(|error| panic!("{error}"));
        let spec = spec(&scenario);
        let around = |mask: Option<&topology::Mask>| mask.map(|mask| mask.points().to_vec());
        assert_eq!(around(spec.mask("Paris")), Some(points.to_vec()));
        assert_eq!(around(spec.gateways[0].mask.as_ref()), Some(points.to_vec()));
        assert_eq!(around(spec.mask("Madrid")), None);
        let own = spec.gateways[0].gso_exclusion.map(units::Angle::deg);
        assert_eq!((spec.gso_exclusion.deg(), own), (18.0, Some(4.0)));
        // The printed text contains the points of the file, so it can be read anywhere.
        let again = Scenario::from_toml(&scenario.to_toml(""), "b.toml");
        assert_eq!(again.unwrap_or_else(|error| panic!("{error}")).network, scenario.network);
    }
    assert_eq!(spec(&read("").expect("it is a scenario")).gso_exclusion.deg(), 0.0);
}

#[test]
fn masks_that_are_none_say_where_and_why() {
    for (mask, key, why) in [
        ("mask = []", "sites[0].mask", "a mask needs at least one point (write mask = [[0, 25], [90, 40]])"),
        (
            "mask = [[0, 25], [90]]",
            "sites[0].mask[1]",
            "an azimuth and an elevation, in degrees (write [90, 40])",
        ),
        (
            "mask = [[0, 25], [400, 3]]",
            "sites[0].mask[1]",
            "400 is not an azimuth: it must be within 0 and 360 degrees",
        ),
        (
            "mask = [[0, 95]]",
            "sites[0].mask[0]",
            "95 is not an elevation: it must be within -5 and 90 degrees",
        ),
        (
            "mask = [[90, 5], [0, 5]]",
            "sites[0].mask[1]",
            "azimuth 0 comes after 90 (sort the points by azimuth",
        ),
        (
            "mask = [[0, 5]], mask_file = \"skyline.csv\"",
            "sites[0].mask_file",
            "contradict each other (keep one of them)",
        ),
        (
            "fibre = true, mask = [[0, 5]]",
            "sites[0]",
            "this place has no dish (remove these keys, or remove `fibre`)",
        ),
    ] {
        let error =
            read(&format!("pops = [{{ name = \"Rome\" }}]\nsites = [{{ name = \"Paris\", {mask} }}]"));
        let error = error.expect_err(mask);
        assert_eq!((error.code(), error.line()), (Code::ScenarioValue, Some(4)), "{error}");
        assert_eq!(error.key(), format!("network.constellation.{key}"), "{error}");
        assert!(error.message().contains(why), "{error}");
    }
    let error = read("gso_exclusion = \"91 deg\"").expect_err("it is too large");
    assert!(error.message().contains("must be within 0 deg and 90 deg"), "{error}");
}

#[test]
fn files_of_masks_say_which_line_is_wrong() {
    for (file, code, words) in [
        ("missing.csv", Code::ScenarioUnreadable, "missing.csv: cannot read the mask: there is no such file"),
        (
            "columns.csv",
            Code::ScenarioMissingKey,
            "columns.csv:1: a mask file needs the columns azimuth_deg,elevation_deg in its first line, not \"az,el\"",
        ),
        ("word.csv", Code::ScenarioValue, "word.csv:3: elevation_deg: \"high\" is not a number of degrees"),
        ("order.csv", Code::ScenarioValue, "order.csv:4: azimuth 10 comes after 20"),
        ("short.csv", Code::ScenarioUnreadable, "short.csv:3: the row has 1 value, but the header names 2"),
        ("empty.csv", Code::ScenarioValue, "empty.csv: a mask needs at least one point"),
    ] {
        let error =
            read(&format!("sites = [{{ name = \"Paris\", mask_file = \"{file}\" }}]")).expect_err(file);
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}
