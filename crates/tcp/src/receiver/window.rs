// SPDX-License-Identifier: MIT OR Apache-2.0
//! A receive window that grows as data arrive, and a buffer that grows with the amount that the application reads
//! (Linux 6.1).
//!
//! The size of the buffer counts memory. The window counts bytes of data, and is half of the buffer
//! (`tcp_adv_win_scale` 1, `tcp_win_from_space`). The memory of small segments can exceed the buffer. In this case,
//! Linux drops segments, but this code keeps them.

use crate::config::{Config, GrowingWindow, Setup};
use units::{Span, Time};

/// The default size of a socket's buffer, in bytes (`tcp_rmem[1]`).
const DEFAULT_BUFFER: u64 = 131_072;
/// The largest window that a SYN can announce, in bytes.
const SYN_WINDOW: u64 = 65_535;
/// `sysctl_rmem_max`. The window scale must be sufficient for a buffer of at least this size.
const RMEM_MAX: u64 = 212_992;
/// Memory of a packet's descriptors on a 64-bit machine: `struct sk_buff`, and `skb_shared_info` behind the data.
const SK_BUFF: u64 = 256;
const SHARED_INFO: u64 = 320;
/// Free bytes before the headers of a received packet (`NET_SKB_PAD`), and before the headers of a packet that is sent
/// (`MAX_TCP_HEADER`).
const HEAD_ROOM: u64 = 64;
const MAX_TCP_HEADER: u64 = 256;
/// Size of a cache line (`SMP_CACHE_BYTES`).
const CACHE_LINE: u64 = 64;

/// The part of the buffer that is announced as window (`tcp_win_from_space`).
const fn window_of(space: u64) -> u64 {
    space - (space >> 1)
}

/// Memory of a received packet with this IP length. `alloc_skb` allocates a power of two for head room, data and
/// `skb_shared_info`. For 1500 bytes the result is 2304, as for packets from a TUN device or from a card that copies.
const fn truesize(ip_length: u64) -> u64 {
    ((HEAD_ROOM + ip_length).next_multiple_of(CACHE_LINE) + SHARED_INFO).next_power_of_two() + SK_BUFF
}

/// The announced window, in bytes. One segment has `mss` bytes.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Window {
    mss: u64,
    truesize: u64,
    /// `sk_rcvbuf`, and its upper bound `tcp_rmem[2]`. Without autotuning, both are equal.
    buffer: u64,
    buffer_limit: u64,
    /// `window_clamp`: the upper bound of the window.
    clamp: u64,
    /// `rcv_ssthresh`: the largest window that may currently be announced.
    threshold: u64,
    /// `rcv_wup + rcv_wnd`: the right edge of the last announced window. The next field is `rcv_wnd`, the size of this
    /// window.
    edge: u64,
    offered: u64,
    /// The window scale. Windows are multiples of 2 to this power (RFC 7323, section 2).
    scale: u32,
    /// The state of reading: `rcvq_space.seq`, `rcvq_space.time`, and the largest amount that the application has read
    /// within a round trip.
    read_from: u64,
    read_since: Time,
    read_most: u64,
}

impl Window {
    /// Creates the window of a connection whose first byte is `first` (`tcp_select_initial_window`,
    /// `tcp_init_buffer_space`).
    pub(super) fn new(first: u64, growing: GrowingWindow, config: &Config) -> Self {
        let mss = u64::from(config.mss);
        let buffer_limit = 2 * growing.at_most.get();
        let buffer = if growing.autotuned { buffer_limit.min(DEFAULT_BUFFER) } else { buffer_limit };
        let space = window_of(buffer);
        let offered = initial(growing, config);
        let clamp = if space > 2 * mss { (space - mss).max(2 * mss) } else { space };
        let threshold = offered.min(clamp);
        Self {
            mss,
            truesize: truesize(mss + u64::from(config.header)),
            buffer,
            buffer_limit,
            clamp,
            threshold,
            edge: first + offered,
            offered,
            scale: scale(growing),
            read_from: first,
            read_since: if config.setup == Setup::None { Time::ZERO } else { Time::MAX },
            read_most: threshold.min(10 * mss),
        }
    }

    /// Records that the connection is established. Its first round trip starts now (`tcp_init_buffer_space`).
    pub(super) fn begin(&mut self, now: Time) {
        self.read_since = self.read_since.min(now);
    }

    /// The size of the last announced window.
    pub(super) fn offered(&self) -> u64 {
        self.offered
    }

    /// The open part of the window. It is the announced window minus the data that have arrived since the announcement.
    pub(super) fn open(&self, next: u64) -> u64 {
        self.edge.saturating_sub(next)
    }

    /// The free memory that may be announced, with `packets` packets in memory (`tcp_space`).
    fn space(&self, packets: u64) -> u64 {
        window_of(self.buffer.saturating_sub(packets * self.truesize))
    }

