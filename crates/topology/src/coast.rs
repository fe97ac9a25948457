// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coastlines for maps, from `data/coastline.csv`.

use std::str::FromStr;

/// The file, with the columns `line,latitude_deg,longitude_deg`.
const LIST: &str = include_str!("../../../data/coastline.csv");

/// A point of a coastline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoastPoint {
    /// Number of the coastline. Its points are consecutive.
    pub line: u32,
    /// Latitude, positive to the north.
    pub latitude_deg: f64,
    /// Longitude, positive to the east.
    pub longitude_deg: f64,
}

/// Returns all points. Where a coastline would follow the edge of the map, the coastline ends.
pub fn points() -> impl Iterator<Item = CoastPoint> {
    LIST.lines().skip(1).filter_map(|row| {
        let mut cells = row.split(',');
        Some(CoastPoint {
            line: cell(cells.next())?,
            latitude_deg: cell(cells.next())?,
            longitude_deg: cell(cells.next())?,
        })
    })
}

fn cell<T: FromStr>(text: Option<&str>) -> Option<T> {
    text?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_list_is_read_and_shows_the_continents() {
        assert_eq!(points().count(), LIST.lines().count() - 1);
        // Positions of capes from an atlas (degrees). For each cape, some point of the list is within half a degree.
        for (cape, latitude, longitude) in [
            ("Agulhas", -34.8, 20.0),
            ("Finisterre", 42.9, -9.3),
            ("York, Queensland", -10.7, 142.5),
            ("Farewell, Greenland", 59.8, -43.9),
        ] {
            let near = |p: CoastPoint| {
                (p.latitude_deg - latitude).abs() < 0.5 && (p.longitude_deg - longitude).abs() < 0.9
            };
            assert!(points().any(near), "{cape}");
        }
    }
}
