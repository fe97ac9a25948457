// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writer for packet captures. A file has one section. An interface is added when its first packet is captured. Times
//! are in nanoseconds, and packets begin with the IP header.
//!
//! The format is draft-ietf-opsawg-pcapng, with three kinds of blocks: section header, interface description, and
//! enhanced packet. Numbers are little-endian on every machine, so that the same packets give the same bytes. The crate
//! `pcap-file` is not used. Its last full release needs two macro libraries in older versions than ours. Its newer
//! releases are candidates and need a newer compiler.

use std::io::{self, Write};
use units::Time;

/// Raw IP: the first four bits contain the version.
const LINKTYPE_RAW: u16 = 101;
/// Types of blocks.
const SECTION_HEADER: u32 = 0x0A0D_0D0A;
const INTERFACE_DESCRIPTION: u32 = 1;
const ENHANCED_PACKET: u32 = 6;
const DECRYPTION_SECRETS: u32 = 10;
/// Kind of secrets: "TLSK".
const TLS_KEY_LOG: u32 = 0x544C_534B;
/// Codes of options: of any block, of the section header, of an interface, and of a packet.
const OPT_COMMENT: u16 = 1;
const SHB_USERAPPL: u16 = 4;
const IF_NAME: u16 = 2;
const IF_DESCRIPTION: u16 = 3;
const IF_TSRESOL: u16 = 9;
const EPB_FLAGS: u16 = 2;

/// A point at which packets are captured.
#[derive(Clone, Copy, Debug)]
pub struct Interface<'a> {
    /// Name of the interface.
    pub name: &'a str,
    /// Description of the interface.
    pub description: &'a str,
    /// Largest number of bytes that are kept of a packet.
    pub snap: u32,
}

/// Direction of a packet at the point of capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The packet arrives.
    In = 1,
    /// The packet leaves.
    Out = 2,
}

/// A packet at an interface.
#[derive(Clone, Copy, Debug)]
pub struct Captured<'a> {
    /// Number of the interface.
    pub interface: u32,
    /// Time of the capture.
    pub at: Time,
    /// Direction of the packet.
    pub way: Way,
    /// The kept bytes of the packet, and the number of zeros that are written after these bytes.
    pub kept: (&'a [u8], usize),
    /// Length of the packet on the network, bytes.
    pub length: u32,
}

/// A capture file that is being written.
#[derive(Debug)]
pub struct Pcapng<W> {
    out: W,
    /// The block that is being written.
    block: Vec<u8>,
    interfaces: u32,
}

impl<W: Write> Pcapng<W> {
    /// Begins a file. `application` is the program that writes it, and `comment` names the origin of the packets.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(out: W, application: &str, comment: &str) -> io::Result<Self> {
        let mut file = Self { out, block: Vec::new(), interfaces: 0 };
        file.open(SECTION_HEADER);
        // Byte order, version 1.0, unspecified length of the section.
        file.block.extend(0x1A2B_3C4D_u32.to_le_bytes());
        file.block.extend([1, 0, 0, 0]);
        file.block.extend(u64::MAX.to_le_bytes());
        file.option(OPT_COMMENT, comment.as_bytes());
        file.option(SHB_USERAPPL, application.as_bytes());
        file.close()?;
        Ok(file)
    }

    /// Adds an interface. Returns its number.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn interface(&mut self, interface: &Interface<'_>) -> io::Result<u32> {
        self.open(INTERFACE_DESCRIPTION);
        self.block.extend(LINKTYPE_RAW.to_le_bytes());
        self.block.extend([0, 0]);
        self.block.extend(interface.snap.to_le_bytes());
        self.option(IF_NAME, interface.name.as_bytes());
        self.option(IF_DESCRIPTION, interface.description.as_bytes());
        // Resolution of times: 10^-9 s.
        self.option(IF_TSRESOL, &[9]);
        self.close()?;
        self.interfaces += 1;
        Ok(self.interfaces - 1)
    }

    /// Writes a packet.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn packet(&mut self, packet: &Captured<'_>) -> io::Result<()> {
        self.open(ENHANCED_PACKET);
        let (time, (kept, zeros)) = (packet.at.nanos(), packet.kept);
        let length = (kept.len() + zeros) as u32;
        for word in [packet.interface, (time >> 32) as u32, time as u32, length, packet.length] {
            self.block.extend(word.to_le_bytes());
        }
        self.block.extend(kept);
        self.block.resize(self.block.len() + zeros, 0);
        self.pad();
        self.option(EPB_FLAGS, &(packet.way as u32).to_le_bytes());
        self.close()
    }

    /// Writes TLS secrets in the format of `SSLKEYLOGFILE` (RFC 9850). With these secrets, a reader decrypts the
    /// packets that follow.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn secrets(&mut self, lines: &str) -> io::Result<()> {
        self.open(DECRYPTION_SECRETS);
        self.block.extend(TLS_KEY_LOG.to_le_bytes());
        self.block.extend((lines.len() as u32).to_le_bytes());
        self.block.extend(lines.as_bytes());
        self.pad();
        self.close()
    }

    /// Returns the destination of the file.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn open(&mut self, kind: u32) {
        self.block.clear();
        self.block.extend(kind.to_le_bytes());
        // Placeholder for the length of the block, which is written later.
        self.block.extend([0; 4]);
    }

    fn option(&mut self, code: u16, value: &[u8]) {
        let value = &value[..value.len().min(usize::from(u16::MAX))];
        self.block.extend(code.to_le_bytes());
        self.block.extend((value.len() as u16).to_le_bytes());
        self.block.extend(value);
        self.pad();
    }

    fn pad(&mut self) {
        self.block.resize(self.block.len().next_multiple_of(4), 0);
    }

    fn close(&mut self) -> io::Result<()> {
        // opt_endofopt. It is always needed, because every block here has options.
        self.block.extend([0; 4]);
        let length = (self.block.len() as u32 + 4).to_le_bytes();
        self.block[4..8].copy_from_slice(&length);
        self.block.extend(length);
        self.out.write_all(&self.block)
    }
}
