// SPDX-License-Identifier: MIT OR Apache-2.0
//! The theory that a set of elements was made for.

use sgp4::Elements;

/// Why a set is not for SGP4, if it is not: ephemeris type 4 is a fit with SGP4-XP, another model.
pub(crate) fn other_theory(set: &Elements) -> Option<&'static str> {
    (set.ephemeris_type == 4)
        .then_some("its ephemeris type is 4, elements for SGP4-XP, which SGP4 cannot follow (take type 0)")
}
