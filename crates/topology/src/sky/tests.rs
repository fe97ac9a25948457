// SPDX-License-Identifier: MIT OR Apache-2.0
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::spec::Shell;
use ::orbit::Objects;
use std::path::PathBuf;

/// Returns a set with a circular orbit of 13.15 revolutions per day. The epoch is a day of 2022.
fn set(name: &str, number: u32, day: &str) -> String {
    let first = format!("1 {number:05}U 20001A   22{day}.50000000  .00000000  00000-0  00000-0 0  999");
    let second = format!(
        "2 {number:05}  53.0000 {:>8.4} 0001000  90.0000   0.0000 13.15000000    1",
        f64::from(number)
    );
    let sum = ::orbit::tle::checksum;
    format!("{name}\n{first}{}\n{second}{}\n", sum(&first), sum(&second))
}

fn sky_over(files: &[PathBuf], sites: &[Site]) -> Sky {
    let orbits = |file: &PathBuf| Orbits::Catalogue {
        file: file.clone(),
        start: Some("2022-09-14T12:00:00Z".to_owned()),
        oldest: None,
        skip_unusable: false,
        objects: Objects::Satellites,
    };
    let shells =
        files.iter().map(|file| Shell { name: file.display().to_string(), orbits: orbits(file) }).collect();
    let spec = ConstellationSpec { shells, isl: None, ..crate::presets::find("starlink-550").unwrap() };
    Sky::new(&spec, sites).unwrap()
}

fn written(name: &str, text: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("bentpipe-catalogues-{}-{name}", std::process::id()));
    std::fs::write(&place, text).unwrap();
    place
}

#[test]
fn of_several_files_the_nearest_set_flies_whatever_their_order() {
    let old = written("old.tle", &(set("ONE", 1, "247") + &set("THREE", 3, "257")));
    let new = written("new.tle", &(set("ONE", 1, "257") + &set("TWO", 2, "257")));
    for files in [[&old, &new], [&new, &old]] {
        let sky = sky_over(&files.map(Clone::clone), &[]);
        let mut names: Vec<String> = (0..sky.satellites()).map(|satellite| sky.name(satellite)).collect();
        names.sort();
        assert_eq!(names, ["ONE", "THREE", "TWO"]);
        let note = sky.notes.iter().find(|note| note.contains("another file")).unwrap();
        assert!(note.contains("old.tle") && note.contains("ONE"), "{note}");
        assert!(!sky.notes.iter().any(|note| note.contains("far from")), "{:?}", sky.notes);
    }
    for file in [old, new] {
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn every_node_has_a_name_of_its_own() {
    let text = ["A", "A", "A (2)", "Paris"].iter().zip(1..).map(|(name, number)| set(name, number, "257"));
    let file = written("names.tle", &text.collect::<String>());
    let paris = crate::sites::find("Paris").unwrap();
    let sky = sky_over(std::slice::from_ref(&file), &[paris]);
    let names: Vec<String> = (0..sky.satellites()).map(|satellite| sky.name(satellite)).collect();
    assert_eq!(names, ["A (1)", "A (2)", "A (2) (3)", "Paris (4)"]);
    std::fs::remove_file(file).unwrap();
}
