// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checksum of saved states and journals: FNV-1a with 64 bits (draft-eastlake-fnv). It detects every change of a
//! single byte.

/// Returns the checksum of some bytes.
pub fn checksum(bytes: &[u8]) -> u64 {
    checksum_of_more(0xcbf2_9ce4_8422_2325, bytes)
}

/// Returns the checksum of a sequence of bytes that continues with `more`. `sum` is the checksum of the bytes before.
pub(crate) fn checksum_of_more(sum: u64, more: &[u8]) -> u64 {
    more.iter().fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
