// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random access to a return carrier: a terminal sends without a grant, and others may send at the same time.
//!
//! A frame has N slots. Other terminals offer G bursts a slot, as many as a Poisson distribution of mean G N says, whatever
//! becomes of them. A burst is sent in one slot, or as several replicas in different slots of the frame:
//!
//! - *slotted ALOHA* (Roberts 1975), one: it is received if nobody else sends in its slot, with e^-G; S = G e^-G;
//! - *CRDSA* (Casini, De Gaudenzi and del Rio Herrero 2007, "Contention resolution diversity slotted ALOHA (CRDSA): an enhanced
//!   random access scheme for satellite access packet networks"), two or more: a replica that is alone is received, and says
//!   where the others are, which are taken out of their slots; so on, until no slot has a single one.
//!
//! Slots collide or do not: nothing is received of two bursts in one slot, and noise breaks none.
//!
//! Bursts that are received count as capacity that was granted (see `dama`). The outcome is drawn when the
//! superframe begins, from a stream of the link's own.

use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};

/// How a terminal transmits without a grant.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct RandomAccess {
    /// Times that a burst is sent in a frame: 1 is slotted ALOHA.
    pub replicas: u32,
    /// Slots of a frame, N.
    pub slots: u32,
    /// Bursts of others per slot, G.
    pub load: f64,
    /// Bytes of a burst.
    pub burst: u64,
    /// Most bursts that the terminal sends in a frame, in slots of their own.
    pub bursts: u32,
    /// Most frames that it waits after a burst that was not received, in addition to the time until it learns of that.
    pub back_off: u32,
}

impl RandomAccess {
    /// Whether reception of bursts is random: a terminal alone has no collisions.
    pub fn draws(self) -> bool {
        let Self { replicas: _, slots: _, load, burst: _, bursts: _, back_off: _ } = self;
        load > 0.0
    }
}

/// Separate from a link's stream of losses.
const RANDOM_ACCESS_STREAM: u64 = 0x0061_6c6f_6861;

/// The random access of a terminal and of the others.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Contention {
    access: RandomAccess,
    random: Xoshiro256PlusPlus,
    /// It does not send before this frame.
    from: u64,
}

impl Contention {
    pub(crate) fn new(access: RandomAccess, seed: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed ^ RANDOM_ACCESS_STREAM);
        Self { access, random, from: 0 }
    }

    /// Sends waiting bytes in this frame, as allowed: returns the number that are received. It learns `learns` frames later
    /// that some are not.
    pub(crate) fn send(&mut self, frame: u64, waiting: u64, learns: u64) -> u64 {
        if frame < self.from || waiting == 0 {
            return 0;
        }
        let bursts = waiting.div_ceil(self.access.burst).min(self.access.bursts.into()) as usize;
        // A packet in several bursts is there with the last of them.
        let received = self.contend(bursts).iter().take_while(|received| **received).count();
        if received < bursts {
            let back_off = self.random.below(u64::from(self.access.back_off) + 1);
            self.from = frame + learns.max(1) + back_off;
        }
        received as u64 * self.access.burst
    }

    /// Which of its own bursts of a frame are received.
    fn contend(&mut self, own: usize) -> Vec<bool> {
        let RandomAccess { replicas, slots, load, .. } = self.access;
        let (replicas, slots) = (replicas as usize, u64::from(slots));
        let all = own + self.random.poisson(load * slots as f64);
        // Of each slot how many are in it, and the sum of their numbers: of a single one its number.
        let mut within = vec![(0_usize, 0_usize); slots as usize];
        let mut places = Vec::with_capacity(all * replicas);
        for number in 0..all {
            let first = places.len();
            // A terminal knows its own slots.
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
