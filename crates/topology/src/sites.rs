// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ground sites. A site is given by its name in the built-in list (`data/sites.csv`), or as text with latitude,
//! longitude and optionally altitude.

use crate::{Site, TopologyError};
use units::{Altitude, Angle, Distance};

/// The list, with the columns `name,aliases,latitude_deg,longitude_deg,source,population`. Aliases are separated by ";
/// ".
const LIST: &str = include_str!("../../../data/sites.csv");

/// Lowest and highest altitude of a site, in metres. The lowest is below the shore of the Dead Sea, the highest above
/// Mount Everest.
const LOWEST_M: f64 = -500.0;
const HIGHEST_M: f64 = 9000.0;

/// Largest number of similar names in an error.
const OFFERED: usize = 3;

/// Returns a site of the built-in list, or a place given as `"latitude, longitude"` or `"latitude, longitude,
/// altitude"` (angles in degrees). Names are compared without case, accents and punctuation, and "St." equals "Saint".
/// The name of a site from the list is its name in the list. The name of any other place is the given text.
///
/// # Errors
/// [`TopologyError::SiteUnknown`] with the most similar names; [`TopologyError::SiteRange`].
pub fn find(name: &str) -> Result<Site, TopologyError> {
    if let Some(place) = coordinates(name) {
        return place;
    }
    let wanted = fold(name);
    if let Some(entry) = entries().find(|entry| entry.names().any(|known| fold(known) == wanted)) {
        return Ok(entry.site());
    }
    Err(TopologyError::SiteUnknown { name: name.trim().to_owned(), nearest: nearest(&wanted) })
}

/// Returns all sites of the list, the largest cities first.
pub fn all() -> impl Iterator<Item = Site> {
    entries().map(|entry| entry.site())
}

/// Returns the population of a city of the list, without its suburbs outside the city limits. Returns `None` if the
/// population is unknown, or if the name is not in the list.
pub fn population(name: &str) -> Option<u64> {
    let wanted = fold(name);
    entries().find(|entry| entry.names().any(|known| fold(known) == wanted))?.population
}

struct Entry {
    name: &'static str,
    aliases: &'static str,
    latitude_deg: f64,
    longitude_deg: f64,
    population: Option<u64>,
}

impl Entry {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.split("; ").filter(|alias| !alias.is_empty()))
    }

    fn site(&self) -> Site {
        Site {
            name: self.name.to_owned(),
            latitude: Angle::from_deg(self.latitude_deg),
            longitude: Angle::from_deg(self.longitude_deg),
            altitude: Distance::default(),
        }
    }
}

/// Returns the rows of the list. Rows that cannot be read are skipped; a test checks that no row is skipped.
fn entries() -> impl Iterator<Item = Entry> {
    LIST.lines().skip(1).filter_map(|row| {
        let mut cells = row.split(',');
        Some(Entry {
            name: cells.next()?,
            aliases: cells.next()?,
            latitude_deg: cells.next()?.parse().ok()?,
            longitude_deg: cells.next()?.parse().ok()?,
            population: cells.nth(1)?.parse().ok(),
        })
    })
}

/// Returns the most similar known names. Names that contain `wanted`, or are contained in it, are first. Within each
/// group, the most similar name is first.
fn nearest(wanted: &str) -> Vec<String> {
    let wanted = units::beginning(wanted);
    let score = |known: &str| {
        let known = fold(known);
        let contained = wanted.len() >= 3 && (known.contains(wanted) || wanted.contains(&known));
        strsim::jaro_winkler(&known, wanted) + if contained { 1.0 } else { 0.0 }
    };
    let mut scored: Vec<(f64, &str)> = entries()
        .map(|entry| (entry.names().map(score).fold(0.0, f64::max), entry.name))
        .filter(|&(score, _)| score > 0.7)
        .collect();
    // The sort is stable: names with equal scores stay in the order of the list.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(OFFERED).map(|(_, name)| name.to_owned()).collect()
}

/// Reads `"37.9, -122.3"` or `"37.9, -122.3, 50 m"`. Returns `None` if the text has neither form.
fn coordinates(text: &str) -> Option<Result<Site, TopologyError>> {
    let (latitude, rest) = text.split_once(',')?;
    let (longitude, altitude) = rest.split_once(',').map_or((rest, None), |(one, other)| (one, Some(other)));
    let (latitude, longitude): (f64, f64) = (latitude.trim().parse().ok()?, longitude.trim().parse().ok()?);
    let text = text.trim().to_owned();
    let placed = placed(latitude, longitude, altitude.map(str::trim));
    Some(match placed {
        Ok(altitude) => Ok(Site {
            name: text,
            latitude: Angle::from_deg(latitude),
            longitude: Angle::from_deg(longitude),
            altitude: Distance::from_m(altitude.m()),
        }),
        Err(part) => Err(TopologyError::SiteRange { text, part }),
    })
}

