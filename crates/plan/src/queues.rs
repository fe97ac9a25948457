// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sizes of queue limits in bytes, packets and time.

use crate::Plan;
use crate::PlanError;
use link::QueueLimit;
use scenario::{DefaultQueue, Scenario};
use units::{Bytes, Rate, Span};

/// Size of a queue limit, as far as the limit and the rate of its link determine it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueSize {
    /// Size in packets of the requested length.
    pub packets: Option<f64>,
    /// Size in bytes.
    pub bytes: Option<f64>,
    /// Time in which the link sends a full queue, in seconds.
    pub seconds: Option<f64>,
}

impl QueueSize {
    /// Returns the size of a limit that is not in bandwidth-delay products. `packet` is the length of packets.
    fn of(limit: QueueLimit, rate: Option<Rate>, packet: Bytes) -> Self {
        let bytes = limit.bytes(packet, rate);
        let seconds = bytes.zip(rate).map(|(bytes, rate)| bytes / rate.bytes_per_s());
        Self { packets: bytes.map(|bytes| bytes / packet.get() as f64), bytes, seconds }
    }
}

/// Returns the size of the largest packet that the flows of a scenario send, including headers.
pub fn largest_packet(scenario: &Scenario) -> Bytes {
    scenario.flows.iter().map(|flow| flow.kind.packet()).max().unwrap_or_default()
}

/// Returns the sizes of the queues of a scenario, for its largest packets. If a limit is in bandwidth-delay products,
/// the network is computed.
///
/// # Errors
/// The same as for [`Plan::new`].
pub fn queue_sizes(scenario: &Scenario, queues: &[DefaultQueue]) -> Result<Vec<QueueSize>, PlanError> {
    let by_bdp = |queue: &DefaultQueue| matches!(queue.limit, QueueLimit::Bdp(_));
    let base = if queues.iter().any(by_bdp) { Plan::new(scenario)?.base_rtt() } else { Span::ZERO };
    let packet = largest_packet(scenario);
    let room =
        |queue: &DefaultQueue| QueueSize::of(queue.limit.resolve(queue.rate, base), queue.rate, packet);
    Ok(queues.iter().map(room).collect())
}

/// Returns a warning about queues that hold fewer than two of the largest packets. Queues with a limit in packets are
/// excluded. Queues of the network precede queues of hosts.
pub fn too_short(plan: &Plan, scenario: &Scenario) -> Option<String> {
    let packet = largest_packet(scenario);
    let size = packet.get() as f64;
    let network = plan.network.links.iter().map(|link| (&link.name, &link.config.spec));
    let hosts = plan.access_links.iter().map(|access| (&access.name, &access.config.spec));
    let short = network.chain(hosts).filter_map(|(name, spec)| {
        let limit = spec.queue.limit;
        let bytes = limit.bytes(packet, spec.rate)?;
        let is_short = bytes < 2.0 * size && !matches!(limit, QueueLimit::Packets(_));
        is_short.then_some((name, spec.rate, bytes))
    });
    let short: Vec<_> = short.collect();
    let &(name, rate, bytes) = short.first()?;
    let others =
        if short.len() == 1 { String::new() } else { format!(" (and of {} more links)", short.len() - 1) };
    let base = plan.base_rtt();
    let product = rate.map(|rate| (rate, rate.bytes_per_s() * base.secs_f64()));
    let product = match product {
        // This is "1 BDP", the default without the key `queue`.
        Some((rate, product)) if (bytes - product).abs() <= 1.0 => {
            format!(" (1 BDP = {rate} x {base})")
        }
        _ => String::new(),
    };
    let what = if bytes < size {
        format!("less than one packet of {packet}, so a packet that arrives during a transmission is dropped")
    } else {
        format!("less than two packets of {packet}, so bursts are dropped")
    };
    Some(format!(
        "the queue of {name}{others} holds {bytes:.0} B{product}, which is {what} (write queue = \"20 packets\")"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: Bytes = Bytes::new(1500);

    /// 1500 B are 12,000 bit, which take 1.2 ms at 10 Mbit/s.
    #[test]
    fn a_limit_in_one_unit_is_told_in_all() {
        let rate = Some(Rate::from_bits_per_s(10_000_000));
        let all = QueueSize { packets: Some(10.0), bytes: Some(15_000.0), seconds: Some(0.012) };
        let limits = [
            QueueLimit::Packets(10),
            QueueLimit::Bytes(Bytes::new(15_000)),
            QueueLimit::Time(Span::from_millis(12)),
            QueueLimit::Bdp(0.5).resolve(rate, Span::from_millis(24)),
        ];
        for limit in limits {
            assert_eq!(QueueSize::of(limit, rate, PACKET), all, "{limit:?}");
        }
    }

    #[test]
    fn without_a_rate_there_is_no_time_and_without_a_limit_nothing() {
        assert_eq!(
            QueueSize::of(QueueLimit::Packets(2), None, PACKET),
            QueueSize { packets: Some(2.0), bytes: Some(3000.0), seconds: None }
        );
        assert_eq!(QueueSize::of(QueueLimit::Unlimited, None, PACKET), QueueSize::default());
    }
}
