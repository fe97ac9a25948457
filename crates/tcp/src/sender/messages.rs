// SPDX-License-Identifier: MIT OR Apache-2.0
//! A connection that stays open while its application writes one message after another.
//!
//! Written data are sent immediately, in full segments. The last segment of a message may be short. There is no Nagle
//! algorithm (RFC 9293, section 3.7.4), because web servers set TCP_NODELAY. If more data are written before this last
//! segment is sent, the new bytes are first added to it, as in a send buffer (Linux, `tcp_sendmsg_locked()`).
//!
//! FIN is not modelled. The owner of the connection frees it when [`Sender::is_drained`] returns true.

use super::{SendBuffer, Sender};
use crate::Setup;
use std::collections::VecDeque;

/// The segments that are not full.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Messages {
    /// The first segment of the connection, and the number of bytes that it can hold. With Fast Open, this is the
    /// amount of data that fits into a SYN.
    first: (u64, u32),
    /// Short segments in order, with their lengths. Segments that are acknowledged are removed from time to time.
    short: VecDeque<(u64, u32)>,
    /// Number of bytes by which the segments removed from `short` were shorter than full segments.
    forgotten: u64,
}

impl Messages {
    pub(super) fn len(&self, seq: u64, mss: u32) -> u32 {
        self.short.binary_search_by_key(&seq, |short| short.0).map_or(mss, |at| self.short[at].1)
    }

    /// Number of bytes by which the segments `[from, to)` are shorter than full segments.
    pub(super) fn lack(&self, from: u64, to: u64, mss: u32) -> u64 {
        let first = self.short.partition_point(|short| short.0 < from);
        let among = self.short.range(first..).take_while(|short| short.0 < to);
        among.map(|short| u64::from(mss - short.1)).sum()
    }

    /// Removes the segments below `una`, which are all acknowledged.
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
    /// Creates a buffer in which no data are written yet. The first message begins with the segment `first`, which
    /// holds `room` bytes.
    fn written_from(first: u64, room: u32, mss: u32) -> Self {
        let messages = Messages { first: (first, room), short: VecDeque::new(), forgotten: 0 };
        Self {
            mss,
            end: first,
            data_end: u64::MAX,
            last_len: mss,
            // This number is above all segments. Every length is therefore looked up in `messages`.
            first: (u64::MAX, mss),
            control: u64::MAX,
            messages: Some(Box::new(messages)),
            closed: false,
        }
    }

    /// Adds `bytes` bytes. Segments below `unsent` were already sent, so they keep their length.
    fn append(&mut self, mut bytes: u64, unsent: u64) {
        let Some(messages) = &mut self.messages else { return };
        let (mss, (first, room)) = (self.mss, messages.first);
        let holds = |seq| if seq == first { room } else { mss };
        if self.end > unsent.max(first) {
            // The last segment was not sent yet. If it is short, the new data are first added to it.
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
    /// Makes this a sender of messages. It sends nothing until [`Sender::write`] is called. The transfer with which the
    /// sender was created is ignored.
    ///
    /// # Panics
    /// With [`Setup::Ns2Linux`], whose first segment carries a SYN.
    #[must_use]
    pub fn writing(mut self) -> Self {
        assert!(
            self.config.setup != Setup::Ns2Linux,
            "messages cannot be sent if the SYN is a segment of the stream"
        );
        let (mss, room) = (self.config.mss, self.config.syn_room());
        self.buffer = SendBuffer::written_from(self.connection.first, if room > 0 { room } else { mss }, mss);
        self
    }

    /// Adds `bytes` bytes that the application writes.
    pub fn write(&mut self, bytes: u64) {
        // Data that were carried by a SYN or by a probe also count as sent.
        let carried = if self.log.stats.syns > 0 { self.connection.first + 1 } else { 0 };
        let unsent = self.board.next().max(self.probing.reached).max(carried);
        let (una, mss) = (self.board.una(), self.config.mss);
        if let Some(messages) = &mut self.buffer.messages {
            messages.forget_below(una, mss);
        }
        self.buffer.append(bytes, unsent);
    }

    /// Whether all written data are acknowledged.
    pub fn is_drained(&self) -> bool {
        self.board.una() >= self.buffer.end
    }

    /// Number of segments that were written but not sent. An application that interleaves answers writes more data when
    /// this number is small.
    pub fn unsent_segments(&self) -> u64 {
        self.buffer.end.saturating_sub(self.board.next().max(self.probing.reached))
    }

    /// Number of written bytes that are cumulatively acknowledged.
    pub fn drained_bytes(&self) -> u64 {
        let una = self.board.una();
        let forgotten = self.buffer.messages.as_ref().map_or(0, |messages| messages.forgotten);
        self.buffer.bytes(self.first_written(), una) - forgotten
    }

    fn first_written(&self) -> u64 {
        self.buffer.messages.as_ref().map_or(0, |messages| messages.first.0)
    }
}
