// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data of a transfer. They are a fixed pattern, so that a receiver can check every byte that arrives.

use bytes::Bytes;

/// Length of the pattern. The length is prime, so a shift by a power of two never yields the same pattern.
const LENGTH: usize = 65_521;

/// The pattern. It consists of the high bytes of a linear congruential sequence (D. Knuth's constants for MMIX).
static PATTERN: [u8; LENGTH] = pattern();

#[expect(clippy::large_stack_arrays, reason = "evaluated by the compiler only")]
const fn pattern() -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let (mut state, mut at) = (1_u64, 0);
    while at < LENGTH {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bytes[at] = (state >> 56) as u8;
        at += 1;
    }
    bytes
}

/// Returns the position in the pattern at which the content of a request or of its answer begins. `connection` and
/// `stream` are the numbers of the connection and of the stream. Different contents begin at different positions, so
/// bytes of another stream are detected.
pub fn of_stream(connection: u32, stream: u64, is_answer: bool) -> u64 {
    // The factors are different primes. Two streams begin at the same position only if their numbers differ by
    // thousands.
    (u64::from(connection) * 7919 + stream * 104_729 + u64::from(is_answer) * 32_749) % LENGTH as u64
}

/// Returns data of the transfer from byte `from` on, without a copy. The result has at least one byte and at most
/// `most` bytes.
pub fn data(from: u64, most: u64) -> Bytes {
    let at = (from % LENGTH as u64) as usize;
    let len = ((LENGTH - at) as u64).min(most) as usize;
    Bytes::from_static(&PATTERN[at..at + len])
}

/// Returns whether `bytes` are the data of the transfer from byte `from` on.
pub fn is_data(mut from: u64, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        let expected = data(from, bytes.len() as u64);
        let (head, tail) = bytes.split_at(expected.len());
        if head != &expected[..] {
            return false;
        }
        from += head.len() as u64;
        bytes = tail;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_or_shifted_byte_is_found() {
        let all: Vec<u8> = [data(65_000, 521).to_vec(), data(65_521, 479).to_vec()].concat();
        assert!(is_data(65_000, &all) && is_data(65_000 + 65_521, &all));
        assert!(!is_data(65_001, &all));
        let mut changed = all;
        changed[700] ^= 1;
        assert!(!is_data(65_000, &changed));
    }
}
