// SPDX-License-Identifier: MIT OR Apache-2.0
//! Position errors of SGP4 by the age of the elements.
//!
//! The error of SGP4 itself is small. For real fleets, the error is larger, because operators manoeuvre and drag
//! varies. We measured the errors of real fleets with the element sets of Starlink on 240 days, from 20 September 2025
//! to 21 May 2026 (public GP data in SPEAR-Research-Lab/Horizon-Predicting-Starlink-Performance,
//! `satellite-data/data/`, commit a8ea5e0). Each set was propagated forward to the epoch of a later set of the same
//! satellite, and the two positions were compared. `tests/oracles/errors_of_elements.py` repeats the measurement.
//!
//! If the satellites are split into two halves, the numbers of the halves differ by 10 % or less. Medians of single
//! months differ by at most a factor of 1.7. Below 515 km, the 90th percentiles of single months also differ by at most
//! a factor of 1.7. Above 515 km, the 90th percentiles in months in which satellites were lowered are up to 30 times
//! the 90th percentiles in other months. Errors of sets that are propagated backward are slightly smaller.
//!
//! The error of a satellite at a given age is modelled by a log-logistic distribution. The median depends on the
//! altitude of the satellite. The spread below the median is fitted to the first quartile, and the spread above the
//! median to the 90th percentile. Between the ages of the table, the logarithms of these numbers are interpolated
//! linearly over the logarithm of the age. For several satellites, the quantiles are the quantiles of the mixture of
//! their distributions. Outside the table, errors are unknown.

/// Age of elements, in days, above which a satellite gets a note. Above this age, a tenth of the satellites of the
/// middle band have errors of more than 33 km (0.1 ms of light).
pub const FAR_DAYS: f64 = 1.0;
/// Largest age in the table, in days.
pub const MOST_DAYS: f64 = AGES_DAYS[AGES_DAYS.len() - 1];
/// Lowest and highest altitude in the table. The altitude is the semi-major axis minus the equatorial radius.
pub const ALTITUDES_KM: (f64, f64) = (BANDS[0].from_km, 600.0);
/// Largest eccentricity to which the table applies. The largest eccentricity among the measured satellites is 0.0035.
const MOST_ECCENTRIC: f64 = 0.004;

/// Ages of the columns, in days. Each column includes sets whose age differs by up to 15 %.
const AGES_DAYS: [f64; 7] = [1.0, 2.0, 4.0, 7.0, 12.0, 20.0, 30.0];

/// Position errors at each age, for altitudes from `from_km` up to the next band.
#[expect(clippy::struct_field_names, reason = "units stand in names")]
struct Band {
    from_km: f64,
    quartile_km: [f64; 7],
    median_km: [f64; 7],
    p90_km: [f64; 7],
}

/// Bands from 265,000 pairs of sets, in three groups: satellites at 330 to 360 km (during orbit raising, and for
/// direct-to-cell service), satellites at 470 to 490 km, and satellites at 530 to 570 km.
const BANDS: [Band; 3] = [
    Band {
        from_km: 330.0,
        quartile_km: [9.7, 37.6, 145.6, 477.0, 1248.2, 1711.3, 2455.2],
        median_km: [27.0, 162.7, 691.3, 2244.7, 5381.1, 6878.5, 7984.6],
        p90_km: [162.1, 665.8, 3076.6, 10_113.7, 13_130.3, 13_070.1, 13_253.4],
    },
    Band {
        from_km: 450.0,
        quartile_km: [5.2, 11.1, 25.4, 61.4, 163.6, 423.1, 934.0],
        median_km: [12.3, 35.7, 124.1, 377.1, 1131.8, 3080.4, 6314.3],
        p90_km: [33.5, 104.1, 364.2, 1122.5, 3156.7, 7712.6, 12_832.1],
    },
    Band {
        from_km: 515.0,
        quartile_km: [1.9, 3.4, 7.3, 16.4, 41.8, 109.8, 244.6],
        median_km: [4.2, 7.8, 17.0, 39.0, 101.4, 273.1, 613.4],
        p90_km: [18.1, 37.7, 99.4, 287.8, 902.0, 2993.2, 6610.5],
    },
];

/// Position errors of several satellites.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Off {
    /// Median error: half of the satellites have at most this error.
    pub median_km: f64,
    /// 90th percentile: nine of ten satellites have at most this error.
    pub p90_km: f64,
}

