// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a [`Scenario`] back to its file, every default written out.

use crate::document::{
    Access, Flow, FlowKind, NetworkChoice, Scenario, Starlink, Value, Wire, WireDelay, WireService,
};
use crate::format::{
    self, Controller, ControllerTable, DelayedAck, Document, Loss, Medium, Packets, RateStep,
};
use crate::text::{Off, Q, Unlimited};
use link::{Bursts, Delay, Impairment, LinkSpec};
use std::fmt::Write as _;
use std::path::Path;
use units::{Bytes, Span, Time};

impl Scenario {
    /// The scenario as a file that says everything: reading it gives an equal scenario (files that it names are
    /// printed as they are opened, so read it with an origin in the current folder). Each line of `header` comes
    /// first, as a comment.
    ///
    /// # Panics
    /// If a plain link's delay is a [`Delay::Curve`] or a number is beyond what a file can say (a seed above 2^63);
    /// neither comes from a file.
    pub fn to_toml(&self, header: &str) -> String {
        let mut text = String::new();
        for line in header.lines() {
            let _ = writeln!(text, "# {line}");
        }
        let body = toml::to_string(&document(self)).expect("every value of the format has a TOML form");
        text + &body
    }
}

fn document(scenario: &Scenario) -> Document {
    let record = &scenario.record;
    Document {
        name: Some(scenario.name.clone()),
        duration: Some(Q(scenario.duration)),
        seed: Some(i64::try_from(scenario.seed).expect("a seed from a file is below 2^63")),
        warm_up: Some(Q(scenario.warm_up)),
        network: network(scenario),
        tcp: None,
        flows: Some(scenario.flows.iter().map(flow).collect()),
        traffic: None,
        record: Some(format::Record {
            interval: Some(Q(Off(record.interval))),
            events: Some(record.events),
            packets: Some(record.packets.map_or(Packets::Switch(false), |window| {
                Packets::Part(format::Part { from: moment(window.from), to: moment(window.to) })
            })),
        }),
    }
}

fn moment(time: Time) -> Q<Span> {
    Q(time.since(Time::ZERO))
}

fn loss(impairment: Impairment) -> Loss {
    match impairment {
        Impairment::None => Loss::default(),
        Impairment::PacketErrorRate(per) => Loss { per: Some(per), ..Loss::default() },
        Impairment::BitErrorRate(ber) => Loss { ber: Some(ber), ..Loss::default() },
        Impairment::Bursts(Bursts { bin, to_bad, to_good, loss }) => {
            let bursts = format::Bursts { to_bad, to_good, loss, bin: Some(Q(bin)) };
            Loss { bursts: Some(bursts), ..Loss::default() }
        }
    }
}

