// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion between text and quantities: `number space unit`, with decimal prefixes. Each value is printed in exactly
//! one way.

use crate::radio::RADIO;
use crate::{Angle, Bytes, Code, Distance, Rate, Span, Time};
use std::fmt;
use std::str::FromStr;

/// A quantity that could not be read. The message contains the text, the kind of quantity, the fault and the correct
/// spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError {
    code: Code,
    message: String,
}

impl UnitError {
    /// Returns the stable error code.
    pub const fn code(&self) -> Code {
        self.code
    }
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UnitError {}

/// Units of a kind of quantity: the spelling of each unit and its value in base units.
pub type UnitTable = &'static [(&'static str, f64)];

/// Common other spellings of units, in lower case, and the spelling that is used here.
const SPELLINGS: [(&str, &str); 24] = [
    ("bps", "bit/s"),
    ("b/s", "bit/s"),
    ("kbps", "kbit/s"),
    ("kb/s", "kbit/s"),
    ("kbit", "kbit/s"),
    ("mbps", "Mbit/s"),
    ("mb/s", "Mbit/s"),
    ("mbit", "Mbit/s"),
    ("gbps", "Gbit/s"),
    ("gb/s", "Gbit/s"),
    ("gbit", "Gbit/s"),
    ("usec", "us"),
    ("msec", "ms"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("m", "min"),
    ("mins", "min"),
    ("minutes", "min"),
    ("hr", "h"),
    ("hours", "h"),
    ("day", "d"),
    ("days", "d"),
];

/// Another unit in lower case, the unit that is used here instead, and the conversion of the number.
type OtherUnit = (&'static str, &'static str, fn(f64) -> f64);

/// Units of other systems.
const OTHER_UNITS: [OtherUnit; 14] = [
    ("dbm", "dBW", |dbm| dbm - 30.0),
    ("mw", "dBW", |mw| 10.0 * mw.log10() - 30.0),
    ("w", "dBW", |w| 10.0 * w.log10()),
    ("kw", "dBW", |kw| 10.0 * kw.log10() + 30.0),
    ("c", "K", |c| c + 273.15),
    ("°c", "K", |c| c + 273.15),
    ("n", "deg", |deg| deg),
    ("e", "deg", |deg| deg),
    ("s", "deg", |deg| -deg),
    ("w", "deg", |deg| -deg),
    ("°n", "deg", |deg| deg),
    ("°e", "deg", |deg| deg),
    ("°s", "deg", |deg| -deg),
    ("°w", "deg", |deg| -deg),
];

/// A kind of quantity: its name, its units and its largest value.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) example: &'static str,
    /// The units, from the smallest to the largest.
    pub(crate) units: UnitTable,
    /// Largest value, in base units.
    pub(crate) max: f64,
    pub(crate) negative: bool,
}

// The first unit of each table is the base unit.
const SPAN: Kind = Kind {
    name: "time span",
    example: "600 ms",
    units: &[
        ("ns", 1.0),
        ("us", 1e3),
        ("µs", 1e3),
        ("ms", 1e6),
        ("s", 1e9),
        ("min", 60e9),
        ("h", 3600e9),
        ("d", 86400e9),
    ],
    max: 1e18,
    negative: false,
};
const BYTES: Kind = Kind {
    name: "amount of data",
    example: "10 MB",
    units: &[
        ("B", 1.0),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
    ],
    max: 1e18,
    negative: false,
};
const RATE: Kind = Kind {
    name: "data rate",
    example: "50 Mbit/s",
    units: &[("bit/s", 1.0), ("kbit/s", 1e3), ("Mbit/s", 1e6), ("Gbit/s", 1e9), ("Tbit/s", 1e12)],
    max: 1e15,
    negative: false,
};
const DISTANCE: Kind = Kind {
    name: "distance",
    example: "780 km",
    units: &[("m", 1.0), ("km", 1e3)],
    max: 1e12,
    negative: false,
};
const ANGLE: Kind = Kind {
    name: "angle",
    example: "53 deg",
    units: &[("deg", 1.0), ("°", 1.0)],
    max: 3600.0,
    negative: true,
};

