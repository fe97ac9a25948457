// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes plain networks: links with given delays in simple shapes, and paths over Starlink.

use crate::ScenarioError;
use crate::carrier;
use crate::check::Source;
use crate::document::{
    ForwardCarriers, Losses, NetworkChoice, ReturnCarriers, Starlink, Wire, WireDelay, WireService,
};
use crate::format::{
    self, Branch, Chain, ChainLinks, Dumbbell, Medium, Propagation, ReturnLink, Service, Star,
};
use crate::moving_budget::LinkDirection;
use crate::network::numbered;
use crate::queue;
use crate::sight::with_hours;
use crate::text::Q;
use crate::wire::Traces;
use link::sight::BySight;
use link::{Changes, Impairment, LinkSpec, QueueLimit, Ramps, TraceEnd};
use std::collections::HashSet;
use std::sync::Arc;
use units::{Code, Span};

impl format::Starlink {
    /// Reads a path over Starlink.
    pub fn read(self, source: &Source<'_>) -> Result<Starlink, ScenarioError> {
        let Some(preset) = link::starlink::find(&self.preset) else {
            let known: Vec<&str> = link::starlink::PRESETS.iter().map(|preset| preset.name).collect();
            let hint = crate::check::nearest(&self.preset, known.iter().copied())
                .map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
            let message = format!("unknown path \"{}\" ({hint}presets: {})", self.preset, known.join(", "));
            return Err(source.error(Code::PresetUnknown, "network.starlink.preset", message));
        };
        let queue = self.queue.unwrap_or_default();
        let loss = self.loss.unwrap_or_default();
        let read = |loss: Option<format::Loss>, name: &str, preset: Impairment| match loss {
            Some(loss) => loss.read(source, &format!("network.starlink.loss.{name}")),
            None => Ok(Losses { chance: preset, ..Losses::default() }),
        };
        let losses = [
            read(loss.up, "up", preset.up.loss.clone())?,
            read(loss.down, "down", preset.down.loss.clone())?,
        ];
        let queues = [
            queue::over(queue.up, preset.up.queue.into(), source, "network.starlink.queue.up")?,
            queue::over(queue.down, preset.down.queue.into(), source, "network.starlink.queue.down")?,
        ];
        for (queue, way) in queues.into_iter().zip(["up", "down"]) {
            queue::needs_no_rate(queue, source, &format!("network.starlink.queue.{way}"))?;
        }
        Ok(Starlink {
            preset,
            phase: self.phase.map_or(Span::ZERO, |q| q.0),
            rtt: self.rtt.map_or(Span::ZERO, |q| q.0),
            queues,
            losses,
        })
    }

    /// Returns the text form of this path.
    pub fn of(path: &Starlink) -> Self {
        let [up, down] = path.queues.map(|queue| Some(queue.into()));
        let [loss_up, loss_down] = [0, 1].map(|at| Some(format::Loss::of(&path.losses[at])));
        Self {
            preset: path.preset.name.to_owned(),
            phase: Some(Q(path.phase)),
            rtt: Some(Q(path.rtt)),
            queue: Some(format::StarlinkQueue { up, down }),
            loss: Some(format::StarlinkLoss { up: loss_up, down: loss_down }),
        }
    }
}

