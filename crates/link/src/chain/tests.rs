// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::{BadStretch, GoodStretch};
use units::{Decibels, Distance, Speed, Time};

/// The balance of Salsano and others, computed by hand with pi1 = 1: pi3 = 0.02 / 0.2 = 0.1, pi2 = 0.1 * 0.3 / 0.5 =
/// 0.06, and pi4 = 0.01. The sum is 1.17.
const NETEM: Netem = Netem { p13: 0.02, p31: 0.2, p32: 0.3, p23: 0.5, p14: 0.01 };

fn netem(spec: Netem) -> LossChain {
    LossChain::netem(spec).unwrap_or_else(|error| panic!("{error}"))
}

/// State 0 is followed by 1 (0.75) or 2 (0.25), state 1 by 0, and state 2 by 0 or 1 (0.5 each). Computed by hand: the
/// states are entered 1 : 0.875 : 0.25 times, for 8, 2 and 1 s. The times are therefore 8 : 1.75 : 0.25.
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

/// Returns whether each of `count` packets, `apart` from each other, is lost. In each state, all packets or no packets
/// are lost.
fn losses(chain: &LossChain, apart: Span, count: u64) -> Vec<bool> {
    let mut walk = Walk::new(chain.law().clone(), 5);
    (0..count).map(|number| walk.loss(Time::ZERO + apart * number) > 0.5).collect()
}

fn share(of: &[bool]) -> f64 {
    of.iter().filter(|one| **one).count() as f64 / of.len() as f64
}

/// Correlation between the outcome of a packet and the outcome of the packet that is `lag` packets later.
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
    // The elimination does not use the balance of netem.
    for (found, wanted) in stationary(&four.law().next).iter().zip(four.shares()) {
        close(*found, *wanted, 1e-15);
    }
}

/// With p13 only, netem's chain is a Bernoulli process. With p13 and p31, it is Gilbert's model with bursts of mean
/// length 1 / p31. With p14 only, losses are single.
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

/// For 2 million packets, the standard deviation of the share is 4e-4, because the losses of a few successive packets
/// are correlated. Losses begin with steps from 1 to 3 (0.02), from 2 to 3 (0.06 * 0.5) and from 1 to 4 (0.01): in sum
/// 0.06 of 1.17. A burst in state 3 continues with probability 0.5. The share of bursts with n losses is therefore
/// (0.05 * 0.5^n + 0.01 [n = 1]) / 0.06. After a loss, the next packet is lost with probability 0.1 * 0.5 / 0.11.
#[test]
fn netem_loses_as_its_closed_forms_say() {
    let lost = losses(&netem(NETEM), Span::from_millis(1), 2_000_000);
    close(share(&lost), 0.11 / 1.17, 0.002);
    let mut runs = [0_u64; 100];
    for run in lost.split(|lost| !lost).filter(|run| !run.is_empty()) {
        runs[run.len()] += 1;
    }
    let all = runs.iter().sum::<u64>() as f64;
    // Losses begin at this share of the packets. The standard deviation is below that of independent events.
    close(all / 2e6, 0.06 / 1.17, 0.0015);
    for (n, wanted) in [(1, 0.035 / 0.06), (2, 0.0125 / 0.06), (3, 0.00625 / 0.06), (4, 0.003_125 / 0.06)] {
        close(runs[n] as f64 / all, wanted, 0.008); // 100,000 runs: sigma of at most 0.0016
    }
    // P(both lost) = 0.05 / 1.17 for adjacent packets. For a distance of two packets, the paths are from 3 through 3, 2
    // or 1, and from 4 through 1: (0.1 (0.25 + 0.15 + 0.2 * 0.03) + 0.01 * 0.03) / 1.17 = 0.0409 / 1.17.
    let (mean, spread) = (0.11 / 1.17, 0.11 / 1.17 * (1.06 / 1.17));
    close(correlation(&lost, 1), (0.05 / 1.17 - mean * mean) / spread, 0.01);
    close(correlation(&lost, 2), (0.0409 / 1.17 - mean * mean) / spread, 0.01);
}

