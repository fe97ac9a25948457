// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loop that moves packets between interfaces and a session.

use crate::addresses::addresses_of;
use crate::interface::{Interface, MTU};
use crate::sockets::SocketThread;
use crate::{EmulateError, Lateness, SocketReader};
use engine::Observer;
use hosts::AnyBody;
use plan::{Plan, Stop};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use scenario::{Flow, FlowKind, Scenario};
use sim::{Run, SimError};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use units::{Bytes, Span, Time};

/// Largest number of reads from an interface before the next interface is read.
const READS: usize = 32;
/// Largest number of packets that are written to an interface at once.
const BATCH: usize = 64;
/// If the next packet is due within this time, the loop does not sleep, but reads the clock repeatedly. The reason is
/// that the scheduler wakes a sleeping thread up to 60 µs late, even under a real-time policy.
const SPIN: Span = Span::from_micros(100);
/// If possible, the thread sleeps for at least one part in this number of its time. Linux stops a real-time thread that
/// never sleeps: for 50 ms in each second (sched(7), `sched_rt_runtime_us`).
const REST: u64 = 10;
/// The interval over which the share of sleep is computed.
const REST_INTERVAL: Span = Span::from_millis(100);
/// The longest sleep, and therefore the longest time until a request to stop takes effect.
const LONGEST_SLEEP: Span = Span::from_millis(100);

/// Returns the scenario in which programs outside the simulator use the paths of the flows. It has one flow of kind
/// "tap" for each pair of sites between which the scenario has a flow. If `keep` is true, the scenario's own flows also
/// run.
///
/// # Errors
/// If the scenario has a proxy that would split connections of the programs.
pub fn tapped(scenario: &Scenario, keep: bool) -> Result<Scenario, EmulateError> {
    if !scenario.peps.is_empty() {
        let why = "the scenario has proxies (`peps`), but the emulator cannot split the connections of real programs \
            (remove the table `peps`)";
        return Err(EmulateError::Scenario(why.to_owned()));
    }
    let mut pairs = BTreeSet::new();
    let mut taps = Vec::new();
    for flow in &scenario.flows {
        let ordered = if flow.from < flow.to { (&flow.from, &flow.to) } else { (&flow.to, &flow.from) };
        if pairs.insert(ordered) {
            taps.push(Flow {
                name: format!("{} - {}", flow.to, flow.from),
                count: 1,
                from: flow.to.clone(),
                to: flow.from.clone(),
                access: None,
                distance: flow.distance,
                urgent: false,
                start: Time::ZERO,
                stagger: Span::ZERO,
                stop: None,
                kind: FlowKind::Tap { mtu: Bytes::new(MTU.into()) },
            });
        }
    }
    let mut flows = if keep { scenario.flows.clone() } else { Vec::new() };
    flows.extend(taps);
    Ok(Scenario { flows, ..scenario.clone() })
}

/// An endpoint of the session at a site, and the site of its peer.
#[derive(Clone, Copy, Debug)]
struct Port {
    site: usize,
    endpoint: usize,
}

/// The sites that have interfaces, and the endpoints of these sites in the simulator.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    /// Names of the sites. The site of the first flow's receiver is the first.
    sites: Vec<String>,
    ends: Vec<Port>,
    /// For a site and a destination address, the endpoint that sends from this site to this address.
    towards: BTreeMap<(usize, IpAddr), usize>,
    mtu: u16,
}

impl Ports {
    /// Creates the ports for the plan of a [`tapped`] scenario.
    pub fn of(plan: &Plan) -> Self {
        let smallest = plan.configs().filter_map(|config| config.spec.mtu).min();
        let mut this = Self { mtu: smallest.unwrap_or(MTU).min(MTU), ..Self::default() };
        let mut numbers: BTreeMap<u16, usize> = BTreeMap::new();
        for (flow, flow_plan) in plan.flows.iter().take(plan.whole).enumerate() {
            if flow_plan.kind == "tap" {
                let ends = [flow_plan.from, flow_plan.to].map(|site| {
                    *numbers.entry(site).or_insert_with(|| {
                        this.sites.push(plan.site_names[usize::from(site)].clone());
                        this.sites.len() - 1
                    })
                });
                for (end, (site, peer)) in [(ends[0], ends[1]), (ends[1], ends[0])].into_iter().enumerate() {
                    let endpoint = 2 * flow + end;
                    this.ends.push(Port { site, endpoint });
                    for address in addresses_of(peer).all() {
                        this.towards.insert((site, address), endpoint);
                    }
                }
            }
        }
        this
    }

