// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets and the slab they live in.

use tcp::Segment;

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
    free: Vec<u32>,
}

impl Slab {
    /// Stores a packet and gives its handle.
    #[inline]
    pub fn insert(&mut self, packet: Packet) -> u32 {
        if let Some(handle) = self.free.pop() {
            self.packets[handle as usize] = packet;
            return handle;
        }
        self.packets.push(packet);
        (self.packets.len() - 1) as u32
    }

    /// The packet under a handle.
    #[inline]
    pub fn get(&self, handle: u32) -> &Packet {
        &self.packets[handle as usize]
    }

    /// The packet under a handle, to change.
    #[inline]
    pub fn get_mut(&mut self, handle: u32) -> &mut Packet {
        &mut self.packets[handle as usize]
    }

    /// Takes the packet out; its place is free.
    #[inline]
    pub fn remove(&mut self, handle: u32) -> Packet {
        self.free.push(handle);
        self.packets[handle as usize]
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
