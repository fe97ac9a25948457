// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of the TCP sockets of a site, as the kernel reports it (sock_diag(7)).

use hosts::{Key, Protocol, Socket};
use netlink_packet_core::{NLM_F_DUMP, NLM_F_REQUEST, NetlinkHeader, NetlinkMessage, NetlinkPayload};
use netlink_packet_sock_diag::SockDiagMessage;
use netlink_packet_sock_diag::constants::{AF_INET, AF_INET6, IPPROTO_TCP};
use netlink_packet_sock_diag::inet::nlas::{Nla, TcpInfo};
use netlink_packet_sock_diag::inet::{ExtensionFlags, InetRequest, InetResponse, SocketId, StateFlags};
use netlink_sys::protocols::NETLINK_SOCK_DIAG;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TrySendError, channel, sync_channel};
use std::time::Duration;
use units::{Rate, Span};

/// The kernel's value for a slow-start threshold that is not set (include/net/tcp.h, TCP_INFINITE_SSTHRESH).
const NO_THRESHOLD: u32 = 0x7fff_ffff;
/// Interval between two reads of the sockets.
const INTERVAL: Duration = Duration::from_millis(100);
/// Largest size of one message of the kernel, in bytes (netlink(7) recommends at least 8192).
const ANSWER: usize = 1 << 16;

/// Reads the sockets of the network namespace in which the reader was created.
#[derive(Debug)]
pub struct SocketReader {
    socket: netlink_sys::Socket,
    buffer: Vec<u8>,
}

impl SocketReader {
    /// Creates a reader for the network namespace of the current thread.
    ///
    /// # Errors
    /// If the kernel does not support sock_diag.
    pub fn new() -> io::Result<Self> {
        let mut socket = netlink_sys::Socket::new(NETLINK_SOCK_DIAG)?;
        socket.bind_auto()?;
        socket.connect(&netlink_sys::SocketAddr::new(0, 0))?;
        Ok(Self { socket, buffer: vec![0; ANSWER] })
    }

    /// Calls `each` with every connection and the state of its socket.
    ///
    /// # Errors
    /// If the kernel does not answer.
    pub fn read(&mut self, mut each: impl FnMut(&Key, Socket)) -> io::Result<()> {
        for (family, id) in [(AF_INET, SocketId::new_v4()), (AF_INET6, SocketId::new_v6())] {
            self.ask(family, id)?;
            self.hear(&mut each)?;
        }
        Ok(())
    }

    fn ask(&self, family: u8, socket_id: SocketId) -> io::Result<()> {
        let mut header = NetlinkHeader::default();
        header.flags = NLM_F_REQUEST | NLM_F_DUMP;
        let request = InetRequest {
            family,
            protocol: IPPROTO_TCP,
            extensions: ExtensionFlags::INFO | ExtensionFlags::CONG,
            states: StateFlags::ESTABLISHED | StateFlags::FIN_WAIT1 | StateFlags::CLOSE_WAIT,
            socket_id,
        };
        let mut message = NetlinkMessage::new(header, SockDiagMessage::InetRequest(request).into());
        message.finalize();
        let mut bytes = vec![0; message.buffer_len()];
        message.serialize(&mut bytes);
        self.socket.send(&bytes, 0).map(drop)
    }

    fn hear(&mut self, each: &mut impl FnMut(&Key, Socket)) -> io::Result<()> {
        loop {
            let size = self.socket.recv(&mut &mut self.buffer[..], 0)?;
            let mut rest = &self.buffer[..size];
            while !rest.is_empty() {
                let message = NetlinkMessage::<SockDiagMessage>::deserialize(rest)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
                let length = message.header.length as usize;
                match message.payload {
                    NetlinkPayload::InnerMessage(SockDiagMessage::InetResponse(response)) => {
                        if let Some((key, state)) = state(&response) {
                            each(&key, state);
                        }
                    }
                    NetlinkPayload::Done(_) => return Ok(()),
                    NetlinkPayload::Error(error) => return Err(error.to_io()),
                    _ => {}
                }
                // Messages begin at multiples of four bytes (netlink(7)).
                rest = rest.get(length.next_multiple_of(4).max(4)..).unwrap_or_default();
            }
        }
    }
}

