// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the network of a scenario: presets and what changes them, plain shapes, links.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::NetworkChoice;
use crate::format::{self, Loss};
use crate::plain::{chain, dumbbell, star, starlink};
use crate::queue;
use crate::text::{Q, Unlimited};
use link::{Bursts, CongestionWarning, Discipline, Impairment, LinkSpec, Queue};
use std::path::{Path, PathBuf};
use topology::Site;
use units::{Code, Rate, Span};

/// Steps of the chain of bursts where the file does not say: the bins of the measurements.
const BURST_BIN: Span = Span::from_millis(100);

/// A network, and what flows need to know of it.
#[derive(Debug)]
pub struct Network {
    /// The network itself; the sites of a constellation are taken in as flows name them.
    pub choice: NetworkChoice,
    /// Where flows come from and go to if they do not say.
    pub default_ends: Option<[String; 2]>,
    /// Places that the file adds to the shipped list.
    pub places: Vec<Site>,
}

/// What a file says of a link besides its delay.
#[derive(Debug, Default)]
pub struct LinkText {
    pub rate: Option<Q<Unlimited<Rate>>>,
    pub queue: Option<queue::Queue>,
    pub loss: Option<Loss>,
    pub reorder: Option<bool>,
    pub warn_above: Option<f64>,
}

impl LinkText {
    /// The link `base` with what the file says put over it.
    pub fn over(self, base: &LinkSpec, source: &Source<'_>, path: &str) -> Result<LinkSpec, ScenarioError> {
        let loss = self.loss.map(|loss| impairment(&loss, source, path)).transpose()?;
        let queue = queue::over(self.queue, base.queue, source, &format!("{path}.queue"))?;
        let drop_tail = queue.discipline == Discipline::DropTail;
        if self.warn_above.is_some() && !drop_tail {
            let message = "congestion warnings come from drop-tail queues (remove `warn_above`, or the queue's discipline)";
            return Err(source.error(Code::ScenarioValue, &format!("{path}.warn_above"), message));
        }
        Ok(LinkSpec {
            rate: self.rate.map_or(base.rate, |Q(Unlimited(rate))| rate),
            queue,
            loss: loss.unwrap_or(base.loss),
            reorder: self.reorder.unwrap_or(base.reorder),
            warning: self
                .warn_above
                .map(|above| CongestionWarning { above })
                .or(base.warning)
                .filter(|_| drop_tail),
        })
    }

    /// As [`Self::over`] an ideal link, but the rate must be said.
    pub fn whole(self, queue: Queue, source: &Source<'_>, path: &str) -> Result<LinkSpec, ScenarioError> {
        if self.rate.is_none() {
            let message = format!(
                "`{path}` needs the key `rate` (write rate = \"50 Mbit/s\", or \"unlimited\" for an ideal wire)"
            );
            return Err(source.error(Code::ScenarioMissingKey, &format!("{path}.rate"), message));
        }
        self.over(&LinkSpec { queue, ..LinkSpec::IDEAL }, source, path)
    }
}

impl From<format::Medium> for LinkText {
    fn from(text: format::Medium) -> Self {
        Self {
            rate: text.rate,
            queue: text.queue,
            loss: text.loss,
            reorder: text.reorder,
            warn_above: text.warn_above,
        }
    }
}

fn impairment(loss: &Loss, source: &Source<'_>, path: &str) -> Result<Impairment, ScenarioError> {
    match (loss.per, loss.ber, loss.bursts) {
        (Some(per), None, None) => Ok(Impairment::PacketErrorRate(per)),
        (None, Some(ber), None) => Ok(Impairment::BitErrorRate(ber)),
        (None, None, Some(format::Bursts { to_bad, to_good, loss, bin })) => {
            let bin = bin.map_or(BURST_BIN, |q| q.0);
            Ok(Impairment::Bursts(Bursts { bin, to_bad, to_good, loss }))
        }
        (None, None, None) => Ok(Impairment::None),
        (Some(_), Some(_), None) => {
            let message = "packet and bit error rate contradict each other (write one of `per` and `ber`)";
            Err(source.error(Code::ScenarioValue, &format!("{path}.loss"), message))
        }
        (_, _, Some(_)) => {
            let message = "bursts contradict another error rate (write one of `per`, `ber` and `bursts`)";
            Err(source.error(Code::ScenarioValue, &format!("{path}.loss"), message))
        }
    }
}

/// A file that a scenario names: relative to its folder.
pub fn beside(source: &Source<'_>, file: &str) -> PathBuf {
    Path::new(source.origin).parent().unwrap_or(Path::new("")).join(file)
}

/// Reads the network.
pub fn read(network: format::Network, source: &Source<'_>) -> Result<Network, ScenarioError> {
    let plain =
        |choice, ends: Option<[String; 2]>| Network { choice, default_ends: ends, places: Vec::new() };
    match network {
        format::Network {
            constellation: Some(text),
            dumbbell: None,
            chain: None,
            star: None,
            starlink: None,
            ..
        } => crate::constellation::read(text, source),
        format::Network {
            constellation: None,
            dumbbell: Some(text),
            chain: None,
            star: None,
            starlink: None,
            ..
        } => Ok(plain(dumbbell(text, source)?, Some(["left".to_owned(), "right".to_owned()]))),
        format::Network {
            constellation: None,
            dumbbell: None,
            chain: Some(text),
            star: None,
            starlink: None,
            ..
        } => {
            let links = chain(text, source)?;
            let ends = ["0".to_owned(), links.len().to_string()];
            Ok(plain(NetworkChoice::Chain { links }, Some(ends)))
        }
        format::Network {
            constellation: None,
            dumbbell: None,
            chain: None,
            star: Some(text),
            starlink: None,
            ..
        } => Ok(plain(star(text, source)?, None)),
        format::Network {
            constellation: None,
            dumbbell: None,
            chain: None,
            star: None,
            starlink: Some(text),
            ..
        } => {
            let path = NetworkChoice::Starlink(starlink(text, source)?);
            Ok(plain(path, Some(["dish".to_owned(), "server".to_owned()])))
        }
        format::Network {
            constellation: None,
            dumbbell: None,
            chain: None,
            star: None,
            starlink: None,
            ..
        } => {
            let message = "a scenario needs a network (write [network.constellation], [network.dumbbell], [network.chain], [network.star] or [network.starlink])";
            Err(source.error(Code::ScenarioMissingKey, "network", message))
        }
        _ => {
            let message = "a scenario has exactly one network (keep one of [network.constellation], [network.dumbbell], [network.chain], [network.star], [network.starlink])";
            Err(source.error(Code::ScenarioValue, "network", message))
        }
    }
}