    /// Processes a segment of `len` bytes, with `packets` packets in memory. Returns whether the window grows because
    /// of this segment (`tcp_grow_window`, `__tcp_grow_window`).
    pub(super) fn grow(&mut self, len: u64, packets: u64) -> bool {
        // In tcp_event_data_recv, small segments do not grow the window.
        let bound = self.clamp.min(self.space(packets));
        if len < 128 || bound <= self.threshold {
            return false;
        }
        // If a packet takes more memory than twice its data, the window grows only up to a fraction of the largest
        // buffer.
        let mut memory = window_of(self.truesize);
        if memory > len {
            let mut window = window_of(self.buffer_limit) / 2;
            memory /= 2;
            while memory > len && self.threshold <= window {
                (memory, window) = (memory / 2, window / 2);
            }
            if self.threshold > window {
                return false;
            }
        }
        self.threshold = bound.min(self.threshold + 2 * self.mss.max(len));
        true
    }

    /// Sets the window that is announced together with an acknowledgement of all data before `next`
    /// (`tcp_select_window`, `__tcp_select_window`). `waiting` is the number of packets that wait for missing packets.
    /// `unread` is the number of further packets that the application has not read. Returns whether more than half of
    /// the memory is used.
    pub(super) fn select(&mut self, next: u64, waiting: u64, unread: u64) -> bool {
        let crowded = self.tell(next, waiting + unread);
        // The application reads the data. If this doubles the window, Linux announces the window by a second ACK
        // (`__tcp_cleanup_rbuf`). Here, the first ACK already announces it.
        if 2 * self.offered <= self.clamp && self.space(waiting).min(self.threshold) >= 2 * self.offered {
            return self.tell(next, waiting);
        }
        crowded
    }

    /// Whether `packets` packets in memory leave a smaller window than the last announced window.
    pub(super) fn is_tight(&self, packets: u64) -> bool {
        self.room(packets).0 < self.offered
    }

    /// The window that the memory allows with `packets` packets in memory, and whether more than half of the memory is
    /// used.
    fn room(&self, packets: u64) -> (u64, bool) {
        let (space, full) = (self.space(packets), window_of(self.buffer));
        let crowded = space < self.clamp.min(full) / 2;
        let closed = crowded && (space < full / 16 || space < self.mss);
        let room = if closed { 0 } else { space.min(self.threshold).next_multiple_of(1 << self.scale) };
        (room, crowded)
    }

    fn tell(&mut self, next: u64, packets: u64) -> bool {
        let (room, crowded) = self.room(packets);
        // The right edge must never move back.
        let now_open = self.open(next);
        self.offered = if room < now_open { now_open.next_multiple_of(1 << self.scale) } else { room };
        self.edge = next + self.offered;
        crowded
    }

    /// Records that the application has read all data before `next` (`tcp_rcv_space_adjust`: dynamic right-sizing, Fisk
    /// and Feng 2001).
    pub(super) fn read(&mut self, now: Time, next: u64, round_trip: Option<Span>) {
        let Some(round_trip) = round_trip else { return };
        if now.since(self.read_since) < round_trip {
            return;
        }
        let read = next.saturating_sub(self.read_from);
        if read > self.read_most {
            if self.buffer < self.buffer_limit {
                self.tune(read);
            }
            self.read_most = read;
        }
        (self.read_from, self.read_since) = (next, now);
    }

    fn tune(&mut self, read: u64) {
        // rcvwin = 2 copied + 16 advmss. Then rcvwin += 2 rcvwin (copied - space)/space.
        let window = 2 * read + 16 * self.mss;
        let growth = u128::from(window) * u128::from(read - self.read_most) / u128::from(self.read_most);
        let window = window.saturating_add(2 * u64::try_from(growth).unwrap_or(u64::MAX / 4));
        // Memory of a packet of this size. It is increased in steps of 128 bytes until half of it holds a segment.
        let least = self.mss + MAX_TCP_HEADER + SK_BUFF + SHARED_INFO;
        let steps = (2 * self.mss - 1).saturating_sub(least).div_ceil(128);
        let memory = least + 128 * steps;
        let buffer = (window / self.mss).saturating_mul(memory).min(self.buffer_limit);
        if buffer > self.buffer {
            self.buffer = buffer;
            self.clamp = window_of(buffer);
        }
    }
}

/// The window scale that the SYN-ACK announces (`tcp_select_initial_window`).
pub(crate) fn scale(growing: GrowingWindow) -> u32 {
    ((2 * growing.at_most.get()).max(RMEM_MAX).ilog2() - 15).min(14)
}

/// The window that the SYN announces, in bytes (`tcp_select_initial_window`).
pub(crate) fn initial(growing: GrowingWindow, config: &Config) -> u64 {
    let mss = u64::from(config.mss);
    let buffer = if growing.autotuned { DEFAULT_BUFFER } else { u64::MAX }.min(2 * growing.at_most.get());
    let space = window_of(buffer);
    let whole = if space > mss { space / mss * mss } else { space };
    whole.min(SYN_WINDOW)
}
