// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measured distributions with names, and the sources of their numbers.
//!
//! The papers behind `web-search` and `data-mining` print curves and not numbers. The points in this module are the
//! points of the files `DCTCP_CDF` and `VL2_CDF` of `github.com/datacenter/empirical-traffic-gen`. The authors of this
//! traffic generator are close to the authors of the papers. Many simulators use these files. We did not check the
//! points against the figures.

use crate::cdf::{Between, Cdf};

/// A named distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Named {
    /// Name in scenarios.
    pub name: &'static str,
    /// What was measured.
    pub about: &'static str,
    /// Who measured it, and the source of these numbers.
    pub source: &'static str,
    /// Interpolation between the points.
    pub between: Between,
    /// Points: a size in bytes, and the fraction of flows of at most this size.
    pub points: &'static [(f64, f64)],
}

impl Named {
    /// Returns the CDF through the points.
    ///
    /// # Panics
    /// Never for the entries of [`NAMED`], because a test reads every entry.
    pub fn cdf(&self) -> Cdf {
        Cdf::new(self.points.to_vec(), self.between).expect("a test reads each named law")
    }
}

/// All named distributions.
pub const NAMED: &[Named] = &[
    Named {
        name: "web-search",
        about: "flows within a web-search cluster: half below 73 kB, and most bytes in flows over 1 MB",
        source: "Alizadeh et al., Data Center TCP (SIGCOMM 2010), Fig. 4; numbers from DCTCP_CDF of \
                 github.com/datacenter/empirical-traffic-gen",
        between: Between::Linear,
        points: &[
            (0.0, 0.0),
            (10e3, 0.15),
            (20e3, 0.2),
            (30e3, 0.3),
            (50e3, 0.4),
            (80e3, 0.53),
            (200e3, 0.6),
            (1e6, 0.7),
            (2e6, 0.8),
            (5e6, 0.9),
            (10e6, 0.97),
            (30e6, 1.0),
        ],
    },
    Named {
        name: "data-mining",
        about: "flows within a data-mining cluster: half below 1.1 kB, and nearly all bytes in one of fifty flows",
        source: "Greenberg et al., VL2 (SIGCOMM 2009), Fig. 2; numbers from VL2_CDF of \
                 github.com/datacenter/empirical-traffic-gen",
        between: Between::Linear,
        points: &[
            (0.0, 0.0),
            (180.0, 0.1),
            (216.0, 0.2),
            (560.0, 0.3),
            (900.0, 0.4),
            (1100.0, 0.5),
            (1870.0, 0.6),
            (3160.0, 0.7),
            (10e3, 0.8),
            (400e3, 0.9),
            (3.16e6, 0.95),
            (100e6, 0.98),
            (1e9, 1.0),
        ],
    },
    Named {
        name: "internet-mix",
        about: "one-way flows of all protocols between a university with 8,000 students in dormitories and the \
                Internet in June 2015: 4.03 billion flows, mean 68.4 kB",
        source: "Jurkiewicz, Rzym and Boryło, How Many Mice Make an Elephant? (arXiv:1809.03486); numbers from \
                 data/agh_201506/README.md of github.com/piotrjurkiewicz/flow-models. We added the last point. The table ends at \
                 1 GB, and a last value of 4.3 GB gives larger flows the remaining bytes of the table. The mean of the curve is 65.7 kB",
        between: Between::Power,
        points: &[
            (64.0, 0.043_082),
            (128.0, 0.323_376),
            (256.0, 0.568_711),
            (512.0, 0.711_101),
            (1_024.0, 0.790_397),
            (1_500.0, 0.826_085),
            (4_096.0, 0.897_285),
            (10e3, 0.940_991),
            (100e3, 0.984_030),
            (1e6, 0.996_050),
            (10e6, 0.999_165),
            (100e6, 0.999_876),
            (1e9, 0.999_997),
            (4.3e9, 1.0),
        ],
    },
];
