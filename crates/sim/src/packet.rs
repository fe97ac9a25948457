// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets and the slab they live in.

use tcp::Segment;
use units::Span;

/// A packet on its way between two endpoints: one cache line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packet {
    /// What it carries.
    pub body: Segment,
    /// Time spent waiting in queues so far, nanoseconds.
    pub queued_ns: u64,
    /// Endpoint that sent it.
    pub from: u32,
    /// Endpoint it is for.
    pub to: u32,
}

/// Packets by handle; freed places are used again, newest first.
#[derive(Debug, Default)]
pub struct Slab {
    packets: Vec<Packet>,
    /// Waiting time of each since it was stored, nanoseconds: all that changes at a hop, eight to a cache line.
    waited_ns: Vec<u64>,
    free: Vec<u32>,
}

impl Slab {
    /// Stores a packet and gives its handle.
    #[inline]
    pub fn insert(&mut self, packet: Packet) -> u32 {
        if let Some(handle) = self.free.pop() {
            self.packets[handle as usize] = packet;
            self.waited_ns[handle as usize] = 0;
            return handle;
        }
        self.packets.push(packet);
        self.waited_ns.push(0);
        (self.packets.len() - 1) as u32
    }

    /// The packet under a handle, as it was stored: its waiting time stands apart.
    #[inline]
    pub fn get(&self, handle: u32) -> &Packet {
        &self.packets[handle as usize]
    }

    /// The packet under a handle, to change.
    #[inline]
    pub fn get_mut(&mut self, handle: u32) -> &mut Packet {
        &mut self.packets[handle as usize]
    }

    /// The packet under a handle with its waiting time so far.
    #[inline]
    pub fn whole(&self, handle: u32) -> Packet {
        let packet = self.packets[handle as usize];
        Packet { queued_ns: packet.queued_ns + self.waited_ns[handle as usize], ..packet }
    }

    /// A packet waits.
    #[inline]
    pub fn add_wait(&mut self, handle: u32, wait: Span) {
        self.waited_ns[handle as usize] += wait.nanos();
    }

    /// A packet is spared some of its wait.
    pub fn spare_wait(&mut self, handle: u32, unwaited: Span) {
        self.waited_ns[handle as usize] -= unwaited.nanos();
    }

    /// Takes the packet out; its place is free.
    #[inline]
    pub fn remove(&mut self, handle: u32) -> Packet {
        self.free.push(handle);
        self.whole(handle)
    }

    /// Packets stored.
    pub fn len(&self) -> usize {
        self.packets.len() - self.free.len()
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

const _: () = assert!(size_of::<Packet>() == 64, "a packet is one cache line");
