// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a hundred thousand short transfers over one link and prints the time and memory that they need: `cargo run
//! --release -p bentpipe-sim --example transfers [load] [transfers]`.

#![allow(clippy::print_stdout, reason = "a program that prints")]

#[path = "../tests/shared/line.rs"]
mod line;

use hosts::application::Application;
use line::{Line, World};
use std::time::Instant;
use traffic::{Arrivals, Begin, Law, Model};
use units::{Span, Time};

const MEAN: f64 = 30_000.0;
const RATE_MBIT_S: u64 = 100;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|text| text.parse::<f64>().ok());
    let (load, transfers) = (numbers.next().unwrap_or(0.6), numbers.next().unwrap_or(1e5));
    let per_s = load * RATE_MBIT_S as f64 * 1e6 / 8.0 / MEAN * 1448.0 / 1500.0;
    let seconds = transfers / per_s;
    let sizes = Law::pareto_of_mean(MEAN, 1.2, Some(1e8)).unwrap_or(Law::Constant(MEAN));
    let application = Application {
        begin: Begin::Open(Arrivals::Poisson { per_s }),
        model: Model::Transfer { size: sizes },
        start: Time::ZERO,
        stop: Some(Time::ZERO + Span::from_secs_f64(seconds)),
        seed: 1,
        shaken: false,
        path: None,
    };
    let mut line = Line::of(Some(RATE_MBIT_S), 300);
    line.queue = link::QueueLimit::Packets(5_000).into();
    let config = tcp::Config { setup: tcp::Setup::Handshake, ..tcp::Config::default() };
    let begun = Instant::now();
    let mut world = World::new(&line, application, &config, "cubic");
    let rows = world.run(seconds as u64 + 300);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!(
        "{} transfers in {seconds:.0} s of the run, {:.2} s of this machine's; {} packet-hops; places {:?}; alive {:?}; {peak}",
        rows.len(),
        begun.elapsed().as_secs_f64(),
        world.0.ledger().hops,
        world.places(),
        world.alive(),
    );
}
