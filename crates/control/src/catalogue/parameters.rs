// SPDX-License-Identifier: MIT OR Apache-2.0
//! The macros `parameters!` and `words!`, which declare the parameters of a controller and the words of a choice.

use super::settings::OFF;
use super::{Domain, Parameter, Value};
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use units::Span;

/// Declares the parameters of a controller:
///
/// ```text
/// parameters! {
///     /// Parameters of CUBIC.
///     pub struct Parameters {
///         /// fraction of the window that remains after a loss (0.8 in Linux before 2.6.27)
///         beta: f64 = number("none", 0.7, 0.1..=0.95), "RFC 9438, section 4.6";
///         /// releases capacity to new flows; a single flow does better without it
///         fast_convergence: bool = flag(true), "RFC 9438, section 4.7";
///         reading: Reading as READING;
///     }
/// }
/// ```
///
/// Each parameter has one line. The line contains the reason to change the parameter, its name, the type of its value,
/// its [kind](kinds) with default and bounds, and the source of the name and the default. The catalogue shows the
/// reason and the source unchanged. Both begin in lower case and end without a full stop. A line with `as` uses a
/// parameter that is declared elsewhere.
///
/// The macro generates:
///
/// - `struct Parameters`, with a public field for each parameter;
/// - `Parameters::LIST`, the list of the parameters. An [`Entry`](super::Entry) of the catalogue names it in its field
///   `own`: `own: &[&Parameters::LIST.all]`. An entry with other defaults changes the list: `own:
///   &[&Parameters::LIST.preset("beta", Value::Number(0.5)).all]`;
/// - `Parameters::read(settings)`, which an entry's `construct` calls. [`Settings`](super::Settings) has already
///   checked the values against the list.
macro_rules! parameters {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $table:ident {
            $(
                $(#[doc = $why:literal])* $field:ident: $type:ty
                $(as $elsewhere:path)? $(= $kind:expr, $source:expr)?;
            )+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, saved::Plain)]
        $vis struct $table {
            $(
                $(#[doc = $why])*
                $(#[doc = concat!("As in the catalogue: `", stringify!($elsewhere), "`.")])?
                pub $field: $type,
            )+
        }

        impl $table {
            /// The parameters as the catalogue shows them.
            pub(crate) const LIST: $crate::catalogue::parameters::List<{ [$(stringify!($field)),+].len() }> = {
                #[allow(unused_imports, reason = "a block needs some of the kinds")]
                use $crate::catalogue::parameters::kinds::*;
                let all = [$(
                    $crate::catalogue::parameters!(
                        @parameter [$($why),*] $field: $type $(as $elsewhere)? $(= $kind, $source)?
                    )
                ),+];
                $crate::catalogue::parameters::List { all }
            };

            /// Reads the values.
            pub(crate) fn read(settings: &$crate::catalogue::Settings<'_>) -> Self {
                Self { $($field: settings.read(stringify!($field))),+ }
            }
        }
    };
    (@parameter [$($why:literal),*] $field:ident: $type:ty = $kind:expr, $source:expr) => {{
        let kind: $crate::catalogue::parameters::Kind<$type> = $kind;
        $crate::catalogue::parameters::parameter(stringify!($field), &kind, $source, concat!($($why),*).trim_ascii())
    }};
    (@parameter [$($why:literal),*] $field:ident: $type:ty as $elsewhere:path) => {
        $elsewhere
    };
}

pub(crate) use parameters;

/// The words that scenarios use for the variants of an enum. Messages list the words in this order.
///
/// ```text
/// words! { SmallWindows { Kelly = "kelly", Linux = "linux" } }
/// ```
macro_rules! words {
    ($choice:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $crate::catalogue::parameters::Word for $choice {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            const WORDS: &'static [&'static str] = &[$($word),+];
        }
    };
}

pub(crate) use words;

/// A choice between several words.
pub(crate) trait Word: Copy + 'static {
    /// All variants.
    const ALL: &'static [Self];
    /// The words of [`Self::ALL`], in the same order.
    const WORDS: &'static [&'static str];
}

/// A type as which the value of a parameter can be read. `from_value` returns `None` if the value has another type.
pub(crate) trait FromValue: Sized {
    fn from_value(value: Value<'_>) -> Option<Self>;
}

impl<T: Word> FromValue for T {
    fn from_value(value: Value<'_>) -> Option<Self> {
        let Value::Text(text) = value else { return None };
        T::WORDS.iter().position(|word| *word == text).map(|place| T::ALL[place])
    }
}

impl FromValue for bool {
    fn from_value(value: Value<'_>) -> Option<Self> {
        if let Value::Flag(flag) = value { Some(flag) } else { None }
    }
}

impl FromValue for Span {
    fn from_value(value: Value<'_>) -> Option<Self> {
        if let Value::Text(text) = value { text.parse().ok() } else { None }
    }
}

/// A share. `None` means "off".
impl FromValue for Option<f64> {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Number(number) => Some(Some(number)),
            Value::Text(OFF) => Some(None),
            _ => None,
        }
    }
}

