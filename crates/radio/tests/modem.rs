// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the ladder with the tables of the standards, and frame losses with simulations of the code. Also tests the
//! modem.

use bentpipe_radio::frames::{self, WATERFALL_DB};
use bentpipe_radio::modcod::{DVB_S2, DVB_S2X};
use bentpipe_radio::{Acm, Ladder, Stretch};
use units::Span;

/// Spectral efficiencies of EN 302 307-1, table 13, and EN 302 307-2, table 20a, in the order of the tables. Our values
/// are computed from the sizes of the frames.
const EFFICIENCIES: [f64; 67] = [
    0.490_243, 0.656_448, 0.789_412, 0.988_858, 1.188_304, 1.322_253, 1.487_473, 1.587_196, 1.654_663,
    1.766_451, 1.788_612, 1.779_991, 1.980_636, 2.228_124, 2.478_562, 2.646_012, 2.679_207, 2.637_201,
    2.966_728, 3.165_623, 3.300_184, 3.523_143, 3.567_342, 3.703_295, 3.951_571, 4.119_540, 4.397_854,
    4.453_027, 0.434_841, 0.567_805, 0.889_135, 1.088_581, 1.647_211, 1.713_601, 1.896_173, 2.062_148,
    2.145_136, 1.972_253, 2.104_850, 2.193_247, 2.281_645, 2.370_043, 2.370_043, 2.458_441, 2.524_739,
    2.635_236, 2.745_734, 2.856_231, 3.077_225, 3.386_618, 3.289_502, 3.510_192, 3.620_536, 3.841_226,
    4.206_428, 4.338_659, 4.603_122, 4.735_354, 4.933_701, 5.163_248, 5.355_556, 5.065_690, 5.241_514,
    5.417_338, 5.593_162, 5.768_987, 5.900_855,
];

#[test]
fn the_tables_of_the_standard() {
    for (modcod, table) in DVB_S2.iter().chain(&DVB_S2X).zip(EFFICIENCIES) {
        assert!(
            (modcod.efficiency() - table).abs() < 6e-7,
            "{}: {} not {table}",
            modcod.name,
            modcod.efficiency()
        );
        // No code can exceed Shannon's limit, log2(1 + Es/N0).
        let limit = (1.0 + 10f64.powf(modcod.es_n0_db / 10.0)).log2();
        assert!(modcod.efficiency() < limit, "{} at {} dB", modcod.name, modcod.es_n0_db);
    }
}

/// Expected: thresholds that others transcribed from the same tables, as ratios instead of dB. They are from
/// "SimulationRL", a simulator of satellite routing. It contains each rung of both standards that is not dominated by
/// another rung.
#[test]
fn thresholds_as_others_read_them() {
    const LINEAR: [f64; 46] = [
        0.518_800_038_9,
        0.582_103_217_8,
        0.626_613_864_7,
        0.751_622_894,
        0.933_254_300_8,
        1.051_961_874,
        1.258_925_412,
        1.396_368_361,
        1.671_090_614,
        2.041_737_945,
        2.529_297_996,
        2.937_649_652,
        2.971_666_032,
        3.258_367_01,
        3.548_133_892,
        3.953_666_201,
        4.518_559_444,
        4.830_588_02,
        5.508_076_964,
        6.456_542_29,
        6.886_522_963,
        6.966_265_141,
        7.888_601_176,
        8.452_788_452,
        9.354_056_741,
        10.495_424_29,
        11.614_486_14,
        12.676_518_66,
        12.882_495_52,
        14.487_718_54,
        14.962_356_56,
        16.481_623_92,
        18.749_945_08,
        20.183_663_64,
        23.120_647_9,
        25.003_453_62,
        30.269_134_28,
        35.237_087_1,
        38.636_697_71,
        45.185_594_44,
        49.888_448_75,
        52.966_344_39,
        64.565_422_9,
        72.276_980_36,
        76.559_660_69,
        90.573_260_09,
    ];
    let rungs = Ladder::DvbS2x.rungs();
    assert_eq!(rungs.len(), LINEAR.len());
    for (rung, linear) in rungs.iter().zip(LINEAR) {
        assert!(
            (rung.es_n0_db - 10.0 * linear.log10()).abs() < 1e-6,
            "{} at {} dB",
            rung.name,
            rung.es_n0_db
        );
    }
}

/// On the ladder of DVB-S2, QPSK 3/4 needs 4.03 dB, 4/5 needs 4.68 dB, and 5/6 needs 5.18 dB. 8PSK 3/5 needs 5.50 dB,
/// and 2/3 needs 6.62 dB. The margin is 1 dB, and the hysteresis is 0.5 dB. The modem requests a lower rung immediately
/// (QPSK 2/3, at 3.10 dB), and the request takes effect 600 ms later. It requests a higher rung only if there is an
/// additional 0.5 dB.
#[test]
fn a_modem_follows_with_its_reaction() {
    let acm = Acm { margin_db: 1.0, hysteresis_db: 0.5, reaction: Span::from_millis(600) };
    let rungs = Ladder::DvbS2.rungs();
    let es_n0 = [5.1, 4.9, 5.2, 5.6, 6.9, 6.9, -2.0, -1.2, -0.8];
    let sent: Vec<_> = acm
        .follow(&rungs, Span::from_secs(1), &es_n0)
        .windows(2)
        .filter(|pair| pair[0].rung != pair[1].rung)
        .map(|pair| (pair[1].from_s, pair[1].rung.map(|rung| rungs[rung].name)))
        .collect();
    assert_eq!(
        sent,
        [
            (1.6, Some("QPSK 2/3")),
            // 5.2 dB are sufficient for 3/4 (5.03 dB), but not with an additional 0.5 dB. 5.6 dB are sufficient.
            (3.6, Some("QPSK 3/4")),
            // 6.9 dB are also sufficient for 8PSK 3/5 (6.50 dB). With the additional 0.5 dB, they are sufficient only
            // for 5/6 (6.18 dB).
            (4.6, Some("QPSK 5/6")),
            (6.6, None),
            // The lowest rung is possible from -1.35 dB on. After an outage, it is requested from -0.85 dB on.
            (8.6, Some("QPSK 1/4")),
        ]
    );
    assert_eq!(
        acm.follow(&rungs, Span::from_secs(1), &es_n0)[0].rung.map(|rung| rungs[rung].name),
        Some("QPSK 3/4")
    );
}

