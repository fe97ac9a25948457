// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of radio links, of their sites and of the weather. Each value is a floating-point number in one base
//! unit. The name of the accessor states this unit.

use crate::parse::{Kind, UnitError};
use std::fmt;
use std::str::FromStr;

macro_rules! real {
    ($($(#[doc = $doc:literal])+ $type:ident($get:ident, $from:ident) {
        name: $name:literal, example: $example:literal, units: [$(($unit:literal, $factor:literal)),+], max: $max:literal,
        negative: $negative:literal
    })+) => {
        /// All kinds of quantities in this file.
        pub(crate) const RADIO: &[&Kind] = &[$(&$type::KIND),+];

        $(
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
            pub struct $type(f64);

            impl $type {
                const KIND: Kind = Kind {
                    name: $name,
                    example: $example,
                    units: &[$(($unit, $factor)),+],
                    max: $max,
                    negative: $negative,
                };

                #[doc = concat!("From a number of ", stringify!($get), ".")]
                pub const fn $from(number: f64) -> Self {
                    Self(number)
                }
                #[doc = concat!("In ", stringify!($get), ".")]
                pub const fn $get(self) -> f64 {
                    self.0
                }
            }

            impl FromStr for $type {
                type Err = UnitError;
                fn from_str(text: &str) -> Result<Self, UnitError> {
                    Self::KIND.read(text).map(Self)
                }
            }

            impl fmt::Display for $type {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    Self::KIND.write_real(f, self.0)
                }
            }
        )+
    };
}

real! {
    /// A frequency, or a bandwidth.
    Frequency(hz, from_hz) {
        name: "frequency", example: "12.5 GHz", units: [("Hz", 1.0), ("kHz", 1e3), ("MHz", 1e6), ("GHz", 1e9)],
        max: 1e15, negative: false
    }
    /// A height above the ellipsoid or above the sea. It is negative below this surface.
    Altitude(m, from_m) {
        name: "altitude", example: "3640 m", units: [("m", 1.0), ("km", 1e3)], max: 1e9, negative: true
    }
    /// A ratio of powers, in decibels.
    Decibels(db, from_db) {
        name: "ratio in decibels", example: "1.5 dB", units: [("dB", 1.0)], max: 1000.0, negative: true
    }
    /// A power relative to one watt, for example an EIRP.
    Power(dbw, from_dbw) {
        name: "power", example: "51 dBW", units: [("dBW", 1.0)], max: 1000.0, negative: true
    }
    /// G/T: the gain of a receiving antenna divided by the noise temperature of its receiver.
    FigureOfMerit(db_k, from_db_k) {
        name: "figure of merit", example: "17 dB/K", units: [("dB/K", 1.0)], max: 1000.0, negative: true
    }
    /// A speed.
    Speed(m_s, from_m_s) {
        name: "speed", example: "50 km/h", units: [("m/s", 1.0), ("km/h", 0.277_777_777_777_777_8)], max: 1e5,
        negative: false
    }
    /// A temperature.
    Temperature(k, from_k) {
        name: "temperature", example: "140 K", units: [("K", 1.0)], max: 1e6, negative: false
    }
    /// A rain rate.
    RainRate(mm_h, from_mm_h) {
        name: "rain rate", example: "28 mm/h", units: [("mm/h", 1.0)], max: 1000.0, negative: false
    }
    /// An air pressure.
    Pressure(hpa, from_hpa) {
        name: "pressure", example: "1013.25 hPa", units: [("hPa", 1.0)], max: 10_000.0, negative: false
    }
    /// A density of water vapour.
    Vapour(g_m3, from_g_m3) {
        name: "vapour density", example: "7.5 g/m3", units: [("g/m3", 1.0)], max: 1000.0, negative: false
    }
    /// Mass of water above an area.
    Column(kg_m2, from_kg_m2) {
        name: "column of water", example: "0.5 kg/m2", units: [("kg/m2", 1.0)], max: 1000.0, negative: false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    #[test]
    fn reads_what_users_write_and_prints_it_back() {
        assert_eq!("12.5 GHz".parse(), Ok(Frequency::from_hz(12.5e9)));
        assert_eq!("-3.2 dB/K".parse(), Ok(FigureOfMerit::from_db_k(-3.2)));
        for text in ["12.5 GHz", "36 MHz", "19.7005 GHz", "364 kHz", "1 Hz", "0 Hz", "0.1 Hz"] {
            let read: Frequency = text.parse().expect("it is a frequency");
            assert_eq!(read.to_string(), text);
        }
        // The printed text of each of these numbers must parse to the same number, although 0.1e9 + 0.2e9 is not
        // exactly 0.3e9.
        for hz in [0.1e9 + 0.2e9, 1e9 / 3.0, 19_700_500_000.0 / 7.0] {
            assert_eq!(Frequency::from_hz(hz).to_string().parse(), Ok(Frequency::from_hz(hz)));
        }
        assert_eq!(Power::from_dbw(-4.5).to_string(), "-4.5 dBW");
    }

    #[test]
    fn says_what_is_wrong() {
        let wrong = "51 dB".parse::<Power>().expect_err("a ratio is no power");
        assert_eq!(wrong.code(), Code::UnitUnknown);
        assert_eq!(
            wrong.to_string(),
            "cannot read \"51 dB\" as a power: unknown unit `dB`; units are dBW (write \"51 dBW\")"
        );
        assert_eq!("-1 mm/h".parse::<RainRate>().map_err(|wrong| wrong.code()), Err(Code::UnitRange));
    }
}
