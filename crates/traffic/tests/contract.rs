// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random visits on random paths. All visits keep their contract (the network of the test asserts this at every step),
//! end, and have consistent counts.

mod bed;

use bed::Bed;
use bentpipe_traffic::{
    Choice, EmptyPath, ExchangeModel, Experience, FilmModel, Law, Model, Object, Objects, PageModel,
    Protocol, Tls,
};
use proptest::prelude::*;
use units::{Bytes, Rate, Span};

fn law(least: f64, most: f64) -> impl Strategy<Value = Law> {
    prop_oneof![
        (least..most).prop_map(Law::Constant),
        (least..most).prop_map(|mean| Law::Exponential { mean: mean + 1e-3 }),
        (least..most, 0.0..2.0).prop_map(|(median, sigma)| Law::LogNormal { median: median + 1e-3, sigma }),
    ]
}

/// Generates objects that wait for earlier objects, in shuffled order.
fn objects() -> impl Strategy<Value = Objects> {
    let object = (1_u64..200_000, prop::collection::vec(any::<prop::sample::Index>(), 0..3), 0_u64..100);
    let listed = prop::collection::vec(object, 1..30)
        .prop_map(|objects| {
            let made = objects.into_iter().enumerate().map(|(at, (size, after, think))| Object {
                name: at.to_string(),
                size: Bytes::new(size),
                after: if at == 0 {
                    vec![]
                } else {
                    after.iter().map(|after| after.index(at).to_string()).collect()
                },
                think: Span::from_millis(think),
            });
            made.collect::<Vec<_>>()
        })
        .prop_shuffle()
        .prop_map(Objects::Listed);
    let drawn = (law(1.0, 1e5), law(0.0, 30.0), law(1.0, 1e5), 1_u32..5)
        .prop_map(|(first, others, size, stages)| Objects::Drawn { first, others, size, stages });
    prop_oneof![listed, drawn]
}

fn film() -> impl Strategy<Value = FilmModel> {
    let ladder = prop::collection::btree_set(100_000_u64..10_000_000, 1..8);
    let choice = prop_oneof![
        (0_u64..20, 1_u64..20).prop_map(|(reservoir, cushion)| Choice::Buffer {
            reservoir: Span::from_secs(reservoir),
            cushion: Span::from_secs(cushion),
        }),
        (1_u32..8, 0.1..1.5).prop_map(|(segments, safety)| Choice::Rate { segments, safety }),
    ];
    (ladder, 500_u64..6_000, law(1.0, 300.0), 0_u64..12_000, 0_u64..12_000, choice).prop_map(
        |(ladder, segment, length, startup, resume, choice)| FilmModel {
            ladder: ladder.into_iter().map(Rate::from_bits_per_s).collect(),
            segment: Span::from_millis(segment),
            length,
            startup: Span::from_millis(startup),
            resume: Span::from_millis(resume),
            buffer: Span::from_secs(40),
            choice,
        },
    )
}

fn model() -> impl Strategy<Value = Model> {
    let protocol =
        prop_oneof![Just(Protocol::Http2), (1_u8..8).prop_map(|connections| Protocol::Http1 { connections })];
    let page = (objects(), protocol, 0_u64..50).prop_map(|(objects, protocol, wait)| {
        Model::Page(PageModel { protocol, wait: Span::from_millis(wait), ..PageModel::of(objects) })
    });
    let exchange = (law(1.0, 1e4), law(1.0, 1e5), law(0.0, 0.1), law(1.0, 20.0), law(0.0, 5.0)).prop_map(
        |(request, answer, wait, count, think)| {
            Model::Exchange(ExchangeModel { request, answer, wait, count, think })
        },
    );
    let plain = prop_oneof![
        law(1.0, 1e6).prop_map(|size| Model::Transfer { size }),
        page,
        film().prop_map(Model::Film),
        exchange,
    ];
    (plain, any::<bool>()).prop_map(|(inner, secured)| {
        if secured { Model::Secured { tls: Tls::COMMON, inner: Box::new(inner) } } else { inner }
    })
}

proptest! {
    #[test]
    fn visits_keep_their_contract_and_end(
        model in model(), seed: u64, rate_mbit_s in 1_u64..1_000, rtt_ms in 0_u64..1_000,
    ) {
        prop_assert_eq!(model.check(), Ok(()));
        let mut bed = Bed::new(rate_mbit_s, rtt_ms);
        let mut visit = model.visit(seed);
        let path = EmptyPath { rate: bed.rate, rtt: bed.rtt, opening: bed.rtt };
        let ideal = visit.ideal(path);
        let (took, experience) = bed.run(&mut *visit);
        prop_assert!(bed.opened <= model.connections() as usize);
        let secured = matches!(model, Model::Secured { .. });
        // If a connection opened too late, its TLS handshake may be incomplete.
        let asked: u64 = bed.asked.iter().map(|asked| asked.2.get()).sum();
        let (flight, rest) = (Tls::COMMON.answer.get(), asked - experience.bytes().get());
        let most = if secured { bed.opened as u64 } else { 0 };
        prop_assert!(rest % flight == 0 && rest / flight <= most);
        // Each answer may be rounded by one nanosecond.
        let slack = Span::from_nanos(bed.asked.len() as u64);
        let least = |took| ideal.is_some_and(|ideal| ideal <= took + slack);
        prop_assert!(experience.took().is_some_and(least), "ideal {ideal:?}, {experience:?}");
        if let Experience::Film { startup, stalled, played, ended, .. } = experience {
            prop_assert!(ended);
            // At each time of the visit, the film has not started yet, is stalled, or plays.
            prop_assert_eq!(startup.map(|startup| startup + stalled + played), Some(took));
        } else {
            prop_assert_eq!(experience.took(), Some(took));
            // With the same seed, the visit requests the same data over another path.
            let mut other = Bed::new(7, 30);
            other.run(&mut *model.visit(seed));
            let sizes = |bed: &Bed| {
                let mut sizes: Vec<Bytes> = bed.asked.iter().map(|asked| asked.2).collect();
                sizes.sort_unstable();
                sizes
            };
            if !secured || bed.opened.max(other.opened) == 1 {
                prop_assert_eq!(sizes(&bed), sizes(&other));
            }
        }
    }
}
