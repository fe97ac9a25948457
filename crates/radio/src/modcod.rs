// SPDX-License-Identifier: MIT OR Apache-2.0
//! MODCODs of DVB-S2 (ETSI EN 302 307-1 V1.4.1, table 13) and DVB-S2X (ETSI EN 302 307-2 V1.1.1, table 20a, linear
//! channel). The frames are normal frames of 64,800 bits without pilots. The demodulation is ideal, on an AWGN channel.

use units::Rate;

/// A MODCOD: a modulation and a code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modcod {
    /// Name in the standard, for example "8PSK 3/4".
    pub name: &'static str,
    /// Number of bits per symbol.
    bits: u32,
    /// Kbch: number of bits in a frame before coding, including the header of 80 bits.
    coded: u32,
    /// Threshold of Es/N0, in dB. From this value on, the MODCOD is quasi error free.
    pub es_n0_db: f64,
}

/// Number of coded bits in a normal frame.
const FRAME_BITS: u32 = 64_800;
/// Number of symbols in a slot. The physical-layer header has the same number of symbols.
const SLOT: u32 = 90;
/// Number of bits in the header of a baseband frame.
const HEADER_BITS: u32 = 80;

impl Modcod {
    const fn new(name: &'static str, bits: u32, coded: u32, es_n0_db: f64) -> Self {
        Self { name, bits, coded, es_n0_db }
    }

    /// Returns the number of symbols of a transmitted frame, including its header (EN 302 307-1, section 5.5.1). The
    /// last slot is padded.
    pub const fn symbols(&self) -> u32 {
        (FRAME_BITS.div_ceil(self.bits).div_ceil(SLOT) + 1) * SLOT
    }

    /// Returns the number of data bits in a frame.
    pub const fn data_bits(&self) -> u32 {
        self.coded - HEADER_BITS
    }

    /// Returns the number of data bits per symbol.
    pub fn efficiency(&self) -> f64 {
        f64::from(self.data_bits()) / f64::from(self.symbols())
    }

    /// Returns the data rate at this symbol rate.
    pub fn rate(&self, symbols_per_s: f64) -> Rate {
        Rate::from_bits_per_s((self.efficiency() * symbols_per_s).round() as u64)
    }

    /// Returns the transmission time of a frame, in seconds.
    pub fn frame_s(&self, symbols_per_s: f64) -> f64 {
        f64::from(self.symbols()) / symbols_per_s
    }
}

/// The set of MODCODs of a modem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ladder {
    /// MODCODs of DVB-S2.
    DvbS2,
    /// MODCODs of DVB-S2 and DVB-S2X.
    #[default]
    DvbS2x,
}

impl Ladder {
    /// All ladders.
    pub const ALL: &'static [Self] = &[Self::DvbS2, Self::DvbS2x];

    /// Returns the name of the ladder in scenarios.
    pub const fn word(self) -> &'static str {
        match self {
            Self::DvbS2 => "dvb-s2",
            Self::DvbS2x => "dvb-s2x",
        }
    }

    /// Returns the source of the ladder's numbers.
    pub const fn source(self) -> &'static str {
        match self {
            Self::DvbS2 => "ETSI EN 302 307-1, table 13",
            Self::DvbS2x => "ETSI EN 302 307-1, table 13, and EN 302 307-2, table 20a",
        }
    }

    /// Returns the rungs, from the lowest to the highest threshold. A MODCOD is omitted if another MODCOD with a lower
    /// threshold carries at least as many bits per symbol. Every rung therefore carries more than the rung below it.
    pub fn rungs(self) -> Vec<Modcod> {
        let mut all: Vec<Modcod> = DVB_S2.to_vec();
        if self == Self::DvbS2x {
            all.extend_from_slice(&DVB_S2X);
        }
        all.sort_by(|a, b| a.es_n0_db.total_cmp(&b.es_n0_db).then(b.efficiency().total_cmp(&a.efficiency())));
        let mut rungs: Vec<Modcod> = Vec::new();
        for modcod in all {
            if rungs.last().is_none_or(|below| below.efficiency() < modcod.efficiency()) {
                rungs.push(modcod);
            }
        }
        rungs
    }
}

