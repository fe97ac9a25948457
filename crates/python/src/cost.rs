// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cost of a run, and a check whether enough memory and disk space is free.

use crate::error::Failure;
use crate::job::{Checked, Job};
use plan::cost::Cost;
use pyo3::prelude::*;
use record::tables::Tables;
use rustix::time::{ClockId, clock_gettime};
use scenario::Scenario;
use serde_json::json;
use std::path::Path;
use units::Code;

/// If a run has at most this number of samples of flows and paths, its cost is not estimated, because the samples fit
/// into the memory of any machine.
const FEW_SAMPLES: f64 = 1e5;
/// Scenario that measures the speed of this machine and build, with about 100,000 packet-hops.
const MEASURE: &str = r#"
duration = "40 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "reno" }]
"#;
/// Scenario that measures the cost of a written row. It uses the table of packets, because this table has the most
/// rows. The model contains the cost of rows that stay in memory. Rows that are written are also compressed, which
/// takes several times as long as the simulation of the packet.
const MEASURE_ROWS: &str = r#"
duration = "5 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "reno" }]
record = { interval = "off", events = false, packets = true }
"#;
/// Assumed CPU time of a written row in seconds, if it is not measured.
const WRITTEN_ROW_S: f64 = 1e-6;
/// Share of the free memory and disk space that a run may use.
const USABLE: f64 = 0.9;

/// The cost of a job, as JSON. If `measured` is false, the speed of this machine is assumed to be the speed of the
/// model.
#[pyfunction]
#[pyo3(signature = (job, *, measured = true))]
pub fn cost(py: Python<'_>, job: &Job, measured: bool) -> PyResult<String> {
    let reckon = || -> Result<(f64, Cost, f64, f64), Failure> {
        let plan = job.checked()?;
        let cost = plan::cost::cost(&plan.scenario).map_err(|error| plan.placed(error))?;
        let slowness = if measured { slowness()? } else { 1.0 };
        let writing_s = match (plan.out.is_some(), measured) {
            (false, _) => 0.0,
            (true, false) => WRITTEN_ROW_S,
            (true, true) => writing_s()?,
        };
        Ok((memory(&plan, &cost), cost, slowness, writing_s))
    };
    let (memory, cost, slowness, writing_s) = py.detach(reckon)?;
    let value = json!({
        "packets": cost.packets.round(),
        "answers": cost.answers.round(),
        "packet_hops": cost.hops.round(),
        "rows": cost.rows.round(),
        "satellite_looks": cost.looks.round(),
        "cpu_s": cost.cpu_s * slowness + cost.written * writing_s,
        "slowness": slowness,
        "written_row_us": 1e6 * writing_s,
        "memory_bytes": memory.round(),
        "disk_bytes": cost.disk_bytes.round(),
    });
    Ok(value.to_string())
}

/// Returns the memory that a run needs, in bytes. Rows that are written to a folder do not stay in memory.
fn memory(plan: &Checked, cost: &Cost) -> f64 {
    if plan.out.is_some() { cost.streamed_bytes } else { cost.kept_bytes }
}

/// Returns the CPU time of this machine and build, divided by the CPU time of the model. The measurement is the faster
/// of two short runs.
fn slowness() -> Result<f64, Failure> {
    let scenario = Scenario::from_toml(MEASURE, "")?;
    let (took, _) = least_s(&scenario, Tables::default)?;
    Ok(took / plan::cost::cost(&scenario)?.cpu_s)
}

/// Returns the CPU time in seconds of a written row of the packet table, on this machine and build. It is the
/// difference between a short run with rows and the same run without rows, divided by the number of rows.
fn writing_s() -> Result<f64, Failure> {
    let mut scenario = Scenario::from_toml(MEASURE_ROWS, "")?;
    let (with, rows) = least_s(&scenario, Tables::discarding)?;
    scenario.record.packets = None;
    let (without, _) = least_s(&scenario, Tables::default)?;
    Ok((with - without).max(0.0) / rows.max(1.0))
}

/// Returns the CPU time in seconds of the faster of two runs, and its number of packet rows.
fn least_s(scenario: &Scenario, tables: fn() -> Tables) -> Result<(f64, f64), Failure> {
    let (mut least, mut rows) = (f64::INFINITY, 0.0);
    for _ in 0..2 {
        let before = clock_gettime(ClockId::ThreadCPUTime);
        let options = sim::Options::of(scenario);
        let outcome = sim::run_until_interrupted(scenario, &options, tables(), None, &plan::never)?;
        let batches = outcome.tables.finish(&outcome.summary.provenance)?;
        let after = clock_gettime(ClockId::ThreadCPUTime);
        let took = (after.tv_sec - before.tv_sec) as f64 + 1e-9 * (after.tv_nsec - before.tv_nsec) as f64;
        least = least.min(took);
        rows = batches.packets.map_or(0.0, |packets| packets.num_rows() as f64);
    }
    Ok((least, rows))
}