/// Returns the units of the kind of quantity to which `unit` belongs, each with its value in the base unit. The base
/// unit is the first. `None` if the unit is unknown.
pub fn units_like(unit: &str) -> Option<UnitTable> {
    let kinds = [&SPAN, &BYTES, &RATE, &DISTANCE, &ANGLE];
    let mut tables = kinds.into_iter().chain(RADIO.iter().copied()).map(|kind| kind.units);
    tables.find(|table| table.iter().any(|(spelling, _)| *spelling == unit))
}

/// Splits a text into the number at its start, which may be empty or invalid, and the rest.
pub fn split(text: &str) -> (&str, &str) {
    let trimmed = text.trim();
    let unit_at = trimmed
        .char_indices()
        .find(|&(at, c)| {
            // 'e' belongs to the number only when a digit or sign follows ("1e-4 s").
            let exponent = (c == 'e' || c == 'E')
                && at > 0
                && trimmed[at + 1..].starts_with(|n: char| n.is_ascii_digit() || n == '-' || n == '+');
            !(c.is_ascii_digit() || ".+-_".contains(c) || exponent)
        })
        .map_or(trimmed.len(), |(at, _)| at);
    trimmed.split_at(unit_at)
}

impl Kind {
    /// Reads `text` as this kind of quantity. Returns the value in base units.
    pub(crate) fn read(&self, text: &str) -> Result<f64, UnitError> {
        self.parts(text).map(|(_, _, base)| base)
    }

    /// Reads `text` as this kind of quantity, rounded to a whole number of base units. The result is exact also beyond
    /// 2^53, where floating-point numbers have gaps.
    fn read_whole(&self, text: &str) -> Result<u64, UnitError> {
        let (number, factor, base) = self.parts(text)?;
        Ok(rounded_product(&number, factor as u64).unwrap_or(base.round() as u64))
    }

    /// Returns the number in `text`, the value of its unit in base units, and the product of both.
    fn parts(&self, text: &str) -> Result<(String, f64, f64), UnitError> {
        let (number, unit) = split(text);
        let (number, unit) = (number.replace('_', ""), unit.trim());
        let Ok(value) = number.parse::<f64>() else {
            return Err(self.error(Code::UnitSyntax, text, "it does not start with a number"));
        };
        if unit.is_empty() {
            return Err(self.error(Code::UnitSyntax, text, "the unit is missing"));
        }
        let Some(&(_, factor)) = self.units.iter().find(|(spelling, _)| *spelling == unit) else {
            let known: Vec<_> =
                self.units.iter().map(|(spelling, _)| *spelling).filter(|s| s.is_ascii()).collect();
            let why = format!("unknown unit `{unit}`; units are {}", known.join(", "));
            return Err(self.error(Code::UnitUnknown, text, &why));
        };
        let base = value * factor;
        if !base.is_finite() || base.abs() > self.max {
            let why = format!("it is above the limit of {} {}", short(self.max), self.units[0].0);
            return Err(self.error(Code::UnitRange, text, &why));
        }
        if base < 0.0 && !self.negative {
            return Err(self.error(Code::UnitRange, text, "it must not be negative"));
        }
        Ok((number, factor, base))
    }

    fn error(&self, code: Code, text: &str, why: &str) -> UnitError {
        let write = if code == Code::UnitRange { None } else { self.meant(text) };
        UnitError {
            code,
            message: format!(
                "cannot read \"{text}\" as {} {}: {why} (write \"{}\")",
                if self.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" },
                self.name,
                write.as_deref().unwrap_or(self.example)
            ),
        }
    }

