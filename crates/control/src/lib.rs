// SPDX-License-Identifier: MIT OR Apache-2.0
//! Congestion controllers as pure state machines.
//!
//! A controller receives events ([`event`]) and writes the state that it requests into a [`Control`]. Each controller
//! declares the signals that it needs ([`Signals`]). A controller uses no clock, no randomness and no I/O, and does not
//! allocate memory per event. The same code therefore runs on every platform. This crate depends on `units` and
//! `random`.
//!
//! - The contract is [`Controller`] and its [`event`]s. A [`Platform`] declares the signals that it gives. The
//!   [`catalogue`] builds every controller by name. Each entry of the catalogue is defined beside the code of its
//!   controller.
//! - A controller that grows on ACKs and shrinks on losses is a [`Rule`](loss_based::Rule) in the frame [`loss_based`].
//!   The frame combines the rule with one of the [`slow_start`]s and one of the [`loss_verdict`]s. The rule counts in
//!   segments ([`window`]).
//! - A controller derived from BBRv1 is a [`Variant`](bbr1::Variant) in the frame [`bbr1`]. Other controllers that
//!   follow a model of the path implement [`Controller`] directly ([`bbr3`], [`copa`], [`vivace`]).
//! - Several controllers share these parts: [`announced`], [`estimate`], [`windowed`], [`slow_start::HoeEstimate`],
//!   [`hybla::Rho`], [`random`].
//!
//! The folder `vectors/` contains the required answers to given events, independent of any programming language.
//!
//! A controller that draws random numbers uses the seed `Start::seed`, which the platform sets.
//!
//! A *platform* runs a controller. Examples of platforms are the packet simulator, a QUIC library, and a kernel.
//! `vectors/profiles.toml` defines how each kind of platform counts windows: in real numbers, in whole segments (a
//! kernel), or in datagrams of 1,200 bytes (a QUIC library). The file also defines how far an answer may therefore
//! differ from the number that was computed by hand. The tests also contain integer versions of Reno and CUBIC. These
//! versions show that one set of cases is valid for all three kinds of platforms, and that a wrong version fails.

pub mod a_liad;
pub mod announced;
pub mod bbr1;
pub mod bbr3;
pub mod bic;
pub mod bic_linux;
pub mod careful_resume;
pub mod catalogue;
pub mod command;
pub mod controller;
pub mod copa;
pub mod cubic;
pub mod cubic_linux;
pub mod dctcp;
pub mod estimate;
pub mod event;
pub mod geo_reno;
pub mod h_tcp;
pub mod hstcp;
pub mod hstcp_linux;
pub mod hybic;
pub mod hybla;
pub mod hybla_im;
pub mod hybla_linux;
pub mod illinois;
pub mod illinois_linux;
pub mod jersey;
pub mod ledbat;
pub mod leocc;
pub mod linux;
pub mod logarithmic;
pub mod loss_based;
pub mod loss_verdict;
pub mod peach;
#[cfg(test)]
mod pipe;
pub mod platform;
pub mod prague;
pub mod reno;
pub mod satcp;
pub mod signals;
pub mod slow_start;
pub mod starquic;
pub mod stcp;
pub mod vegas;
pub mod vegas_linux;
pub mod vegas_w;
pub mod veno;
pub mod vivace;
pub mod westwood;
pub mod window;
pub mod windowed;
pub mod yeah;

pub use command::{Control, LossVerdict, Overrides, OwnCommands, ProbeRequest};
pub use controller::{CloneController, Controller, Snapshot};
pub use event::{
    Ack, AckedPacket, Ephemeris, Idle, Limit, Limited, Loss, LossTrigger, LostPacket, NewMss, PacketKind,
    PathChange, PathKind, PathState, RateSample, SavedPath, Sent, Spurious, Start, Timeout, TimerFired,
    Unused,
};
pub use platform::Platform;
pub use signals::Signals;

/// The template of a controller in the guide, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/own-controllers.md")]
struct Guide;
