// SPDX-License-Identifier: MIT OR Apache-2.0
//! A report of `trace.bpf.c` about a connection.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Size of a report in bytes.
pub const SIZE: usize = 136;
/// The address family of IPv4 (Linux, include/linux/socket.h).
const AF_INET: u16 = 2;
/// The slow-start threshold of a connection without one (Linux, `TCP_INFINITE_SSTHRESH`).
const NO_SSTHRESH: u32 = 0x7fff_ffff;
/// The pacing rate of a connection without a limit (Linux, `sk_pacing_rate`).
const NO_PACING: u64 = u64::MAX;

/// The reason for a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The connection was established.
    Opened,
    /// A segment arrived while data were in flight.
    Acked,
    /// The state of congestion control changed.
    State(State),
    /// The connection was closed.
    Closed,
}

/// The state of congestion control (Linux, `enum tcp_ca_state`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Nothing is wrong.
    #[default]
    Open,
    /// Duplicate acknowledgements or SACKs arrive.
    Disorder,
    /// The window is reduced because of an ECN mark or a full queue of this host.
    Cwr,
    /// Lost segments are retransmitted.
    Recovery,
    /// The retransmission timer expired.
    Loss,
}

impl State {
    /// Returns the name of the state in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Disorder => "disorder",
            Self::Cwr => "cwr",
            Self::Recovery => "recovery",
            Self::Loss => "loss",
        }
    }

    /// Whether the window was reduced at the beginning of this state.
    pub const fn is_reduced(self) -> bool {
        matches!(self, Self::Cwr | Self::Recovery | Self::Loss)
    }
}

/// Counters of a connection since its start. The 32-bit counters of the kernel wrap around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Acknowledged bytes.
    pub bytes_acked: u64,
    /// Sent bytes of payload, with retransmissions.
    pub bytes_sent: u64,
    /// Segments that the receiver acknowledged, also with SACKs.
    pub delivered: u32,
    /// The part of `delivered` that carried an ECN mark.
    pub marked: u32,
    /// Segments that were declared lost.
    pub lost: u32,
    /// Sent segments with data.
    pub sent: u32,
    /// Retransmitted segments.
    pub retransmitted: u32,
}

/// A report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Time on the monotonic clock, in nanoseconds.
    pub time_ns: u64,
    /// The kernel's number of the connection.
    pub connection: u64,
    /// Reason for the report.
    pub kind: Kind,
    /// Counters.
    pub counters: Counters,
    /// Pacing rate in bytes per second; `None` without pacing.
    pub pacing_bytes_s: Option<u64>,
    /// Congestion window, in segments.
    pub cwnd: u32,
    /// Slow-start threshold in segments; `None` if it is not set.
    pub ssthresh: Option<u32>,
    /// Segments in flight.
    pub in_flight: u32,
    /// Smoothed round-trip time in microseconds; `None` before the first measurement.
    pub srtt_us: Option<u32>,
    /// The newest round-trip time in microseconds; `None` before the first measurement.
    pub rtt_us: Option<u32>,
    /// Size of the headers of a segment, with IP.
    pub header_bytes: u32,
    /// Address of this host.
    pub local: SocketAddr,
    /// Address of the other host.
    pub remote: SocketAddr,
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|place| bytes[at + place])
}

impl Record {
    /// Reads a report. Returns `None` if the bytes are not a report of this version.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() < SIZE {
            return None;
        }
        let long = |at| u64::from_ne_bytes(array(bytes, at));
        let word = |at| u32::from_ne_bytes(array(bytes, at));
        let half = |at| u16::from_ne_bytes(array(bytes, at));
        let known = |value: u32| (value > 0).then_some(value);
        let is_v4 = half(92) == AF_INET;
        let address = |at| -> IpAddr {
            if is_v4 {
                return Ipv4Addr::from(array::<4>(bytes, at)).into();
            }
            Ipv6Addr::from(array::<16>(bytes, at)).to_canonical()
        };
        Some(Self {
            time_ns: long(0),
            connection: long(8),
            kind: match word(40) {
                0 => Kind::Opened,
                1 => Kind::Acked,
                2 => Kind::State(match word(44) {
                    0 => State::Open,
                    1 => State::Disorder,
                    2 => State::Cwr,
                    3 => State::Recovery,
                    4 => State::Loss,
                    _ => return None,
                }),
                3 => Kind::Closed,
                _ => return None,
            },
            counters: Counters {
                bytes_acked: long(16),
                bytes_sent: long(24),
                delivered: word(68),
                marked: word(72),
                lost: word(76),
                sent: word(80),
                retransmitted: word(84),
            },
            pacing_bytes_s: Some(long(32)).filter(|rate| ![0, NO_PACING].contains(rate)),
            cwnd: word(48),
            ssthresh: Some(word(52)).filter(|ssthresh| *ssthresh < NO_SSTHRESH),
            in_flight: word(56),
            srtt_us: known(word(60)),
            rtt_us: known(word(64)),
            header_bytes: word(88) + if is_v4 { 20 } else { 40 },
            local: SocketAddr::new(address(100), half(94)),
            remote: SocketAddr::new(address(116), half(96)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The layout of `struct record` in `trace.bpf.c`, as bytes.
    #[test]
    fn a_report_is_read_from_the_layout_of_c() {
        let mut bytes = Vec::new();
        for long in [1_000_u64, 7, 5_000, 6_000, 2_500_000] {
            bytes.extend(long.to_ne_bytes());
        }
        for word in [2_u32, 3, 20, 0x7fff_ffff, 12, 60_000, 0, 40, 1, 2, 50, 3, 32] {
            bytes.extend(word.to_ne_bytes());
        }
        for half in [2_u16, 5201, 443, 0] {
            bytes.extend(half.to_ne_bytes());
        }
        for address in [[10_u8, 0, 0, 1], [10, 0, 0, 2]] {
            bytes.extend(address);
            bytes.extend([0; 12]);
        }
        bytes.extend([0; 4]);
        assert_eq!(bytes.len(), SIZE);
        let record = Record::read(&bytes).expect("a report");
        assert_eq!(record.kind, Kind::State(State::Recovery));
        assert_eq!((record.time_ns, record.connection), (1_000, 7));
        assert_eq!((record.cwnd, record.ssthresh, record.in_flight), (20, None, 12));
        assert_eq!((record.srtt_us, record.rtt_us), (Some(60_000), None));
        assert_eq!(record.pacing_bytes_s, Some(2_500_000));
        assert_eq!(record.header_bytes, 52);
        let counters = Counters {
            bytes_acked: 5_000,
            bytes_sent: 6_000,
            delivered: 40,
            marked: 1,
            lost: 2,
            sent: 50,
            retransmitted: 3,
        };
        assert_eq!(record.counters, counters);
        assert_eq!(record.local.to_string(), "10.0.0.1:5201");
        assert_eq!(record.remote.to_string(), "10.0.0.2:443");
        assert_eq!(Record::read(&bytes[1..]), None);
    }
}