/// Refuses a run that would need more memory or more disk space than is free.
pub fn refuse(plan: &Checked) -> Result<(), Failure> {
    let scenario = &plan.scenario;
    let flows: f64 = scenario.flows.iter().map(|flow| f64::from(flow.count)).sum();
    let samples =
        scenario.record.interval.map_or(0.0, |every| scenario.duration.secs_f64() / every.secs_f64());
    // If samples are recorded, paths are also recorded once a second.
    let seconds = scenario.record.interval.map_or(0.0, |_| scenario.duration.secs_f64());
    let of_packets = scenario.record.packets.is_some() || !scenario.record.capture.is_empty();
    if plan.costly || (flows * samples + seconds < FEW_SAMPLES && !of_packets) {
        return Ok(());
    }
    // If the network cannot be computed, the run itself reports the error.
    let Ok(cost) = plan::cost::cost(scenario) else { return Ok(()) };
    let memory = free_memory().map(|free| ("of memory", memory(plan, &cost), free));
    let disk = plan.out.as_deref().and_then(free_disk).map(|free| ("on the disk", cost.disk_bytes, free));
    for (what, needed, free) in [memory, disk].into_iter().flatten() {
        if needed > USABLE * free {
            let captures = !scenario.record.capture.is_empty();
            let key = match scenario.record.packets {
                _ if 2.0 * cost.connection_bytes > needed => {
                    "lower the `load` or the rate of `arrivals` of flows with small visits"
                }
                Some(_) => "narrow `record.packets`",
                None if cost.captured > cost.rows => "capture fewer flows or links",
                None => "write a longer `record.interval` or \"off\"",
            };
            let captured = cost.captured / 1e6;
            let captured =
                if captures { format!(" and {captured:.0} million captured packets") } else { String::new() };
            let folder = match plan.out {
                None => "write rows to a run folder with --out instead of keeping them in memory, ",
                Some(_) => "",
            };
            let message = format!(
                "the run needs about {} {what} for {:.0} million rows{captured}, but only {} are free \
                 ({folder}{key}, shorten `duration`, or run it anyway with --costly)",
                Cost::bytes(needed),
                cost.rows / 1e6,
                Cost::bytes(free)
            );
            return Err(Failure::new(Code::CostTooHigh, &message));
        }
    }
    Ok(())
}

/// Returns the memory in bytes that is available without swapping. It is the smallest of the limits of the system, the
/// container and `ulimit -v`.
pub fn free_memory() -> Option<f64> {
    let number = |text: &str| text.split_whitespace().next()?.parse::<f64>().ok();
    let read = |file: &str| std::fs::read_to_string(file).ok();
    let system = || {
        let text = read("/proc/meminfo")?;
        Some(1024.0 * number(text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?)?)
    };
    // Free memory of a control group (version 2). If the group has no limit, `memory.max` contains "max".
    let group = |at: &Path| {
        let about = |file: &str| std::fs::read_to_string(at.join(file)).ok();
        let most = number(&about("memory.max")?)?;
        let used = number(&about("memory.current")?)?;
        // Cached files count as used memory, but the system frees them when memory is needed.
        let cached =
            about("memory.stat")?.lines().find_map(|line| number(line.strip_prefix("inactive_file ")?));
        Some(most - used + cached.unwrap_or(0.0))
    };
    // Checks the control group of this process and all groups above it. A batch system may set the limit in a group
    // above. In a container, the container's own group is the root.
    let container = || {
        let root = Path::new("/sys/fs/cgroup");
        let groups = read("/proc/self/cgroup")?;
        let own = root.join(groups.lines().find_map(|line| line.strip_prefix("0::/"))?);
        own.ancestors().take_while(|at| at.starts_with(root)).filter_map(group).reduce(f64::min)
    };
    let limited = || {
        let most = rustix::process::getrlimit(rustix::process::Resource::As).current?;
        let pages = number(&read("/proc/self/statm")?)?;
        Some(most as f64 - pages * rustix::param::page_size() as f64)
    };
    [system(), container(), limited()].into_iter().flatten().reduce(f64::min)
}

/// Returns the free bytes on the file system of a folder that exists or will be created.
fn free_disk(out: &Path) -> Option<f64> {
    let place = std::path::absolute(out).ok()?;
    let there = place.ancestors().find(|part| part.exists())?;
    let disk = rustix::fs::statvfs(there).ok()?;
    Some(disk.f_bavail as f64 * disk.f_frsize as f64)
}
