// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares link budgets with budgets of operators, and tests the parts of a budget.

use bentpipe_radio::gas::Air;
use bentpipe_radio::{Acm, Budget, Hop, HopChain, Ladder, Rain, Rung, Sky};

const AIR: Air = Air { dry_hpa: 1013.25, temperature_k: 288.15, vapour_g_m3: 7.5 };

/// Returns a hop without interference, weather or losses.
fn hop(frequency_ghz: f64, eirp_dbw: f64, g_over_t_db_k: f64, range_km: f64) -> Hop {
    Hop {
        frequency_ghz,
        eirp_dbw,
        g_over_t_db_k,
        elevation_deg: 40.0,
        range_km,
        losses_db: 0.0,
        c_over_i_db: None,
        noise_k: None,
        antenna_m: None,
        latitude_deg: 45.0,
        station_km: 0.0,
        sky: Sky { air: AIR, cloud_kg_m2: 0.0, wet_refractivity: 50.0 },
        rain: None,
    }
}

fn budget(up: Option<Hop>, down: Hop, bandwidth_hz: f64) -> Budget {
    Budget { up, down, bandwidth_hz, roll_off: 0.0, ladder: Ladder::DvbS2x, acm: Acm::default() }
}

/// Returns a hop as a filing states it: frequency (GHz), EIRP (dBW), free-space loss (dB), atmospheric loss (dB), G/T
/// (dB/K) and C/I (dB). The distance is computed from the free-space loss by Recommendation ITU-R P.525: 92.45 + 20 log
/// f + 20 log d.
fn filed([f, eirp, free_space, air, g_over_t, c_over_i]: [f64; 6]) -> Hop {
    let range_km = 10f64.powf((free_space - 92.45 - 20.0 * f.log10()) / 20.0);
    let hop = hop(f, eirp, g_over_t, range_km);
    // The atmospheric loss of the filing replaces our computed loss.
    let losses_db = air - AIR.slant_db(f, hop.elevation_deg);
    Hop { losses_db, c_over_i_db: Some(c_over_i), ..hop }
}

/// Expected: link budgets that operators filed with the FCC as attachments to schedule S. They are
/// SAT-LOI-20081223-00238 (carriers 346KG7W and 8M25G7W, C band) and SAT-PPL-20120717-00117 (carrier 6M33G7W, Ku band,
/// whose last lines were not available to us). Each number is rounded to 0.1 dB, and each result is the sum of five
/// numbers.
#[test]
fn operators_budgets() {
    // The columns are the bandwidth, the uplink and the downlink as in `filed`, C/N and C/(N+I) of the uplink, C/N and
    // C/(N+I) of the downlink, and the total C/(N+I).
    let c_band = [5.97, 46.1, 199.7, 0.0, -3.0, 14.1];
    let wide = [5.97, 58.6, 199.9, 0.0, -2.0, 13.1];
    let ku_band = [14.38, 68.6, 207.3, 0.2, 2.4, 20.3];
    let cases = [
        (364e3, c_band, [3.75, 11.4, 196.1, 0.0, 22.5, 14.1], [16.4, 12.1, 10.8], Some([9.2, 7.4])),
        (8.25e6, wide, [3.75, 26.1, 195.9, 0.0, 22.5, 15.3], [16.1, 11.3, 12.2], Some([10.4, 7.9])),
        (6.33e6, ku_band, [11.33, 31.2, 205.2, 0.1, 31.6, 13.1], [24.1, 18.8, 18.0], None),
    ];
    for (bandwidth, up, down, stated, rest) in cases {
        let chain = budget(Some(filed(up)), filed(down), bandwidth).chain(None);
        let near = |ours: f64, filed: f64| {
            assert!((ours - filed).abs() < 0.15, "{ours} filed as {filed}: {chain:?}");
        };
        let [first, second]: &[HopChain; 2] = chain.hops.as_slice().try_into().expect("two hops");
        near(first.free_space_db, up[2]);
        for (ours, stated) in [first.c_n_db, first.c_ni_db, second.c_n_db].into_iter().zip(stated) {
            near(ours, stated);
        }
        if let Some([all_down, overall]) = rest {
            near(second.c_ni_db, all_down);
            near(chain.es_n0_db, overall);
        }
    }
}

