// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data of the application, divided into segments.

use super::messages::Messages;
use crate::{Config, Setup, Transfer};

/// The data to be sent, divided into segments.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct SendBuffer {
    pub(super) mss: u32,
    /// One more than the last segment. A FIN without data counts as a segment. At a proxy, the last segment is the last
    /// one whose data have arrived.
    pub(super) end: u64,
    /// One more than the last segment with data. The next field is the length of this last segment.
    pub(super) data_end: u64,
    pub(super) last_len: u32,
    /// The first segment, and the length that it has if it is not also the last segment. With Fast Open, the length is
    /// the amount of data that fits into a SYN.
    pub(super) first: (u64, u32),
    /// The segment with FIN or, with [`Setup::Ns2Linux`], the segment with the SYN. [`u64::MAX`] means that there is no
    /// such segment.
    pub(super) control: u64,
    /// Present if the application writes its data gradually. The length of each segment must then be looked up.
    pub(super) messages: Option<Box<Messages>>,
    /// Whether the application has closed. If data still wait, the last of them carries FIN.
    pub(super) closed: bool,
}

impl SendBuffer {
    pub(super) fn new(config: &Config, first: u64, transfer: Transfer) -> Self {
        let mss = config.mss;
        let room = if config.syn_room() > 0 { config.syn_room() } else { mss };
        // The SYN counts as a full segment, because ns-2 counts packets.
        let syn = config.setup == Setup::Ns2Linux;
        let (end, control) = (u64::MAX, if syn { first } else { u64::MAX });
        let endless = Self {
            mss,
            end,
            data_end: end,
            last_len: mss,
            first: (first, room),
            control,
            messages: None,
            closed: false,
        };
        match transfer {
            Transfer::Endless => endless,
            Transfer::Finite(bytes) => {
                let rest = bytes.get().saturating_sub(room.into());
                let more = rest.div_ceil(mss.into());
                let last_len =
                    if more > 0 { rest - (more - 1) * u64::from(mss) } else { bytes.get().min(room.into()) };
                let segments = more + u64::from(bytes.get() > 0) + u64::from(syn);
                let control = match config.setup {
                    Setup::None | Setup::Ns2 => u64::MAX,
                    Setup::Handshake | Setup::FastOpen => (first + segments).wrapping_sub(1),
                    Setup::Ns2Linux => first,
                };
                let first_len = if more > 0 { room } else { mss };
                let (end, last_len) = (first + segments, last_len as u32);
                Self { end, data_end: end, last_len, first: (first, first_len), control, ..endless }
            }
        }
    }
    #[inline]
    pub(super) fn len(&self, seq: u64) -> u32 {
        if self.are_full(seq, seq + 1) { self.mss } else { self.len_at_an_end(seq) }
    }
    #[cold]
    fn len_at_an_end(&self, seq: u64) -> u32 {
        if let Some(messages) = &self.messages {
            return messages.len(seq, self.mss);
        }
        match seq {
            _ if seq >= self.data_end => 0,
            _ if seq + 1 == self.data_end => self.last_len,
            _ if seq == self.first.0 => self.first.1,
            _ => self.mss,
        }
    }
    /// Number of bytes in the segments `[from, to)`.
    #[inline]
    pub(super) fn bytes(&self, from: u64, to: u64) -> u64 {
        let full = (to - from) * u64::from(self.mss);
        if self.are_full(from, to) { full } else { full - self.short_of(from, to) }
    }
    /// Whether `[from, to)` contains neither the first nor the last segment, so that all its segments are full.
    #[inline]
    fn are_full(&self, from: u64, to: u64) -> bool {
        from > self.first.0 && to < self.data_end
    }
    /// Number of bytes by which the segments `[from, to)` are shorter than full segments.
    #[cold]
    fn short_of(&self, from: u64, to: u64) -> u64 {
        if let Some(messages) = &self.messages {
            return messages.lack(from, to, self.mss);
        }
        let (first, first_len) = self.first;
        let mut short = if self.data_end <= to { self.short_at_end(from, to) } else { 0 };
        if from <= first && first < to {
            short += self.mss - first_len;
        }
        short.into()
    }
    /// Number of bytes by which the last segments of `[from, to)` are shorter than full segments. `to` must not be
    /// below the end of the data.
    fn short_at_end(&self, from: u64, to: u64) -> u32 {
        let last = if from < self.data_end { self.mss - self.last_len } else { 0 };
        last + if from <= self.data_end && self.data_end < to { self.mss } else { 0 }
    }
    /// Adds a separate segment with FIN, because the application closes after all data were sent.
    pub(super) fn append_fin(&mut self) {
        self.control = self.data_end;
        self.end = self.data_end + 1;
    }
}
