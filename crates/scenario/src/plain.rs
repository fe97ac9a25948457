// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads plain networks: links whose delay is said, and paths over Starlink.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{NetworkChoice, Starlink, Wire, WireDelay, WireService};
use crate::format::{self, Chain, ChainLinks, Dumbbell, RateStep, Star};
use crate::network::{LinkText, beside};
use crate::queue;
use crate::text::Q;
use link::{Delay, Impairment, LinkSpec, Piece, Queue, QueueLimit, RateSchedule};
use units::{Code, Span, Time};

impl format::Wire {
    fn split(self) -> (LinkText, ServiceText, DelayText) {
        (
            LinkText {
                rate: self.rate,
                queue: self.queue,
                loss: self.loss,
                reorder: self.reorder,
                warn_above: self.warn_above,
            },
            ServiceText { steps: self.rate_steps, trace: self.trace },
            DelayText { rtt: None, delay: self.delay, steps: self.delay_steps, trace: self.delay_trace },
        )
    }

    fn read(self, source: &Source<'_>, path: &str) -> Result<Wire, ScenarioError> {
        let (link, service, delay) = self.split();
        let (spec, service) = service.whole(link, QueueLimit::Unlimited.into(), source, path)?;
        Ok(Wire { spec, service, delay: delay.needed("delay = \"25 ms\"", source, path)?.0 })
    }
}

/// The ways to give a rate that is not constant.
struct ServiceText {
    steps: Option<Vec<RateStep>>,
    trace: Option<String>,
}

impl ServiceText {
    /// The service; `None` if the file says nothing but a constant rate, or nothing at all.
    fn read(self, rate: bool, source: &Source<'_>, path: &str) -> Result<Option<WireService>, ScenarioError> {
        match (rate, self.steps, self.trace) {
            (_, None, None) => Ok(None),
            (false, Some(steps), None) => {
                let piece = |step: &RateStep| Piece::constant(Time::ZERO + step.at.0, step.rate.0);
                let schedule = RateSchedule::new(steps.iter().map(piece).collect()).map_err(|error| {
                    source.error(Code::ScenarioValue, &format!("{path}.rate_steps"), error.to_string())
                })?;
                Ok(Some(WireService::Steps(schedule)))
            }
            (false, None, Some(file)) => Ok(Some(WireService::Trace(beside(source, &file)))),
            (rate, steps, trace) => Err(contradiction(
                &[("rate", rate), ("rate_steps", steps.is_some()), ("trace", trace.is_some())],
                source,
                path,
            )),
        }
    }

    /// A link whose rate must be said in one of the ways.
    fn whole(
        self,
        link: LinkText,
        queue: Queue,
        source: &Source<'_>,
        path: &str,
    ) -> Result<(LinkSpec, WireService), ScenarioError> {
        match self.read(link.rate.is_some(), source, path)? {
            None => Ok((link.whole(queue, source, path)?, WireService::Constant)),
            Some(service) => Ok((link.over(&LinkSpec { queue, ..LinkSpec::IDEAL }, source, path)?, service)),
        }
    }
}

/// Several ways to say one thing.
fn contradiction(given: &[(&str, bool)], source: &Source<'_>, path: &str) -> ScenarioError {
    let given: Vec<_> = given.iter().filter(|(_, there)| *there).map(|(key, _)| format!("`{key}`")).collect();
    let message = format!("{} contradict each other (keep one)", given.join(" and "));
    source.error(Code::ScenarioValue, path, message)
}

/// The ways to give a delay.
struct DelayText {
    rtt: Option<Q<Span>>,
    delay: Option<Q<Span>>,
    steps: Option<Vec<Vec<Q<Span>>>>,
    trace: Option<String>,
}

impl DelayText {
    /// Delay there and delay back; `None` if the file does not say.
    fn read(self, source: &Source<'_>, path: &str) -> Result<Option<(WireDelay, WireDelay)>, ScenarioError> {
        let both = |delay: WireDelay| Ok(Some((delay.clone(), delay)));
        let constant = |delay| WireDelay::Given(Delay::Constant(delay));
        match (self.rtt, self.delay, self.steps, self.trace) {
            (None, None, None, None) => Ok(None),
            (Some(Q(rtt)), None, None, None) => {
                let there = rtt / 2;
                Ok(Some((constant(there), constant(rtt.saturating_sub(there)))))
            }
            (None, Some(Q(delay)), None, None) => both(constant(delay)),
            (None, None, Some(steps), None) => {
                let delay = delay_steps(&steps).map_err(|message| {
                    source.error(Code::ScenarioValue, &format!("{path}.delay_steps"), message)
                })?;
                both(WireDelay::Given(delay))
            }
            (None, None, None, Some(file)) => both(WireDelay::Trace(beside(source, &file))),
            (rtt, delay, steps, trace) => Err(contradiction(
                &[
                    ("rtt", rtt.is_some()),
                    ("delay", delay.is_some()),
                    ("delay_steps", steps.is_some()),
                    ("delay_trace", trace.is_some()),
                ],
                source,
                path,
            )),
        }
    }