    /// Returns the size of the largest packet that the network carries, in bytes. It is at most 1500, as on Ethernet.
    pub fn mtu(&self) -> u16 {
        self.mtu
    }

    /// Returns the names of the sites, in the order of their addresses.
    pub fn sites(&self) -> &[String] {
        &self.sites
    }
}

/// Returns the destination address of an IP packet.
fn destination(packet: &[u8]) -> Option<IpAddr> {
    match packet.first()? >> 4 {
        4 => <[u8; 4]>::try_from(packet.get(16..20)?).ok().map(IpAddr::from),
        6 => <[u8; 16]>::try_from(packet.get(24..40)?).ok().map(IpAddr::from),
        _ => None,
    }
}

/// A clock that starts when the emulation starts.
#[derive(Clone, Copy, Debug)]
struct Clock(Instant);

impl Clock {
    fn now(self) -> Time {
        let elapsed = u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Time::from_nanos(elapsed)
    }
}

/// How long the thread has slept since the beginning of an interval.
#[derive(Clone, Copy, Debug, Default)]
struct Rest {
    since: Time,
    slept: Span,
}

impl Rest {
    /// Returns whether the thread has slept enough, so that it may read the clock repeatedly instead of sleeping.
    fn is_enough(&mut self, now: Time) -> bool {
        let elapsed = now.since(self.since);
        if elapsed > REST_INTERVAL {
            *self = Self { since: now, slept: Span::ZERO };
            return true;
        }
        self.slept.nanos() * REST >= elapsed.nanos()
    }
}

/// The connection between a site and its programs.
pub struct Cable {
    /// The interface at which packets enter and leave.
    pub interface: Box<dyn Interface + Send>,
    /// The reader of the programs' sockets, if the programs have sockets of the kernel.
    pub sockets: Option<SocketReader>,
}

/// A run that exchanges packets with interfaces. Each site has one interface.
pub struct Emulation<O: Observer<AnyBody>> {
    run: Run<O>,
    ports: Ports,
    cables: Vec<Cable>,
    sockets: SocketThread,
    lateness: Lateness,
    /// Number of packets that were sent to an address without a site, or between two sites without a flow.
    unroutable: u64,
    /// Packets that are passed between an interface and the session, and the times at which they are due.
    packets: Vec<Box<[u8]>>,
    due: Vec<Time>,
}

impl<O: Observer<AnyBody>> std::fmt::Debug for Emulation<O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Emulation").field("sites", &self.ports.sites).finish_non_exhaustive()
    }
}

impl<O: Observer<AnyBody>> Emulation<O> {
    /// Creates an emulation that has not started.
    ///
    /// # Errors
    /// [`EmulateError::System`] if the system does not start a thread.
    ///
    /// # Panics
    /// If the number of cables differs from the number of sites.
    pub fn new(run: Run<O>, ports: Ports, mut cables: Vec<Cable>) -> Result<Self, EmulateError> {
        assert_eq!(ports.sites.len(), cables.len(), "a site has one cable");
        let readers = cables.iter_mut().enumerate();
        let readers = readers.filter_map(|(site, cable)| Some((site, cable.sockets.take()?))).collect();
        let sockets = SocketThread::start(readers);
        let sockets = sockets.map_err(|error| EmulateError::system("starting a thread", error))?;
        let lateness = Lateness::default();
        Ok(Self {
            run,
            ports,
            cables,
            sockets,
            lateness,
            unroutable: 0,
            packets: Vec::new(),
            due: Vec::new(),
        })
    }

    /// Moves packets in real time, until the session reaches `end` or `stop` is set. Calls `look` with the run in every
    /// iteration of the loop, which is at least ten times per second. `look` must return quickly.
    ///
    /// # Errors
    /// If the session or an interface fails.
    pub fn drive(
        &mut self,
        end: Time,
        stop: &AtomicBool,
        look: &dyn Fn(&mut Run<O>),
    ) -> Result<(), EmulateError> {
        // What happens at time zero happens even if the run is stopped at once.
        self.run.advance(Time::ZERO, &plan::never)?;
        let clock = Clock(Instant::now());
        let is_stopped = |_| stop.load(Ordering::Relaxed);
        let mut rest = Rest::default();
        loop {
            self.read(clock, end, &is_stopped)?;
            let now = clock.now().min(end);
            self.advance(now, &is_stopped)?;
            self.write(clock)?;
            if stop.load(Ordering::Relaxed) || now >= end {
                return Ok(());
            }
            self.take_sockets()?;
            look(&mut self.run);
            self.sleep(clock, end, &mut rest)?;
        }
    }

