// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values that a file writes as text: quantities with their unit, queues, and words for "none".

use link::QueueLimit;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use units::{
    Altitude, Angle, Bytes, Code, Column, Decibels, Distance, FigureOfMerit, Frequency, Power, Pressure,
    RainRate, Rate, Span, Speed, Temperature, Time, UnitTable, Vapour,
};

/// A value that is written as text.
pub trait Written: Sized {
    /// The kind of value, for messages and as the `format` of the JSON Schema.
    const KIND: &'static str;
    /// An example.
    const EXAMPLE: &'static str;
    /// The probable unit of a bare number.
    const UNIT: &'static str;
    /// Reads the text.
    fn read(text: &str) -> Result<Self, (Code, String)>;
    /// Returns the value as text. Reading this text gives the same value.
    fn write(&self) -> String;
    /// Returns the magnitude, to compare it with a bound of the same kind. A value without a magnitude is never out of
    /// bounds.
    fn magnitude(&self) -> Option<f64>;
}

macro_rules! quantities {
    ($($type:ty: $kind:literal, $example:literal, $unit:literal, |$v:ident| $magnitude:expr, $write:expr;)+) => {
        $(impl Written for $type {
            const KIND: &'static str = $kind;
            const EXAMPLE: &'static str = $example;
            const UNIT: &'static str = $unit;
            fn read(text: &str) -> Result<Self, (Code, String)> {
                text.parse().map_err(|error: units::UnitError| (error.code(), error.to_string()))
            }
            fn write(&self) -> String {
                let $v = self;
                $write
            }
            fn magnitude(&self) -> Option<f64> {
                let $v = self;
                Some($magnitude)
            }
        })+
    };
}

quantities! {
    Span: "time span", "600 ms", "ms", |v| v.nanos() as f64, v.to_string();
    Bytes: "amount of data", "10 MB", "B", |v| v.get() as f64, v.to_string();
    Rate: "data rate", "50 Mbit/s", "Mbit/s", |v| v.bits_per_s() as f64, v.to_string();
    Angle: "angle", "53 deg", "deg", |v| v.deg(), v.to_string();
    Frequency: "frequency", "12.5 GHz", "GHz", |v| v.hz(), v.to_string();
    Decibels: "ratio in decibels", "1.5 dB", "dB", |v| v.db(), v.to_string();
    Power: "power", "51 dBW", "dBW", |v| v.dbw(), v.to_string();
    FigureOfMerit: "figure of merit", "17 dB/K", "dB/K", |v| v.db_k(), v.to_string();
    Temperature: "temperature", "140 K", "K", |v| v.k(), v.to_string();
    Speed: "speed", "50 km/h", "km/h", |v| v.m_s(), v.to_string();
    RainRate: "rain rate", "28 mm/h", "mm/h", |v| v.mm_h(), v.to_string();
    Pressure: "pressure", "1013.25 hPa", "hPa", |v| v.hpa(), v.to_string();
    Vapour: "vapour density", "7.5 g/m3", "g/m3", |v| v.g_m3(), v.to_string();
    Column: "column of water", "0.5 kg/m2", "kg/m2", |v| v.kg_m2(), v.to_string();
    Altitude: "altitude", "3640 m", "m", |v| v.m(), v.to_string();
    // Always in metres: a prefix would round the value.
    Distance: "distance", "780 km", "km", |v| v.m(), format!("{} m", v.m());
}

/// A probability or a fraction: a number, or text in percent.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Fraction(pub f64);

impl Written for Fraction {
    const KIND: &'static str = "fraction";
    const EXAMPLE: &'static str = "0.5 %";
    const UNIT: &'static str = "%";