/// A numeric type as which a parameter can be read. Whole-number types cut off the fraction.
pub(crate) trait Number {}

macro_rules! numbers {
    ($($type:ty),+) => {
        $(
            impl Number for $type {}
            impl FromValue for $type {
                fn from_value(value: Value<'_>) -> Option<Self> {
                    if let Value::Number(number) = value { Some(number as $type) } else { None }
                }
            }
        )+
    };
}

numbers!(f64, u32, u64, usize);

/// The allowed values and the default of a parameter that is read as a `T`.
pub(crate) struct Kind<T> {
    unit: &'static str,
    default: Value<'static>,
    domain: Domain,
    read_as: PhantomData<T>,
}

/// The kinds of parameters that declarations with [`parameters!`] use.
pub(crate) mod kinds {
    use super::{Domain, Kind, Number, OFF, PhantomData, RangeInclusive, Span, Value, Word};

    /// A number with its unit in words ("none" if it has no unit), its default and its bounds.
    pub(crate) const fn number<T: Number>(
        unit: &'static str,
        default: f64,
        bounds: RangeInclusive<f64>,
    ) -> Kind<T> {
        let domain = Domain::Number(*bounds.start(), *bounds.end());
        Kind { unit, default: Value::Number(default), domain, read_as: PhantomData }
    }

    /// A time. The default is written with its unit.
    pub(crate) const fn time(default: &'static str, bounds: RangeInclusive<Span>) -> Kind<Span> {
        let domain = Domain::Time(*bounds.start(), *bounds.end());
        Kind { unit: "time", default: Value::Text(default), domain, read_as: PhantomData }
    }

    /// A flag: true or false.
    pub(crate) const fn flag(default: bool) -> Kind<bool> {
        Kind { unit: "none", default: Value::Flag(default), domain: Domain::Flag, read_as: PhantomData }
    }

    /// One of the words of an enum, which [`words!`](super::words) defines.
    pub(crate) const fn word<T: Word>(default: &'static str) -> Kind<T> {
        one_of(default, T::WORDS)
    }

    /// Like [`word`], but allows only some of the words, or lists them in another order.
    pub(crate) const fn one_of<T: Word>(default: &'static str, words: &'static [&'static str]) -> Kind<T> {
        let domain = Domain::Choice(words);
        Kind { unit: "none", default: Value::Text(default), domain, read_as: PhantomData }
    }

    /// A number above 0 and up to 1, or "off". The default is "off".
    pub(crate) const fn share_or_off() -> Kind<Option<f64>> {
        Kind { unit: "none", default: Value::Text(OFF), domain: Domain::ShareOrOff, read_as: PhantomData }
    }
}

/// A parameter of the catalogue.
pub(crate) const fn parameter<T>(
    name: &'static str,
    kind: &Kind<T>,
    source: &'static str,
    why: &'static str,
) -> Parameter {
    Parameter { name, unit: kind.unit, default: kind.default, domain: kind.domain, source, why }
}

impl Parameter {
    /// Returns the parameter with another default, for another controller or preset.
    pub(crate) const fn preset(self, default: Value<'static>) -> Self {
        Self { default, ..self }
    }

    /// Returns the parameter with another source.
    pub(crate) const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }
}

/// The parameters of one declaration with [`parameters!`].
pub(crate) struct List<const N: usize> {
    /// All parameters, in the order of the catalogue.
    pub(crate) all: [Parameter; N],
}

impl<const N: usize> List<N> {
    /// The parameter called `name`. A name that is not in the list is a compile error.
    pub(crate) const fn get(&self, name: &str) -> Parameter {
        self.all[self.place(name)]
    }

    /// Returns the list with `parameter` in place of the parameter of the same name.
    pub(crate) const fn with(self, parameter: Parameter) -> Self {
        let place = self.place(parameter.name);
        let mut all = self.all;
        all[place] = parameter;
        Self { all }
    }

    /// The list with another default for the parameter called `name`.
    pub(crate) const fn preset(self, name: &str, default: Value<'static>) -> Self {
        let parameter = self.get(name).preset(default);
        self.with(parameter)
    }

    const fn place(&self, name: &str) -> usize {
        let mut place = 0;
        while !is_same(self.all[place].name.as_bytes(), name.as_bytes()) {
            place += 1;
        }
        place
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}
