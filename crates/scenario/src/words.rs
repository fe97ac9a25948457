// SPDX-License-Identifier: MIT OR Apache-2.0
//! Choices that a file writes as one word, and the words for choices that other crates define.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use tcp::{AfterIdle, AfterLostSyn, Ecn, Preset, Recovery, Repair, Setup, Timeouts};
use topology::{During, InFlight, Policy, RouteTimes, Scope, Turns};

/// A choice that a file writes as one word.
pub trait Word: Copy + 'static {
    /// Name of the choice in the schema.
    const NAME: &'static str;
    /// Description of the choice in the schema.
    const MEANING: &'static str;
    /// All values, in the order in which messages list them.
    const ALL: &'static [Self];
    /// Returns the word for this value.
    fn word(self) -> &'static str;
}

/// Defines the words of an enum. The enum does not depend on the file format. A variant without a word does not
/// compile.
macro_rules! words {
    ($(#[doc = $meaning:literal] $choice:ident { $($variant:ident = $word:literal),+ $(,)? })+) => {
        $(impl $crate::words::Word for $choice {
            const NAME: &'static str = stringify!($choice);
            const MEANING: &'static str = $meaning.trim_ascii();
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        })+
    };
}

pub(crate) use words;

words! {
    /// How a site chooses a satellite.
    Policy {
        LowestDelay = "lowest-delay",
        HighestElevation = "highest-elevation",
        Nearest = "nearest",
        LongestVisible = "longest-visible",
    }
    /// What happens to packets that meet an outage.
    During { Hold = "hold", Lose = "lose" }
    /// Times at which routes may change.
    RouteTimes { Steps = "steps", Events = "events" }
    /// Which links share a transmitter.
    Scope { Beam = "beam", Satellite = "satellite", Gateway = "gateway" }
    /// How turns on a shared transmitter are measured.
    Turns { Bytes = "bytes", Time = "time" }
    /// What happens to packets at a reroute.
    InFlight { Forward = "forward", Drop = "drop" }
    /// The TCP implementation.
    Preset {
        Linux = "linux",
        Rfc = "rfc",
        Ns2Sack1 = "ns2-sack1",
        Ns2Newreno = "ns2-newreno",
        Ns2Linux = "ns2-linux",
        Bentpipe01 = "bentpipe-0.1",
    }
    /// How marks are reported to the sender.
    Ecn {
        Classic = "classic",
        Dctcp = "dctcp",
        L4s = "l4s",
        Accurate = "accurate",
        AccurateL4s = "accurate-l4s",
    }
    /// How losses are detected and repaired.
    Recovery { Reno = "reno", NewReno = "newreno", Sack = "sack", RackTlp = "rack" }
    /// How much may be sent while losses are repaired with SACK.
    Repair { Rfc6675 = "rfc6675", FallFloyd = "fall-floyd", RateHalving = "rate-halving" }
    /// How timeouts are computed, and what follows a timeout.
    Timeouts { Rfc6298 = "rfc6298", Ns2 = "ns-2", Ns2Linux = "ns-2-linux" }
    /// How a connection begins.
    Setup {
        None = "none",
        Handshake = "handshake",
        FastOpen = "fast-open",
        Ns2 = "ns-2",
        Ns2Linux = "ns-2-linux",
    }
    /// What follows when the timer of the SYN has expired.
    AfterLostSyn { Rfc = "rfc", Linux = "linux" }
}

words! {
    /// How the congestion window changes while it is not used.
    AfterIdle { Keep = "keep", Rfc5681 = "rfc5681", Linux = "linux", Rfc7661 = "rfc7661" }
}

/// A choice that a file writes as one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct W<T>(pub T);

impl Word for link::TraceEnd {
    const NAME: &'static str = "TraceEnd";
    const MEANING: &'static str = "What follows at the end of a trace.";
    const ALL: &'static [Self] = Self::ALL;
    fn word(self) -> &'static str {
        self.word()
    }
}

impl<T: Word> Serialize for W<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

impl<'de, T: Word> Deserialize<'de> for W<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let choice = T::ALL.iter().find(|choice| choice.word() == text);
        choice.map(|choice| Self(*choice)).ok_or_else(|| {
            let known: Vec<&str> = T::ALL.iter().map(|choice| choice.word()).collect();
            D::Error::custom(format!("\"{text}\" is not an allowed word (choices: {})", known.join(", ")))
        })
    }
}

impl<T: Word> JsonSchema for W<T> {
    fn schema_name() -> Cow<'static, str> {
        T::NAME.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = T::ALL.iter().map(|choice| choice.word()).collect();
        json_schema!({ "type": "string", "enum": words, "description": T::MEANING })
    }
}
