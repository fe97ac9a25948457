// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random bytes for cryptography in virtual time.
//!
//! TLS takes its random bytes from an object that all connections of a process share. While the library runs, each
//! endpoint therefore lends its own random stream to the thread ([`Draws::lend`]). The bytes of an endpoint then depend
//! only on its seed, and other flows do not change them.

use random::{Draw, SeedableRng, Xoshiro256PlusPlus};
use std::cell::RefCell;

thread_local! {
    static LENT: RefCell<Option<Xoshiro256PlusPlus>> = const { RefCell::new(None) };
}

/// The random stream of an endpoint.
#[derive(Clone, Debug)]
pub struct Draws(Xoshiro256PlusPlus);

impl Draws {
    /// Creates a stream from its seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Calls `act`. During this call, the stream is lent to the thread.
    pub fn lend<T>(&mut self, act: impl FnOnce() -> T) -> T {
        LENT.with_borrow_mut(|lent| *lent = Some(self.0.clone()));
        let result = act();
        if let Some(stream) = LENT.with_borrow_mut(Option::take) {
            self.0 = stream;
        }
        result
    }

    /// Draws 32 bytes.
    pub fn seed(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        fill_from(&mut self.0, &mut bytes);
        bytes
    }
}

/// Fills `bytes` from the stream that is lent to the thread.
///
/// # Panics
/// If no stream is lent, because the library draws outside of [`Draws::lend`].
pub fn fill(bytes: &mut [u8]) {
    #[expect(clippy::expect_used, reason = "random bytes from elsewhere would make runs differ")]
    LENT.with_borrow_mut(|lent| fill_from(lent.as_mut().expect("an endpoint lends its stream"), bytes));
}

fn fill_from(stream: &mut Xoshiro256PlusPlus, bytes: &mut [u8]) {
    for chunk in bytes.chunks_mut(8) {
        chunk.copy_from_slice(&stream.word().to_le_bytes()[..chunk.len()]);
    }
}
