// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sender at a proxy that splits a connection. It sends the data that the previous connection has delivered.

use super::{SendBuffer, Sender, Setup};

impl SendBuffer {
    /// The first segment with data. If the SYN takes a segment, this is the segment after the SYN.
    fn data_begin(&self, setup: Setup) -> u64 {
        self.first.0 + u64::from(setup == Setup::Ns2Linux)
    }
}

impl Sender {
    /// Makes this the sender of a proxy. It sends nothing until [`Sender::supply`] is called.
    #[must_use]
    pub fn relaying(mut self) -> Self {
        self.buffer.end = self.buffer.data_begin(self.config.setup);
        self
    }

    /// Sets the number of bytes that have become available since the beginning of the connection. They are sent in full
    /// segments. The remaining bytes are sent when all data of the transfer are available.
    pub fn supply(&mut self, bytes: u64) {
        let buffer = &self.buffer;
        let begin = buffer.data_begin(self.config.setup);
        let finite = buffer.data_end < u64::MAX;
        let end = if finite && bytes >= buffer.bytes(begin, buffer.data_end) {
            buffer.data_end
        } else {
            let first_len = u64::from(if begin == buffer.first.0 { buffer.first.1 } else { buffer.mss });
            begin + bytes.checked_sub(first_len).map_or(0, |rest| 1 + rest / u64::from(buffer.mss))
        };
        self.buffer.end = self.buffer.end.max(end);
    }

    /// Number of bytes that are cumulatively acknowledged.
    pub fn acknowledged_bytes(&self) -> u64 {
        let begin = self.buffer.data_begin(self.config.setup);
        self.buffer.bytes(begin, self.board.una().clamp(begin, self.buffer.data_end.max(begin)))
    }
}
