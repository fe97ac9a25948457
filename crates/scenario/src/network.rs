// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the network of a scenario: presets and what changes them, plain shapes, links.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::NetworkChoice;
use crate::format::{self, Chain, ChainLinks, Dumbbell, Loss, Star, Wire};
use crate::text::{Q, Unlimited};
use link::{CongestionWarning, Delay, Impairment, QueueLimit};
use topology::{LinkSpec, Site};
use units::{Code, Rate, Span, Time};

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
    pub queue: Option<Q<QueueLimit>>,
    pub loss: Option<Loss>,
    pub reorder: Option<bool>,
    pub warn_above: Option<f64>,
}

/// A link without loss that keeps order.
pub const fn spec(rate: Option<Rate>, queue: QueueLimit) -> LinkSpec {
    LinkSpec { rate, queue, loss: Impairment::None, reorder: false, warning: None }
}

impl LinkText {
    /// The link `base` with what the file says put over it.
    pub fn over(self, base: &LinkSpec, source: &Source<'_>, path: &str) -> Result<LinkSpec, ScenarioError> {
        let loss = self.loss.map(|loss| impairment(&loss, source, path)).transpose()?;
        Ok(LinkSpec {
            rate: self.rate.map_or(base.rate, |Q(Unlimited(rate))| rate),
            queue: self.queue.map_or(base.queue, |q| q.0),
            loss: loss.unwrap_or(base.loss),
            reorder: self.reorder.unwrap_or(base.reorder),
            warning: self.warn_above.map(|above| CongestionWarning { above }).or(base.warning),
        })
    }

    /// As [`Self::over`] an ideal link, but the rate must be said.
    pub fn whole(
        self,
        queue: QueueLimit,
        source: &Source<'_>,
        path: &str,
    ) -> Result<LinkSpec, ScenarioError> {
        if self.rate.is_none() {
            let message = format!(
                "`{path}` needs the key `rate` (write rate = \"50 Mbit/s\", or \"unlimited\" for an ideal wire)"
            );
            return Err(source.error(Code::ScenarioMissingKey, &format!("{path}.rate"), message));
        }
        self.over(&spec(None, queue), source, path)
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
    match (loss.per, loss.ber) {
        (Some(per), None) => Ok(Impairment::PacketErrorRate(per)),
        (None, Some(ber)) => Ok(Impairment::BitErrorRate(ber)),
        (None, None) => Ok(Impairment::None),
        (Some(_), Some(_)) => {
            let message = "packet and bit error rate contradict each other (write one of `per` and `ber`)";
            Err(source.error(Code::ScenarioValue, &format!("{path}.loss"), message))
        }
    }
}

impl Wire {
    fn split(self) -> (LinkText, DelayText) {
        (
            LinkText {
                rate: self.rate,
                queue: self.queue,
                loss: self.loss,
                reorder: self.reorder,
                warn_above: self.warn_above,
            },
            DelayText { rtt: None, delay: self.delay, steps: self.delay_steps },
        )
    }

    fn read(self, source: &Source<'_>, path: &str) -> Result<(LinkSpec, Delay), ScenarioError> {
        let (link, delay) = self.split();
        let link = link.whole(QueueLimit::Unlimited, source, path)?;
        Ok((link, delay.needed("delay = \"25 ms\"", source, path)?.0))
    }
}

/// The three ways to give a delay.
struct DelayText {
    rtt: Option<Q<Span>>,
    delay: Option<Q<Span>>,
    steps: Option<Vec<Vec<Q<Span>>>>,
}

impl DelayText {
    /// Delay there and delay back; `None` if the file does not say.
    fn read(self, source: &Source<'_>, path: &str) -> Result<Option<(Delay, Delay)>, ScenarioError> {
        match (self.rtt, self.delay, self.steps) {
            (None, None, None) => Ok(None),
            (Some(Q(rtt)), None, None) => {
                let there = rtt / 2;
                Ok(Some((Delay::Constant(there), Delay::Constant(rtt.saturating_sub(there)))))
            }
            (None, Some(Q(delay)), None) => Ok(Some((Delay::Constant(delay), Delay::Constant(delay)))),
            (None, None, Some(steps)) => {
                let delay = delay_steps(&steps).map_err(|message| {
                    source.error(Code::ScenarioValue, &format!("{path}.delay_steps"), message)
                })?;
                Ok(Some((delay.clone(), delay)))
            }
            (rtt, delay, steps) => {
                let given =
                    [("rtt", rtt.is_some()), ("delay", delay.is_some()), ("delay_steps", steps.is_some())];
                let given: Vec<_> =
                    given.iter().filter(|(_, there)| *there).map(|(key, _)| format!("`{key}`")).collect();
                let message = format!("{} contradict each other (keep one)", given.join(" and "));
                Err(source.error(Code::ScenarioValue, path, message))
            }
        }
    }

    fn needed(self, example: &str, source: &Source<'_>, path: &str) -> Result<(Delay, Delay), ScenarioError> {
        self.read(source, path)?.ok_or_else(|| {
            let key = example.split(' ').next().unwrap_or_default();
            let message = format!("`{path}` needs its propagation delay (write {example})");
            source.error(Code::ScenarioMissingKey, &format!("{path}.{key}"), message)
        })
    }
}

fn delay_steps(steps: &[Vec<Q<Span>>]) -> Result<Delay, String> {
    let mut read: Vec<(Time, Span)> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let [Q(from), Q(delay)] = step.as_slice() else {
            return Err(format!(
                "step {index} is not a pair of time and delay (write [\"15 s\", \"50 ms\"])"
            ));
        };
        let from = Time::ZERO + *from;
        if read.last().is_some_and(|&(before, _)| before >= from) {
            return Err(format!("step {index} at {from} is not later than the step before it"));
        }
        read.push((from, *delay));
    }
    if read.first().is_none_or(|&(from, _)| from != Time::ZERO) {
        return Err("the first step must be at \"0 s\" (write [[\"0 s\", \"30 ms\"], …])".to_owned());
    }
    Ok(Delay::Steps(read.into()))
}

