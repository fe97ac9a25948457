// SPDX-License-Identifier: MIT OR Apache-2.0
//! A connection that stays open: its application writes one message after another.
//!
//! Written data leave at once, in full segments; the last segment of a message may be short (no Nagle algorithm, RFC
//! 9293, section 3.7.4; TCP_NODELAY, as servers of the web set it). If that last segment has not left when more is
//! written, the new bytes fill it first, as in a send buffer (Linux, `tcp_sendmsg_locked()`).
//!
//! FIN is not modelled. The owner of the connection frees it when [`Sender::is_drained`].

use super::{SendBuffer, Sender};
use crate::Setup;
use std::collections::VecDeque;

/// Segments that are not full.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Messages {
    /// The first segment of the connection, and its size: with Fast Open, the data that fit into a SYN.
    first: (u64, u32),
    /// Short segments, in order, and their lengths; those that are acknowledged are forgotten now and then.
    short: VecDeque<(u64, u32)>,
    /// Bytes that forgotten segments lacked.
    forgotten: u64,
}

impl Messages {
    pub(super) fn len(&self, seq: u64, mss: u32) -> u32 {
        self.short.binary_search_by_key(&seq, |short| short.0).map_or(mss, |at| self.short[at].1)
    }

    /// Bytes that the segments `[from, to)` lack.
    pub(super) fn lack(&self, from: u64, to: u64, mss: u32) -> u64 {
        let first = self.short.partition_point(|short| short.0 < from);
        let among = self.short.range(first..).take_while(|short| short.0 < to);
        among.map(|short| u64::from(mss - short.1)).sum()
    }

    /// Everything below `una` is acknowledged.
    fn forget_below(&mut self, una: u64, mss: u32) {
        while let Some(&(_, len)) = self.short.front().filter(|short| short.0 < una) {
            self.forgotten += u64::from(mss - len);
            self.short.pop_front();
        }
    }

    fn put(&mut self, seq: u64, len: u32, mss: u32) {
        if len < mss {
            self.short.push_back((seq, len));
        }
    }
}

impl SendBuffer {
    /// Nothing is written yet; the first message begins with the segment `first`, which holds `room` bytes.
    fn written_from(first: u64, room: u32, mss: u32) -> Self {
        let messages = Messages { first: (first, room), short: VecDeque::new(), forgotten: 0 };
        Self {
            mss,
            end: first,
            data_end: u64::MAX,
            last_len: mss,
            // Above all segments: every length is then looked up in the messages.
            first: (u64::MAX, mss),
            control: u64::MAX,
            messages: Some(Box::new(messages)),
            closed: false,
        }
    }

    /// Adds this number of bytes. Segments below `unsent` were sent and keep their length.
    fn append(&mut self, mut bytes: u64, unsent: u64) {
        let Some(messages) = &mut self.messages else { return };
        let (mss, (first, room)) = (self.mss, messages.first);
        let holds = |seq| if seq == first { room } else { mss };
        if self.end > unsent.max(first) {
            // The last segment still waits: if it is short, it takes more data.
            let last = self.end - 1;
            let short = messages.short.back().filter(|short| short.0 == last);
            if let Some(&(_, len)) = short.filter(|short| short.1 < holds(last)) {
                messages.short.pop_back();
                let more = bytes.min(u64::from(holds(last) - len)) as u32;
                messages.put(last, len + more, mss);
                bytes -= u64::from(more);
            }
        }
        if self.end == first && bytes > 0 {
            let len = bytes.min(room.into()) as u32;
            messages.put(first, len, mss);
            self.end += 1;
            bytes -= u64::from(len);
        }
        if bytes > 0 {
            let segments = bytes.div_ceil(mss.into());
            self.end += segments;
            messages.put(self.end - 1, (bytes - (segments - 1) * u64::from(mss)) as u32, mss);
        }
    }
}

impl Sender {
    /// Nothing can be sent before [`Sender::write`]; the transfer with which the sender was made does not count.
    ///
    /// # Panics
    /// With [`Setup::Ns2Linux`], whose first segment carries a SYN.
    #[must_use]
    pub fn writing(mut self) -> Self {
        assert!(self.config.setup != Setup::Ns2Linux, "a SYN in the stream of data takes no messages");
        let (mss, room) = (self.config.mss, self.config.syn_room());
        self.buffer = SendBuffer::written_from(self.connection.first, if room > 0 { room } else { mss }, mss);
        self
    }

    /// The application writes this number of bytes.
    pub fn write(&mut self, bytes: u64) {
        // Data that a SYN or a probe carried have left too.
        let carried = if self.log.stats.syns > 0 { self.connection.first + 1 } else { 0 };
        let unsent = self.board.next().max(self.probing.reached).max(carried);
        let (una, mss) = (self.board.una(), self.config.mss);
        if let Some(messages) = &mut self.buffer.messages {
            messages.forget_below(una, mss);
        }
        self.buffer.append(bytes, unsent);
    }

    /// Whether everything that was written is acknowledged.
    pub fn is_drained(&self) -> bool {
        self.board.una() >= self.buffer.end
    }

    /// Segments that were written and not sent: a writer of interleaved answers writes more when they are few.
    pub fn unsent_segments(&self) -> u64 {
        self.buffer.end.saturating_sub(self.board.next().max(self.probing.reached))
    }

    /// Written bytes that are acknowledged without a hole before them.
    pub fn drained_bytes(&self) -> u64 {
        let una = self.board.una();
        let forgotten = self.buffer.messages.as_ref().map_or(0, |messages| messages.forgotten);
        self.buffer.bytes(self.first_written(), una) - forgotten
    }

    fn first_written(&self) -> u64 {
        self.buffer.messages.as_ref().map_or(0, |messages| messages.first.0)
    }
}