    /// Passes the kernel's last report on the sockets of the programs to the session.
    fn take_sockets(&mut self) -> Result<(), EmulateError> {
        let sockets = self.sockets.take();
        let sockets =
            sockets.map_err(|error| EmulateError::system("reading the sockets of a site", error))?;
        for (site, key, socket) in sockets {
            if let Some(&endpoint) = self.ports.towards.get(&(site, key.remote.ip())) {
                self.run.tap_mut(endpoint).connections_mut().set_socket(&key, socket);
            }
        }
        Ok(())
    }

    /// Advances the session. An interruption ends the call without an error.
    fn advance(&mut self, now: Time, stop: Stop<'_>) -> Result<(), EmulateError> {
        match self.run.advance(now, stop) {
            Err(SimError::Interrupted) => Ok(()),
            other => Ok(other?),
        }
    }

    /// Passes the packets that wait at the interfaces to the session.
    fn read(&mut self, clock: Clock, end: Time, stop: Stop<'_>) -> Result<(), EmulateError> {
        for site in 0..self.cables.len() {
            for _ in 0..READS {
                let received = self.cables[site].interface.receive(&mut self.packets);
                if !received.map_err(|error| EmulateError::system("reading a packet", error))? {
                    break;
                }
                self.advance(clock.now().min(end), stop)?;
                for packet in std::mem::take(&mut self.packets) {
                    let address = destination(&packet);
                    if let Some(&endpoint) = address.and_then(|to| self.ports.towards.get(&(site, to))) {
                        self.run.send(endpoint, packet);
                    } else if !address.is_some_and(|address| address.is_multicast()) {
                        // The kernel also announces its interface to all neighbours; there are none.
                        self.unroutable += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Passes the packets that left the session to the interfaces.
    fn write(&mut self, clock: Clock) -> Result<(), EmulateError> {
        for &Port { site, endpoint } in &self.ports.ends {
            loop {
                for arrived in std::iter::from_fn(|| self.run.take_arrived(endpoint)).take(BATCH) {
                    self.packets.push(arrived.bytes);
                    self.due.push(arrived.at);
                }
                if self.packets.is_empty() {
                    break;
                }
                let lost = self.cables[site].interface.send(&self.packets);
                self.lateness.refuse(lost.map_err(|error| EmulateError::system("writing a packet", error))?);
                let now = clock.now();
                self.due.drain(..).for_each(|at| self.lateness.add(now.since(at)));
                self.packets.clear();
            }
        }
        Ok(())
    }

    /// Waits for the next packet of an interface, or for the next action of the session.
    fn sleep(&mut self, clock: Clock, end: Time, rest: &mut Rest) -> Result<(), EmulateError> {
        let due = self.run.next_moment().min(end);
        let now = clock.now();
        let left = due.since(now).min(LONGEST_SLEEP);
        let timeout = if rest.is_enough(now) { left.saturating_sub(SPIN) } else { left };
        let timespec = Timespec {
            tv_sec: 0,
            // Below a second: LONGEST_SLEEP.
            tv_nsec: i64::try_from(timeout.nanos()).unwrap_or_default(),
        };
        let mut descriptors: Vec<PollFd<'_>> = self
            .cables
            .iter()
            .map(|one| PollFd::from_borrowed_fd(one.interface.as_fd(), PollFlags::IN))
            .collect();
        match poll(&mut descriptors, Some(&timespec)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(EmulateError::system("waiting for packets", error.into())),
        }
        if timeout > Span::ZERO {
            rest.slept = rest.slept + clock.now().since(now);
        }
        Ok(())
    }

    /// Returns the lateness so far.
    pub fn lateness(&self) -> &Lateness {
        &self.lateness
    }

    /// Returns the number of packets that could not be carried. The scenario has no flow between the sender's site and
    /// the site with the destination address of such a packet.
    pub fn unroutable(&self) -> u64 {
        self.unroutable
    }

    /// Returns the run.
    pub fn into_run(self) -> Run<O> {
        self.run
    }

    /// Returns a reference to the run.
    pub fn run(&self) -> &Run<O> {
        &self.run
    }

    /// Returns the end of the scenario.
    pub fn end(&self) -> Time {
        self.run.session().state().plan.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_time_is_rest() {
        let at = |ms: u64| Time::ZERO + Span::from_millis(ms);
        let mut rest = Rest::default();
        assert!(!rest.is_enough(at(10)));
        rest.slept = Span::from_millis(2);
        assert!(rest.is_enough(at(20)));
        assert!(!rest.is_enough(at(21)));
        // A new interval begins: what was slept before does not count.
        assert!(rest.is_enough(at(101)));
        assert!(!rest.is_enough(at(102)));
    }
}
