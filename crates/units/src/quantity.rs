// SPDX-License-Identifier: MIT OR Apache-2.0
//! The types of time, data, rate, distance and angle.

use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

/// Nanoseconds in a second.
const NS_PER_S: f64 = 1e9;

/// A point in virtual time, in nanoseconds since the start of the run. The largest value is 584 years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// A length of time, in nanoseconds. It is never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

/// An amount of data, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

/// A data rate, in bit/s. Prefixes are decimal: 1 Mbit/s is 10^6 bit/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

/// A length, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Distance(f64);

/// An angle in degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Angle(f64);

impl Time {
    /// The start of the run.
    pub const ZERO: Self = Self(0);
    /// A time after all other times. It means "never".
    pub const MAX: Self = Self(u64::MAX);

    /// Creates a time from nanoseconds since the start.
    pub const fn from_nanos(ns: u64) -> Self {
        Self(ns)
    }
    /// Returns the nanoseconds since the start.
    pub const fn nanos(self) -> u64 {
        self.0
    }
    /// Creates a time from seconds since the start, rounded to nanoseconds. Negative numbers and NaN become zero.
    pub fn from_secs_f64(s: f64) -> Self {
        Self((s * NS_PER_S).round() as u64)
    }
    /// Returns the seconds since the start.
    pub fn secs_f64(self) -> f64 {
        self.0 as f64 / NS_PER_S
    }
    /// Returns the span since `earlier`; zero if `earlier` is later.
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// A span longer than all others.
    pub const MAX: Self = Self(u64::MAX);

    /// Creates a span from nanoseconds.
    pub const fn from_nanos(ns: u64) -> Self {
        Self(ns)
    }
    /// Creates a span from microseconds.
    pub const fn from_micros(us: u64) -> Self {
        Self(us * 1_000)
    }
    /// Creates a span from milliseconds.
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms * 1_000_000)
    }
    /// Creates a span from whole seconds.
    pub const fn from_secs(s: u64) -> Self {
        Self(s * 1_000_000_000)
    }
    /// Creates a span from seconds, rounded to nanoseconds. Negative numbers and NaN become zero.
    pub fn from_secs_f64(s: f64) -> Self {
        Self((s * NS_PER_S).round() as u64)
    }
    /// Returns the span in nanoseconds.
    pub const fn nanos(self) -> u64 {
        self.0
    }
    /// Returns the span in seconds.
    pub fn secs_f64(self) -> f64 {
        self.0 as f64 / NS_PER_S
    }
    /// Returns the span in milliseconds.
    pub fn millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
    /// Returns the difference; zero if it would be negative.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
    /// Multiplies the span by a factor and rounds to nanoseconds. Negative results and NaN become zero.
    #[must_use]
    pub fn mul_f64(self, factor: f64) -> Self {
        Self((self.0 as f64 * factor).round() as u64)
    }
}

impl Bytes {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// An amount larger than all others.
    pub const MAX: Self = Self(u64::MAX);

    /// Creates an amount from a number of bytes.
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }
    /// Returns the number of bytes.
    pub const fn get(self) -> u64 {
        self.0
    }
    /// Returns the size of `segments` segments of `mss` bytes. A fraction of a byte is cut off.
    pub fn from_segments(segments: f64, mss: u32) -> Self {
        Self((segments * f64::from(mss)) as u64)
    }
    /// Returns the amount as a number of segments of `mss` bytes, with a fraction.
    pub fn segments(self, mss: u32) -> f64 {
        self.0 as f64 / f64::from(mss)
    }
    /// Returns the difference; zero if it would be negative.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Rate {
    /// Creates a rate from bit/s.
    pub const fn from_bits_per_s(bits_per_s: u64) -> Self {
        Self(bits_per_s)
    }
    /// Returns the rate in bit/s.
    pub const fn bits_per_s(self) -> u64 {
        self.0
    }
    /// Returns the rate in Mbit/s.
    pub fn mbit_per_s(self) -> f64 {
        self.0 as f64 / 1e6
    }
    /// Creates a rate from bytes per second, rounded down to whole bit/s.
    pub fn from_bytes_per_s(bytes_per_s: f64) -> Self {
        Self((bytes_per_s * 8.0) as u64)
    }
    /// Returns the rate in bytes per second.
    pub fn bytes_per_s(self) -> f64 {
        self.0 as f64 / 8.0
    }
    /// Returns the time to send `bytes` at this rate, rounded to the nearest nanosecond; [`Span::MAX`] at rate zero.
    pub const fn time_for(self, bytes: Bytes) -> Span {
        if self.0 == 0 {
            return Span::MAX;
        }
        let bits_ns = bytes.0 as u128 * 8_000_000_000;
        Span(((bits_ns + self.0 as u128 / 2) / self.0 as u128) as u64)
    }
    /// Returns the bytes that this rate carries in `span`, rounded down.
    pub const fn bytes_in(self, span: Span) -> Bytes {
        Bytes((self.0 as u128 * span.0 as u128 / 8_000_000_000) as u64)
    }
}

impl Distance {
    /// Creates a distance from metres.
    pub const fn from_m(m: f64) -> Self {
        Self(m)
    }
    /// Creates a distance from kilometres.
    pub fn from_km(km: f64) -> Self {
        Self(km * 1e3)
    }
    /// Returns the distance in metres.
    pub const fn m(self) -> f64 {
        self.0
    }
    /// Returns the distance in kilometres.
    pub fn km(self) -> f64 {
        self.0 / 1e3
    }
    /// Returns the time that light takes over this distance in vacuum.
    pub fn light_time(self) -> Span {
        Span::from_secs_f64(self.0 / crate::SPEED_OF_LIGHT_M_S)
    }
}

impl Angle {
    /// Creates an angle from degrees.
    pub const fn from_deg(deg: f64) -> Self {
        Self(deg)
    }
    /// Returns the angle in degrees.
    pub const fn deg(self) -> f64 {
        self.0
    }
    /// Returns the angle in radians.
    pub fn rad(self) -> f64 {
        self.0.to_radians()
    }
}

macro_rules! arithmetic {
    ($($left:ident $op:ident $right:ident = $out:ident by $f:ident, $method:ident;)+) => {
        $(impl $op<$right> for $left {
            type Output = $out;
            fn $f(self, rhs: $right) -> $out { $out(self.0.$method(rhs.0)) }
        })+
    };
}
// Sums saturate: `Time::MAX` ("never") plus any span is `Time::MAX`.
arithmetic! {
    Time Add Span = Time by add, saturating_add;
    Time Sub Span = Time by sub, saturating_sub;
    Span Add Span = Span by add, saturating_add;
    Span Sub Span = Span by sub, saturating_sub;
    Bytes Add Bytes = Bytes by add, saturating_add;
    Bytes Sub Bytes = Bytes by sub, saturating_sub;
}

impl Mul<u64> for Span {
    type Output = Self;
    fn mul(self, rhs: u64) -> Self {
        Self(self.0.saturating_mul(rhs))
    }
}
impl Div<u64> for Span {
    type Output = Self;
    fn div(self, rhs: u64) -> Self {
        Self(self.0 / rhs)
    }
}
impl AddAssign<Span> for Time {
    fn add_assign(&mut self, rhs: Span) {
        *self = *self + rhs;
    }
}
impl AddAssign for Bytes {
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}
impl SubAssign for Bytes {
    fn sub_assign(&mut self, rhs: Self) {
        *self = *self - rhs;
    }
}
