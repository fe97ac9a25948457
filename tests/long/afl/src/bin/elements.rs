// SPDX-License-Identifier: MIT OR Apache-2.0
//! Catalogues: two-line elements and CCSDS messages. The first byte says the format, as the name of a file would. A
//! catalogue is refused, or each of its satellites is above the atmosphere and within the sphere of influence of the
//! Earth, or is gone.

use orbit::{Catalogue, Fleet, FleetOptions, Format, Objects, OnBad, Satellites};
use units::{Span, Time};

/// What the first byte chooses: the content decides, or the name did.
const FORMATS: [Option<Format>; 6] =
    [None, Some(Format::Lines), Some(Format::Json), Some(Format::Csv), Some(Format::Xml), Some(Format::Kvn)];
/// Satellites of a case that are looked at.
const LOOKED_AT: usize = 8;
/// From the start to six years later.
const DAYS: [u64; 8] = [0, 1, 20, 200, 400, 745, 849, 2200];
/// The sphere of influence of the Earth, which a catalogue's orbit must not leave, and a tenth of tolerance, metres.
const FARTHEST_M: f64 = 1.1 * 925_000e3;

fn main() {
    afl::fuzz!(|case: &[u8]| {
        let Some((&first, rest)) = case.split_first() else { return };
        let Ok(text) = str::from_utf8(rest) else { return };
        let options = FleetOptions {
            objects: if first < 128 { Objects::Satellites } else { Objects::All },
            on_bad: OnBad::Skip,
            ..FleetOptions::default()
        };
        let format = FORMATS[usize::from(first) % FORMATS.len()];
        let fleet = Catalogue::read_as(text, format).and_then(|read| Fleet::from_catalogue(&read, options));
        match fleet {
            Ok((fleet, _)) => {
                let satellites = Satellites::Sgp4(fleet);
                (0..satellites.len().min(LOOKED_AT)).for_each(|index| flies_or_is_gone(&satellites, index));
            }
            Err(error) => assert!(!error.to_string().is_empty(), "a refusal has a reason"),
        }
    });
}

fn flies_or_is_gone(satellites: &Satellites, index: usize) {
    for days in DAYS {
        if let Ok(place) = satellites.position(index, Time::ZERO + Span::from_secs(days * 86_400)) {
            let far = place.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!(
                (6.4e6..FARTHEST_M).contains(&far),
                "{} is {far} m from the centre",
                satellites.name(index)
            );
        }
    }
}