/// Index of a site, a connection at this site, and the kernel's report on its socket.
type SiteSocket = (usize, Key, Socket);

/// A thread that reads the sockets of all sites every 100 ms. For each answer, the kernel reads the hash table of all
/// connections of the machine. This takes a millisecond, which is too long for the thread that moves packets.
#[derive(Debug)]
pub struct SocketThread {
    read: Receiver<io::Result<Vec<SiteSocket>>>,
    /// The thread ends when this end of the channel is dropped.
    _stop: Sender<()>,
}

impl SocketThread {
    /// Starts the thread. `readers` contains the index and the reader of each site.
    ///
    /// # Errors
    /// If the system does not start a thread.
    pub fn start(mut readers: Vec<(usize, SocketReader)>) -> io::Result<Self> {
        // An answer that nobody has taken yet is not replaced: the next one follows in 100 ms.
        let (answers, read) = sync_channel(1);
        let (stop, stopped) = channel::<()>();
        std::thread::Builder::new().name("sockets".to_owned()).spawn(move || {
            while matches!(stopped.recv_timeout(INTERVAL), Err(RecvTimeoutError::Timeout)) {
                if let Err(TrySendError::Disconnected(_)) = answers.try_send(read_all(&mut readers)) {
                    break;
                }
            }
        })?;
        Ok(Self { read, _stop: stop })
    }

    /// Returns the sockets that the thread has read since the last call; empty if it has read nothing.
    ///
    /// # Errors
    /// If the kernel does not answer.
    pub fn take(&self) -> io::Result<Vec<SiteSocket>> {
        self.read.try_recv().unwrap_or_else(|_| Ok(Vec::new()))
    }
}

fn read_all(readers: &mut [(usize, SocketReader)]) -> io::Result<Vec<SiteSocket>> {
    let mut all = Vec::new();
    for (site, reader) in readers {
        reader.read(|key, socket| all.push((*site, *key, socket)))?;
    }
    Ok(all)
}

/// Returns the IPv4 address if `address` is an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2), which sockets for
/// both versions use. Returns other addresses unchanged.
fn plain(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

fn state(response: &InetResponse) -> Option<(Key, Socket)> {
    let id = &response.header.socket_id;
    let key = Key {
        protocol: Protocol::Tcp,
        local: SocketAddr::new(plain(id.source_address), id.source_port),
        remote: SocketAddr::new(plain(id.destination_address), id.destination_port),
    };
    let (mut info, mut controller) = (None, String::new());
    for attribute in &response.nlas {
        match attribute {
            Nla::TcpInfo(one) => info = Some(one),
            Nla::Congestion(name) => controller.clone_from(name),
            _ => {}
        }
    }
    let TcpInfo {
        ca_state, snd_cwnd, snd_ssthresh, pacing_rate, rtt, unacked, sacked, lost, retrans, ..
    } = info?;
    Some((
        key,
        Socket {
            controller,
            cwnd: *snd_cwnd,
            ssthresh: (*snd_ssthresh < NO_THRESHOLD).then_some(*snd_ssthresh),
            // All ones: no pacing (tcp(7)).
            pacing: (*pacing_rate != u64::MAX).then(|| Rate::from_bits_per_s(pacing_rate.saturating_mul(8))),
            srtt: Span::from_micros(u64::from(*rtt)),
            // RFC 6675's pipe, as tcp_packets_in_flight() computes it.
            in_flight: (unacked + retrans).saturating_sub(sacked + lost),
            phase: phase(*ca_state),
        },
    ))
}

/// Returns the name of a state of `tcp_ca_state` (include/uapi/linux/tcp.h).
const fn phase(state: u8) -> &'static str {
    match state {
        0 => "open",
        1 => "disorder",
        2 => "cwr",
        3 => "recovery",
        _ => "loss",
    }
}
