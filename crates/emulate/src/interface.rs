// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where packets enter and leave.

use std::io;
use std::os::fd::AsFd;

/// Largest packet of an interface, in bytes.
pub const MTU: u16 = 1500;

/// A device that delivers and takes whole IP packets and never waits. Its descriptor is readable when a packet waits.
pub trait Interface: AsFd {
    /// Reads the next packet into `buffer`; returns its length, or `None` if no packet waits.
    ///
    /// # Errors
    /// The device is gone.
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>>;
    /// Writes a packet; returns false if the device has no room for it, so that the packet is lost.
    ///
    /// # Errors
    /// The device is gone.
    fn send(&mut self, packet: &[u8]) -> io::Result<bool>;
}

/// A datagram socket is a cable: tests use a pair of them.
impl Interface for std::os::unix::net::UnixDatagram {
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        waiting(self.recv(buffer))
    }
    fn send(&mut self, packet: &[u8]) -> io::Result<bool> {
        Ok(waiting(Self::send(self, packet))?.is_some())
    }
}

impl Interface for tun_rs::SyncDevice {
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        waiting(self.recv(buffer))
    }
    fn send(&mut self, packet: &[u8]) -> io::Result<bool> {
        match waiting(Self::send(self, packet)) {
            // The kernel refuses a packet that is damaged, or for an interface that is down.
            Err(error) if matches!(error.raw_os_error(), Some(EINVAL | EIO)) => Ok(false),
            other => Ok(other?.is_some()),
        }
    }
}

/// Linux, errno.h.
const EIO: i32 = 5;
const EINVAL: i32 = 22;

/// `None` if the device would have to wait.
fn waiting(done: io::Result<usize>) -> io::Result<Option<usize>> {
    match done {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    }
}