    /// Returns the text that the user probably meant, with a decimal point and a unit; `None` if its number is unclear.
    fn meant(&self, text: &str) -> Option<String> {
        let reads = |text: &String| self.read_number(text).is_some();
        let text = match (text.matches(',').count(), text.contains('.')) {
            (0, _) => text.to_owned(),
            (1, false) => text.trim().replace(',', "."),
            // Thousands, or something else.
            _ => return None,
        };
        if reads(&text) {
            return Some(text);
        }
        let (number, unit) = split(&text);
        let unit = unit.trim();
        let known = |wanted: &str| self.units.iter().find(|(spelling, _)| *spelling == wanted);
        // Units of bytes per second: 8 bits per byte.
        let bytes = ["B/s", "Bps"].iter().find_map(|ending| unit.strip_suffix(ending));
        if let (Some(prefix), true) = (bytes, known("bit/s").is_some()) {
            let bits: f64 = number.parse().ok().filter(|number: &f64| number.is_finite())?;
            let prefix = if prefix == "K" { "k" } else { prefix };
            return Some(format!("{} {prefix}bit/s", short(bits * 8.0))).filter(reads);
        }
        let lower = unit.to_lowercase();
        let other = OTHER_UNITS.iter().find(|(other, unit, _)| *other == lower && known(unit).is_some());
        if let Some((_, unit, convert)) = other {
            let converted = convert(number.parse().ok()?);
            // Decibels (of a power) and kelvins, with two decimals.
            let rounded =
                if converted.is_finite() { (converted * 100.0).round() / 100.0 } else { return None };
            return Some(format!("{} {unit}", short(rounded))).filter(reads);
        }
        let alike = SPELLINGS.iter().filter(|(other, _)| *other == lower).find_map(|(_, unit)| known(unit));
        let same =
            || self.units.iter().find(|(spelling, _)| !unit.is_empty() && spelling.to_lowercase() == lower);
        let usual = self.example.split_once(' ').map(|(_, unit)| unit);
        let unit = alike.or_else(same).map(|(spelling, _)| *spelling).or(usual)?;
        Some(format!("{number} {unit}")).filter(reads)
    }

    /// Returns the value of a text in base units, if its unit is known and the value is within the limits.
    fn read_number(&self, text: &str) -> Option<f64> {
        let (number, unit) = split(text);
        let &(_, factor) = self.units.iter().find(|(spelling, _)| *spelling == unit.trim())?;
        let base = number.parse::<f64>().ok()? * factor;
        (base.abs() <= self.max && (base >= 0.0 || self.negative)).then_some(base)
    }

    /// Prints a value with the largest unit in which the number is at least 1 and the printed text gives the same value
    /// again.
    pub(crate) fn write_real(&self, f: &mut fmt::Formatter<'_>, base: f64) -> fmt::Result {
        let fits = |factor: f64| factor == 1.0 || (base.abs() >= factor && base / factor * factor == base);
        let (unit, factor) = self.units.iter().rfind(|&&(_, factor)| fits(factor)).unwrap_or(&self.units[0]);
        write!(f, "{} {unit}", base / factor)
    }

    /// Prints a whole number of base units with the largest of `units` in which the number is exact and has at most
    /// three decimals.
    fn write(&self, f: &mut fmt::Formatter<'_>, base: u64, units: &[&str]) -> fmt::Result {
        let base = u128::from(base);
        for unit in units {
            let factor = self.units.iter().find(|(u, _)| u == unit).map_or(1, |&(_, x)| x as u128);
            // Either three decimals of this unit are exact, or this is the smallest unit.
            if base >= factor && (base * 1000 / factor * factor == base * 1000 || factor == 1) {
                let (whole, thousandths) = (base / factor, base % factor * 1000 / factor);
                return if thousandths == 0 {
                    write!(f, "{whole} {unit}")
                } else {
                    write!(f, "{whole}.{} {unit}", format!("{thousandths:03}").trim_end_matches('0'))
                };
            }
        }
        write!(f, "{base} {}", self.units[0].0)
    }
}

