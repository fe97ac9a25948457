// SPDX-License-Identifier: MIT OR Apache-2.0
//! Check that SGP4 can propagate an element set.

use sgp4::Elements;

/// Returns why SGP4 cannot propagate a set; `None` if SGP4 can propagate it. Ephemeris type 4 is refused, because such
/// elements are a fit with another model, SGP4-XP. Angles must be between -360 and 360 degrees, and the inclination
/// between 0 and 180 degrees.
pub(crate) fn unfit(set: &Elements) -> Option<String> {
    if set.ephemeris_type == 4 {
        let what = "its ephemeris type is 4 (elements for SGP4-XP), which SGP4 cannot propagate (use type 0)";
        return Some(what.to_owned());
    }
    let angles = [
        ("inclination", set.inclination, 0.0, 180.0),
        ("right ascension of the node", set.right_ascension, -360.0, 360.0),
        ("argument of perigee", set.argument_of_perigee, -360.0, 360.0),
        ("mean anomaly", set.mean_anomaly, -360.0, 360.0),
    ];
    let beyond = angles.into_iter().find(|&(_, angle, least, most)| !(least..=most).contains(&angle));
    beyond.map(|(name, angle, least, most)| {
        format!("its {name} is {angle} degrees, not between {least} and {most}")
    })
}