impl Dumbbell {
    /// Reads a dumbbell.
    pub fn read(self, source: &Source<'_>) -> Result<NetworkChoice, ScenarioError> {
        let path = "network.dumbbell";
        let others = self.propagation.delay_trace.is_some();
        let traces = Traces { deliveries: self.service.trace.is_some(), others };
        let (path_trace, trace_end) = self.path_trace.read(traces, source, path)?;
        let (there, back) = self.propagation.needed(self.rtt, source, path)?;
        let queue = QueueLimit::Bdp(1.0).into();
        let (forward, service) = self.service.whole(self.medium, queue, source, path)?;
        let forward = with_hours(forward, self.hours.read(source, path)?);
        let plain = forward.clone();
        let forward = self.return_link.over(forward, &service, source, path)?;
        // The reverse link carries ACKs. It has the settings of the forward link, but no losses unless the file sets
        // them.
        let lossless = |changes: &Arc<Changes>| {
            let old = (**changes).clone();
            let ramps = Ramps { losses: Vec::new(), ..old.ramps };
            let sight = old.sight.map(|sight| BySight { loss_by_hour: None, ..(*sight).clone() });
            let sight = sight.filter(|sight| *sight != BySight::default()).map(Arc::new);
            let changes = Changes { loss: Arc::default(), ramps, sight, ..old };
            changes.course().map(|_| Arc::new(changes))
        };
        let changes = forward.changes.as_ref().and_then(lossless);
        let text = self.reverse.unwrap_or_default();
        // A link with demand assignment has no ARQ, even if the forward link has the key `arq`.
        let arq = plain.arq.filter(|_| text.return_link.dama.is_none());
        let base = LinkSpec {
            loss: Impairment::None,
            listed: None,
            policer: None,
            ecn_bleach: false,
            changes,
            arq,
            ..plain
        };
        let path = "network.dumbbell.reverse";
        // If the reverse link uses a trace of the forward link, the trace may have another end.
        let taken = service == WireService::PathTrace || matches!(there, WireDelay::Trace(_));
        let deliveries = text.service.trace.is_some() || matches!(service, WireService::Trace(_));
        let traces = Traces { deliveries, others: text.propagation.delay_trace.is_some() || taken };
        let (back_trace, back_end) = text.path_trace.read(traces, source, path)?;
        let back_service = text.service.read(source, path)?;
        let reverse = text.medium.over(text.service.rate, &base, source, path)?;
        let reverse = with_hours(reverse, text.hours.read(source, path)?);
        let back_delay = text.propagation.read(None, source, path)?.map(|(delay, _)| delay);
        // If the reverse link has its own path trace, this trace has the values of missing keys.
        let own = back_trace.is_some();
        let back_service =
            back_service.unwrap_or_else(|| if own { WireService::PathTrace } else { service.clone() });
        let back_delay = back_delay.unwrap_or(if own { WireDelay::PathTrace } else { back });
        let needs = back_service == WireService::PathTrace || back_delay == WireDelay::PathTrace;
        let back_trace = back_trace.or_else(|| path_trace.clone().filter(|_| needs));
        let recorded = back_trace.is_some()
            || matches!(back_service, WireService::Trace(_))
            || matches!(back_delay, WireDelay::Trace(_));
        let fits =
            |end: &TraceEnd| !(*end == TraceEnd::Hold && matches!(back_service, WireService::Trace(_)));
        let back_end = back_end.or(trace_end.filter(fits)).filter(|_| recorded);
        let reverse = text.return_link.over(reverse, &back_service, source, path)?;
        Ok(NetworkChoice::Dumbbell {
            forward: Wire { spec: forward, service, delay: there, path_trace, trace_end },
            reverse: Wire {
                spec: reverse,
                service: back_service,
                delay: back_delay,
                path_trace: back_trace,
                trace_end: back_end,
            },
        })
    }

    /// Returns the text form of these two directions.
    pub fn of(forward: &Wire, reverse: &Wire) -> Self {
        Self {
            service: Service::of(forward),
            rtt: None,
            propagation: Propagation::of(&forward.delay),
            path_trace: format::PathTrace::of(forward),
            hours: format::ByDay::of(&forward.spec),
            medium: Medium::of(&forward.spec),
            return_link: ReturnLink::of(&forward.spec),
            reverse: Some(format::Wire::of(reverse)),
        }
    }
}

impl Chain {
    /// Reads a chain.
    pub fn read(self, source: &Source<'_>) -> Result<NetworkChoice, ScenarioError> {
        let links = match (self.links, self.link) {
            (ChainLinks::Count(count), Some(link)) => {
                let link = link.read(source, "network.chain.link")?;
                vec![link; count as usize]
            }
            (ChainLinks::Count(_), None) => {
                let message = "`network.chain` needs the key `link`, the settings of each link";
                return Err(source
                    .error(Code::ScenarioMissingKey, "network.chain.link", message)
                    .fix("write link = { rate = \"25 Mbit/s\", delay = \"13 ms\" }"));
            }
            (ChainLinks::Each(_), Some(_)) => {
                let message = "`link` contradicts the list in `links`";
                return Err(source
                    .error(Code::ScenarioValue, "network.chain.link", message)
                    .fix("remove `link` or `links`, or write a number: links = 12"));
            }
            (ChainLinks::Each(links), None) if links.is_empty() || links.len() > 1000 => {
                let message =
                    format!("{} links are not possible: the number must be within 1 and 1000", links.len());
                return Err(source.error(Code::ScenarioValue, "network.chain.links", message));
            }
            (ChainLinks::Each(links), None) => {
                let read = |(index, link): (usize, format::Wire)| {
                    link.read(source, &format!("network.chain.links[{index}]"))
                };
                links.into_iter().enumerate().map(read).collect::<Result<_, _>>()?
            }
        };
        Ok(NetworkChoice::Chain { links })
    }