fn file(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn wire(wire: &Wire) -> format::Wire {
    let Wire { spec, service, delay } = wire;
    let mut text = format::Wire {
        queue: Some(spec.queue.into()),
        loss: Some(loss(spec.loss)),
        reorder: Some(spec.reorder),
        warn_above: spec.warning.map(|warning| warning.above),
        ..format::Wire::default()
    };
    match service {
        WireService::Constant => text.rate = Some(Q(Unlimited(spec.rate))),
        WireService::Steps(schedule) => {
            let steps = schedule.pieces().iter();
            text.rate_steps =
                Some(steps.map(|piece| RateStep { at: moment(piece.from), rate: Q(piece.start) }).collect());
        }
        WireService::Trace(path) => text.trace = Some(file(path)),
    }
    match delay {
        WireDelay::Given(Delay::Constant(delay)) => text.delay = Some(Q(*delay)),
        WireDelay::Given(Delay::Steps(steps)) => {
            text.delay_steps =
                Some(steps.iter().map(|&(from, delay)| vec![moment(from), Q(delay)]).collect());
        }
        WireDelay::Given(Delay::Curve(_) | Delay::Trace(_)) => {
            unreachable!("a plain link's delay is constant, in steps or in a file")
        }
        WireDelay::Trace(path) => text.delay_trace = Some(file(path)),
    }
    text
}

fn starlink(path: &Starlink) -> format::Starlink {
    let [up, down] = path.queues.map(|queue| Some(queue.into()));
    format::Starlink {
        preset: path.preset.name.to_owned(),
        phase: Some(Q(path.phase)),
        rtt: Some(Q(path.rtt)),
        queue: Some(format::StarlinkQueue { up, down }),
    }
}

pub fn medium(link: &LinkSpec) -> Medium {
    Medium {
        rate: Some(Q(Unlimited(link.rate))),
        queue: Some(link.queue.into()),
        loss: Some(loss(link.loss)),
        reorder: Some(link.reorder),
        warn_above: link.warning.map(|warning| warning.above),
    }
}

fn network(scenario: &Scenario) -> format::Network {
    let announce = Some(Q(scenario.announce));
    let error = scenario.announce_error;
    let announce_error = (error > Span::ZERO).then_some(Q(error));
    let mut network = format::Network { announce, announce_error, ..format::Network::default() };
    match &scenario.network {
        NetworkChoice::Constellation { spec, sites } => {
            network.constellation = Some(crate::constellation::write(spec, sites));
        }
        NetworkChoice::Dumbbell { forward, reverse } => {
            let there = wire(forward);
            network.dumbbell = Some(format::Dumbbell {
                rate: there.rate,
                rate_steps: there.rate_steps,
                trace: there.trace,
                rtt: None,
                delay: there.delay,
                delay_steps: there.delay_steps,
                delay_trace: there.delay_trace,
                queue: there.queue,
                loss: there.loss,
                reorder: there.reorder,
                warn_above: there.warn_above,
                reverse: Some(wire(reverse)),
            });
        }
        NetworkChoice::Chain { links } => {
            let each = links.iter().map(wire).collect();
            network.chain = Some(format::Chain { links: format::ChainLinks::Each(each), link: None });
        }
        NetworkChoice::Star { branches } => {
            let branch = |(site, link): &(String, Wire)| {
                let wire = wire(link);
                format::Branch {
                    site: site.clone(),
                    rate: wire.rate,
                    rate_steps: wire.rate_steps,
                    trace: wire.trace,
                    delay: wire.delay,
                    delay_steps: wire.delay_steps,
                    delay_trace: wire.delay_trace,
                    queue: wire.queue,
                    loss: wire.loss,
                    reorder: wire.reorder,
                    warn_above: wire.warn_above,
                }
            };
            network.star = Some(format::Star { branches: branches.iter().map(branch).collect() });
        }
        NetworkChoice::Starlink(path) => network.starlink = Some(starlink(path)),
    }
    network
}

fn flow(flow: &Flow) -> format::Flow {
    let mut text = format::Flow {
        name: Some(flow.name.clone()),
        count: Some(flow.count),
        from: Some(flow.from.clone()),
        to: Some(flow.to.clone()),
        start: Some(moment(flow.start)),
        stagger: Some(Q(flow.stagger)),
        stop: flow.stop.map(moment),
        access: flow.access.as_ref().map(access),
        distance: flow.distance.map(Q),
        ..format::Flow::default()
    };
    match &flow.kind {
        FlowKind::Cbr { rate, packet } => {
            text.kind = Some(format::Kind::Cbr);
            (text.rate, text.packet) = (Some(Q(*rate)), Some(Q(*packet)));
        }
        FlowKind::Ping { interval, packet } => {
            text.kind = Some(format::Kind::Ping);
            (text.interval, text.packet) = (Some(Q(*interval)), Some(Q(*packet)));
        }
        FlowKind::Tcp { controller, config, transfer } => {
            text.kind = Some(format::Kind::Tcp);
            text.size = match transfer {
                tcp::Transfer::Endless => None,
                tcp::Transfer::Finite(size) => Some(Q(*size)),
            };
            text.trickle = config.trickle.map(|it| format::Trickle { rate: Q(it.rate), lasts: Q(it.lasts) });
            let parameters = controller.parameters.iter().map(|(name, value)| {
                let value = match value {
                    Value::Number(number) => toml::Value::Float(*number),
                    Value::Text(text) => toml::Value::String(text.clone()),
                    Value::Flag(flag) => toml::Value::Boolean(*flag),
                };
                (name.clone(), value)
            });
            text.controller = Some(Controller::Table(ControllerTable {
                name: controller.name.clone(),
                parameters: parameters.collect(),
            }));
            text.tcp = Some(transport(config));
        }
    }
    text
}

fn access(access: &Access) -> format::Access {
    let link = medium(&access.link);
    format::Access {
        rate: link.rate,
        delay: Some(Q(access.delay)),
        queue: link.queue,
        loss: link.loss,
        reorder: link.reorder,
        warn_above: link.warn_above,
    }
}

fn transport(config: &tcp::Config) -> format::Tcp {
    format::Tcp {
        mss: Some(Q(Bytes::new(config.mss.into()))),
        header: Some(Q(Bytes::new(config.header.into()))),
        initial_window: Some(config.initial_window),
        recovery: Some(match config.recovery {
            tcp::Recovery::Reno => format::Recovery::Reno,
            tcp::Recovery::NewReno => format::Recovery::NewReno,
            tcp::Recovery::Sack => format::Recovery::Sack,
            tcp::Recovery::RackTlp => format::Recovery::Rack,
        }),
        prr: Some(config.prr),
        limited_transmit: Some(config.limited_transmit),
        undo: Some(config.undo),
        delayed_ack: Some(config.delayed_ack.map_or(DelayedAck::Switch(false), |rule| {
            DelayedAck::Rule(format::AckRule { every: rule.every, at_most: Q(rule.at_most) })
        })),
        min_rto: Some(Q(config.min_rto)),
        max_rto: Some(Q(config.max_rto)),
        initial_rto: Some(Q(config.initial_rto)),
        dup_thresh: Some(config.dup_thresh),
        receive_window: Some(Q(Unlimited(config.receive_window))),
        saved_path: config.saved_path.map(|saved| format::SavedPath {
            cwnd: Q(saved.cwnd),
            rtt: Q(saved.rtt),
            age: Some(Q(saved.age)),
        }),
    }
}
