// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interfaces at which packets enter and leave an emulation.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use tun_rs::{GROTable, IDEAL_BATCH_SIZE, SyncDevice, VIRTIO_NET_HDR_LEN};

/// Largest packet of an interface, in bytes.
pub const MTU: u16 = 1500;

/// A device from which complete IP packets are read, and to which they are written, without blocking. The file
/// descriptor of the device is readable when a packet waits.
pub trait Interface: AsFd {
    /// Reads once from the device, and appends the result to `packets`. The result is one packet, or several packets if
    /// the sender gave several segments to the device at once. Returns false if no packet waits.
    ///
    /// # Errors
    /// If the device no longer exists.
    fn receive(&mut self, packets: &mut Vec<Box<[u8]>>) -> io::Result<bool>;
    /// Writes packets. Returns the number of packets that are lost because the device has no room for them.
    ///
    /// # Errors
    /// If the device no longer exists.
    fn send(&mut self, packets: &[Box<[u8]>]) -> io::Result<u64>;
}

/// A datagram socket is a cable: tests use a pair of them.
impl Interface for std::os::unix::net::UnixDatagram {
    fn receive(&mut self, packets: &mut Vec<Box<[u8]>>) -> io::Result<bool> {
        let mut buffer = [0; MTU as usize];
        let length = waiting(self.recv(&mut buffer))?;
        packets.extend(length.map(|length| Box::from(&buffer[..length])));
        Ok(length.is_some())
    }
    fn send(&mut self, packets: &[Box<[u8]>]) -> io::Result<u64> {
        let mut lost = 0;
        for packet in packets {
            lost += u64::from(waiting(Self::send(self, packet))?.is_none());
        }
        Ok(lost)
    }
}

/// A TUN device that delivers up to 64 kB of a TCP or UDP flow at once (`IFF_VNET_HDR`). This process splits these data
/// into packets, so that the links carry single packets. Packets of a flow that leave at the same time are joined again
/// before they are written.
pub struct Tun {
    device: SyncDevice,
    raw: Vec<u8>,
    segments: Vec<[u8; MTU as usize]>,
    sizes: Vec<usize>,
    /// Packets to write. Each begins with room for the header of the device.
    sent: Vec<Vec<u8>>,
    joined: GROTable,
}

impl Tun {
    /// Creates the interface from a device that was built with `offload` and does not block.
    pub fn new(device: SyncDevice) -> Self {
        Self {
            device,
            raw: vec![0; VIRTIO_NET_HDR_LEN + usize::from(u16::MAX)],
            segments: vec![[0; MTU as usize]; IDEAL_BATCH_SIZE],
            sizes: vec![0; IDEAL_BATCH_SIZE],
            sent: Vec::new(),
            joined: GROTable::new(),
        }
    }
}

impl AsFd for Tun {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}

impl Interface for Tun {
    fn receive(&mut self, packets: &mut Vec<Box<[u8]>>) -> io::Result<bool> {
        let count = self.device.recv_multiple(&mut self.raw, &mut self.segments, &mut self.sizes, 0);
        let count = waiting(count)?;
        let read = self.segments.iter().zip(&self.sizes).take(count.unwrap_or_default());
        packets.extend(read.map(|(segment, &size)| Box::from(&segment[..size])));
        Ok(count.is_some())
    }
    fn send(&mut self, packets: &[Box<[u8]>]) -> io::Result<u64> {
        self.sent.resize_with(packets.len().max(self.sent.len()), Vec::new);
        for (buffer, packet) in self.sent.iter_mut().zip(packets) {
            buffer.clear();
            buffer.resize(VIRTIO_NET_HDR_LEN, 0);
            buffer.extend_from_slice(packet);
        }
        let sent = &mut self.sent[..packets.len()];
        match waiting(self.device.send_multiple(&mut self.joined, sent, VIRTIO_NET_HDR_LEN)) {
            // The kernel refuses a packet that is damaged, or for an interface that is down.
            Err(error) if matches!(error.raw_os_error(), Some(EINVAL | EIO)) => Ok(1),
            other => Ok(u64::from(other?.is_none())),
        }
    }
}

/// Linux, errno.h.
const EIO: i32 = 5;
const EINVAL: i32 = 22;

/// Returns `None` for the error that the device would block.
fn waiting(done: io::Result<usize>) -> io::Result<Option<usize>> {
    match done {
        Ok(count) => Ok(Some(count)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    }
}
