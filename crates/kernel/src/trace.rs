// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traces the connections that use a controller, and writes a run folder.

use crate::failure::{Failure, collect_messages};
use crate::{objects, say, wait_for_end};
use kernel::account::{Account, NOTE};
use kernel::record::Record;
use libbpf_rs::{Link, Map, MapCore as _, MapFlags, Object, RingBufferBuilder};
use record::summary::KernelFacts;
use record::{Content, Provenance, RunFolder, SCHEMA_VERSION, Summary};
use rustix::process::{Gid, Uid};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The compiled `trace.bpf.c`.
const TRACE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/trace.o"));
/// Size of a name in the kernel (Linux, `TCP_CA_NAME_MAX`).
const NAME_BYTES: usize = 16;
/// How long the program waits for reports before it looks for the end of standard input.
const LOOK: Duration = Duration::from_millis(20);

/// What to trace, and where to write.
struct Order {
    controller: String,
    scenario: String,
    out: PathBuf,
    interval_ns: u64,
    user: Option<(u32, u32)>,
    force: bool,
}

/// Traces until the end of standard input.
pub fn trace(controller: &str, options: &[&str]) -> Result<(), Failure> {
    collect_messages();
    let order = Order::of(controller, options)?;
    let (object, links) = attached(&order.controller)?;
    if let Some((user, group)) = order.user {
        become_user(user, group)?;
    }
    let content = Content { scenario: order.scenario, inputs: Vec::new(), force: order.force };
    let folder = RunFolder::create(&order.out, content)?;
    let account = Account::new(now_ns(), order.interval_ns, &order.controller, folder.tables());
    let account = RefCell::new(account);
    let records = map_of(&object, "records")?;
    let mut ring = RingBufferBuilder::new();
    ring.add(&records, |bytes| {
        if let Some(record) = Record::read(bytes) {
            account.borrow_mut().add(record);
        }
        0
    })
    .map_err(|error| Failure::refused("reading reports", &error))?;
    let ring = ring.build().map_err(|error| Failure::refused("reading reports", &error))?;
    say(&json!({"tracing": order.controller}));
    let ended = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&ended);
    // The thread ends with standard input.
    std::thread::spawn(move || {
        wait_for_end();
        told.store(true, Ordering::Relaxed);
    });
    while !ended.load(Ordering::Relaxed) {
        // A signal ends the wait early.
        let _ = ring.poll(LOOK);
    }
    let end_ns = now_ns();
    drop(links);
    let _ = ring.consume();
    drop(ring);
    let missed = missed(&object)?;
    let account = account.into_inner();
    let reports = account.records();
    let (tables, duration_s, flows, totals) = account.finish(end_ns);
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let degraded = (missed > 0)
        .then(|| format!("{missed} reports of the kernel are missing, because their buffer was full"));
    let provenance = Provenance {
        bentpipe_version: env!("CARGO_PKG_VERSION").to_owned(),
        build: env!("CARGO_PKG_VERSION").to_owned(),
        platform: "kernel".to_owned(),
        kernel: Some(KernelFacts {
            kernel: release.trim().to_owned(),
            processors: std::thread::available_parallelism().map_or(0, |count| count.get() as u32),
            controller: order.controller.clone(),
            reports,
            missed_reports: missed,
        }),
        scenario_name: format!("{} in the kernel", order.controller),
        duration_s,
        schema_version: SCHEMA_VERSION,
        degraded: degraded.into_iter().collect(),
        path_notes: vec![NOTE.to_owned()],
        ..Provenance::default()
    };
    tables.finish(&provenance)?;
    let count = flows.len();
    folder.finish(&Summary {
        provenance,
        findings: Vec::new(),
        flows,
        parts: Vec::new(),
        proxies: Vec::new(),
        breaks: Vec::new(),
        totals,
        bottleneck: None,
        busiest_link: None,
        transmitters: Vec::new(),
        links: Vec::new(),
    })?;
    say(&json!({"flows": count, "reports": reports, "missed": missed}));
    Ok(())
}

impl Order {
    fn of(controller: &str, options: &[&str]) -> Result<Self, Failure> {
        let value = |name: &str| {
            let place = options.iter().position(|word| *word == name)?;
            options.get(place + 1).copied()
        };
        let required =
            |name: &str| value(name).ok_or_else(|| Failure::argument(format!("trace needs {name}")));
        let file = required("--scenario")?;
        let scenario = std::fs::read_to_string(file)
            .map_err(|error| Failure::system(&format!("reading {file}"), error))?;
        let interval = required("--interval")?;
        let interval_ns = interval.parse().ok().filter(|interval| *interval > 0);
        let user = value("--user").map(|text| {
            let pair = text
                .split_once(':')
                .and_then(|(user, group)| Some((user.parse().ok()?, group.parse().ok()?)));
            pair.ok_or_else(|| Failure::argument(format!("--user {text}: write UID:GID")))
        });
        Ok(Self {
            controller: controller.to_owned(),
            scenario,
            out: required("--out")?.into(),
            interval_ns: interval_ns
                .ok_or_else(|| Failure::argument(format!("--interval {interval}: write nanoseconds")))?,
            user: user.transpose()?,
            force: options.contains(&"--force"),
        })
    }
}

/// Loads the trace for a controller.
fn attached(controller: &str) -> Result<(Object, Vec<Link>), Failure> {
    let mut name = [0; NAME_BYTES];
    let bytes = controller.as_bytes();
    if bytes.len() >= NAME_BYTES {
        return Err(Failure::argument(format!(
            "{controller}: a name in the kernel has at most 15 characters"
        )));
    }
    name[..bytes.len()].copy_from_slice(bytes);
    let mut opened = objects::open(TRACE)?;
    for mut map in opened.maps_mut() {
        if map.name().to_string_lossy().ends_with(objects::CONSTANTS)
            && let Some(constants) = map.initial_value_mut()
        {
            constants[..NAME_BYTES].copy_from_slice(&name);
        }
    }
    let object = opened.load().map_err(|error| Failure::refused("loading the trace", &error))?;
    let links: Result<Vec<Link>, _> = object.progs_mut().map(|program| program.attach()).collect();
    let links = links.map_err(|error| Failure::refused("attaching the trace", &error))?;
    Ok((object, links))
}

fn map_of<'a>(object: &'a Object, name: &str) -> Result<Map<'a>, Failure> {
    let found = object.maps().find(|map| map.name() == name);
    found.ok_or_else(|| Failure::argument(format!("the trace has no map {name}")))
}

/// Returns the number of reports for which the buffer had no space.
fn missed(object: &Object) -> Result<u64, Failure> {
    let value = map_of(object, "missed")?.lookup(&0_u32.to_ne_bytes(), MapFlags::ANY);
    let value = value.map_err(|error| Failure::refused("reading the number of missed reports", &error))?;
    let bytes = value.and_then(|bytes| bytes.try_into().ok());
    Ok(bytes.map_or(0, u64::from_ne_bytes))
}

/// Gives up the rights of root, because the program needs nothing more from the kernel. The run folder then belongs to
/// the user.
fn become_user(user: u32, group: u32) -> Result<(), Failure> {
    let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
    set_thread_groups(&[])
        .and_then(|()| set_thread_res_gid(group, group, group))
        .and_then(|()| set_thread_res_uid(user, user, user))
        .map_err(|error| Failure::system("giving up root", error))
}

/// The clock of `bpf_ktime_get_ns`.
fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}
