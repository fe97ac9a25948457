// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sender at a proxy that splits a connection: its application has what the connection before has brought.

use super::{Sender, Setup, Sizes};

impl Sizes {
    /// The first segment with data: behind the SYN, where that is one of them.
    fn data_begin(&self, setup: Setup) -> u64 {
        self.first.0 + u64::from(setup == Setup::Ns2Linux)
    }
}

impl Sender {
    /// This is the sender of a proxy: nothing is there to be sent before [`Sender::supply`] says so.
    #[must_use]
    pub fn relaying(mut self) -> Self {
        self.sizes.end = self.sizes.data_begin(self.config.setup);
        self
    }

    /// So many bytes are there, from the beginning of the connection. They leave in full segments, and what is left of the
    /// last one when all of the transfer is there.
    pub fn supply(&mut self, bytes: u64) {
        let sizes = &self.sizes;
        let begin = sizes.data_begin(self.config.setup);
        let finite = sizes.data_end < u64::MAX;
        let end = if finite && bytes >= sizes.bytes(begin, sizes.data_end) {
            sizes.data_end
        } else {
            let first_len = u64::from(if begin == sizes.first.0 { sizes.first.1 } else { sizes.mss });
            begin + bytes.checked_sub(first_len).map_or(0, |rest| 1 + rest / u64::from(sizes.mss))
        };
        self.sizes.end = self.sizes.end.max(end);
    }

    /// Bytes that the receiver has, without a hole before them.
    pub fn acknowledged_bytes(&self) -> u64 {
        let begin = self.sizes.data_begin(self.config.setup);
        self.sizes.bytes(begin, self.board.una().clamp(begin, self.sizes.data_end.max(begin)))
    }
}
