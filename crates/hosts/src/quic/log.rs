// SPDX-License-Identifier: MIT OR Apache-2.0
//! The log that the library writes about its connection (qlog).

use super::clock::zero;
use noq_proto::{ConnectionId, QlogConfig, QlogFactory, Side};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A buffer between the library, which writes its log, and the caller, which takes the text. The library writes about
/// connections that open after [`LibraryLog::keep`].
#[derive(Clone, Debug, Default)]
pub struct LibraryLog(Arc<Mutex<Option<Vec<u8>>>>);

impl LibraryLog {
    fn bytes(&self) -> MutexGuard<'_, Option<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what the library writes until it is taken.
    pub fn keep(&self) {
        self.bytes().get_or_insert_default();
    }

    /// Removes and returns what was written since the last call.
    pub fn take(&self) -> Vec<u8> {
        self.bytes().as_mut().map(std::mem::take).unwrap_or_default()
    }
}

impl Write for LibraryLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes().get_or_insert_default().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl QlogFactory for LibraryLog {
    fn for_connection(&self, _: Side, _: SocketAddr, _: ConnectionId, _: Instant) -> Option<QlogConfig> {
        self.bytes().as_ref()?;
        let mut config = QlogConfig::new(Box::new(self.clone()));
        // Times in the log count from the start of the run.
        config.start_time(zero());
        Some(config)
    }
}