/// Returns the errors of the satellites inside the table, and the number of satellites outside. `orbits` contains, for
/// each satellite, the age of its elements in days, the altitude of its semi-major axis in km, and its eccentricity.
pub(crate) fn off(orbits: impl Iterator<Item = (f64, f64, f64)>) -> (Option<Off>, usize) {
    let mut unknown = 0;
    let mut known = Vec::new();
    for (age_days, altitude_km, eccentricity) in orbits {
        match law(age_days, altitude_km, eccentricity) {
            Some(law) => known.push((law, altitude_km)),
            None => unknown += 1,
        }
    }
    if known.is_empty() {
        return (None, unknown);
    }
    // Two points of an orbit cannot be farther apart than its diameter.
    let most_km = 2.0 * known.iter().map(|(_, altitude)| altitude + sgp4::WGS72.ae).fold(0.0, f64::max);
    // Fraction of satellites with an error of at most e^x. For the log-logistic distribution: F(e^x) = 1 / (1 + e^(-k
    // (x - ln median))).
    let share = |x: f64| {
        let of = |(law, _): &(Law, f64)| {
            let from_median = x - law.median;
            1.0 / (1.0 + (-from_median * if from_median < 0.0 { law.below } else { law.above }).exp())
        };
        known.iter().map(of).sum::<f64>() / known.len() as f64
    };
    let quantile = |wanted: f64| {
        let (mut low, mut high) = (0.0, most_km.ln());
        for _ in 0..30 {
            let middle = f64::midpoint(low, high);
            if share(middle) < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        high.exp()
    };
    (Some(Off { median_km: quantile(0.5), p90_km: quantile(0.9) }), unknown)
}

/// Log-logistic distribution of the error of one satellite, in km: the logarithm of the median, and the exponent k
/// below and above the median.
struct Law {
    median: f64,
    below: f64,
    above: f64,
}

/// Returns the distribution of one satellite; `None` outside the table.
fn law(age_days: f64, altitude_km: f64, eccentricity: f64) -> Option<Law> {
    let in_table = (AGES_DAYS[0]..=MOST_DAYS).contains(&age_days)
        && (ALTITUDES_KM.0..=ALTITUDES_KM.1).contains(&altitude_km)
        && eccentricity <= MOST_ECCENTRIC;
    if !in_table {
        return None;
    }
    let band = BANDS.iter().rev().find(|band| band.from_km <= altitude_km)?;
    let next = AGES_DAYS.iter().position(|&age| age >= age_days)?.max(1);
    let (from, to) = (AGES_DAYS[next - 1], AGES_DAYS[next]);
    let part = (age_days / from).ln() / (to / from).ln();
    let between = |km: &[f64; 7]| km[next - 1].ln() + (km[next] / km[next - 1]).ln() * part;
    let median = between(&band.median_km);
    // If F = 1/4, then k (x - ln median) = -ln 3. If F = 9/10, then k (x - ln median) = ln 9.
    Some(Law {
        median,
        below: 3_f64.ln() / (median - between(&band.quartile_km)),
        above: 9_f64.ln() / (between(&band.p90_km) - median),
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Expected: errors that other authors measured with pairs of files of the same archive. They propagated the sets
    /// of 29 April 2026 to noon of later days, and compared the positions with the files of those days. The 10,284
    /// satellites were matched by name. Of these, 14.1 % were at 330 to 450 km, 60.7 % at 450 to 515 km, and 24.7 %
    /// above 515 km; the test uses 355, 480 and 545 km. The sets of a file are on average half a day older than the
    /// file.
    #[test]
    fn files_of_later_days_agree_with_the_table() {
        for (days, median_km, p90_km) in
            [(1.0, 6.8, 43.0), (3.0, 35.8, 425.0), (7.0, 154.0, 2276.0), (17.0, 847.0, 7063.0)]
        {
            let fleet = [(355.0, 141), (480.0, 607), (545.0, 247)];
            let orbits = fleet.iter().flat_map(|&(km, count)| vec![(days, km, 1e-4); count]);
            let (found, unknown) = off(orbits);
            let found = found.unwrap();
            assert_eq!(unknown, 0);
            let ratios = [found.median_km / median_km, found.p90_km / p90_km];
            assert!(
                // The files are a single sample. The months of the table differ by a factor of 1.7.
                ratios.iter().all(|ratio| (1.0 / 1.7..1.7).contains(ratio)),
                "{days} days: {found:?} {ratios:?}"
            );
        }
    }

    #[test]
    fn beyond_the_table_nothing_is_said() {
        for orbit in [
            (31.0, 545.0, 1e-4),
            (849.0, 470.0, 1e-4),
            (5.0, 1200.0, 1e-4),
            (5.0, 300.0, 1e-4),
            (5.0, 545.0, 0.1),
        ] {
            assert_eq!(off([orbit].into_iter()), (None, 1));
        }
    }
}