/// Multiplies a decimal by a whole number and rounds the result, halves away from zero. `None` if an intermediate
/// result needs more than 128 bits.
fn rounded_product(decimal: &str, factor: u64) -> Option<u64> {
    let (mantissa, exponent) = decimal.split_once(['e', 'E']).unwrap_or((decimal, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: u128 = format!("{whole}{part}").parse().ok()?;
    let product = digits.checked_mul(factor.into())?;
    let shift = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(part.len()).ok()?)?;
    let power = 10_u128.checked_pow(shift.unsigned_abs())?;
    let rounded =
        if shift < 0 { product.checked_add(power / 2)? / power } else { product.checked_mul(power)? };
    rounded.try_into().ok()
}

impl FromStr for Span {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        SPAN.read_whole(text).map(Self::from_nanos)
    }
}
impl FromStr for Time {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        SPAN.read_whole(text).map(Self::from_nanos)
    }
}
impl FromStr for Bytes {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        BYTES.read_whole(text).map(Self::new)
    }
}
impl FromStr for Rate {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        RATE.read_whole(text).map(Self::from_bits_per_s)
    }
}
impl FromStr for Distance {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        DISTANCE.read(text).map(Self::from_m)
    }
}
impl FromStr for Angle {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        ANGLE.read(text).map(Self::from_deg)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ZERO {
            f.write_str("0 s")
        } else {
            SPAN.write(f, self.nanos(), &["h", "min", "s", "ms", "us"])
        }
    }
}
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.since(Self::ZERO).fmt(f)
    }
}
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BYTES.write(f, self.get(), &["TB", "GB", "MB", "kB"])
    }
}
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        RATE.write(f, self.bits_per_s(), &["Tbit/s", "Gbit/s", "Mbit/s", "kbit/s"])
    }
}
impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.m() >= 1e3 { write!(f, "{} km", self.km()) } else { write!(f, "{} m", self.m()) }
    }
}
impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} deg", self.deg())
    }
}

/// Returns the first characters of a name, for the search for the most similar known name. The cost of this search
/// grows with the length of the name.
pub fn beginning(name: &str) -> &str {
    name.char_indices().nth(100).map_or(name, |(at, _)| &name[..at])
}

