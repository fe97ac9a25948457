// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expected numbers are from scipy 1.17.1. Mean lengths are means of `stats.lognorm` above a bound, by
//! `integrate.quad`. Loo's distribution is `integrate.quad` of `stats.ncx2.cdf` over the normal density. The mean loss
//! is the integral of this over the density of M_A between its bounds.

use super::*;
use crate::chain::{LossChain, Walk};
use random::SeedableRng as _;
use units::Time;

fn close(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} instead of {wanted}");
}

fn drive(surroundings: Surroundings, margin_db: f64) -> TwoState {
    let [good, bad] = surroundings.states();
    TwoState { speed: Speed::from_m_s(20.0), margin: Decibels::from_db(margin_db), good, bad }
}

#[test]
fn loo_is_the_integral() {
    for (mean_db, deviation_db, echoes_db, threshold_db, wanted) in [
        (-2.0, 1.0, -15.0, -5.0, 0.052_508_258_685_968_62),
        (-15.0, 4.0, -16.0, -10.0, 0.754_868_440_732_946_3),
        // The echoes are so weak that steps of 0.2 standard deviations are coarse.
        (-0.7, 0.5, -38.0, -1.0, 0.276_638_970_873_588_24),
        (-20.0, 3.0, -8.0, -12.0, 0.308_045_177_539_244_54),
        (-1.0, 0.0, -12.0, -4.0, 0.056_540_148_454_484_49),
    ] {
        let (echoes, threshold) = (ratio(echoes_db), ratio(threshold_db));
        close(Loo { mean_db, deviation_db, echoes, threshold }.outage(), wanted, 2e-4);
    }
}

/// The margins are 3, 8 and 12 dB. The columns are the mean lengths in metres, and the share of the bad state.
#[test]
fn states_last_and_lose_as_integrals_say() {
    for (surroundings, lengths, share, losses) in [
        (
            Surroundings::Urban45,
            [132.341_091_257, 49.216_890_792],
            0.271_080_842_805,
            [
                (3.0, 0.256_871_173, 0.993_375_467),
                (8.0, 0.015_147_409, 0.879_698_405),
                (12.0, 0.001_744_977, 0.616_745_269),
            ],
        ),
        (
            Surroundings::Suburban20,
            [23.915_370_640, 29.796_502_680],
            0.554_747_038_935,
            [
                (3.0, 0.396_608_001, 0.989_931_200),
                (8.0, 0.047_635_386, 0.797_643_882),
                (12.0, 0.009_027_603, 0.473_252_683),
            ],
        ),
    ] {
        for (state, wanted) in surroundings.states().iter().zip(lengths) {
            close(state.mean_m() / wanted, 1.0, 1e-8);
        }
        for (margin, good, bad) in losses {
            let chain = LossChain::two_state(drive(surroundings, margin));
            close(chain.shares()[1], share, 1e-6);
            close(chain.mean_loss(), (1.0 - share) * good + share * bad, 2e-5);
            for (states, wanted) in drive(surroundings, margin).states().iter().zip([good, bad]) {
                close(states.mean_loss(), wanted, 2e-5);
            }
        }
    }
}

/// The drive lasts 50,000 s at 20 m/s, with one stretch of each state every 9.1 s, in sum 5,500. The standard
/// deviations of the lengths are 1.8 and 1.4 times their means. The standard deviation of the share is therefore 0.27 *
/// 0.73 * sqrt((1.8^2 + 1.4^2) / 5,500) = 0.006, and that of the loss is similar.
#[test]
fn a_drive_has_the_shares_and_losses_of_the_closed_form() {
    let chain = LossChain::two_state(drive(Surroundings::Urban45, 8.0));
    let mut walk = Walk::new(chain.law().clone(), 5);
    let (mut bad, mut lost, mut stretches, mut last) = (0_u32, 0.0, 0_u32, 0);
    let mut shortest = [f64::INFINITY; 2];
    let (mut since, mut changed) = (0_u32, false);
    let steps = 1_000_000;
    for step in 0..steps {
        lost += walk.loss(Time::ZERO + Span::from_millis(50) * u64::from(step));
        if walk.state() != last {
            // Both ends of each stretch were observed, except for the first stretch.
            let metres = f64::from(step - since);
            if changed {
                shortest[last] = shortest[last].min(metres);
            }
            (last, since, changed) = (walk.state(), step, true);
            stretches += u32::from(last == 1);
        }
        bad += u32::from(last == 1);
    }
    let (share, n) = (f64::from(bad) / f64::from(steps), f64::from(steps));
    close(share, 0.271_081, 0.025);
    close(lost / n, 0.728_919 * 0.015_147 + 0.271_081 * 0.879_698, 0.025);
    // There is one stretch of each state every 181.558 m of 1,000,000 m. The standard deviation is 2 %.
    close(f64::from(stretches) / (1e6 / 181.558), 1.0, 0.08);
    // The observations are one metre apart. The shortest possible stretches are 10 and 6 m.
    assert!((9.0..11.0).contains(&shortest[0]) && (5.0..7.0).contains(&shortest[1]), "{shortest:?}");
}

