// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of captures: what they are called, and what they say of themselves.

use super::diary::Diary;
use super::headers::Dress;
use record::captures::{PCAPNG, SQLOG};
use record::pcapng::{Interface, Pcapng};
use record::qlog::{About, Qlog};
use record::{CaptureFile, RecordError};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

/// Names of files: each once, of characters that every file system takes.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    pub(super) fn file(&mut self, flow: &str, number: u32) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_+.".contains(c) { c } else { '-' };
        let mut name: String = flow.chars().take(80).map(plain).collect();
        if name.is_empty() || name.starts_with('.') || !self.0.insert(name.to_lowercase()) {
            name = format!("{}-{number}", name.trim_start_matches('.'));
            self.0.insert(name.to_lowercase());
        }
        name
    }
}

/// Where the files of a run go, and what all of them say.
pub(super) struct Folder<'a> {
    pub about: &'a str,
    pub application: &'a str,
    pub at: &'a Path,
    /// Set when one cannot be written.
    pub failed: &'a Rc<Cell<bool>>,
}

impl Folder<'_> {
    fn file(&self, name: &str, ending: &str) -> Result<CaptureFile, RecordError> {
        CaptureFile::create(self.at, &format!("{name}.{ending}"), self.failed.clone())
    }

    fn fault(&self, error: std::io::Error) -> RecordError {
        RecordError::writing(self.at, error)
    }

    /// A capture without an interface so far.
    pub(super) fn pcapng(&self, name: &str) -> Result<Pcapng<CaptureFile>, RecordError> {
        let file = self.file(name, PCAPNG)?;
        Pcapng::begin(file, self.application, self.about).map_err(|error| self.fault(error))
    }

    /// Those of both hosts of a flow: the sender's, the receiver's. `snap` bytes are kept of a packet at most.
    pub(super) fn hosts(
        &self,
        flow: &str,
        file: &str,
        dress: &Dress,
        snap: u32,
    ) -> Result<[Pcapng<CaptureFile>; 2], RecordError> {
        let host = |end: &str, address: String| -> Result<_, RecordError> {
            let mut capture = self.pcapng(&format!("{file}.{end}"))?;
            let name = format!("{flow} {end}");
            let description = format!("the host {address}, {end} of the flow \"{flow}\"");
            let interface = Interface { name: &name, description: &description, snap };
            capture.interface(&interface).map_err(|error| self.fault(error))?;
            Ok(capture)
        };
        Ok([host("sender", dress.address(false))?, host("receiver", dress.address(true))?])
    }

    /// The log of a TCP sender.
    pub(super) fn diary(&self, flow: &str, file: &str, config: &tcp::Config) -> Result<Diary, RecordError> {
        let description = format!(
            "{}: {}. The transport is TCP, not QUIC, in QUIC's events: a packet number counts what an end has sent, SYN is \
             \"initial\", SYN-ACK and its answer are \"handshake\", stream 0 are the bytes of the connection, and an \
             acknowledgement acknowledges the newest transmission of what it newly covers.",
            self.application, self.about
        );
        let about = About { title: flow, description: &description, end: "sender" };
        let diary = Qlog::begin(self.file(file, SQLOG)?, &about).and_then(|log| Diary::new(log, config));
        diary.map_err(|error| self.fault(error))
    }
}
