// SPDX-License-Identifier: MIT OR Apache-2.0
//! Films over a link of constant rate. Their starts, stalls and rungs are computed by hand.

mod bed;

use bed::Bed;
use bentpipe_traffic::{Choice, EmptyPath, Experience, FilmModel, Law, Model};
use units::{Bytes, Rate, Span};

fn s(s: u64) -> Span {
    Span::from_secs(s)
}

fn mbit(rate: u64) -> Rate {
    Rate::from_bits_per_s(rate * 1_000_000)
}

/// Plays a film over a path with a round trip of zero. Returns its duration, the experience and the path.
fn play(model: FilmModel, rate_mbit_s: u64) -> (Span, Experience, Bed) {
    let model = Model::Film(model);
    model.check().expect("it can be played");
    let mut bed = Bed::new(rate_mbit_s, 0);
    let (took, experience) = bed.run(&mut *model.visit(1));
    (took, experience, bed)
}

/// The only rate is 4 Mbit/s, over a link of 2 Mbit/s, so a segment of 4 s takes 8 s. The film has 40 s. It starts and
/// resumes with one segment:
///
/// ```text
/// the first segment arrives at 8 s and plays until 12 s; the second arrives at 16 s: a stall of 4 s; and so on
/// 10 segments: start at 8 s, 9 stalls of 4 s, end at 8 + 40 + 36 = 84 s
/// ```
#[test]
fn a_film_of_twice_the_rate_of_the_link_stands_still_half_of_the_time() {
    let (took, experience, _) = play(
        FilmModel {
            ladder: vec![mbit(4)],
            startup: s(4),
            resume: s(4),
            ..FilmModel::of(Law::Constant(40.0))
        },
        2,
    );
    assert_eq!(took, s(84));
    let expected = Experience::Film {
        bytes: Bytes::new(20_000_000),
        startup: Some(s(8)),
        stalls: 9,
        stalled: s(36),
        switches: 0,
        mean_rate: Some(mbit(4)),
        played: s(40),
        ended: true,
    };
    assert_eq!(experience, expected);
}

/// The same film starts and resumes with 12 s (3 segments):
///
/// ```text
/// start at 24 s; segments of 4 s arrive at 32, 40, 48, ... s
/// the first 3 segments last until 24 + 12 = 36 s; the segment of 32 s extends this to 40 s; the segment of 40 s arrives
///   exactly in time and extends it to 44 s: the buffer is empty at 44 s, after 5 segments
/// segment 6 arrives at 48 s, 7 at 56 s, 8 at 64 s: the film resumes at 64 s, after a stall of 20 s
/// these last until 76 s; segment 9 (72 s) extends this to 80 s, segment 10 (80 s) to 84 s
/// ```
#[test]
fn a_longer_start_has_fewer_stalls() {
    let (took, experience, _) = play(
        FilmModel {
            ladder: vec![mbit(4)],
            startup: s(12),
            resume: s(12),
            ..FilmModel::of(Law::Constant(40.0))
        },
        2,
    );
    assert_eq!(took, s(84));
    let Experience::Film { startup, stalls, stalled, .. } = experience else { panic!("it is a film") };
    assert_eq!((startup, stalls, stalled), (Some(s(24)), 1, s(20)));
}

/// The rate is 1 Mbit/s over a link of 4 Mbit/s, with a buffer of 20 s. Each segment of 4 s takes 1 s.
///
/// ```text
/// the film starts at 1 s. After segment n arrived at t, the buffer has 4 n - (t - 1) s: 4, 7, 10, 13, 16, 19 s at 1, 2 … 6 s
/// 19 + 4 s exceed the buffer by 3 s: the next segment is requested at 9 s and arrives at 10 s; the others follow every 4 s
/// ```
#[test]
fn a_full_buffer_makes_the_player_wait() {
    let (took, experience, bed) = play(
        FilmModel {
            ladder: vec![mbit(1)],
            startup: s(4),
            resume: s(4),
            buffer: s(20),
            choice: Choice::RATE,
            ..FilmModel::of(Law::Constant(50.0))
        },
        4,
    );
    let asked: Vec<f64> = bed.asked.iter().map(|asked| asked.0.secs_f64() - 1.0).collect();
    assert_eq!(asked[..9], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 9.0, 13.0, 17.0]);
    // The film has 12 segments of 4 s and one of 2 s. The buffer has space for 2 s at 31 s, and for 4 s at 33 s.
    assert_eq!((asked.len(), asked[11], asked[12]), (13, 29.0, 31.0));
    assert_eq!(took, s(51));
    let Experience::Film { bytes, stalls, played, .. } = experience else { panic!("it is a film") };
    assert_eq!((bytes, stalls, played), (Bytes::new(6_250_000), 0, s(50)));
}

/// Choice by rate, over 4 Mbit/s, with a factor of 0.9. Expected: the first segment has the lowest rate, because no
/// throughput is known. All other segments have the highest rate of 1, 2, 3 and 5 Mbit/s that is at most 3.6 Mbit/s.
/// There is one change of the rate, and the mean rate is (1 + 3 x 24) / 25 = 2.92 Mbit/s.
#[test]
fn a_film_by_rate_takes_what_the_link_has() {
    let ladder = [1, 2, 3, 5].map(mbit).to_vec();
    let (_, experience, _) =
        play(FilmModel { ladder, choice: Choice::RATE, ..FilmModel::of(Law::Constant(100.0)) }, 4);
    let Experience::Film { stalls, switches, mean_rate, .. } = experience else { panic!("it is a film") };
    assert_eq!((stalls, switches), (0, 1));
    assert_eq!(mean_rate, Some(Rate::from_bits_per_s(2_920_000)));
}