/// A drive begins at any position of a stretch. At every time, 27 % of 5,000 drives are in the bad state (standard
/// deviation 0.6 %).
#[test]
fn a_drive_begins_in_its_stationary_state() {
    let chain = LossChain::two_state(drive(Surroundings::Urban45, 8.0));
    let mut bad = [0_u32; 4];
    for seed in 0..5000 {
        let mut walk = Walk::new(chain.law().clone(), seed);
        for (bad, ms) in bad.iter_mut().zip([0, 300, 2000, 8000]) {
            walk.loss(Time::ZERO + Span::from_millis(ms));
            *bad += u32::from(walk.state() == 1);
        }
    }
    for bad in bad {
        close(f64::from(bad) / 5000.0, 0.271_081, 0.025);
    }
}

/// The states depend only on the clock. A link that queries the channel rarely gets the same states at the same times.
#[test]
fn traffic_moves_nothing() {
    let chain = LossChain::two_state(drive(Surroundings::Suburban20, 8.0));
    let [mut often, mut seldom] = [1, 7].map(|apart| {
        let mut walk = Walk::new(chain.law().clone(), 9);
        (0..7000 / apart).map(move |at| walk.loss(Time::ZERO + Span::from_millis(11 * apart) * at))
    });
    assert!(often.by_ref().step_by(7).eq(seldom.by_ref()));
}

/// The correlation of the direct path's level falls to exp(-1) over `L_corr`. If nothing else changes the level, half
/// of the samples are below the mean. Two samples at this distance are on the same side of the mean with probability
/// 1/2 + asin(exp(-1)) / pi (Sheppard's formula).
#[test]
fn the_direct_path_is_forgotten_over_its_distance() {
    let mut state = Surroundings::Urban45.states()[0];
    state.level_deviation = Decibels::from_db(0.0);
    (state.echoes, state.direct) = ((0.0, -90.0), (0.0, 3.0));
    state.correlation = Distance::from_m(2.0);
    let both = TwoState { good: state, bad: state, ..drive(Surroundings::Urban45, -state.level_mean.db()) };
    let mut walk = Walk::new(LossChain::two_state(both).law().clone(), 2);
    let lost: Vec<bool> =
        (0..100_000).map(|at| walk.loss(Time::ZERO + Span::from_millis(100) * at) > 0.5).collect();
    let share = |found: usize, of: usize| found as f64 / of as f64;
    close(share(lost.iter().filter(|lost| **lost).count(), lost.len()), 0.5, 0.01);
    let same = lost.windows(2).filter(|pair| pair[0] == pair[1]).count();
    close(share(same, lost.len()), 0.5 + (-1.0_f64).exp().asin() / std::f64::consts::PI, 0.02);
}

/// 100,000 lengths have the mean of the closed form. The lengths in which drives begin have the mean of the squares
/// divided by this mean.
#[test]
fn lengths_are_log_normal_above_their_least() {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(4);
    let state = Surroundings::Suburban30.states()[1];
    let mut drawn = |shift| {
        let lengths: Vec<f64> = (0..100_000).map(|_| state.length_m(shift, random)).collect();
        assert!(lengths.iter().all(|&metres| metres >= 5.9087));
        let mean = |of: &dyn Fn(f64) -> f64| lengths.iter().map(|&one| of(one)).sum::<f64>() / 1e5;
        (mean(&|one| one), mean(&|one| one * one))
    };
    let ((mean, square), (biased, _)) = (drawn(0.0), drawn(1.0));
    close(mean / state.mean_m(), 1.0, 0.015);
    close(biased / (square / mean), 1.0, 0.05);
}