/// Formats a number. Uses an exponent if the number would otherwise contain a long row of zeros.
pub fn short(number: f64) -> String {
    let plain = number == 0.0 || (1e-7..1e15).contains(&number.abs()) || !number.is_finite();
    if plain { number.to_string() } else { format!("{number:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Power, Temperature};

    #[test]
    fn reads_what_users_write() {
        assert_eq!("600 ms".parse(), Ok(Span::from_millis(600)));
        assert_eq!("1e-3 s".parse(), Ok(Span::from_millis(1)));
        assert_eq!("2min".parse(), Ok(Span::from_secs(120)));
        assert_eq!("1.5 Mbit/s".parse(), Ok(Rate::from_bits_per_s(1_500_000)));
        assert_eq!("10 MB".parse(), Ok(Bytes::new(10_000_000)));
        assert_eq!("780 km".parse(), Ok(Distance::from_m(780_000.0)));
        assert_eq!("-12.5 deg".parse(), Ok(Angle::from_deg(-12.5)));
    }

    #[test]
    fn says_what_is_wrong() {
        let bad = |text: &str| text.parse::<Span>().expect_err("it must be refused");
        assert_eq!(bad("600").code(), Code::UnitSyntax);
        assert_eq!(
            bad("600").to_string(),
            "cannot read \"600\" as a time span: the unit is missing (write \"600 ms\")"
        );
        assert_eq!(bad("ms").code(), Code::UnitSyntax);
        assert_eq!(bad("6 Mbit/s").code(), Code::UnitUnknown);
        assert!(bad("6 Mbit/s").to_string().contains("units are ns, us, ms, s, min, h, d"));
        assert_eq!(bad("-1 s").code(), Code::UnitRange);
        assert_eq!(bad("1e30 d").code(), Code::UnitRange);
    }

    /// The expected value is worked out by hand: 10 megabytes per second are 80 megabits per second.
    #[test]
    fn what_to_write_has_the_number_of_the_user() {
        let rate = |text: &str| text.parse::<Rate>().expect_err("it must be refused").to_string();
        let span = |text: &str| text.parse::<Span>().expect_err("it must be refused").to_string();
        let power = |text: &str| text.parse::<Power>().expect_err("it must be refused").to_string();
        let temperature =
            |text: &str| text.parse::<Temperature>().expect_err("it must be refused").to_string();
        let angle = |text: &str| text.parse::<Angle>().expect_err("it must be refused").to_string();
        for (said, write) in [
            (rate("10 Mbps"), "10 Mbit/s"),
            (rate("10 mbit/s"), "10 Mbit/s"),
            (rate("10 MB/s"), "80 Mbit/s"),
            (rate("10,5 Mbit/s"), "10.5 Mbit/s"),
            (rate("7"), "7 Mbit/s"),
            (rate("7 apples"), "7 Mbit/s"),
            (rate("fast"), "50 Mbit/s"),
            (rate("1,000.5 Mbit/s"), "50 Mbit/s"),
            (span("50 msec"), "50 ms"),
            (span("50 m"), "50 min"),
            (span("0,05 s"), "0.05 s"),
            (span("50 S"), "50 s"),
            (span("-3"), "600 ms"),
            (span("30 days"), "30 d"),
            // 0 dBW equals 30 dBm.
            (power("58 dBm"), "28 dBW"),
            (power("200 W"), "23.01 dBW"),
            (power("0 W"), "51 dBW"),
            (temperature("20 °C"), "293.15 K"),
            (angle("5 W"), "-5 deg"),
            (angle("19.2°E"), "19.2 deg"),
        ] {
            assert!(said.ends_with(&format!("(write \"{write}\")")), "{said}");
        }
    }

    #[test]
    fn small_numbers_are_no_rows_of_zeros() {
        assert_eq!(
            [1e-300, 0.001, 0.0, 7.0, 1e30, -2e-9].map(short),
            ["1e-300", "0.001", "0", "7", "1e30", "-2e-9"]
        );
    }

    #[test]
    fn printing_and_reading_are_inverse() {
        for ns in
            [0, 1, 999, 1_500_000, 25_000_000, 60_000_000_000, 61_000_000_000, 123_456_789, 5_400_000_000_000]
        {
            let span = Span::from_nanos(ns);
            assert_eq!(span.to_string().parse(), Ok(span), "{span}");
        }
        for bits in [1, 1_500_000, 352_000, 123_456_789, 25_000_000, 10_000_000_000] {
            let rate = Rate::from_bits_per_s(bits);
            assert_eq!(rate.to_string().parse(), Ok(rate), "{rate}");
        }
        assert_eq!(Span::from_nanos(1_500_000).to_string(), "1.5 ms");
        assert_eq!(Rate::from_bits_per_s(1_500_000).to_string(), "1.5 Mbit/s");
        assert_eq!(Span::from_secs(60).to_string(), "1 min");
    }

    /// 33,333,333 s are 33,333,333 * 10^9 ns, which is 3.7 times 2^53. Floating-point numbers of this size are 4 ns
    /// apart.
    #[test]
    fn long_times_and_large_amounts_are_exact() {
        for (text, ns) in [
            ("33333333 s", 33_333_333_000_000_000),
            ("555555.55 min", 33_333_333_000_000_000),
            ("999999999999999999 ns", 999_999_999_999_999_999),
            ("1e18 ns", 1_000_000_000_000_000_000),
            ("2777.7777777777 h", 9_999_999_999_999_720),
            ("0.5 ns", 1),
            ("1e-3 us", 1),
            ("+.5 us", 500),
            ("1e-400 s", 0),
            ("0.00000000000000000000000000000000000000000001 s", 0),
        ] {
            assert_eq!(text.parse(), Ok(Span::from_nanos(ns)), "{text}");
        }
        assert_eq!(
            "9.007199254740993 PB".parse::<Bytes>().map_err(|error| error.code()),
            Err(Code::UnitUnknown)
        );
        assert_eq!("9007.199254740993 TB".parse(), Ok(Bytes::new(9_007_199_254_740_993)));
        for ns in [(1 << 53) + 1, 123_456_789_123_456_789, 999_999_999_999_999_999] {
            let span = Span::from_nanos(ns);
            assert_eq!(span.to_string().parse(), Ok(span), "{span}");
        }
    }

    #[test]
    fn serialisation_time_is_exact_where_it_can_be() {
        // 1500 B at 25 Mbit/s: 12000 bit / 25e6 bit/s = 480 us.
        assert_eq!(Rate::from_bits_per_s(25_000_000).time_for(Bytes::new(1500)), Span::from_micros(480));
        // 75 MB is the bandwidth-delay product of 1 Gbit/s and 600 ms.
        assert_eq!(
            Rate::from_bits_per_s(1_000_000_000).bytes_in(Span::from_millis(600)),
            Bytes::new(75_000_000)
        );
    }

    #[test]
    fn codes_are_unique_and_have_meanings() {
        let mut seen: Vec<_> = Code::ALL.iter().map(|c| c.as_str()).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|c| c.meaning().trim().ends_with('.')));
    }
}