    fn read(text: &str) -> Result<Self, (Code, String)> {
        let (number, unit) = units::split(text);
        let number = number.replace('_', "");
        let is_number = |number: &f64| number.is_finite();
        let fault = |code, why: &str, write: &str| {
            (code, format!("cannot read \"{text}\" as a fraction: {why} (write {write})"))
        };
        // No number has a comma here, so it was meant as a decimal point.
        let meant = text.replace(',', ".").replace('%', " %");
        let Some(plain) = number.parse().ok().filter(is_number) else {
            return Err(fault(Code::UnitSyntax, "it does not start with a number", "\"0.5 %\" or 0.005"));
        };
        match unit.trim() {
            "%" => {
                // The decimal point is moved in the text, so that "0.7 %" is exactly the number 0.007.
                let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((&number, "0"));
                let moved = exponent.parse::<i32>().ok().and_then(|exponent| exponent.checked_sub(2));
                let read = moved.and_then(|exponent| format!("{mantissa}e{exponent}").parse().ok());
                Ok(Self(read.unwrap_or(plain / 100.0)))
            }
            "" => Err(fault(
                Code::UnitSyntax,
                "the unit is missing",
                &format!("\"{number} %\", or {number} without quotes"),
            )),
            unit if unit.starts_with(',') && Self::read(&meant).is_ok() => Err(fault(
                Code::UnitSyntax,
                "a decimal comma",
                &format!("\"{}\"", meant.split_whitespace().collect::<Vec<_>>().join(" ")),
            )),
            unit => {
                let why = format!("unknown unit `{unit}`; the unit is %");
                Err(fault(Code::UnitUnknown, &why, &format!("\"{number} %\"")))
            }
        }
    }

    fn write(&self) -> String {
        self.0.to_string()
    }

    fn magnitude(&self) -> Option<f64> {
        Some(self.0)
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(f64),
            Text(String),
        }
        match Either::deserialize(deserializer)? {
            Either::Number(number) => Ok(Self(number)),
            Either::Text(text) => Self::read(&text).map_err(|(_, message)| D::Error::custom(message)),
        }
    }
}

impl JsonSchema for Fraction {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        Self::KIND.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string"], "format": Self::KIND, "examples": [0.005, Self::EXAMPLE] })
    }
}

/// Units of whole numbers.
const COUNTS: [&str; 2] = ["packets", "packet"];

/// The unit of fractions in text.
const PERCENT: UnitTable = &[("%", 1.0)];

/// A number with a unit, for any kind of quantity.
pub struct Quantity<'a> {
    /// The number as in the text.
    pub number: &'a str,
    /// The unit.
    pub unit: &'a str,
    /// The units of this kind of quantity, each with its value in the first unit. Empty if the unit is unknown.
    pub units: UnitTable,
    /// Whether only whole numbers are allowed.
    pub is_count: bool,
}

impl<'a> Quantity<'a> {
    /// Reads a text. Returns `None` if the text is not a quantity. An unknown unit is still separated from its number.
    pub fn read(text: &'a str) -> Option<Self> {
        let (number, rest) = units::split(text);
        let unit = rest.trim_start();
        let units = if unit == "%" { Some(PERCENT) } else { units::units_like(unit) };
        let is_a_word = !unit.is_empty() && !unit.contains(char::is_whitespace);
        let is_unit = units.is_some() || (is_a_word && unit.len() < rest.len());
        let is_count = COUNTS.contains(&unit);
        (is_unit && number.replace('_', "").parse::<f64>().is_ok()).then_some(Self {
            number,
            unit,
            units: units.unwrap_or_default(),
            is_count,
        })
    }
}

impl Written for QueueLimit {
    const KIND: &'static str = "queue";
    const EXAMPLE: &'static str = "50 packets";
    const UNIT: &'static str = "packets";

    fn read(text: &str) -> Result<Self, (Code, String)> {
        let trimmed = text.trim();
        if trimmed == "unlimited" {
            return Ok(Self::Unlimited);
        }
        let unit_at = trimmed.find(char::is_alphabetic).unwrap_or(trimmed.len());
        let (number, unit) = (trimmed[..unit_at].trim(), &trimmed[unit_at..]);
        let fault = |code, why: &str| {
            (
                code,
                format!(
                    "cannot read \"{text}\" as a queue: {why} (write \"50 packets\", \"75 kB\", \"100 ms\", \"1 BDP\" or \"unlimited\")"
                ),
            )
        };
        match unit {
            unit if COUNTS.contains(&unit) => match number.parse() {
                Ok(packets) => Ok(Self::Packets(packets)),
                Err(_) => Err(fault(Code::UnitRange, "packets are counted in whole numbers, 0 or more")),
            },
            "BDP" => match number.parse::<f64>() {
                Ok(bdp) if (0.0..=1e6).contains(&bdp) => Ok(Self::Bdp(bdp)),
                _ => {
                    Err(fault(Code::UnitRange, "bandwidth-delay products must be a number within 0..1000000"))
                }
            },
            "" => Err(fault(Code::UnitSyntax, "the unit is missing")),
            _ => match (Bytes::read(trimmed), Span::read(trimmed)) {
                (Ok(bytes), _) => Ok(Self::Bytes(bytes)),
                (_, Ok(span)) => Ok(Self::Time(span)),
                (Err((Code::UnitRange, _)), _) | (_, Err((Code::UnitRange, _))) => {
                    Err(fault(Code::UnitRange, "the number is negative or too large"))
                }
                _ => Err(fault(Code::UnitUnknown, &format!("unknown unit `{unit}`"))),
            },
        }
    }