/// BBA-0 over a link that is much faster than its highest rate. Expected: the rate rises through every rung of the
/// paper's map and stays on the highest rung. The buffer gains nearly 4 s per segment. The reservoir of 90 s therefore
/// takes 23 segments at the lowest rate, and the highest rate is chosen at 216 s.
#[test]
fn a_film_by_buffer_climbs_as_its_buffer_fills() {
    let model = FilmModel { ladder: [1, 2, 4, 7].map(mbit).to_vec(), ..FilmModel::of(Law::Constant(400.0)) };
    let (_, experience, bed) = play(model, 10_000);
    let rungs: Vec<u64> = bed.asked.iter().map(|asked| asked.2.get() / 500_000).collect();
    // Before segment n, the buffer has 4 n s, minus the few milliseconds that were played. f = 1 + (4 n - 90) / 21
    // exceeds 2 above 111 s (n = 28), and 4 above 153 s (n = 39). n = 55 has 220 s.
    let first = |rate: u64| rungs.iter().position(|&rung| rung == rate);
    assert_eq!([1, 2, 4, 7].map(first), [Some(0), Some(28), Some(39), Some(55)]);
    assert!(rungs.is_sorted());
    let Experience::Film { stalls, switches, .. } = experience else { panic!("it is a film") };
    assert_eq!((stalls, switches), (0, 3));
}

/// If the rate of the link is between two rungs, BBA-0 stays within the cushion, and the mean rate equals the rate of
/// the link (section 3 of the paper: the buffer neither fills nor empties).
#[test]
fn a_film_by_buffer_gets_the_mean_rate_of_the_link() {
    let model =
        FilmModel { ladder: [1, 2, 4, 7].map(mbit).to_vec(), ..FilmModel::of(Law::Constant(20_000.0)) };
    let (_, experience, bed) = play(model, 3);
    let Experience::Film { stalls, .. } = experience else { panic!("it is a film") };
    assert_eq!(stalls, 0);
    // The second half begins long after the reservoir was filled.
    let half = &bed.asked[bed.asked.len() / 2..];
    let mean = half.iter().map(|asked| asked.2.get() as f64 * 8.0).sum::<f64>() / (half.len() as f64 * 4.0);
    assert!((mean / 3e6 - 1.0).abs() < 0.03, "{mean}");
}

/// A film that is shorter than `startup` starts when it has arrived completely.
#[test]
fn a_short_film_plays_when_it_is_there() {
    let (took, experience, _) =
        play(FilmModel { ladder: vec![mbit(1)], startup: s(30), ..FilmModel::of(Law::Constant(6.0)) }, 1);
    assert_eq!(took, s(12));
    let Experience::Film { startup, stalls, .. } = experience else { panic!("it is a film") };
    assert_eq!((startup, stalls), (Some(s(6)), 0));
}

/// A film of 300 s at 1, 2, 3 or 5 Mbit/s in segments of 4 s, over 4 Mbit/s and a round trip of 600 ms. Expected: the
/// start takes the handshake and two segments of 4 Mbit at the lowest rate, 0.6 + 2 x (0.6 + 1) = 3.8 s. A segment at 3
/// Mbit/s takes 0.6 + 3 = 3.6 s, which is less than its playing time. At 5 Mbit/s, it takes 5.6 s. With a round trip of
/// 1.2 s, a segment at 3 Mbit/s takes 4.2 s. Over 0.5 Mbit/s, no rate arrives in time.
#[test]
fn an_empty_path_has_a_start_and_a_rung() {
    let film = FilmModel { ladder: [1, 2, 3, 5].map(mbit).to_vec(), ..FilmModel::of(Law::Constant(300.0)) };
    let visit = Model::Film(film.clone()).visit(1);
    let path = |rate, ms| EmptyPath {
        rate: Rate::from_bits_per_s(rate),
        rtt: Span::from_millis(ms),
        opening: Span::from_millis(ms),
    };
    assert_eq!(visit.ideal(path(4_000_000, 600)), Some(Span::from_millis(3_800)));
    for (rate, ms, rung) in [
        (4_000_000, 600, Some(3)),
        (4_000_000, 1_200, Some(2)),
        (500_000, 600, None),
        (100_000_000, 600, Some(5)),
    ] {
        assert_eq!(visit.sustainable(path(rate, ms)), rung.map(mbit), "{rate} bit/s, {ms} ms");
    }
    // Over this path, the start takes exactly this time with BBA-0, and at least this time with the other choice.
    for choice in [Choice::BBA_0, Choice::RATE] {
        let mut bed = Bed::new(4, 600);
        let (_, experience) = bed.run(&mut *Model::Film(FilmModel { choice, ..film.clone() }).visit(1));
        let took = experience.took().unwrap_or_default();
        assert!(took >= Span::from_millis(3_800), "{choice:?}: {took}");
        assert!(choice == Choice::RATE || took == Span::from_millis(3_800), "{took}");
    }
}
