// SPDX-License-Identifier: MIT OR Apache-2.0
//! Named random streams: every use of chance has a name, and its seed depends on the run's seed and that name
//! alone. Changing one flow's controller leaves every other stream as it was, so comparisons are paired.

/// The seed of the stream `name` in a run with `seed`: FNV-1a over the name, mixed with the seed by the finaliser
/// of `SplitMix64` (Steele, Lea, Flood 2014).
pub fn stream_seed(seed: u64, name: &str) -> u64 {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mut z = hash ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::stream_seed;

    #[test]
    fn streams_differ_by_name_and_by_seed() {
        let names = ["link a loss", "link b loss", "link a jitter"];
        let mut seeds: Vec<u64> = (0..1000).flat_map(|s| names.map(|name| stream_seed(s, name))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 3000);
    }
}
