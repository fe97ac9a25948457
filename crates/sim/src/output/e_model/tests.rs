// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the E-model with published values.

use super::*;

const BEST: Call =
    Call { delay_ms: 0.0, delay_back_ms: 0.0, ie: G711_IE, bpl: G711_PLC_BPL, loss: 0.0, burst_ratio: 1.0 };

/// G.107, section 7.7: "when all parameters are set to the default values ... R = 93.2". The MOS is 4.41.
#[test]
fn the_defaults_of_g_107() {
    assert!((BEST.rating() - 93.2).abs() < 0.05, "{}", BEST.rating());
    assert!((opinion(BEST.rating()) - 4.41).abs() < 0.005, "{}", opinion(BEST.rating()));
}

/// G.107, table B.1 (and G.109): for R = 90, 80, 70, 60, 50 the MOS is 4.34, 4.03, 3.60, 3.10, 2.58. The last digit in
/// the table is not always rounded correctly.
#[test]
fn opinions_of_table_b_1() {
    for (r, mos) in [(90.0, 4.34), (80.0, 4.03), (70.0, 3.60), (60.0, 3.10), (50.0, 2.58)] {
        assert!((opinion(r) - mos).abs() < 0.01, "{r}: {}", opinion(r));
    }
    assert!((opinion(-3.0) - 1.0).abs() < 1e-12 && (opinion(120.0) - 4.5).abs() < 1e-12);
}

/// J. Janssen, D. De Vleeschauwer, G. H. Petit, "Delay and distortion bounds for packetized voice calls of traditional
/// PSTN quality", 2000 (also in Telektronikk 2/2001, table 3): for the Ie of several codecs, the longest delay from
/// mouth to ear with R = 70 and no audible echo. The paper starts from R = 94.2 (an earlier G.107), so Idd may be
/// 24.2 - Ie.
#[test]
fn delay_bounds_of_janssen_and_others() {
    for (ie, bound_ms) in
        [(0.0, 400.0), (2.0, 375.0), (5.0, 342.0), (7.0, 322.0), (10.0, 294.0), (15.0, 251.0), (19.0, 219.0)]
    {
        let spent = absolute_delay(bound_ms);
        assert!((spent - (24.2 - ie)).abs() < 0.3, "Ie {ie}, {bound_ms} ms: {spent}");
    }
}

/// R. G. Cole, J. H. Rosenbluth, "Voice over IP performance monitoring", ACM CCR 31(2), 2001, eq. (3) and (5). They fit
/// curves to the E-model: Id = 0.024 d + 0.11 (d - 177.3) H(d - 177.3), and Ie = 30 ln(1 + 15 e) for G.711 with
/// concealment. In some places the fit is wrong by one point.
#[test]
fn straight_lines_of_cole_and_rosenbluth() {
    for delay_ms in [25.0, 50.0, 100.0, 150.0, 200.0, 250.0, 300.0] {
        let line = 0.024 * delay_ms + 0.11 * f64::max(delay_ms - 177.3, 0.0);
        let id = Call { delay_ms, delay_back_ms: delay_ms, ..BEST }.delay_impairment();
        assert!((id - line).abs() < 1.0, "{delay_ms} ms: {id}, {line}");
    }
    for loss in [0.005, 0.01, 0.02, 0.03, 0.05, 0.1] {
        let line = 30.0 * f64::ln(1.0 + 15.0 * loss);
        let ie = Call { loss, ..BEST }.effective_equipment_impairment();
        assert!((ie - line).abs() < 2.0, "{loss}: {ie}, {line}");
    }
}

/// The same number of losses is worse in bursts. The rating of a call is never below 0.
#[test]
fn bursts_are_worse() {
    let random = Call { loss: 0.02, ..BEST };
    assert!(Call { burst_ratio: 2.0, ..random }.rating() < random.rating() - 0.2);
    let gone = Call { delay_ms: 20_000.0, delay_back_ms: 20_000.0, loss: 1.0, ..BEST };
    assert!((gone.rating()).abs() < 1e-12);
}
