// SPDX-License-Identifier: MIT OR Apache-2.0
//! A receiver at a proxy that splits a connection (RFC 3135, section 2.4). A buffer stores accepted data until the next
//! connection has delivered them. The window is the free space of the buffer, but at most the window of the connection.
//!
//! In this simulation, payload has no content, so two numbers represent the data of a proxy: the bytes accepted and the
//! bytes released. The buffer contains the bytes that have arrived but that the next receiver has not acknowledged. The
//! proxy must keep these bytes, because it may have to retransmit them.

use super::Receiver;
use units::Bytes;

/// The buffer of a proxy.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Relay {
    /// Size of the buffer in bytes.
    buffer: u64,
    /// The window of the connection in segments, if this window is constant.
    most: u32,
    /// Number of bytes that have left the buffer since the beginning of the connection.
    released: u64,
    /// The right edge of the last announced window.
    announced: u64,
}

impl Relay {
    pub(super) fn on_told(&mut self, next: u64, window: u32) {
        self.announced = next + u64::from(window);
    }
}

impl Receiver {
    /// Makes this the receiver of a proxy. `buffer` is the size of its buffer, which holds at least one segment. Data
    /// leave the buffer only through [`Receiver::release`].
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

    /// Sets the window to the free space of the buffer, in whole segments. The window is at most the window of the
    /// connection. Early data are within the window, so the buffer never overflows. Accepted data do not count as free
    /// space, so the right edge of the window never moves back (RFC 9293, section 3.8.6).
    pub(super) fn settle_window(&mut self) {
        let held = self.held_bytes();
        let Some(relay) = &self.relay else { return };
        let free = u32::try_from(relay.buffer.saturating_sub(held) / u64::from(self.mss)).unwrap_or(u32::MAX);
        self.window = free.min(self.grown_window().unwrap_or(relay.most));
    }

    /// Sets the number of bytes that have left the buffer since the beginning of the connection.
    pub fn release(&mut self, bytes: u64) {
        let Some(relay) = &mut self.relay else { return };
        if bytes <= relay.released {
            return;
        }
        relay.released = bytes;
        let (announced, whole) =
            (relay.announced, (relay.buffer / u64::from(self.mss)).min(relay.most.into()));
        self.settle_window();
        // A window update is sent if the right edge has moved by two segments or by half of the buffer (4.4BSD's
        // tcp_output(): Wright, Stevens, TCP/IP Illustrated 2, section 26.3). The second condition is that at most half
        // of the window is open according to the last announcement (Linux, tcp_cleanup_rbuf()). A nearly empty buffer
        // does not need an update.
        let news = self.next + u64::from(self.window) - announced;
        if news >= (whole / 2).clamp(1, 2) && 2 * (announced - self.next.min(announced)) <= whole {
            self.ack_now = true;
        }
    }

    /// Number of in-order bytes in the buffer.
    pub fn held_bytes(&self) -> u64 {
        let released = self.relay.as_ref().map_or(self.stats.delivered_bytes, |relay| relay.released);
        self.stats.delivered_bytes - released
    }

    /// Whether the other side has opened the connection, so that a SYN or data have arrived.
    pub fn was_called(&self) -> bool {
        self.listening.was_called() || self.stats.delivered > 0
    }
}