/// Reads the network.
pub fn read(network: format::Network, source: &Source<'_>) -> Result<Network, ScenarioError> {
    let plain =
        |choice, ends: Option<[String; 2]>| Network { choice, default_ends: ends, places: Vec::new() };
    match network {
        format::Network { constellation: Some(text), dumbbell: None, chain: None, star: None, .. } => {
            crate::constellation::read(text, source)
        }
        format::Network { constellation: None, dumbbell: Some(text), chain: None, star: None, .. } => {
            Ok(plain(dumbbell(text, source)?, Some(["left".to_owned(), "right".to_owned()])))
        }
        format::Network { constellation: None, dumbbell: None, chain: Some(text), star: None, .. } => {
            let links = chain(text, source)?;
            let ends = ["0".to_owned(), links.len().to_string()];
            Ok(plain(NetworkChoice::Chain { links }, Some(ends)))
        }
        format::Network { constellation: None, dumbbell: None, chain: None, star: Some(text), .. } => {
            Ok(plain(star(text, source)?, None))
        }
        format::Network { constellation: None, dumbbell: None, chain: None, star: None, .. } => {
            let message = "a scenario needs a network (write [network.constellation], [network.dumbbell], [network.chain] or [network.star])";
            Err(source.error(Code::ScenarioMissingKey, "network", message))
        }
        _ => {
            let message = "a scenario has exactly one network (keep one of [network.constellation], [network.dumbbell], [network.chain], [network.star])";
            Err(source.error(Code::ScenarioValue, "network", message))
        }
    }
}

fn dumbbell(text: Dumbbell, source: &Source<'_>) -> Result<NetworkChoice, ScenarioError> {
    let path = "network.dumbbell";
    let delay = DelayText { rtt: text.rtt, delay: text.delay, steps: text.delay_steps };
    let (there, back) = delay.needed("rtt = \"50 ms\"", source, path)?;
    let link = LinkText {
        rate: text.rate,
        queue: text.queue,
        loss: text.loss,
        reorder: text.reorder,
        warn_above: text.warn_above,
    };
    let forward = link.whole(QueueLimit::Bdp(1.0), source, path)?;
    // The way back carries ACKs: it is like the way there, but lossless unless the file says otherwise.
    let base = LinkSpec { loss: Impairment::None, ..forward.clone() };
    let (link, delay) = text.reverse.unwrap_or_default().split();
    let path = "network.dumbbell.reverse";
    let reverse = link.over(&base, source, path)?;
    let back = delay.read(source, path)?.map_or(back, |(delay, _)| delay);
    Ok(NetworkChoice::Dumbbell { forward: (forward, there), reverse: (reverse, back) })
}

fn chain(text: Chain, source: &Source<'_>) -> Result<Vec<(LinkSpec, Delay)>, ScenarioError> {
    match (text.links, text.link) {
        (ChainLinks::Count(count), Some(link)) => {
            let link = link.read(source, "network.chain.link")?;
            Ok(vec![link; count as usize])
        }
        (ChainLinks::Count(_), None) => {
            let message = "`network.chain` needs the key `link`: one of its links (write link = { rate = \"25 Mbit/s\", delay = \"13 ms\" })";
            Err(source.error(Code::ScenarioMissingKey, "network.chain.link", message))
        }
        (ChainLinks::Each(_), Some(_)) => {
            let message = "`link` contradicts the list in `links` (keep one, or write links = 12)";
            Err(source.error(Code::ScenarioValue, "network.chain.link", message))
        }
        (ChainLinks::Each(links), None) if links.is_empty() || links.len() > 1000 => {
            let message = format!("{} links: it must be within 1 and 1000", links.len());
            Err(source.error(Code::ScenarioValue, "network.chain.links", message))
        }
        (ChainLinks::Each(links), None) => {
            let read =
                |(index, link): (usize, Wire)| link.read(source, &format!("network.chain.links[{index}]"));
            links.into_iter().enumerate().map(read).collect()
        }
    }
}

fn star(text: Star, source: &Source<'_>) -> Result<NetworkChoice, ScenarioError> {
    let mut branches: Vec<(String, LinkSpec, Delay)> = Vec::new();
    for (index, branch) in text.branches.into_iter().enumerate() {
        let path = format!("network.star.branches[{index}]");
        if branch.site == "hub" || branches.iter().any(|(site, ..)| *site == branch.site) {
            let message =
                format!("the site \"{}\" is already there (give each branch a name of its own)", branch.site);
            return Err(source.error(Code::ScenarioValue, &format!("{path}.site"), message));
        }
        let wire = Wire {
            rate: branch.rate,
            delay: branch.delay,
            delay_steps: branch.delay_steps,
            queue: branch.queue,
            loss: branch.loss,
            reorder: branch.reorder,
            warn_above: branch.warn_above,
        };
        let (link, delay) = wire.read(source, &path)?;
        branches.push((branch.site, link, delay));
    }
    if branches.is_empty() {
        let message = "a star needs at least one branch";
        return Err(source.error(Code::ScenarioValue, "network.star.branches", message));
    }
    Ok(NetworkChoice::Star { branches })
}
