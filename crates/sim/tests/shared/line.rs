// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hosts at both ends of one line, without a scenario.

#![allow(dead_code, reason = "each test file uses its part")]

use control::{Ephemeris, PathState, Signals};
use engine::{Attachment, Engine, Forwarding, NO_LINK, NoObserver};
use hosts::application::{Application, Maker, free_connections};
use hosts::{AnyEndpoint, Metered, Servers, Users, VisitRow};
use link::{Config, Delay, Impairment, Link, LinkSpec, Queue};
use std::sync::Arc;
use units::{Rate, Span, Time};

/// The line. Both directions are equal, except for the rates and for the queue, which is in the direction of answers.
#[derive(Clone, Debug)]
pub struct Line {
    /// Rate in the direction of answers, and rate in the direction of requests.
    pub rate: Option<Rate>,
    pub rate_back: Option<Rate>,
    pub delay: Span,
    pub queue: Queue,
    /// Loss probability in both directions.
    pub loss: f64,
}

impl Line {
    pub fn of(mbit_s: Option<u64>, delay_ms: u64) -> Self {
        let rate = mbit_s.map(|mbit| Rate::from_bits_per_s(mbit * 1_000_000));
        Self {
            rate,
            rate_back: rate,
            delay: Span::from_millis(delay_ms),
            queue: LinkSpec::IDEAL.queue,
            loss: 0.0,
        }
    }
}

/// What controllers learn about the line.
#[derive(Debug)]
struct FixedPath(PathState);

impl Ephemeris for FixedPath {
    fn path(&self, _: Time) -> PathState {
        self.0
    }
    fn propagation_rtt(&self, _: Time) -> Option<Span> {
        self.0.propagation_rtt
    }
}

pub fn maker(config: &tcp::Config, controller: &'static str, line: &Line, seed: u64) -> Maker {
    let path =
        PathState { propagation_rtt: Some(line.delay * 2), capacity: line.rate, ..PathState::default() };
    Maker {
        receives: config.clone(),
        config: config.clone(),
        controller: Arc::new(move || {
            control::catalogue::build(controller, &[]).unwrap_or_else(|error| panic!("{error}"))
        }),
        path: Some(Arc::new(FixedPath(path))),
        provided: Signals::NONE,
        seed,
    }
}

pub struct World(pub Engine<AnyEndpoint, NoObserver>);

impl World {
    pub fn new(
        line: &Line,
        application: Application,
        config: &tcp::Config,
        controller: &'static str,
    ) -> Self {
        let loss = if line.loss > 0.0 { Impairment::PacketErrorRate(line.loss) } else { Impairment::None };
        let spec = LinkSpec { rate: line.rate, queue: line.queue, loss, ..LinkSpec::IDEAL };
        let there = Config { spec, delay: Delay::Constant(line.delay), course: None };
        let mut back = there.clone();
        (back.spec.queue, back.spec.rate) = (LinkSpec::IDEAL.queue, line.rate_back);
        let links = vec![(Link::new(&there, 3), 1), (Link::new(&back, 4), 0)];
        let mut forwarding = Forwarding::new(2, 2);
        forwarding.set(0, 1, Some(0));
        forwarding.set(1, 0, Some(1));
        let attachments = (0..2)
            .map(|site| Attachment { peer: u32::from(1 - site), site, up: NO_LINK, down: NO_LINK })
            .collect();
        let make = |seed| maker(config, controller, line, seed);
        let application = Application { path: make(0).path, ..application };
        let endpoints = vec![
            AnyEndpoint::Servers(Box::new(Servers::new(make(1), false))),
            AnyEndpoint::Users(Box::new(Users::new(application, make(2)))),
        ];
        Self(Engine::new(links, forwarding, vec![0, 1], endpoints, attachments, NoObserver))
    }

    /// Advances by `seconds`, frees connections every second as a session does, checks the packet counts, and returns
    /// the finished visits.
    pub fn run(&mut self, seconds: u64) -> Vec<VisitRow> {
        for second in 1..=seconds {
            self.0.advance(Time::ZERO + Span::from_secs(second));
            free_connections(self.0.endpoints_mut(), &[0, 1]);
        }
        self.0.check_conservation().unwrap_or_else(|error| panic!("{error}"));
        self.0.endpoints_mut()[1].take_visits()
    }

    /// Returns the number of allocated connections at the servers and at the users.
    pub fn places(&self) -> [usize; 2] {
        let (AnyEndpoint::Servers(servers), AnyEndpoint::Users(users)) =
            (&self.0.endpoints()[0], &self.0.endpoints()[1])
        else {
            panic!("hosts stand at both ends")
        };
        [servers.places(), users.places()]
    }

    /// Returns the number of open connections at the servers and at the users, and the number of visits in progress.
    pub fn alive(&self) -> [usize; 3] {
        let (AnyEndpoint::Servers(servers), AnyEndpoint::Users(users)) =
            (&self.0.endpoints()[0], &self.0.endpoints()[1])
        else {
            panic!("hosts stand at both ends")
        };
        [servers.connections(), users.connections(), users.visits()]
    }
}
