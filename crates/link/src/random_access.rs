// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random access to a return carrier. A terminal sends without a grant, and other terminals may send at the same time.
//!
//! A frame has N slots. The number of bursts of other terminals in a frame has a Poisson distribution with mean G N.
//! The load G (bursts per slot) does not depend on losses. A burst is sent either in one slot, or as several replicas
//! in different slots of the frame:
//!
//! - *Slotted ALOHA* (Roberts 1975), one slot: a burst is received if no other terminal sends in its slot. The
//!   probability is e^-G, and the throughput is S = G e^-G.
//! - *CRDSA* (Casini, De Gaudenzi and del Rio Herrero 2007, "Contention resolution diversity slotted ALOHA (CRDSA): an
//!   enhanced random access scheme for satellite access packet networks"), two or more replicas: a replica that is
//!   alone in its slot is received. It contains the slots of its other replicas, and the receiver subtracts these
//!   replicas from their slots. The receiver repeats this until no slot contains exactly one replica.
//!
//! While two bursts remain in one slot, neither of them is received in this slot. Noise does not destroy bursts.
//!
//! Received bursts count as granted capacity (see `dama`). The outcome is drawn when the superframe begins, from a
//! separate random stream of the link.

use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};

/// How a terminal transmits without a grant.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct RandomAccess {
    /// Number of replicas of a burst in a frame. With 1, the method is slotted ALOHA.
    pub replicas: u32,
    /// N: number of slots of a frame.
    pub slots: u32,
    /// G: mean number of bursts of other terminals per slot.
    pub load: f64,
    /// Size of a burst, in bytes.
    pub burst: u64,
    /// Largest number of bursts that the terminal sends in a frame. No two of these bursts use the same slot.
    pub bursts: u32,
    /// Upper bound of the random back-off, in frames. The back-off begins when the terminal learns that a burst was not
    /// received.
    pub back_off: u32,
}

impl RandomAccess {
    /// Whether reception of bursts is random. Without other terminals, there are no collisions.
    pub fn draws(self) -> bool {
        let Self { replicas: _, slots: _, load, burst: _, bursts: _, back_off: _ } = self;
        load > 0.0
    }
}

/// Separates the random stream of random access from that of losses.
const RANDOM_ACCESS_STREAM: u64 = 0x0061_6c6f_6861;

/// The state of random access: the terminal itself, and the load of the other terminals.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Contention {
    access: RandomAccess,
    random: Xoshiro256PlusPlus,
    /// The first frame in which the terminal may send again.
    from: u64,
}

impl Contention {
    pub(crate) fn new(access: RandomAccess, seed: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed ^ RANDOM_ACCESS_STREAM);
        Self { access, random, from: 0 }
    }

    /// Sends waiting bytes in this frame, if the terminal may send. Returns the number of received bytes. If a burst is
    /// not received, the terminal learns this `learns` frames later.
    pub(crate) fn send(&mut self, frame: u64, waiting: u64, learns: u64) -> u64 {
        if frame < self.from || waiting == 0 {
            return 0;
        }
        let bursts = waiting.div_ceil(self.access.burst).min(self.access.bursts.into()) as usize;
        // Only the bursts before the first lost burst count. A packet can span several bursts, and needs all of them.
        let received = self.contend(bursts).iter().take_while(|received| **received).count();
        if received < bursts {
            let back_off = self.random.below(u64::from(self.access.back_off) + 1);
            self.from = frame + learns.max(1) + back_off;
        }
        received as u64 * self.access.burst
    }

    /// Returns for each of the terminal's own bursts in a frame whether the burst is received.
    fn contend(&mut self, own: usize) -> Vec<bool> {
        let RandomAccess { replicas, slots, load, .. } = self.access;
        let (replicas, slots) = (replicas as usize, u64::from(slots));
        let all = own + self.random.poisson(load * slots as f64);
        // For each slot, the number of bursts in it, and the sum of the numbers of these bursts. If a slot contains a
        // single burst, the sum is the number of this burst.
        let mut within = vec![(0_usize, 0_usize); slots as usize];
        let mut places = Vec::with_capacity(all * replicas);
        for number in 0..all {
            let first = places.len();
            // The terminal uses different slots for all its own bursts.
            let known = if number < own { 0 } else { first };
            while places.len() < first + replicas {
                let slot = self.random.below(slots) as usize;
                if !places[known..].contains(&slot) {
                    places.push(slot);
                    within[slot] = (within[slot].0 + 1, within[slot].1 + number);
                }
            }
        }
        let mut received = vec![false; all];
        let mut single: Vec<usize> = (0..within.len()).filter(|&slot| within[slot].0 == 1).collect();
        while let Some(slot) = single.pop() {
            let (there, number) = within[slot];
            if there != 1 {
                continue;
            }
            received[number] = true;
            for &slot in &places[number * replicas..(number + 1) * replicas] {
                within[slot] = (within[slot].0 - 1, within[slot].1 - number);
                if within[slot].0 == 1 {
                    single.push(slot);
                }
            }
        }
        received.truncate(own);
        received
    }
}

#[cfg(test)]
mod tests;
