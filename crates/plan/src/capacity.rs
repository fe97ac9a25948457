// SPDX-License-Identifier: MIT OR Apache-2.0
//! The capacity of a flow's path: the largest amount in flight when the path and its queues are full.

use crate::{FlowPlan, Plan};
use link::Config;
use units::{Bytes, Rate, Span, Time};

/// Smallest amount in flight that is expected at the start on any path, in segments (RFC 6928: ten segments).
pub const LEAST_SEGMENTS: u64 = 10;

/// Capacity of a path at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// Rate of the narrowest link.
    pub rate: Rate,
    /// Rate of the narrowest link times the base RTT, plus the sizes of the queues, in bytes; `None` if a queue is
    /// unlimited.
    pub bytes: Option<f64>,
}

impl Plan {
    /// Returns the capacity of a flow's path at `now`, in the direction of data. A rate that changes counts with its
    /// highest value since `since`. Returns `None` if there is no path or if no link on it has a rate.
    pub fn capacity(&self, flow: usize, since: Time, now: Time) -> Option<Capacity> {
        let plan: &FlowPlan = &self.flows[flow];
        let base_rtt = self.idle_rtt(flow, now)?;
        let links = match self.path(plan.from, plan.to) {
            Some(path) => path.piece(now).links.as_slice(),
            None => &[],
        };
        let network = links.iter().map(|&link| (&self.network.links[link as usize].config, false));
        let mut sum = Sum { mss: plan.mss.into(), narrowest: None, bytes: 0.0, open: false, open_host: None };
        for (config, host) in network.chain(self.hosts(flow).map(|config| (config, true))) {
            sum.add(config, host, since, now);
        }
        let rate = sum.narrowest?;
        // An unlimited queue of a host counts only if the host's link is the narrowest.
        let open = sum.open || sum.open_host.is_some_and(|host| host <= rate);
        let bytes = sum.bytes + rate.bytes_per_s() * base_rtt.secs_f64();
        Some(Capacity { rate, bytes: (!open).then_some(bytes.max((LEAST_SEGMENTS * sum.mss) as f64)) })
    }

    /// Returns the round-trip delay of a flow without queues: propagation, delays in addition to propagation, and
    /// waiting times for grants.
    pub fn idle_rtt(&self, flow: usize, now: Time) -> Option<Span> {
        let plan = &self.flows[flow];
        let propagation = self.propagation_rtt(plan, now)?;
        if !self.makes_late {
            return Some(propagation);
        }
        let paths = [(plan.from, plan.to), (plan.to, plan.from)].map(|(from, to)| self.path(from, to));
        let links = paths.into_iter().flatten().flat_map(|path| &path.piece(now).links);
        let network = links.map(|&link| &self.network.links[link as usize].config);
        let hosts = self.access_links_of(flow).map(|access| &access.config);
        Some(network.chain(hosts).fold(propagation, |sum, config| sum + config.lateness(now)))
    }

    /// Returns the one-way delay of a flow's first packet if it leaves at `at` and does not wait. With `is_back`, this
    /// is the delay of the receiver's first packet. Rates are the highest between `at` and `end`. Returns `None` if
    /// there is no path at `at`.
    pub fn idle_one_way(&self, flow: usize, is_back: bool, [at, end]: [Time; 2]) -> Option<Span> {
        let plan = &self.flows[flow];
        let (from, to) = if is_back { (plan.to, plan.from) } else { (plan.from, plan.to) };
        let path = self.path(from, to);
        let propagation = if from == to { Span::ZERO } else { path?.delay(at)? };
        let links = path.map_or(&[][..], |path| path.piece(at).links.as_slice());
        let network = links.iter().map(|&link| &self.network.links[link as usize].config);
        // The order is sender up, sender down, receiver up, receiver down.
        let hosts = self.access_links_of(flow).enumerate();
        let hosts = hosts.filter(|&(number, _)| is_back == (number == 1 || number == 2));
        let packet = Bytes::new(plan.mss.into());
        let passes = |config: &Config| {
            let service = config.course.as_ref().and_then(|course| course.service.as_ref());
            let peak = service.map(|service| service.peak(at, end)).filter(|&rate| rate > Rate::default());
            let sends = peak.or(config.spec.rate).map_or(Span::ZERO, |rate| rate.time_for(packet));
            config.lateness(at) + sends
        };
        let links = network.chain(hosts.map(|(_, access)| &access.config));
        Some(links.fold(propagation + plan.access_delay, |sum, config| sum + passes(config)))
    }

