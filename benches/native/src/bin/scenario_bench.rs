// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs one scenario without recording and prints its cost as one line of JSON. `benches/run.py` compares the cost with
//! that of a peer. `scenario_bench benches/scenarios/s2.toml [--duration "20 s"]`

use sim::Options;
use std::process::ExitCode;
use std::{env, fs};

/// CPU time of this thread in seconds, from the kernel.
fn cpu_s() -> f64 {
    std::thread::yield_now(); // the books are brought up to date when the thread gives way
    let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e9
}

/// Largest resident set so far in bytes.
fn peak_rss_bytes() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0)
        * 1024
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program, not a library")]
fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(file) = arguments.first() else {
        eprintln!("usage: scenario_bench FILE [--duration SPAN]");
        return ExitCode::from(2);
    };
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("cannot read {file}: {error}");
            return ExitCode::from(2);
        }
    };
    let mut scenario = match scenario::Scenario::from_toml(&text, file) {
        Ok(scenario) => scenario,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    if let Some(span) = arguments.iter().position(|a| a == "--duration").and_then(|at| arguments.get(at + 1))
    {
        match span.parse() {
            Ok(span) => scenario.duration = span,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(2);
            }
        }
    }
    let before = cpu_s();
    let outcome = match sim::run(&scenario, &Options::of(&scenario)) {
        Ok(outcome) => outcome,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let cpu = cpu_s() - before;
    let totals = &outcome.summary.totals;
    let delivered: u64 = outcome.summary.flows.iter().map(|flow| flow.delivered_packets).sum();
    println!(
        "{{\"scenario\":\"{}\",\"delivered_segments\":{delivered},\"packet_hops\":{},\"events\":{},\
         \"cpu_s\":{cpu:.4},\"peak_rss_bytes\":{},\"simulated_s\":{},\"goodput_mbit_s\":{},\"version\":\"{}\"}}",
        scenario.name,
        totals.packet_hops,
        totals.events,
        peak_rss_bytes(),
        scenario.duration.secs_f64(),
        totals.delivered_mbit_s.map_or_else(|| "null".to_owned(), |goodput| format!("{goodput:.3}")),
        env!("CARGO_PKG_VERSION"),
    );
    ExitCode::SUCCESS
}
