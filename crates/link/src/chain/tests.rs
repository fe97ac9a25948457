// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::{BadStretch, GoodStretch};
use units::{Decibels, Distance, Speed, Time};

/// Salsano and others' balance by hand, with pi1 = 1: pi3 = 0.02 / 0.2 = 0.1, pi2 = 0.1 * 0.3 / 0.5 = 0.06, pi4 =
/// 0.01; 1.17 in all.
const NETEM: Netem = Netem { p13: 0.02, p31: 0.2, p32: 0.3, p23: 0.5, p14: 0.01 };

fn netem(spec: Netem) -> LossChain {
    LossChain::netem(spec).unwrap_or_else(|error| panic!("{error}"))
}

/// From 0 to 1 (0.75) or 2 (0.25), from 1 to 0, from 2 to 0 or 1 (0.5 each). By hand: entered 1 : 0.875 : 0.25 times,
/// for 8, 2 and 1 s: 8 : 1.75 : 0.25 of the time.
fn three() -> LossChain {
    let state =
        |loss, lasts, next: [f64; 3]| ChainState { loss, lasts: Span::from_secs(lasts), next: next.into() };
    let states =
        [state(0.0, 8, [0.0, 0.75, 0.25]), state(0.1, 2, [1.0, 0.0, 0.0]), state(1.0, 1, [0.5, 0.5, 0.0])];
    LossChain::in_time(states.into()).unwrap_or_else(|error| panic!("{error}"))
}

fn close(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} instead of {wanted}");
}

/// Whether each of `count` packets, so far apart, is lost where states lose all or nothing.
fn losses(chain: &LossChain, apart: Span, count: u64) -> Vec<bool> {
    let mut walk = Walk::new(chain.law().clone(), 5);
    (0..count).map(|number| walk.loss(Time::ZERO + apart * number) > 0.5).collect()
}

fn share(of: &[bool]) -> f64 {
    of.iter().filter(|one| **one).count() as f64 / of.len() as f64
}

/// Correlation of what happens to a packet and to the one `lag` later.
fn correlation(lost: &[bool], lag: usize) -> f64 {
    let mean = share(lost);
    let both = lost.iter().zip(&lost[lag..]).filter(|(one, other)| **one && **other).count() as f64;
    (both / (lost.len() - lag) as f64 - mean * mean) / (mean * (1.0 - mean))
}

#[test]
fn shares_and_means_are_those_worked_by_hand() {
    let four = netem(NETEM);
    for (found, wanted) in four.shares().iter().zip([1.0, 0.06, 0.1, 0.01]) {
        close(*found, wanted / 1.17, 1e-15);
    }
    close(four.mean_loss(), 0.11 / 1.17, 1e-15);
    for (found, wanted) in three().shares().iter().zip([0.8, 0.175, 0.025]) {
        close(*found, wanted, 1e-15);
    }
    close(three().mean_loss(), 0.0425, 1e-15);
    // The elimination knows nothing of netem's balance.
    for (found, wanted) in stationary(&four.law().next).iter().zip(four.shares()) {
        close(*found, *wanted, 1e-15);
    }
}

/// netem with p13 alone is Bernoulli; with p31 Gilbert's model, where bursts are 1 / p31 long; with p14 alone, losses
/// are single.
#[test]
fn netem_with_fewer_parameters() {
    let alone = Netem { p13: 0.04, p31: 0.96, p32: 0.0, p23: 1.0, p14: 0.0 };
    close(netem(alone).mean_loss(), 0.04, 1e-15);
    let lost = losses(&netem(alone), Span::from_millis(1), 1_000_000);
    close(correlation(&lost, 1), 0.0, 0.005); // sigma of 1 / sqrt(n)
    close(netem(Netem { p31: 0.16, ..alone }).mean_loss(), 0.2, 1e-15);
    let single = netem(Netem { p13: 0.0, p31: 1.0, p14: 0.25, ..alone });
    close(single.mean_loss(), 0.2, 1e-15);
    let lost = losses(&single, Span::from_millis(1), 10_000);
    assert!(lost.windows(2).all(|pair| !(pair[0] && pair[1])));
}

/// Of 2 million packets (sigma of the share 4e-4, as losses cling together for some packets). Losses begin from 1 to 3
/// (0.02), from 2 to 3 (0.06 * 0.5) and from 1 to 4 (0.01): 0.06 of 1.17. A burst in 3 goes on with 0.5. So n in a row
/// have (0.05 * 0.5^n + 0.01 [n = 1]) / 0.06, and one after a loss is lost with 0.1 * 0.5 of 0.11.
#[test]
fn netem_loses_as_its_closed_forms_say() {
    let lost = losses(&netem(NETEM), Span::from_millis(1), 2_000_000);
    close(share(&lost), 0.11 / 1.17, 0.002);
    let mut runs = [0_u64; 100];
    for run in lost.split(|lost| !lost).filter(|run| !run.is_empty()) {
        runs[run.len()] += 1;
    }
    let all = runs.iter().sum::<u64>() as f64;
    // Losses begin in this share of the packets, one by one: sigma is below that of independent ones.
    close(all / 2e6, 0.06 / 1.17, 0.0015);
    for (n, wanted) in [(1, 0.035 / 0.06), (2, 0.0125 / 0.06), (3, 0.00625 / 0.06), (4, 0.003_125 / 0.06)] {
        close(runs[n] as f64 / all, wanted, 0.008); // 100,000 runs: sigma of at most 0.0016
    }
    // P(both lost) = 0.05 / 1.17 one packet apart. Two apart, from 3 by 3, 2 or 1, and from 4 by 1:
    // (0.1 (0.25 + 0.15 + 0.2 * 0.03) + 0.01 * 0.03) / 1.17 = 0.0409 / 1.17.
    let (mean, spread) = (0.11 / 1.17, 0.11 / 1.17 * (1.06 / 1.17));
    close(correlation(&lost, 1), (0.05 / 1.17 - mean * mean) / spread, 0.01);
    close(correlation(&lost, 2), (0.0409 / 1.17 - mean * mean) / spread, 0.01);
}