/// Checks the three parts of a site. Returns the altitude, or a description of the part that is out of range.
fn placed(latitude: f64, longitude: f64, altitude: Option<&str>) -> Result<Altitude, String> {
    for (what, value, range) in
        [("latitude", latitude, -90.0..=90.0), ("longitude", longitude, -180.0..=360.0)]
    {
        if !range.contains(&value) {
            let (least, most) = (range.start(), range.end());
            return Err(format!(
                "its {what} {value} must be within {least} and {most} degrees (write latitude first: \"37.9, -122.3\")"
            ));
        }
    }
    let Some(text) = altitude else { return Ok(Altitude::default()) };
    let altitude: Altitude = text.parse().map_err(|error: units::UnitError| error.to_string())?;
    if !(LOWEST_M..=HIGHEST_M).contains(&altitude.m()) {
        return Err(format!(
            "its altitude {text} must be within -500 m and 9 km (write the height of the ground: \"37.9, -122.3, 120 m\")"
        ));
    }
    Ok(altitude)
}

/// Returns a name without case, accents of Latin letters, punctuation and spaces. "st" becomes "saint".
fn fold(name: &str) -> String {
    let plain: String = name
        .to_lowercase()
        .chars()
        .map(|c| match c {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => 'a',
            'ç' | 'ć' | 'č' => 'c',
            'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => 'e',
            'ğ' => 'g',
            'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => 'i',
            'ł' => 'l',
            'ñ' | 'ń' | 'ň' => 'n',
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => 'o',
            'ś' | 'š' | 'ş' => 's',
            'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ű' => 'u',
            'ý' => 'y',
            'ź' | 'ż' | 'ž' => 'z',
            _ => c,
        })
        .collect();
    plain
        .split(|c: char| !c.is_alphanumeric())
        .map(|word| if word == "st" { "saint" } else { word })
        .collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use units::Code;

    #[test]
    fn the_whole_list_is_read_and_no_name_means_two_places() {
        assert_eq!(entries().count(), LIST.lines().count() - 1);
        assert_eq!(entries().count(), 1001);
        let mut names = BTreeMap::new();
        for entry in entries() {
            assert!((-90.0..=90.0).contains(&entry.latitude_deg), "{}", entry.name);
            assert!((-180.0..=180.0).contains(&entry.longitude_deg), "{}", entry.name);
            for name in entry.names() {
                assert_eq!(names.insert(fold(name), entry.name), None, "{name}");
            }
        }
        assert!(names.keys().all(|name| name.is_ascii()), "an accent is not folded");
    }

    #[test]
    fn cities_of_the_papers_are_there() {
        // Approximate positions from an atlas (degrees, rounded).
        for (name, latitude, longitude) in [
            ("Berkeley", 38, -122),
            ("Boston", 42, -71),
            ("Wuhan", 31, 114),
            ("Washington", 39, -77),
            ("Toronto", 44, -79),
            ("Madrid", 40, -4),
            ("Tehran", 36, 51),
            ("Rio de Janeiro", -23, -43),
            ("St. Petersburg", 60, 30),
            ("sankt-peterburg", 60, 30),
            ("SAO PAULO", -24, -47),
            ("Zurich", 47, 9),
            ("New York", 41, -74),
            ("Manila", 15, 121),
            ("Dalian", 39, 122),
        ] {
            let site = find(name).unwrap();
            assert_eq!(site.latitude.deg().round() as i32, latitude, "{name}");
            assert_eq!(site.longitude.deg().round() as i32, longitude, "{name}");
        }
        let berkeley = find("berkeley").unwrap();
        assert_eq!((berkeley.latitude.deg(), berkeley.longitude.deg()), (37.9, -122.3));
        let boston = find("Boston").unwrap();
        assert_eq!((boston.latitude.deg(), boston.longitude.deg()), (42.3, -71.1));
    }

    #[test]
    fn populations() {
        // Censuses, in millions: New York City 8.804 (2020), Wuhan 12.326 (2020), Madrid 3.223 (2018). The census of
        // Wuhan counts the whole municipality; GeoNames counts its urban districts (2024).
        for (name, least, most) in [("New York", 8.8, 8.81), ("Madrid", 3.1, 3.4), ("Wuhan", 8.0, 12.4)] {
            let millions = population(name).unwrap() as f64 / 1e6;
            assert!((least..=most).contains(&millions), "{name} {millions}");
        }
        assert_eq!(population("37.9, -122.3"), None);
        assert_eq!(population("Miluo"), None);
        assert_eq!(entries().filter(|entry| entry.population.is_none()).count(), 7);
    }

    #[test]
    fn places_without_a_name() {
        let site = find(" 37.9, -122.3 ").unwrap();
        assert_eq!((site.latitude.deg(), site.longitude.deg()), (37.9, -122.3));
        assert_eq!(site.name, "37.9, -122.3");
        assert_eq!(find("-122.3, 37.9").unwrap_err().code(), Code::UnitRange);
        assert_eq!(find("NaN, 0").unwrap_err().code(), Code::UnitRange);
    }

    #[test]
    fn a_wrong_name_gets_the_nearest() {
        let error = find("Berkley").unwrap_err();
        assert_eq!(error.code(), Code::SiteUnknown);
        assert!(error.to_string().contains("similar names are Berkeley"), "{error}");
        let error = find("Valencia").unwrap_err();
        assert!(error.to_string().contains("Valencia Spain"), "{error}");
        assert!(error.to_string().contains("Valencia Venezuela"), "{error}");
    }
}
