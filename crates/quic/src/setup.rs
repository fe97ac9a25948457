// SPDX-License-Identifier: MIT OR Apache-2.0
//! The choice of a controller, its settings, and the data that a connection has at its start.

use crate::{Hints, Library, Watch};
use control::catalogue::{self, ControlError, Value};
use control::{Controller, SavedPath, Signals};
use std::fmt;
use std::time::Instant;
use units::Code;

/// How packets are spread over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pacing {
    /// The controller paces. A controller with the parameter `pacing` is built with `pacing = true`, because all these
    /// libraries pace. If such a controller did not know that the library paces, it would interpret the gaps between
    /// packets as a signal of the path (HyStart). If the controller sets no rate, the library computes a rate (noq and
    /// quinn: 1.25 windows per smoothed RTT).
    #[default]
    Controller,
    /// Only the library paces. A controller with the parameter `pacing` is built with its default.
    Library,
    /// Pacing is off: the library gets a rate far above the rate of any path (noq: 8 Gbit/s). Controllers that require
    /// pacing then run degraded. This has no effect on quinn, because quinn takes no rate.
    Off,
}

/// A controller with its settings, for any number of connections. [`Setup::noq`], `Setup::quinn` and `Setup::s2n`
/// create the controller factory of a library from it.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(crate) name: String,
    settings: Vec<(String, Setting)>,
    pub(crate) seed: u64,
    pub(crate) epoch: Option<Instant>,
    pub(crate) initial_window: Option<u32>,
    pub(crate) saved: Option<SavedPath>,
    pub(crate) hints: Option<Hints>,
    pub(crate) watch: Option<Watch>,
    pub(crate) pacing: Pacing,
}

/// A [`Value`] whose text is owned.
#[derive(Clone, Debug)]
enum Setting {
    Number(f64),
    Text(String),
    Flag(bool),
}