    /// Returns the links of the sender's and the receiver's host that data use.
    fn hosts(&self, flow: usize) -> impl Iterator<Item = &Config> {
        // The order is sender up, sender down, receiver up, receiver down.
        self.access_links_of(flow).step_by(3).map(|access| &access.config)
    }
}

/// Sums over the links of a path.
#[derive(Debug)]
struct Sum {
    mss: u64,
    narrowest: Option<Rate>,
    bytes: f64,
    /// Whether a queue of the network is unlimited.
    open: bool,
    /// Lowest rate of the host links whose queue is unlimited.
    open_host: Option<Rate>,
}

impl Sum {
    fn add(&mut self, config: &Config, host: bool, since: Time, now: Time) {
        let service = config.course.as_ref().and_then(|course| course.service.as_ref());
        let peak = service.map(|service| service.peak(since, now)).filter(|&rate| rate > Rate::default());
        // A link without a rate transmits at once and has no queue.
        let Some(rate) = peak.or(config.spec.rate) else { return };
        self.narrowest = Some(self.narrowest.map_or(rate, |narrowest| narrowest.min(rate)));
        // The limit of a queue does not include the packet in transmission.
        let waiting = config.spec.queue.limit.bytes(Bytes::new(self.mss), Some(rate));
        if waiting.is_none() {
            if host {
                self.open_host = Some(self.open_host.map_or(rate, |lowest| lowest.min(rate)));
            } else {
                self.open = true;
            }
        }
        self.bytes += waiting.unwrap_or_default() + self.mss as f64;
    }
}