    fn needed(
        self,
        example: &str,
        source: &Source<'_>,
        path: &str,
    ) -> Result<(WireDelay, WireDelay), ScenarioError> {
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

/// A path over Starlink.
pub fn starlink(text: format::Starlink, source: &Source<'_>) -> Result<Starlink, ScenarioError> {
    let Some(preset) = link::starlink::find(&text.preset) else {
        let known: Vec<&str> = link::starlink::PRESETS.iter().map(|preset| preset.name).collect();
        let hint = crate::check::nearest(&text.preset, known.iter().copied())
            .map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
        let message =
            format!("cannot find the path \"{}\" ({hint}presets are {})", text.preset, known.join(", "));
        return Err(source.error(Code::PresetUnknown, "network.starlink.preset", message));
    };
    let queue = text.queue.unwrap_or_default();
    let read = |text, default: QueueLimit, key| {
        queue::over(text, default.into(), source, &format!("network.starlink.queue.{key}"))
    };
    Ok(Starlink {
        preset,
        phase: text.phase.map_or(Span::ZERO, |q| q.0),
        rtt: text.rtt.map_or(Span::ZERO, |q| q.0),
        queues: [read(queue.up, preset.up.queue, "up")?, read(queue.down, preset.down.queue, "down")?],
    })
}

/// A dumbbell.
pub fn dumbbell(text: Dumbbell, source: &Source<'_>) -> Result<NetworkChoice, ScenarioError> {
    let path = "network.dumbbell";
    let delay =
        DelayText { rtt: text.rtt, delay: text.delay, steps: text.delay_steps, trace: text.delay_trace };
    let (there, back) = delay.needed("rtt = \"50 ms\"", source, path)?;
    let link = LinkText {
        rate: text.rate,
        queue: text.queue,
        loss: text.loss,
        reorder: text.reorder,
        warn_above: text.warn_above,
    };
    let service = ServiceText { steps: text.rate_steps, trace: text.trace };
    let (forward, service) = service.whole(link, QueueLimit::Bdp(1.0).into(), source, path)?;
    // The way back carries ACKs: it is like the way there, but lossless unless the file says otherwise.
    let base = LinkSpec { loss: Impairment::None, ..forward.clone() };
    let (link, own_service, delay) = text.reverse.unwrap_or_default().split();
    let path = "network.dumbbell.reverse";
    let constant = link.rate.is_some();
    let back_service = own_service.read(constant, source, path)?;
    let back_service =
        back_service.unwrap_or_else(|| if constant { WireService::Constant } else { service.clone() });
    let reverse = link.over(&base, source, path)?;
    let back = delay.read(source, path)?.map_or(back, |(delay, _)| delay);
    Ok(NetworkChoice::Dumbbell {
        forward: Wire { spec: forward, service, delay: there },
        reverse: Wire { spec: reverse, service: back_service, delay: back },
    })
}

/// The links of a chain.
pub fn chain(text: Chain, source: &Source<'_>) -> Result<Vec<Wire>, ScenarioError> {
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
            let read = |(index, link): (usize, format::Wire)| {
                link.read(source, &format!("network.chain.links[{index}]"))
            };
            links.into_iter().enumerate().map(read).collect()
        }
    }
}

/// A star.
pub fn star(text: Star, source: &Source<'_>) -> Result<NetworkChoice, ScenarioError> {
    let mut branches: Vec<(String, Wire)> = Vec::new();
    for (index, branch) in text.branches.into_iter().enumerate() {
        let path = format!("network.star.branches[{index}]");
        if branch.site == "hub" || branches.iter().any(|(site, ..)| *site == branch.site) {
            let message =
                format!("the site \"{}\" is already there (give each branch a name of its own)", branch.site);
            return Err(source.error(Code::ScenarioValue, &format!("{path}.site"), message));
        }
        let wire = format::Wire {
            rate: branch.rate,
            rate_steps: branch.rate_steps,
            trace: branch.trace,
            delay: branch.delay,
            delay_steps: branch.delay_steps,
            delay_trace: branch.delay_trace,
            queue: branch.queue,
            loss: branch.loss,
            reorder: branch.reorder,
            warn_above: branch.warn_above,
        };
        branches.push((branch.site, wire.read(source, &path)?));
    }
    if branches.is_empty() {
        let message = "a star needs at least one branch";
        return Err(source.error(Code::ScenarioValue, "network.star.branches", message));
    }
    Ok(NetworkChoice::Star { branches })
}
