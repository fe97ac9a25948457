// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets of captured flows in flight.

use super::headers::Wired;

/// The packets as on a real network, by packet handle of the engine.
#[derive(Debug, Default)]
pub(super) struct OnLinks(Vec<Option<Wired>>);

impl OnLinks {
    pub(super) fn put(&mut self, handle: u32, packet: Wired) {
        let place = handle as usize;
        if self.0.len() <= place {
            self.0.resize_with(place + 1, || None);
        }
        self.0[place] = Some(packet);
    }

    pub(super) fn get(&self, handle: u32) -> Option<&Wired> {
        self.0.get(handle as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, handle: u32) -> Option<&mut Wired> {
        self.0.get_mut(handle as usize)?.as_mut()
    }

    pub(super) fn take(&mut self, handle: u32) -> Option<Wired> {
        self.0.get_mut(handle as usize)?.take()
    }
}