/// Returns the period over which the highest rate of a link is searched. A controller remembers the rate for a few
/// round trips.
pub fn memory_of(rtt: Span) -> Span {
    const ROUND_TRIPS: u64 = 20;
    (rtt * ROUND_TRIPS).clamp(Span::from_secs(1), Span::from_secs(60))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::Scenario;

    fn capacity(text: &str, since_s: u64, now_s: u64) -> Option<(f64, Option<f64>)> {
        let scenario = Scenario::from_toml(text, "capacity.toml").unwrap_or_else(|error| panic!("{error}"));
        let plan = Plan::new(&scenario).unwrap_or_else(|error| panic!("{error}"));
        let at = |s| Time::ZERO + Span::from_secs(s);
        let capacity = plan.capacity(0, at(since_s), at(now_s))?;
        Some((capacity.rate.mbit_per_s(), capacity.bytes))
    }

    fn dumbbell(link: &str, flow: &str) -> Option<(f64, Option<f64>)> {
        let text = format!("network.dumbbell = {{ {link} }}\nflows = [{{ controller = \"reno\"{flow} }}]\n");
        capacity(&text, 9, 10)
    }

    /// A grant takes 14 superframes of 40 ms after its request, and up to two more: 640 ms. 10 Mbit/s for 740 ms are
    /// 925,000 bytes. On the return link, the waiting time is up to 10 ms in each direction and 8 ms for a grant, which
    /// are 35,000 bytes.
    #[test]
    fn waiting_for_grants_belongs_to_the_pipe() {
        let with = |keys: &str| {
            dumbbell(&format!("rate = \"10 Mbit/s\", rtt = \"100 ms\", queue = \"30 kB\", {keys}"), "")
        };
        let assigned = "dama = { superframe = \"40 ms\", latency = \"560 ms\", vbdc = \"unlimited\" }";
        assert_eq!(with(assigned), Some((10.0, Some(925_000.0 + 30_000.0 + 1448.0))));
        let late = "jitter = { uniform = \"10 ms\" }, reverse = { grants = { period = \"8 ms\" } }";
        assert_eq!(with(late), Some((10.0, Some(125_000.0 + 35_000.0 + 30_000.0 + 1448.0))));
    }

    /// The additional delay of a link is part of the pipe. At 10 Mbit/s, 100 ms and 500 ms in both directions are
    /// 1,375,000 bytes. With 500 ms only in the reverse direction, it is 750,000 bytes. Host links have 50 ms each:
    /// data pass two of them, and ACKs pass the other two.
    #[test]
    fn extra_delay_belongs_to_the_pipe() {
        let with = |keys: &str, flow: &str| {
            dumbbell(&format!("rate = \"10 Mbit/s\", rtt = \"100 ms\", queue = \"30 kB\"{keys}"), flow)
        };
        let steps =
            "extra_delay = [{ at = \"0 s\", delay = \"500 ms\" }, { at = \"11 s\", delay = \"9 s\" }]";
        let late = |pipe: f64| Some((10.0, Some(pipe + 30_000.0 + 1448.0)));
        assert_eq!(with(&format!(", {steps}"), ""), late(1_375_000.0));
        assert_eq!(with(&format!(", reverse = {{ {steps} }}"), ""), late(750_000.0));
        let access = ", access = { rate = \"1 Gbit/s\", queue = \"1 kB\", extra_delay = [{ at = \"0 s\", delay = \"50 ms\" }] }";
        let both_ends_both_ways = 125_000.0 + 4.0 * 62_500.0;
        let queues = 30_000.0 + 1448.0 + 2.0 * (1000.0 + 1448.0);
        assert_eq!(with("", access), Some((10.0, Some(both_ends_both_ways + queues))));
    }

    /// 10 Mbit/s for 100 ms are 125,000 bytes. 50 packets of 1448 bytes wait, and one is in transmission.
    #[test]
    fn a_full_pipe_and_full_queues() {
        let with = |queue: &str| {
            dumbbell(&format!("rate = \"10 Mbit/s\", rtt = \"100 ms\", queue = \"{queue}\""), "")
        };
        assert_eq!(with("50 packets"), Some((10.0, Some(125_000.0 + 51.0 * 1448.0))));
        assert_eq!(with("30 kB"), Some((10.0, Some(125_000.0 + 30_000.0 + 1448.0))));
        assert_eq!(with("40 ms"), Some((10.0, Some(125_000.0 + 50_000.0 + 1448.0))));
        assert_eq!(with("2 BDP"), Some((10.0, Some(3.0 * 125_000.0 + 1448.0))));
        assert_eq!(with("unlimited"), Some((10.0, None)));
        assert_eq!(
            dumbbell("rate = \"1 Mbit/s\", rtt = \"1 ms\", queue = \"1 packets\"", ""),
            Some((1.0, Some(14_480.0)))
        );
        let ideal = "rate = \"unlimited\", rtt = \"1 ms\", queue = \"unlimited\", loss = { per = 0.1 }";
        assert_eq!(dumbbell(ideal, ""), None);
    }

    /// A host link of 100 Mbit/s adds its packet in transmission at both ends, and 1 ms per direction at each end. Its
    /// unlimited queue counts only if the link is the narrowest.
    #[test]
    fn hosts_links() {
        let link = "rate = \"10 Mbit/s\", rtt = \"96 ms\", queue = \"50 packets\"";
        let with =
            |rate: &str| dumbbell(link, &format!(", access = {{ rate = \"{rate}\", delay = \"1 ms\" }}"));
        assert_eq!(with("100 Mbit/s"), Some((10.0, Some(125_000.0 + 53.0 * 1448.0))));
        assert_eq!(with("5 Mbit/s"), Some((5.0, None)));
    }

    /// All links between the ends of the flow count, and no other links. The narrowest link determines the rate.
    #[test]
    fn links_in_a_row() {
        let link =
            |rate: u32| format!("{{ rate = \"{rate} Mbit/s\", delay = \"10 ms\", queue = \"20 packets\" }}");
        let text = format!(
            "network.chain.links = [{}, {}, {}]\nflows = [{{ controller = \"reno\", from = \"0\", to = \"2\" }}]\n",
            link(30),
            link(20),
            link(10)
        );
        // 20 Mbit/s for 40 ms are 100,000 bytes.
        assert_eq!(capacity(&text, 0, 1), Some((20.0, Some(100_000.0 + 42.0 * 1448.0))));
    }

    /// The rate is 40 Mbit/s until 5 s, and 4 Mbit/s later. The highest rate counts for the requested period.
    #[test]
    fn the_highest_rate_of_late() {
        let steps =
            "rate_steps = [{ at = \"0 s\", rate = \"40 Mbit/s\" }, { at = \"5 s\", rate = \"4 Mbit/s\" }]";
        let text = format!(
            "network.dumbbell = {{ {steps}, rtt = \"100 ms\", queue = \"9 packets\" }}\nflows = [{{ controller = \"reno\" }}]\n"
        );
        assert_eq!(capacity(&text, 4, 6), Some((40.0, Some(500_000.0 + 14_480.0))));
        assert_eq!(capacity(&text, 6, 7), Some((4.0, Some(50_000.0 + 14_480.0))));
        assert_eq!(memory_of(Span::from_millis(10)), Span::from_secs(1));
        assert_eq!(memory_of(Span::from_millis(600)), Span::from_secs(12));
    }
}