/// EN 302 307-1, table 13 (packet error ratio of 1e-7). Kbch is from table 5a.
pub const DVB_S2: [Modcod; 28] = [
    Modcod::new("QPSK 1/4", 2, 16_008, -2.35),
    Modcod::new("QPSK 1/3", 2, 21_408, -1.24),
    Modcod::new("QPSK 2/5", 2, 25_728, -0.30),
    Modcod::new("QPSK 1/2", 2, 32_208, 1.00),
    Modcod::new("QPSK 3/5", 2, 38_688, 2.23),
    Modcod::new("QPSK 2/3", 2, 43_040, 3.10),
    Modcod::new("QPSK 3/4", 2, 48_408, 4.03),
    Modcod::new("QPSK 4/5", 2, 51_648, 4.68),
    Modcod::new("QPSK 5/6", 2, 53_840, 5.18),
    Modcod::new("QPSK 8/9", 2, 57_472, 6.20),
    Modcod::new("QPSK 9/10", 2, 58_192, 6.42),
    Modcod::new("8PSK 3/5", 3, 38_688, 5.50),
    Modcod::new("8PSK 2/3", 3, 43_040, 6.62),
    Modcod::new("8PSK 3/4", 3, 48_408, 7.91),
    Modcod::new("8PSK 5/6", 3, 53_840, 9.35),
    Modcod::new("8PSK 8/9", 3, 57_472, 10.69),
    Modcod::new("8PSK 9/10", 3, 58_192, 10.98),
    Modcod::new("16APSK 2/3", 4, 43_040, 8.97),
    Modcod::new("16APSK 3/4", 4, 48_408, 10.21),
    Modcod::new("16APSK 4/5", 4, 51_648, 11.03),
    Modcod::new("16APSK 5/6", 4, 53_840, 11.61),
    Modcod::new("16APSK 8/9", 4, 57_472, 12.89),
    Modcod::new("16APSK 9/10", 4, 58_192, 13.13),
    Modcod::new("32APSK 3/4", 5, 48_408, 12.73),
    Modcod::new("32APSK 4/5", 5, 51_648, 13.64),
    Modcod::new("32APSK 5/6", 5, 53_840, 14.28),
    Modcod::new("32APSK 8/9", 5, 57_472, 15.69),
    Modcod::new("32APSK 9/10", 5, 58_192, 16.05),
];

/// EN 302 307-2, table 20a, linear channel (frame error ratio of 1e-5). Kbch is 360 x (code rate in 1/180) - 192.
pub const DVB_S2X: [Modcod; 39] = [
    Modcod::new("QPSK 2/9", 2, 14_208, -2.85),
    Modcod::new("QPSK 13/45", 2, 18_528, -2.03),
    Modcod::new("QPSK 9/20", 2, 28_968, 0.22),
    Modcod::new("QPSK 11/20", 2, 35_448, 1.45),
    Modcod::new("8APSK 5/9-L", 3, 35_808, 4.73),
    Modcod::new("8APSK 26/45-L", 3, 37_248, 5.13),
    Modcod::new("8PSK 23/36", 3, 41_208, 6.12),
    Modcod::new("8PSK 25/36", 3, 44_808, 7.02),
    Modcod::new("8PSK 13/18", 3, 46_608, 7.49),
    Modcod::new("16APSK 1/2-L", 4, 32_208, 5.97),
    Modcod::new("16APSK 8/15-L", 4, 34_368, 6.55),
    Modcod::new("16APSK 5/9-L", 4, 35_808, 6.84),
    Modcod::new("16APSK 26/45", 4, 37_248, 7.51),
    Modcod::new("16APSK 3/5", 4, 38_688, 7.80),
    Modcod::new("16APSK 3/5-L", 4, 38_688, 7.41),
    Modcod::new("16APSK 28/45", 4, 40_128, 8.10),
    Modcod::new("16APSK 23/36", 4, 41_208, 8.38),
    Modcod::new("16APSK 2/3-L", 4, 43_008, 8.43),
    Modcod::new("16APSK 25/36", 4, 44_808, 9.27),
    Modcod::new("16APSK 13/18", 4, 46_608, 9.71),
    Modcod::new("16APSK 7/9", 4, 50_208, 10.65),
    Modcod::new("16APSK 77/90", 4, 55_248, 11.99),
    Modcod::new("32APSK 2/3-L", 5, 43_008, 11.10),
    Modcod::new("32APSK 32/45", 5, 45_888, 11.75),
    Modcod::new("32APSK 11/15", 5, 47_328, 12.17),
    Modcod::new("32APSK 7/9", 5, 50_208, 13.05),
    Modcod::new("64APSK 32/45-L", 6, 45_888, 13.98),
    Modcod::new("64APSK 11/15", 6, 47_328, 14.81),
    Modcod::new("64APSK 7/9", 6, 50_208, 15.47),
    Modcod::new("64APSK 4/5", 6, 51_648, 15.87),
    Modcod::new("64APSK 5/6", 6, 53_808, 16.55),
    Modcod::new("128APSK 3/4", 7, 48_408, 17.73),
    Modcod::new("128APSK 7/9", 7, 50_208, 18.53),
    Modcod::new("256APSK 29/45-L", 8, 41_568, 16.98),
    Modcod::new("256APSK 2/3-L", 8, 43_008, 17.24),
    Modcod::new("256APSK 31/45-L", 8, 44_448, 18.10),
    Modcod::new("256APSK 32/45", 8, 45_888, 18.59),
    Modcod::new("256APSK 11/15-L", 8, 47_328, 18.84),
    Modcod::new("256APSK 3/4", 8, 48_408, 19.57),
];
