// SPDX-License-Identifier: MIT OR Apache-2.0
//! A receiver at a proxy that splits a connection (RFC 3135, section 2.4): accepted data stay in a buffer until the
//! next connection has delivered them. The window is the free space of the buffer, at most the window of the
//! connection.
//!
//! A segment's payload has no content here, so a proxy consists of two numbers: what was taken and what was
//! released. The buffer counts the bytes that came in and that the next receiver has not acknowledged, because the
//! proxy must keep them to repeat them.

use super::Receiver;
use units::Bytes;

/// The buffer.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Relay {
    /// Its size in bytes.
    buffer: u64,
    /// The window of the connection in segments, if that is always the same.
    most: u32,
    /// Bytes that have left it, from the beginning of the connection.
    released: u64,
    /// The right edge of the window, as announced last.
    announced: u64,
}

impl Relay {
    pub(super) fn on_told(&mut self, next: u64, window: u32) {
        self.announced = next + u64::from(window);
    }
}

impl Receiver {
    /// This is the receiver of a proxy with such a buffer, of a segment at least: nothing leaves it before
    /// [`Receiver::release`] says so.
    #[must_use]
    pub fn relaying(mut self, buffer: Bytes) -> Self {
        let most = if self.grows_window() { u32::MAX } else { self.window };
        self.relay = Some(Box::new(Relay { buffer: buffer.get(), most, released: 0, announced: 0 }));
        self.settle_window();
        let announced = self.next + u64::from(self.window);
        if let Some(relay) = &mut self.relay {
            relay.announced = announced;
        }
        self
    }

    /// The window is the free space of the buffer, in whole segments, at most the window of the connection. Early data
    /// are within it, so the buffer never overflows. Accepted data no longer count as free, so the right edge never
    /// moves back (RFC 9293, section 3.8.6).
    pub(super) fn settle_window(&mut self) {
        let held = self.held_bytes();
        let Some(relay) = &self.relay else { return };
        let free = u32::try_from(relay.buffer.saturating_sub(held) / u64::from(self.mss)).unwrap_or(u32::MAX);
        self.window = free.min(self.grown_window().unwrap_or(relay.most));
    }

    /// Number of bytes that have left the buffer since the beginning of the connection.
    pub fn release(&mut self, bytes: u64) {
        let Some(relay) = &mut self.relay else { return };
        if bytes <= relay.released {
            return;
        }
        relay.released = bytes;
        let (announced, whole) =
            (relay.announced, (relay.buffer / u64::from(self.mss)).min(relay.most.into()));
        self.settle_window();
        // A window update leaves when the edge has moved by two segments or half the buffer (4.4BSD's tcp_output(): Wright,
        // Stevens, TCP/IP Illustrated 2, section 26.3), and only if no more than half was open as announced (Linux,
        // tcp_cleanup_rbuf()): a buffer that is nearly empty needs none.
        let news = self.next + u64::from(self.window) - announced;
        if news >= (whole / 2).clamp(1, 2) && 2 * (announced - self.next.min(announced)) <= whole {
            self.ack_now = true;
        }
    }

    /// Bytes in order in the buffer.
    pub fn held_bytes(&self) -> u64 {
        let released = self.relay.as_ref().map_or(self.stats.delivered_bytes, |relay| relay.released);
        self.stats.delivered_bytes - released
    }

    /// Whether the other side has opened the connection: a SYN has arrived, or data.
    pub fn was_called(&self) -> bool {
        self.listening.was_called() || self.stats.delivered > 0
    }
}
