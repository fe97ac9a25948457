// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names and descriptions of capture files.

use super::sender_log::SenderLog;
use record::captures::{PCAPNG, SQLOG};
use record::pcapng::{Interface, Pcapng};
use record::qlog::{About, Qlog, Side};
use record::{CaptureFile, RecordError};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// File names. They are unique, and contain only characters that every file system accepts.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// Returns the file name for a flow.
    pub(super) fn flow(&mut self, flow: &str, number: u32) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_+.".contains(c) { c } else { '-' };
        self.once(flow.chars().take(80).map(plain).collect(), number)
    }

    /// Returns the file name for a part of the flow whose files are named `flow`. `place` counts parts from 0.
    pub(super) fn part(&mut self, flow: &str, place: usize, number: u32) -> String {
        self.once(format!("{flow}-part-{}", place + 1), number)
    }

    fn once(&mut self, mut name: String, number: u32) -> String {
        while name.is_empty() || name.starts_with('.') || !self.0.insert(name.to_lowercase()) {
            name = format!("{}-{number}", name.trim_start_matches('.'));
        }
        name
    }
}

/// The folder of a run, and the text that all capture files contain.
#[derive(Debug)]
pub(super) struct Folder {
    pub about: String,
    pub application: String,
    pub at: PathBuf,
    /// Set when a file cannot be written.
    pub failed: Arc<AtomicBool>,
}

impl Folder {
    fn file(&self, name: &str, ending: &str) -> Result<CaptureFile, RecordError> {
        CaptureFile::create(&self.at, &format!("{name}.{ending}"), self.failed.clone())
    }

    fn fault(&self, error: std::io::Error) -> RecordError {
        RecordError::writing(&self.at, error)
    }

    /// Creates a packet capture without an interface.
    pub(super) fn pcapng(&self, name: &str) -> Result<Pcapng<CaptureFile>, RecordError> {
        let file = self.file(name, PCAPNG)?;
        Pcapng::begin(file, &self.application, &self.about).map_err(|error| self.fault(error))
    }

    /// Creates a packet capture with one interface.
    pub(super) fn capture(
        &self,
        name: &str,
        interface: &Interface<'_>,
    ) -> Result<Pcapng<CaptureFile>, RecordError> {
        let mut capture = self.pcapng(name)?;
        capture.interface(interface).map_err(|error| self.fault(error))?;
        Ok(capture)
    }

    /// Creates the log that a QUIC library writes about the sender of a flow.
    pub(super) fn library_log(&self, file: &str) -> Result<CaptureFile, RecordError> {
        self.file(file, SQLOG)
    }

    /// Creates the log of a TCP sender. `breaks` states whether another connection may follow after a reset.
    pub(super) fn diary(
        &self,
        flow: &str,
        file: &str,
        config: &tcp::Config,
        breaks: bool,
    ) -> Result<SenderLog, RecordError> {
        let groups = if breaks { "  group_id numbers the successive connections." } else { "" };
        let description = format!(
            "{}: {}. The transport is TCP. This file describes TCP with the events of QUIC. A packet number counts \
             the packets of one end. A SYN has the packet type \"initial\". A SYN-ACK and the ACK that answers it \
             have the type \"handshake\". Stream 0 contains the bytes of the connection. If an ACK newly covers some \
             bytes, it acknowledges the newest transmission of these bytes.{groups}",
            self.application, self.about
        );
        let about = About { title: flow, description: &description, end: "sender", side: Side::Client };
        let log = Qlog::begin(self.file(file, SQLOG)?, &about);
        log.and_then(|log| SenderLog::new(log, config, breaks)).map_err(|error| self.fault(error))
    }
}