    fn write(&self) -> String {
        match self {
            Self::Packets(packets) => format!("{packets} packets"),
            Self::Bytes(bytes) => bytes.write(),
            Self::Time(span) => span.write(),
            Self::Bdp(bdp) => format!("{bdp} BDP"),
            Self::Unlimited => "unlimited".to_owned(),
        }
    }

    fn magnitude(&self) -> Option<f64> {
        None
    }
}

/// A quantity, or a word for "none". The arguments are the word in the type and the word in the file.
macro_rules! or_word {
    ($($(#[doc = $doc:literal])+ $name:ident, $word:literal: $($inner:ty => $kind:literal, $example:literal;)+)+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct $name<T>(pub Option<T>);
            $(impl Written for $name<$inner> {
                const KIND: &'static str = $kind;
                const EXAMPLE: &'static str = $example;
                const UNIT: &'static str = <$inner>::UNIT;
                fn read(text: &str) -> Result<Self, (Code, String)> {
                    if text.trim() == $word { Ok(Self(None)) } else { <$inner>::read(text).map(|v| Self(Some(v))) }
                }
                fn write(&self) -> String {
                    self.0.as_ref().map_or_else(|| $word.to_owned(), Written::write)
                }
                fn magnitude(&self) -> Option<f64> {
                    self.0.as_ref().and_then(Written::magnitude)
                }
            })+
        )+
    };
}

or_word! {
    /// A quantity, or "unlimited".
    Unlimited, "unlimited":
        Rate => "data rate or \"unlimited\"", "50 Mbit/s";
        Bytes => "amount of data or \"unlimited\"", "4 MB";
        Angle => "angle or \"unlimited\"", "60 deg";
        Distance => "distance or \"unlimited\"", "5000 km";
    /// A quantity, or "off".
    Off, "off":
        Span => "time span or \"off\"", "100 ms";
}

/// A value that is written as text in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Q<T>(pub T);

impl Q<Span> {
    /// Returns a time of the run as the span after its start.
    pub fn moment(time: Time) -> Self {
        Self(time.since(Time::ZERO))
    }
}

impl<T: Written> Serialize for Q<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.write())
    }
}

impl<'de, T: Written> Deserialize<'de> for Q<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        T::read(&text).map(Self).map_err(|(_, message)| D::Error::custom(message))
    }
}

impl<T: Written> JsonSchema for Q<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        T::KIND.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": T::KIND, "examples": [T::EXAMPLE] })
    }
}

/// Reads a text and returns its magnitude, or the fault.
type Reader = fn(&str) -> Result<Option<f64>, (Code, String)>;

/// A kind of value that is written as text (such as a rate or a time), for the check against the schema.
pub struct TextKind {
    /// Name of the kind.
    pub name: &'static str,
    /// An example of the text.
    pub example: &'static str,
    /// The probable unit of a bare number.
    pub unit: &'static str,
    /// Reads a text to compare it with a bound.
    pub read: Reader,
}

impl fmt::Debug for TextKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const fn kind<T: Written>() -> TextKind {
    TextKind {
        name: T::KIND,
        example: T::EXAMPLE,
        unit: T::UNIT,
        read: |text| T::read(text).map(|value| value.magnitude()),
    }
}

/// All kinds of text. The `format` of a JSON Schema names the kind.
pub const KINDS: &[TextKind] = &[
    kind::<Span>(),
    kind::<Bytes>(),
    kind::<Rate>(),
    kind::<Angle>(),
    kind::<Distance>(),
    kind::<Altitude>(),
    kind::<Frequency>(),
    kind::<Decibels>(),
    kind::<Power>(),
    kind::<FigureOfMerit>(),
    kind::<Temperature>(),
    kind::<Speed>(),
    kind::<RainRate>(),
    kind::<Pressure>(),
    kind::<Vapour>(),
    kind::<Column>(),
    kind::<Fraction>(),
    kind::<QueueLimit>(),
    kind::<Unlimited<Rate>>(),
    kind::<Unlimited<Bytes>>(),
    kind::<Unlimited<Angle>>(),
    kind::<Unlimited<Distance>>(),
    kind::<Off<Span>>(),
];