/// Good for 2 s and bad for 0.5 s in the mean: bad for a fifth of the time, and the state is forgotten as exp(-2.5 t).
#[test]
fn two_states_in_time_forget_exponentially() {
    let state =
        |loss, ms, next: [f64; 2]| ChainState { loss, lasts: Span::from_millis(ms), next: next.into() };
    let states = vec![state(0.0, 2000, [0.0, 1.0]), state(1.0, 500, [1.0, 0.0])];
    let chain = LossChain::in_time(states).unwrap_or_else(|error| panic!("{error}"));
    // Over 200,000 s with a memory of 0.4 s sigma of the share is sqrt(0.16 * 0.8 / 2e5) = 8e-4.
    let lost = losses(&chain, Span::from_millis(100), 2_000_000);
    close(share(&lost), 0.2, 0.004);
    close(correlation(&lost, 4), (-1.0_f64).exp(), 0.01);
    close(correlation(&lost, 8), (-2.0_f64).exp(), 0.01);
    // Asked every 10 ms, bad stays bad with 0.2 + 0.8 exp(-0.025); 8,000 stretches, sigma of their mean 1.1 %.
    let lost = losses(&chain, Span::from_millis(10), 2_000_000);
    let runs = lost.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f64;
    let stays = 0.2 + 0.8 * (-0.025_f64).exp();
    close(share(&lost) * 2e6 / runs * (1.0 - stays), 1.0, 0.055);
    assert_eq!(chain.onsets(), Onsets::PerSecond(0.4));
}

/// Over 2 million seconds with a memory of 2 s: sigma of a share of 0.175 is 5e-4.
#[test]
fn three_states_in_time_have_their_shares() {
    let mut walk = Walk::new(three().law().clone(), 9);
    let mut met = [0_u32; 3];
    for second in 0..2_000_000 {
        walk.loss(Time::ZERO + Span::from_secs(1) * second);
        met[walk.state] += 1;
    }
    for (met, wanted) in met.iter().zip([0.8, 0.175, 0.025]) {
        close(f64::from(*met) / 2e6, wanted, 0.003);
    }
}

/// Of netem: 0.06 of 1.17, as above. Of three: 0.8 of the time in a state without loss, that ends every 8 s.
#[test]
fn how_often_losses_begin() {
    let Onsets::PerPacket(often) = netem(NETEM).onsets() else { panic!("netem goes by packets") };
    close(often, 0.06 / 1.17, 1e-15);
    let Onsets::PerSecond(often) = three().onsets() else { panic!("three goes by time") };
    close(often, 0.1, 1e-15);
}

/// In time the chain is where it is, however many packets ask; by packets each moves it.
#[test]
fn traffic_moves_a_chain_of_packets_alone() {
    let often = losses(&three(), Span::from_millis(10), 100_000);
    let seldom = losses(&three(), Span::from_millis(30), 33_333);
    assert!(often.iter().step_by(3).take(33_333).eq(seldom.iter()));
    let often = losses(&netem(NETEM), Span::from_millis(10), 10_000);
    assert_eq!(often, losses(&netem(NETEM), Span::from_millis(30), 10_000));
}

/// 25 m/s through 200 m of clear view and 50 m of shadow in the mean: 8 and 2 s, so a share of A = 50 / 250 in shadow.
/// Loss with a margin of 10 dB, of scipy (see `land_mobile`): 0.0119857 of packets in view, 0.5574892 of those in
/// shadow.
#[test]
fn a_drive_has_its_share_of_shadow_and_its_mean_loss() {
    let chain = LossChain::land_mobile(LandMobile {
        speed: Speed::from_m_s(25.0),
        margin: Decibels::from_db(10.0),
        good: GoodStretch { lasts: Distance::from_m(200.0), rice_factor: Decibels::from_db(6.0) },
        bad: BadStretch {
            lasts: Distance::from_m(50.0),
            mean: Decibels::from_db(-9.0),
            deviation: Decibels::from_db(5.0),
        },
    });
    close(chain.shares()[1], 0.2, 1e-12);
    close(chain.mean_loss(), 0.8 * 0.011_985_724 + 0.2 * 0.557_489_208, 1e-8);
    assert_eq!(chain.onsets(), Onsets::PerSecond(0.1));
    let mut walk = Walk::new(chain.law().clone(), 3);
    let (mut bad, mut lost, mut levels) = (0, 0.0, Vec::new());
    for second in 0..2_000_000 {
        let loss = walk.loss(Time::ZERO + Span::from_secs(1) * second);
        if walk.state == 1 {
            bad += 1;
            levels.push(loss);
        }
        lost += loss;
    }
    // 200,000 stretches of shadow, whose loss scatters by 0.35: sigma of the shares is 5e-4, that of the loss 3.5e-4.
    close(f64::from(bad) / 2e6, 0.2, 0.0025);
    close(lost / 2e6, 0.121_086_42, 0.0018);
    // One level for a stretch: a second later it is the same with exp(-1/2), if the stretch goes on.
    let same = levels.windows(2).filter(|pair| pair[0].to_bits() == pair[1].to_bits()).count() as f64;
    close(same / levels.len() as f64, (-0.5_f64).exp(), 0.01);
}