    /// Returns the text form of these links.
    pub fn of(links: &[Wire]) -> Self {
        Self { links: ChainLinks::Each(links.iter().map(format::Wire::of).collect()), link: None }
    }
}

impl Star {
    /// Reads a star.
    pub fn read(self, source: &Source<'_>) -> Result<NetworkChoice, ScenarioError> {
        let mut branches: Vec<(String, Wire)> = Vec::new();
        let carriers_at = "network.star.carriers";
        let carriers = carrier::read(self.carriers, source, carriers_at)?;
        let mut forward = ForwardCarriers::read(self.forward_carriers, source)?;
        let (mut turns, mut paces) = (Vec::new(), Vec::new());
        let mut names = HashSet::from(["hub".to_owned()]);
        for (index, Branch { site, count, forward: turn, mut wire }) in self.branches.into_iter().enumerate()
        {
            let path = format!("network.star.branches[{index}]");
            let sites = numbered(&site, count);
            if let Some(site) = sites.iter().find(|site| !names.insert((*site).clone())) {
                let message = format!("the site \"{site}\" is listed twice");
                return Err(source
                    .error(Code::ScenarioValue, &format!("{path}.site"), message)
                    .fix("give each branch its own name"));
            }
            let shared = wire.return_link.dama.take_if(|dama| dama.carrier.is_some());
            // The other station of these links is the hub. Equal branches share its rain.
            let rains = |budget: Option<&format::Budget>, way| {
                count.is_some() && budget.is_some_and(|budget| budget.has_unnamed_rain(way))
            };
            let rains = [
                rains(wire.service.budget.as_ref(), LinkDirection::Down),
                rains(shared.as_ref().and_then(|dama| dama.budget.as_ref()), LinkDirection::Up),
            ];
            let turn = turn.map(|turn| forward.turn(&turn, &mut wire, source, &path)).transpose()?;
            let mut wire = wire.read(source, &path)?;
            if let Some(turn) = turn {
                forward.check_branch(turn, &wire, source, &path)?;
            }
            let mut pace = None;
            if let Some(dama) = shared {
                let (dama, own) = dama.on_carrier(&carriers, &wire, source, &format!("{path}.dama"))?;
                (wire.spec.dama, pace) = (Some(dama), own);
            }
            for site in sites {
                let (mut wire, mut pace) = (wire.clone(), pace.clone());
                let services =
                    [(Some(&mut wire.service), LinkDirection::Down), (pace.as_mut(), LinkDirection::Up)];
                for ((service, way), rains) in services.into_iter().zip(rains) {
                    if let Some(WireService::Budget(budget)) = service
                        && rains
                    {
                        Arc::make_mut(budget).rain_apart(way, &path, &site);
                    }
                }
                branches.push((site, wire));
                turns.push(turn);
                paces.push(pace);
            }
        }
        if branches.is_empty() {
            let message = "a star needs at least one branch";
            return Err(source.error(Code::ScenarioValue, "network.star.branches", message));
        }
        if paces.iter().all(Option::is_none) {
            paces.clear();
        }
        let carriers = ReturnCarriers { carriers, paces };
        carrier::check(&carriers, &branches, source, carriers_at)?;
        if turns.iter().any(Option::is_some) {
            forward.turns = turns;
        }
        forward.check(source)?;
        Ok(NetworkChoice::Star { branches, carriers, forward })
    }

    /// Returns the text form of these branches.
    pub fn of(branches: &[(String, Wire)], carriers: &ReturnCarriers, forward: &ForwardCarriers) -> Self {
        let branch = |(at, (site, wire)): (usize, &(String, Wire))| {
            let mut text = format::Wire::of(wire);
            text.return_link.dama = wire.spec.dama.map(|dama| format::Dama::on(dama, carriers, at));
            Branch { site: site.clone(), count: None, forward: forward.write_turn(at), wire: text }
        };
        Self {
            branches: branches.iter().enumerate().map(branch).collect(),
            carriers: carrier::write(&carriers.carriers),
            forward_carriers: forward.write(),
        }
    }
}
