// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages for refused models.

use bentpipe_traffic::{
    Arrivals, Begin, Between, Cdf, Choice, FilmModel, Law, Model, Object, Objects, PageModel, Protocol,
    TrafficError,
};
use units::{Bytes, Rate, Span};

fn refused<T: std::fmt::Debug>(what: Result<T, TrafficError>) -> String {
    what.expect_err("it must be refused").to_string()
}

#[test]
fn a_curve_that_is_none_is_refused_by_its_line() {
    let read = |text: &str| refused(Cdf::read(text, Between::Linear));
    assert_eq!(
        read("bytes,share\n# nothing else\n"),
        "the CDF has no points (write rows of value and probability, the last one of probability 1)"
    );
    assert_eq!(
        read("bytes,share\n100,0.5\n200,0.4\n300,1\n"),
        "row 3 of the CDF: the CDF falls from 0.5 to 0.4 (it is cumulative: the probability of this value or less)"
    );
    assert_eq!(
        read("100,0.5\n90,0.6\n"),
        "row 2 of the CDF: the value falls from 100 to 90 (sort the rows by value)"
    );
    assert_eq!(
        read("100,50\n"),
        "row 1 of the CDF: the probability 50 must be between 0 and 1 (fractions, not percent)"
    );
    assert_eq!(
        read("100,0.5\n200,0.97\n"),
        "the CDF ends at the probability 0.97: its last row must have the probability 1 (fractions, not percent)"
    );
    assert_eq!(
        read("100,0.5\nabout 200\n"),
        "row 2 of the CDF: \"about 200\" is not a value and its probability (write `12000, 0.53`)"
    );
    assert_eq!(read("100,0.5\n-3,0.6\n"), "row 2 of the CDF: the value -3 must be 0 or more, and finite");
    assert_eq!(read("nan,0.5\n"), "row 1 of the CDF: the value NaN must be 0 or more, and finite");
    assert_eq!(
        refused(Cdf::new(vec![(0.0, 0.0), (1.0, 1.0)], Between::LogLinear)),
        "row 1 of the CDF: the value 0 has no logarithm (begin above 0, or use linear interpolation)"
    );
}

#[test]
fn a_law_out_of_its_bounds_is_refused_by_its_number() {
    let check = |law: Law| refused(law.check());
    assert_eq!(check(Law::Constant(-1.0)), "the value is -1, but must be 0 or more");
    assert_eq!(check(Law::Exponential { mean: 0.0 }), "mean is 0, but must be above 0");
    assert_eq!(
        check(Law::LogNormal { median: 1.0, sigma: -1.0 }),
        "sigma is -1, but must be between 0 and 20"
    );
    assert_eq!(
        check(Law::Pareto { least: 5.0, shape: 1.0, most: Some(5.0) }),
        "most is 5, but must be above `least`"
    );
    assert_eq!(check(Law::Exponential { mean: f64::INFINITY }), "mean is inf, but must be above 0");
    assert_eq!(
        refused(Law::pareto_of_mean(1e5, 0.9, None)),
        "no such distribution has the mean 100000: a Pareto distribution of shape 0.9 has no mean (write a shape above 1, or `most`)"
    );
    assert_eq!(
        refused(Law::pareto_of_mean(1e5, 0.9, Some(1e5))),
        "no such distribution has the mean 100000: no value exceeds `most` = 100000 (make `most` larger than \
        the mean)"
    );
    let off = Law::Pareto { least: 1.0, shape: 1.0, most: None };
    assert_eq!(
        refused(Arrivals::OnOff { per_s: 1.0, on: Law::Constant(1.0), off }.check()),
        "the distribution of off has no mean (Pareto with a shape of 1 or less: write `most`, or a shape above 1)"
    );
    let blink = Arrivals::OnOff { per_s: 1.0, on: Law::Constant(1e-6), off: Law::Constant(0.0) };
    assert_eq!(
        refused(blink.check()),
        "the mean of `on` plus `off`, in s, is 0.000001, but must be 0.001 or more"
    );
    assert_eq!(
        refused(Begin::Open(Arrivals::Poisson { per_s: 0.0 }).check()),
        "the rate is 0, but must be above 0 visits per second"
    );
    assert_eq!(
        refused(Begin::Closed { users: 0, think: Law::Constant(1.0) }.check()),
        "users is 0, but must be 1 or more"
    );
}

fn page(objects: &[(&str, &[&str])]) -> PageModel {
    let object = |&(name, after): &(&str, &[&str])| Object {
        name: name.to_owned(),
        size: Bytes::new(1_000),
        after: after.iter().map(|&name| name.to_owned()).collect(),
        think: Span::ZERO,
    };
    PageModel::of(Objects::Listed(objects.iter().map(object).collect()))
}