impl Setup {
    /// Creates a setup with the controller `name` of [`control::catalogue`]. Settings that are not listed have the
    /// defaults of the controller.
    ///
    /// # Errors
    /// [`Refused::Controller`] if the name is unknown (with the most similar known name), if a parameter is unknown, or
    /// if a value is out of bounds.
    pub fn new(name: &str, settings: &[(&str, Value<'_>)]) -> Result<Self, Refused> {
        catalogue::build(name, settings).map_err(Refused::Controller)?;
        let owned = settings.iter().map(|(key, value)| {
            let value = match *value {
                Value::Number(number) => Setting::Number(number),
                Value::Text(text) => Setting::Text(text.to_owned()),
                Value::Flag(flag) => Setting::Flag(flag),
            };
            ((*key).to_owned(), value)
        });
        Ok(Self {
            name: name.to_owned(),
            settings: owned.collect(),
            seed: 0,
            epoch: None,
            initial_window: None,
            saved: None,
            hints: None,
            watch: None,
            pacing: Pacing::default(),
        })
    }

    /// Sets the seed of a controller that draws random numbers. The default is 0. All connections of a factory have the
    /// same seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the instant at which time is 0. The default is the start of a connection. The times of hints and watches
    /// are measured from this instant.
    #[must_use]
    pub fn epoch(self, epoch: Instant) -> Self {
        Self { epoch: Some(epoch), ..self }
    }

    /// Sets the initial window in datagrams. The default is the window of RFC 9002, section 7.2: 10 datagrams, but at
    /// most 14,720 bytes or 2 datagrams, whichever is larger.
    #[must_use]
    pub fn initial_window(self, datagrams: u32) -> Self {
        Self { initial_window: Some(datagrams), ..self }
    }

    /// Sets the path state that an earlier connection over the same path saved ([`State::saved`](crate::State::saved)).
    /// Controllers with `careful_resume = true` use it (RFC 9959).
    #[must_use]
    pub fn saved_path(self, saved: Option<SavedPath>) -> Self {
        Self { saved, ..self }
    }

    /// Sets the data about the path that comes from outside the connection.
    #[must_use]
    pub fn hints(self, hints: Hints) -> Self {
        Self { hints: Some(hints), ..self }
    }

    /// Sets the watch for the controller. If a factory builds several controllers, the watch shows the newest
    /// controller.
    #[must_use]
    pub fn watch(self, watch: Watch) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// Sets how packets are spread over time.
    #[must_use]
    pub fn pacing(self, pacing: Pacing) -> Self {
        Self { pacing, ..self }
    }

    /// Returns the signals that the controller uses but does not get from `library` and the hints. If such signals
    /// exist, a run is *degraded*: its results do not apply to a platform that provides these signals.
    ///
    /// # Errors
    /// [`Refused::Signals`] if the controller requires signals that it does not get.
    pub fn degraded(&self, library: Library) -> Result<Signals, Refused> {
        let built = self.build(false)?;
        let hints = self.hints.as_ref().map_or(Signals::NONE, Hints::signals);
        let lacking = library.admit(built.as_ref(), hints).map_err(|missing| Refused::Signals {
            controller: self.name.clone(),
            library,
            missing,
        })?;
        let unpaced = self.pacing == Pacing::Off && built.requires().contains(Signals::PACING);
        Ok(if unpaced { lacking | Signals::PACING } else { lacking })
    }

    /// Checks the signals, and builds the controller for connections over `library`.
    pub(crate) fn admitted(&self, library: Library) -> Result<Admitted, Refused> {
        let degraded = self.degraded(library)?;
        let hints = self.hints.as_ref().map_or(Signals::NONE, Hints::signals);
        let provided = library.platform().with(hints).signals().missing_from(degraded);
        let controller = self.build(self.pacing == Pacing::Controller)?;
        Ok(Admitted { setup: self.clone(), controller, provided })
    }

    /// Builds the controller. If the settings leave parameters that describe the platform open, this function sets
    /// them: `growth_limit` ([`Library::platform`]), and `pacing` if `paced`.
    fn build(&self, paced: bool) -> Result<Box<dyn Controller>, Refused> {
        let limit = Library::Noq.platform().growth_limit();
        let growth_limit = limit.map(|limit| ("growth_limit", Value::Number(limit.into())));
        let pacing = paced.then_some(("pacing", Value::Flag(true)));
        let known = |name: &str| {
            catalogue::entry(&self.name)
                .is_ok_and(|entry| entry.parameters().any(|parameter| parameter.name == name))
        };
        let of_platform = growth_limit.into_iter().chain(pacing).filter(|(name, _)| known(name));
        let own = self.settings.iter().map(|(key, value)| {
            let value = match value {
                Setting::Number(number) => Value::Number(*number),
                Setting::Text(text) => Value::Text(text),
                Setting::Flag(flag) => Value::Flag(*flag),
            };
            (key.as_str(), value)
        });
        // If a name occurs twice, the last value applies.
        let settings: Vec<_> = of_platform.chain(own).collect();
        catalogue::build(&self.name, &settings).map_err(Refused::Controller)
    }
}

/// A setup whose controller can run over a library.
#[derive(Clone)]
pub(crate) struct Admitted {
    pub(crate) setup: Setup,
    /// This controller is cloned for each connection.
    pub(crate) controller: Box<dyn Controller>,
    pub(crate) provided: Signals,
}

impl fmt::Debug for Admitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admitted").field("setup", &self.setup).finish_non_exhaustive()
    }
}

/// Reason why no factory is created.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// The controller does not exist in the catalogue, or a setting does not exist or is out of bounds.
    Controller(ControlError),
    /// The controller requires signals that it does not get.
    Signals {
        /// The controller.
        controller: String,
        /// The library.
        library: Library,
        /// The signals.
        missing: Signals,
    },
}

impl Refused {
    /// Returns the stable error code.
    pub const fn code(&self) -> Code {
        match self {
            Self::Controller(error) => error.code(),
            Self::Signals { .. } => Code::SignalMissing,
        }
    }
}

/// Signals that [`Hints`] can give.
const OF_HINTS: Signals = Signals::PROPAGATION.and(Signals::DISTANCE).and(Signals::PATH_CHANGE);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Controller(error) => error.fmt(f),
            Self::Signals { controller, library, missing } => {
                write!(f, "controller \"{controller}\" needs {missing}, which {library} does not provide")?;
                f.write_str(if missing.missing_from(OF_HINTS).is_empty() {
                    " (pass these signals to Setup::hints, or choose another controller)"
                } else {
                    " (choose another controller)"
                })
            }
        }
    }
}

impl std::error::Error for Refused {}
