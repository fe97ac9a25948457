// SPDX-License-Identifier: MIT OR Apache-2.0
//! A UDP socket with ECN. `wait` returns when a datagram arrives or a time is reached.
//!
//! noq-udp uses control messages to set and read the ECN codepoint and the local address, and for segmentation offload.
//! If the system does not support these messages, packets are sent and received without ECN.

use bytes::BytesMut;
use noq_proto::{EcnCodepoint, FourTuple};
use noq_udp::{RecvMeta, UdpSockRef, UdpSocketState};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, ErrorKind, IoSliceMut};
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

/// Longest time without looking whether to stop.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// Longest time that a datagram waits for a full send buffer. After this time it is dropped.
const SEND_PATIENCE: Duration = Duration::from_millis(5);

/// Requested size of the kernel's buffers in bytes. The system may limit the size.
const KERNEL_BUFFER: usize = 4 << 20;

/// A datagram that arrived.
pub(crate) struct Datagram {
    pub path: FourTuple,
    pub ecn: Option<EcnCodepoint>,
    pub bytes: BytesMut,
}

/// A UDP socket.
pub(crate) struct Socket {
    udp: UdpSocket,
    state: UdpSocketState,
    buffer: Vec<u8>,
}

impl Socket {
    pub(crate) fn bind(address: SocketAddr) -> io::Result<Self> {
        let udp = UdpSocket::bind(address)?;
        let state = UdpSocketState::new(UdpSockRef::from(&udp))?;
        // The system limits both sizes. A smaller buffer also works.
        let _ = state.set_recv_buffer_size(UdpSockRef::from(&udp), KERNEL_BUFFER);
        let _ = state.set_send_buffer_size(UdpSockRef::from(&udp), KERNEL_BUFFER);
        Ok(Self { udp, state, buffer: vec![0; 1 << 16] })
    }

    /// Returns a socket that exchanges datagrams only with `peer`, and reports an error if no program listens there.
    pub(crate) fn connect(peer: SocketAddr) -> io::Result<Self> {
        let any: SocketAddr = if peer.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
        let made = Self::bind(any)?;
        made.udp.connect(peer)?;
        Ok(made)
    }

    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.udp.local_addr()
    }

    /// Returns whether to try larger datagrams. They are not tried if the network layer would split them.
    pub(crate) fn allows_larger_datagrams(&self) -> bool {
        !self.state.may_fragment()
    }

    /// Returns the largest number of datagrams that one call may send.
    pub(crate) fn batch(&self) -> usize {
        self.state.max_gso_segments().get()
    }

    /// Receives datagrams with one system call, and passes each to `each`. Returns false if there are no datagrams.
    pub(crate) fn receive(&mut self, mut each: impl FnMut(Datagram)) -> io::Result<bool> {
        let mut meta = [RecvMeta::default()];
        let mut buffers = [IoSliceMut::new(&mut self.buffer)];
        match self.state.recv(UdpSockRef::from(&self.udp), &mut buffers, &mut meta) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error),
        }
        let [meta] = meta;
        let ecn = meta.ecn.and_then(|ecn| EcnCodepoint::from_bits(ecn as u8));
        let path = FourTuple::new(meta.addr, meta.dst_ip);
        for bytes in self.buffer[..meta.len].chunks(meta.stride.max(1)) {
            each(Datagram { path, ecn, bytes: BytesMut::from(bytes) });
        }
        Ok(true)
    }

    /// Sends the datagrams of `sent`, whose bytes are in `bytes`.
    pub(crate) fn send(&self, sent: &noq_proto::Transmit, bytes: &[u8]) -> io::Result<()> {
        let transmit = noq_udp::Transmit {
            destination: sent.destination,
            ecn: sent.ecn.and_then(|ecn| noq_udp::EcnCodepoint::from_bits(ecn as u8)),
            contents: &bytes[..sent.size],
            segment_size: sent.segment_size,
            src_ip: sent.src_ip,
        };
        let patience = Instant::now() + SEND_PATIENCE;
        loop {
            match self.state.try_send(UdpSockRef::from(&self.udp), &transmit) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let left = patience.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Ok(());
                    }
                    self.poll(PollFlags::OUT, left);
                }
                // The datagram is a probe for a larger MTU, and is too large for the interface.
                Err(error) if noq_udp::is_msg_size_err(&error) => return Ok(()),
                result => return result,
            }
        }
    }

    /// Waits until a datagram arrives, until `due`, or until the caller must check whether to stop.
    pub(crate) fn wait(&self, due: Option<Instant>) {
        let left = due.map_or(LONGEST_WAIT, |due| due.saturating_duration_since(Instant::now()));
        if !left.is_zero() {
            self.poll(PollFlags::IN, left.min(LONGEST_WAIT));
        }
    }

    /// Waits for the socket. A signal ends the wait early. An error is reported by the next call of the socket.
    fn poll(&self, what: PollFlags, left: Duration) {
        let timeout = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
        let _ = poll(&mut [PollFd::new(&self.udp, what)], Some(&timeout));
    }
}