#[test]
fn a_page_whose_objects_wait_in_a_circle_names_them() {
    let check = |objects: &[(&str, &[&str])]| refused(Model::Page(page(objects)).check());
    assert_eq!(
        check(&[("html", &[]), ("a.js", &["html", "c.js"]), ("b.js", &["a.js"]), ("c.js", &["b.js"])]),
        "objects wait for each other in a circle: \"a.js\" after \"c.js\" after \"b.js\" after \"a.js\" (remove one `after`)"
    );
    // Objects that lead into the circle do not belong to the circle.
    assert_eq!(
        check(&[("x", &["y"]), ("y", &["z"]), ("z", &["y"])]),
        "objects wait for each other in a circle: \"y\" after \"z\" after \"y\" (remove one `after`)"
    );
    assert_eq!(
        check(&[("x", &["x"])]),
        "objects wait for each other in a circle: \"x\" after \"x\" (remove one `after`)"
    );
    assert_eq!(
        check(&[("x", &["y"])]),
        "the object \"x\" waits for \"y\", which is not an object of the page (name a listed object)"
    );
    assert_eq!(check(&[("x", &[]), ("x", &[])]), "two objects have the name \"x\" (use different names)");
    assert_eq!(check(&[]), "the page has no objects (write at least one)");
    let many: Vec<String> = (0..10_001).map(|at| at.to_string()).collect();
    let many: Vec<(&str, &[&str])> = many.iter().map(|name| (name.as_str(), &[][..])).collect();
    assert_eq!(check(&many), "the page has 10001 objects, but the limit is 10000");
    let mut empty = page(&[("x", &[])]);
    if let Objects::Listed(objects) = &mut empty.objects {
        objects[0].size = Bytes::ZERO;
    }
    assert_eq!(
        refused(empty.check()),
        "the object \"x\" has size 0 (headers count as well: write at least 1 byte)"
    );
    let none = PageModel { protocol: Protocol::Http1 { connections: 0 }, ..page(&[("x", &[])]) };
    assert_eq!(refused(none.check()), "0 connections are not possible: the number must be between 1 and 64");
    // Two paths to one object are not a circle.
    page(&[("html", &[]), ("a", &["html"]), ("b", &["html"]), ("c", &["a", "b"])])
        .check()
        .expect("it is a page");
}

#[test]
fn a_film_that_cannot_be_played_is_refused() {
    let film = || FilmModel::of(Law::Constant(600.0));
    film().check().expect("it can be played");
    let ladder = |rates: &[u64]| {
        let ladder = rates.iter().map(|&rate| Rate::from_bits_per_s(rate)).collect();
        refused(Model::Film(FilmModel { ladder, ..film() }).check())
    };
    assert_eq!(ladder(&[]), "the ladder has no rungs (write at least one rate)");
    assert_eq!(
        ladder(&[1_000_000, 3_000_000, 2_000_000]),
        "the ladder must rise: rung 3 has 2 Mbit/s after 3 Mbit/s (write the rates from the lowest to the highest)"
    );
    assert_eq!(ladder(&[1, 2]), "the lowest rate, in bit/s, is 1, but must be 1 kbit/s or more");
    let s = Span::from_secs;
    let refuse = |film: FilmModel| refused(film.check());
    assert_eq!(
        refuse(FilmModel { startup: s(238), ..film() }),
        "startup is 238 s: `startup` plus a segment of 4 s must fit into the buffer of 4 min (make `buffer` \
        longer, or \
         `startup` shorter)"
    );
    let choice = Choice::Buffer { reservoir: s(200), cushion: s(50) };
    assert_eq!(
        refuse(FilmModel { choice, ..film() }),
        "reservoir and cushion is 250 s: their sum must be within the buffer of 4 min (make `buffer` longer, or `reservoir` and \
         `cushion` shorter)"
    );
    let choice = Choice::Rate { segments: 5, safety: 0.0 };
    assert_eq!(refuse(FilmModel { choice, ..film() }), "safety is 0, but must be above 0, and at most 2");
    let choice = Choice::Rate { segments: 0, safety: 0.9 };
    assert_eq!(
        refuse(FilmModel { choice, ..film() }),
        "the number of throughputs is 0, but must be 1 or more"
    );
    assert_eq!(
        refuse(FilmModel { segment: Span::ZERO, ..film() }),
        "segment is 0 s: it must be 100 ms or more"
    );
}