/// The mean durations are 2 s (good) and 0.5 s (bad). The chain is therefore bad for a fifth of the time, and its
/// autocorrelation is exp(-2.5 t).
#[test]
fn two_states_in_time_forget_exponentially() {
    let state =
        |loss, ms, next: [f64; 2]| ChainState { loss, lasts: Span::from_millis(ms), next: next.into() };
    let states = vec![state(0.0, 2000, [0.0, 1.0]), state(1.0, 500, [1.0, 0.0])];
    let chain = LossChain::in_time(states).unwrap_or_else(|error| panic!("{error}"));
    // Over 200,000 s with a correlation time of 0.4 s, the standard deviation of the share is sqrt(0.16 * 0.8 / 2e5) =
    // 8e-4.
    let lost = losses(&chain, Span::from_millis(100), 2_000_000);
    close(share(&lost), 0.2, 0.004);
    close(correlation(&lost, 4), (-1.0_f64).exp(), 0.01);
    close(correlation(&lost, 8), (-2.0_f64).exp(), 0.01);
    // Observed every 10 ms, the bad state continues with probability 0.2 + 0.8 exp(-0.025). There are 8,000 intervals,
    // so the standard deviation of their mean is 1.1 %.
    let lost = losses(&chain, Span::from_millis(10), 2_000_000);
    let runs = lost.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f64;
    let stays = 0.2 + 0.8 * (-0.025_f64).exp();
    close(share(&lost) * 2e6 / runs * (1.0 - stays), 1.0, 0.055);
    assert_eq!(chain.onsets(), Onsets::PerSecond(0.4));
}

/// Over 2 million seconds with a correlation time of 2 s, the standard deviation of a share of 0.175 is 5e-4.
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

/// Expected for netem: 0.06 of 1.17, as above. Expected for the three states: a state without loss takes 0.8 of the
/// time and ends every 8 s.
#[test]
fn how_often_losses_begin() {
    let Onsets::PerPacket(often) = netem(NETEM).onsets() else { panic!("netem goes by packets") };
    close(often, 0.06 / 1.17, 1e-15);
    let Onsets::PerSecond(often) = three().onsets() else { panic!("three goes by time") };
    close(often, 0.1, 1e-15);
}

/// The state of a chain in time does not depend on the number of packets. A chain of packets moves with each packet.
#[test]
fn traffic_moves_a_chain_of_packets_alone() {
    let often = losses(&three(), Span::from_millis(10), 100_000);
    let seldom = losses(&three(), Span::from_millis(30), 33_333);
    assert!(often.iter().step_by(3).take(33_333).eq(seldom.iter()));
    let often = losses(&netem(NETEM), Span::from_millis(10), 10_000);
    assert_eq!(often, losses(&netem(NETEM), Span::from_millis(30), 10_000));
}

/// At 25 m/s, stretches of clear view and of shadow have mean lengths of 200 m and 50 m, which are 8 s and 2 s. The
/// share of shadow is therefore A = 50 / 250. With a margin of 10 dB, the losses by scipy (see `land_mobile`) are
/// 0.0119857 in clear view and 0.5574892 in shadow.
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
    // There are 200,000 stretches of shadow, and the standard deviation of their loss is 0.35. The standard deviation
    // of the shares is therefore 5e-4, and that of the loss is 3.5e-4.
    close(f64::from(bad) / 2e6, 0.2, 0.0025);
    close(lost / 2e6, 0.121_086_42, 0.0018);
    // The level is constant within a stretch. One second later, the level is the same with probability exp(-1/2), the
    // probability that the stretch continues.
    let same = levels.windows(2).filter(|pair| pair[0].to_bits() == pair[1].to_bits()).count() as f64;
    close(same / levels.len() as f64, (-0.5_f64).exp(), 0.01);
}