/// Expected (Pratt, Bostian and Allnutt, "Satellite Communications", exercise on a C-band uplink): P dBW at an antenna
/// of 53.9 dB, with 0.5 dB of other losses, a gain of 29 dB at the satellite and 500 K (27.0 dBK), result in P - 117.7
/// dBW. The noise in 27 MHz is -127.3 dBW. Therefore, C/N is 26 dB for P = 16.4 dBW.
#[test]
fn a_textbook_uplink() {
    let uplink = hop(6.285, 16.4 + 53.9, 29.0 - 27.0, 38_500.0);
    let losses_db = 0.5 - AIR.slant_db(6.285, 40.0);
    let chain = budget(None, Hop { losses_db, ..uplink }, 27e6).chain(None);
    assert!((chain.es_n0_db - 26.0).abs() < 0.1, "{chain:?}");
}

/// If rain halves the carrier, it radiates 275 K (1 - 1/2). Because the rain also hides a part of the cold sky, it adds
/// only 136 K. At a station of 140 K, this nearly doubles the noise. A rain attenuation of 3.01 dB therefore costs
/// about 5.9 dB (slightly less because of the gases).
#[test]
fn rain_costs_twice_on_a_quiet_station() {
    let rain = |noise_k| {
        let rain = Rain {
            rate_001_mm_h: 30.0,
            height_km: 3.0,
            tilt_deg: 45.0,
            probability: 0.05,
            start_db: None,
            cell: "here".to_owned(),
        };
        Hop { noise_k, rain: Some(rain), ..hop(12.0, 50.0, 20.0, 38_000.0) }
    };
    let path = rain(None).rain_path().expect("it rains");
    // Finds the availability at which the rain attenuation is 3.01 dB.
    let (mut low, mut high) = (0.001_f64, 5.0_f64);
    for _ in 0..60 {
        let middle = low.midpoint(high);
        if path.exceeded_db(middle) > 3.01 { low = middle } else { high = middle }
    }
    let lost = |noise_k| {
        let budget = budget(None, rain(noise_k), 36e6);
        budget.chain(None).es_n0_db - budget.chain(Some(100.0 - low)).es_n0_db
    };
    assert!((lost(None) - 3.01).abs() < 0.01, "{}", lost(None));
    assert!((lost(Some(140.0)) - 5.9).abs() < 0.1, "{}", lost(Some(140.0)));
}

/// Below the ladder, there is no rate, and the budget states how much Es/N0 is missing. The lowest rung needs -2.85 dB
/// (EN 302 307-2, table 20a), and the margin is 1 dB.
#[test]
fn beyond_the_ladder_there_is_an_outage() {
    let at = |eirp| budget(None, hop(12.0, eirp, 10.0, 38_000.0), 36e6).chain(None);
    let here = at(40.0).es_n0_db;
    match at(40.0 - here - 5.0).rung {
        Rung::Outage { missing_db } => {
            assert!((missing_db - (5.0 - 2.85 + 1.0)).abs() < 1e-9, "{missing_db}");
        }
        Rung::Holds { .. } => panic!("-5 dB is below every rung"),
    }
    // 36 Msymbol/s with 16APSK 2/3-L, which carries 2.635236 bits per symbol. It is the highest rung for 10 dB: its
    // threshold is 8.43 dB, and the margin is 1 dB.
    match at(40.0 - here + 9.5).rung {
        Rung::Holds { modcod, above_db, rate } => {
            assert_eq!((modcod.name, rate.bits_per_s() / 1000), ("16APSK 2/3-L", 94_868));
            assert!((above_db - 1.07).abs() < 1e-9);
        }
        Rung::Outage { .. } => panic!("9.5 dB hold"),
    }
}