/// Simulated frames of 16,200 bits. The columns are Es/N0, frames in error and frames sent, for a complete DVB-S2
/// transmitter and receiver (aff3ct/dvbs2, MIT licence, commit e029b09, `refs/TX_RX_BB`, sum-product decoder with 50
/// iterations). The MODCODs are QPSK 8/9 and 3/5, 8PSK 8/9 and 3/5, and 16APSK 8/9.
const SIMULATED: [&[(f64, f64, f64)]; 5] = [
    &[(6.05, 164.0, 698.0), (6.15, 121.0, 2245.0), (6.25, 102.0, 29_091.0)],
    &[(2.02, 127.0, 577.0), (2.12, 110.0, 3231.0), (2.22, 101.0, 43_104.0)],
    &[(10.41, 138.0, 290.0), (10.51, 153.0, 921.0), (10.61, 110.0, 3543.0), (10.71, 101.0, 31_245.0)],
    &[(5.18, 182.0, 363.0), (5.28, 151.0, 889.0), (5.38, 103.0, 4485.0), (5.48, 101.0, 53_656.0)],
    &[
        (12.56, 165.0, 257.0),
        (12.66, 221.0, 801.0),
        (12.76, 118.0, 1618.0),
        (12.86, 111.0, 9602.0),
        (12.96, 100.0, 108_362.0),
    ],
];

/// For frame error ratios of 1e-2 and below, the model agrees with the simulations of all five codes within a factor of
/// 2, over up to three decades.
#[test]
fn the_waterfall_is_that_of_the_code() {
    let width = 2.0 * WATERFALL_DB;
    for curve in SIMULATED {
        let model = |at: f64, middle: f64| frames::error_ratio(at - middle, width);
        // Finds the threshold with the best fit to the curve.
        let (mut low, mut high) = (curve[0].0 - 1.0, curve[0].0 + 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            let bias: f64 = curve.iter().map(|&(at, bad, all)| (model(at, middle) / (bad / all)).ln()).sum();
            if bias < 0.0 { low = middle } else { high = middle }
        }
        for &(at, bad, all) in curve {
            let ratio = model(at, low) / (bad / all);
            assert!((0.5..2.0).contains(&ratio), "{at} dB: {ratio} of {}", bad / all);
        }
    }
    // The thresholds of the standard are for one lost frame in 100,000.
    assert!((frames::error_ratio(0.0, WATERFALL_DB) - 1e-5).abs() < 1e-12);
}

/// A loss lasts as long as a frame. Losses occur at the rate of the model. Far below the threshold, every frame is
/// lost.
#[test]
fn frames_are_lost_whole() {
    let rungs = Ladder::DvbS2.rungs();
    let symbols = 30e6;
    // At 0.15 dB below the threshold, the ratio is Q(4.2649 - 0.15 / 0.053) = Q(1.4347) = 0.0757.
    let es_n0_db = rungs[3].es_n0_db - 0.15;
    let stretches = [Stretch { from_s: 0.0, rung: Some(3), es_n0_db, index: 0 }];
    let end_s = 100.0;
    let frame_s = rungs[3].frame_s(symbols);
    // With QPSK, a frame has 32,400 symbols in 360 slots of 90, plus the header of 90 symbols (EN 302 307-1, section
    // 5.5).
    assert!((frame_s - 32_490.0 / 30e6).abs() < 1e-15);
    let lost = frames::lost(&stretches, &rungs, symbols, end_s, 7);
    let count = lost.iter().map(|(from, to)| (to - from) / frame_s).sum::<f64>();
    let frames = end_s / frame_s;
    let expected = 0.0757 * frames;
    // The tolerance is four standard deviations of a binomial distribution. The ratio itself is accurate to 0.2 %.
    assert!(
        (count - expected).abs() < 4.0 * (expected * 0.9243).sqrt() + 0.002 * expected,
        "{count} of {frames}"
    );
    assert!(
        lost.iter()
            .all(|(from, to)| ((to - from) / frame_s).fract().min(1.0 - ((to - from) / frame_s).fract())
                < 1e-6)
    );
    assert!(lost.windows(2).all(|pair| pair[0].1 < pair[1].0));
    let far = [Stretch { es_n0_db: es_n0_db - 3.0, ..stretches[0] }];
    let all = frames::lost(&far, &rungs, symbols, end_s, 7);
    assert_eq!(all.len(), 1);
    assert!(all[0].0 == 0.0 && (all[0].1 - end_s).abs() < 1e-9);
    let well = [
        Stretch { es_n0_db: es_n0_db + 1.15, ..stretches[0] },
        Stretch { from_s: 50.0, rung: None, es_n0_db: -20.0, index: 2 },
    ];
    assert!(frames::lost(&well, &rungs, symbols, end_s, 7).is_empty());
}
