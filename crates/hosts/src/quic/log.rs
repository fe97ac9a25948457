// SPDX-License-Identifier: MIT OR Apache-2.0
//! The log that the library writes about its connection (qlog).

use super::clock::zero;
use noq_proto::{ConnectionId, QlogConfig, QlogFactory, Side};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The log into which the library writes, and from which the caller reads.
#[derive(Clone, Debug, Default)]
pub struct LibraryLog(Arc<Mutex<Vec<u8>>>);

impl LibraryLog {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes and returns the data that were written since the last call.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.bytes())
    }
}

impl Write for LibraryLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl QlogFactory for LibraryLog {
    fn for_connection(&self, _: Side, _: SocketAddr, _: ConnectionId, _: Instant) -> Option<QlogConfig> {
        let mut config = QlogConfig::new(Box::new(self.clone()));
        // Times in the log count from the start of the run.
        config.start_time(zero());
        Some(config)
    }
}
