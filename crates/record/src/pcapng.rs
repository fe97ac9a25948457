// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packet captures: one section, interfaces as they are met, times in nanoseconds, IP without a link layer.
//!
//! The format is draft-ietf-opsawg-pcapng: a section header, an interface description, enhanced packets. Numbers are
//! little-endian on every machine, so that the same packets give the same bytes. The crate `pcap-file` is not used: its
//! newer releases are candidates that need a newer compiler, the last whole one brings a second generation of two
//! macro libraries, for these three blocks.

use std::io::{self, Write};
use units::Time;

/// Raw IP: the first four bits say which version (LINKTYPE_RAW).
const LINKTYPE_RAW: u16 = 101;
/// Types of blocks.
const SECTION_HEADER: u32 = 0x0A0D_0D0A;
const INTERFACE_DESCRIPTION: u32 = 1;
const ENHANCED_PACKET: u32 = 6;
const DECRYPTION_SECRETS: u32 = 10;
/// Kind of secrets: "TLSK".
const TLS_KEY_LOG: u32 = 0x544C_534B;
/// Options of any block; of the section header; of an interface; of a packet.
const OPT_COMMENT: u16 = 1;
const SHB_USERAPPL: u16 = 4;
const IF_NAME: u16 = 2;
const IF_DESCRIPTION: u16 = 3;
const IF_TSRESOL: u16 = 9;
const EPB_FLAGS: u16 = 2;

/// Where packets are captured.
#[derive(Clone, Copy, Debug)]
pub struct Interface<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is.
    pub description: &'a str,
    /// Bytes that are kept of a packet at most.
    pub snap: u32,
}

/// Which way a packet goes at the point of capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It arrives.
    In = 1,
    /// It leaves.
    Out = 2,
}

/// A packet at an interface.
#[derive(Clone, Copy, Debug)]
pub struct Captured<'a> {
    /// The interface's number.
    pub interface: u32,
    /// When.
    pub at: Time,
    /// Which way it goes.
    pub way: Way,
    /// What is kept of it, and how many zeros of what follows.
    pub kept: (&'a [u8], usize),
    /// Its bytes on the network.
    pub length: u32,
}

/// A capture that is being written.
#[derive(Debug)]
pub struct Pcapng<W> {
    out: W,
    /// One block at a time.
    block: Vec<u8>,
    interfaces: u32,
}

impl<W: Write> Pcapng<W> {
    /// Begins a file with what wrote it, and where its packets come from.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn begin(out: W, application: &str, comment: &str) -> io::Result<Self> {
        let mut file = Self { out, block: Vec::new(), interfaces: 0 };
        file.open(SECTION_HEADER);
        // Byte order, version 1.0, a length that is not told.
        file.block.extend(0x1A2B_3C4D_u32.to_le_bytes());
        file.block.extend([1, 0, 0, 0]);
        file.block.extend(u64::MAX.to_le_bytes());
        file.option(OPT_COMMENT, comment.as_bytes());
        file.option(SHB_USERAPPL, application.as_bytes());
        file.close()?;
        Ok(file)
    }

    /// One interface more: its number.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn interface(&mut self, interface: &Interface<'_>) -> io::Result<u32> {
        self.open(INTERFACE_DESCRIPTION);
        self.block.extend(LINKTYPE_RAW.to_le_bytes());
        self.block.extend([0, 0]);
        self.block.extend(interface.snap.to_le_bytes());
        self.option(IF_NAME, interface.name.as_bytes());
        self.option(IF_DESCRIPTION, interface.description.as_bytes());
        // Ten to the minus ninth.
        self.option(IF_TSRESOL, &[9]);
        self.close()?;
        self.interfaces += 1;
        Ok(self.interfaces - 1)
    }

    /// A packet.
    ///
    /// # Errors
    /// It cannot be written.
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

    /// Secrets of TLS, in the format of `SSLKEYLOGFILE` (RFC 9850), with which a reader decrypts the packets that follow.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn secrets(&mut self, lines: &str) -> io::Result<()> {
        self.open(DECRYPTION_SECRETS);
        self.block.extend(TLS_KEY_LOG.to_le_bytes());
        self.block.extend((lines.len() as u32).to_le_bytes());
        self.block.extend(lines.as_bytes());
        self.pad();
        self.close()
    }

    /// What the file is written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn open(&mut self, kind: u32) {
        self.block.clear();
        self.block.extend(kind.to_le_bytes());
        // The length, when it is known.
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
        // opt_endofopt: every block here has options.
        self.block.extend([0; 4]);
        let length = (self.block.len() as u32 + 4).to_le_bytes();
        self.block[4..8].copy_from_slice(&length);
        self.block.extend(length);
        self.out.write_all(&self.block)
    }
}
