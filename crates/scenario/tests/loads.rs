// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of `load` if ends, sizes and links differ, and the warnings about overloaded links.

use bentpipe_scenario::{FlowKind, Scenario};
use traffic::{Arrivals, Begin, Model};
use units::Code;

/// Path of a file in `tests/data`.
const ORIGIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/a.toml");

fn scenario(text: &str) -> Scenario {
    Scenario::from_toml(text, ORIGIN).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Returns a hub with branches of 10, 4 and 2 Mbit/s.
fn star(more: &str) -> Scenario {
    scenario(&star_text(more))
}

fn star_text(more: &str) -> String {
    let branch = |site: &str, rate: u32| {
        format!("{{ site = \"{site}\", rate = \"{rate} Mbit/s\", delay = \"20 ms\" }}")
    };
    let branches = [branch("a", 10), branch("b", 4), branch("c", 2)].join(", ");
    format!("duration = \"20 s\"\nnetwork.star.branches = [{branches}]\n{more}\n")
}

fn rates(scenario: &Scenario) -> Vec<f64> {
    let rate = |kind: &FlowKind| match kind {
        FlowKind::Application { begin: Begin::Open(Arrivals::Poisson { per_s }), .. } => *per_s,
        other => panic!("{other:?}"),
    };
    scenario.flows.iter().map(|flow| rate(&flow.kind)).collect()
}

fn means(scenario: &Scenario) -> Vec<Option<f64>> {
    let mean = |kind: &FlowKind| match kind {
        FlowKind::Application { model: Model::Transfer { size }, .. } => size.mean(),
        other => panic!("{other:?}"),
    };
    scenario.flows.iter().map(|flow| mean(&flow.kind)).collect()
}

fn near(left: &[f64], right: &[f64]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| (left / right - 1.0).abs() < 1e-12)
}

/// 125 kB are one megabit, or 1500/1448 of it with headers. Half of 10, 4 and 2 Mbit/s are 5, 2 and 1 visits per
/// second, reduced by the headers.
#[test]
fn a_load_is_of_the_own_smallest_link() {
    let matrix = "[[traffic]]\nmatrix = \"pairs\"\ncontroller = \"cubic\"\nkind = \"transfers\"\nsize = \"125 kB\"\nload = 0.5\n\
                  pairs = [[\"hub\", \"a\"], [\"hub\", \"b\"], [\"a\", \"c\"]]";
    let of_matrix = star(matrix);
    let payload = 1448.0 / 1500.0;
    assert!(near(&rates(&of_matrix), &[5.0 * payload, 2.0 * payload, payload]), "{:?}", rates(&of_matrix));
    // The flows equal flows that are written one by one.
    let one = |from: &str, to: &str| {
        format!(
            "[[flows]]\nname = \"{from} > {to}\"\nfrom = \"{from}\"\nto = \"{to}\"\ncontroller = \"cubic\"\nkind = \
             \"transfers\"\nsize = \"125 kB\"\nload = 0.5\n"
        )
    };
    assert_eq!(star(&[one("hub", "a"), one("hub", "b"), one("a", "c")].concat()).flows, of_matrix.flows);
    for flow in &of_matrix.flows {
        assert!((of_matrix.load(flow).unwrap_or_default() - 0.5).abs() < 1e-12);
    }
}

/// Rows of 100 kB, exponential 50 kB and a measured law (DCTCP's web search, whose mean is 1.71 MB according to
/// `named.rs`). Half of 10, 4 and 10 Mbit/s are 6.25, 5 and 0.366 visits per second, reduced by the headers.
#[test]
fn rows_have_sizes_and_laws() {
    let matrix = "[[traffic]]\nmatrix = \"file\"\nfile = \"laws.csv\"\ncontroller = \"cubic\"\nkind = \"transfers\"\nload = 0.5";
    let scenario = star(matrix);
    let means = means(&scenario);
    assert_eq!(means[..2], [Some(1e5), Some(5e4)]);
    let web_search = means[2].unwrap_or_default();
    assert!((1.70e6..1.72e6).contains(&web_search), "{web_search}");
    let payload = 1448.0 / 1500.0;
    let expected = [6.25 * payload, 5.0 * payload, 625_000.0 / web_search * payload];
    assert!(near(&rates(&scenario), &expected), "{:?}", rates(&scenario));
    // The printed scenario has the same meaning. Flows over TLS have the same sizes.
    assert_eq!(Scenario::from_toml(&scenario.to_toml(""), ORIGIN).as_ref(), Ok(&scenario));
    let secured = star(&format!("{matrix}\ntls = true"));
    let is_secured =
        |kind: &FlowKind| matches!(kind, FlowKind::Application { model: Model::Secured { .. }, .. });
    assert!(secured.flows.iter().all(|flow| is_secured(&flow.kind)));
}

#[test]
fn what_a_row_cannot_say() {
    for (rows, kind, says) in [
        ("hub,a,pareto", "transfers", "laws-wrong.csv:2: size: "),
        ("hub,a,\"{ law = 'exponential' }\"", "transfers", "the law \"exponential\" needs its mean"),
        ("hub,a,\"{ law = 'exponential', men = '1 kB' }\"", "transfers", "unknown key `men`"),
        (
            "hub,a,\"{ law = 'log-normal', mean = '2 kB', median = '1 kB', sigma = 1.0 }\"",
            "transfers",
            "`median` and `mean` both set the scale of the law, so one of the two keys is enough (keep one of them)",
        ),
        ("hub,a,\"{ law = 'exponential', mean = '1 kB' }\"", "tcp", "one size, not a law"),
        ("hub,a,0 B", "transfers", "a transfer needs at least one byte"),
        ("hub,a,1 kB", "web", "only flows of kind \"tcp\" or \"transfers\" can have a size"),
        (
            "hub,a,\"{ law = 'pareto', least = '1 kB', shape = 0.9 }\"",
            "transfers",
            "laws-wrong.csv:2: to: load = 0.5 needs",
        ),
        ("hub,a,1 kB\nhub,b,", "transfers", "needs the key `size`"),
    ] {
        let folder = std::env::temp_dir().join(format!("bentpipe-laws-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
        let file = folder.join("laws-wrong.csv");
        std::fs::write(&file, format!("from,to,size\n{rows}\n")).unwrap_or_else(|error| panic!("{error}"));
        let load = if kind == "tcp" { "" } else { "load = 0.5" };
        let text = star_text(&format!(
            "[[traffic]]\nmatrix = \"file\"\nfile = \"{}\"\ncontroller = \"cubic\"\nkind = \"{kind}\"\n{load}",
            file.display()
        ));
        let read = Scenario::from_toml(&text, "a.toml");
        let _ = std::fs::remove_dir_all(&folder);
        let Err(error) = read else { panic!("{rows} was accepted") };
        assert!(error.to_string().contains(says), "{rows}: {error}");
        assert!(
            [Code::ScenarioValue, Code::ScenarioMissingKey].contains(&error.code())
                || rows.ends_with("pareto")
        );
    }
}

/// Returns an application of this kind over the branch `to`, with `mbit_s` of payload on average.
fn application(kind: &str, to: &str, more: &str) -> String {
    let what = match kind {
        "transfers" => "size = \"125 kB\"",
        "web" => "page = { objects = 4, size = \"25 kB\" }",
        "requests" => "request = { answer = \"62500 B\", count = 2 }",
        _ => "video = { ladder = [\"1 Mbit/s\", \"3 Mbit/s\"], length = \"1 s\" }",
    };
    format!(
        "[[flows]]\nname = \"{kind} to {to}\"\nfrom = \"hub\"\nto = \"{to}\"\ncontroller = \"cubic\"\nkind = \"{kind}\"\n{what}\n{more}\n"
    )
}

/// Each kind needs one megabit per visit, or 1.0359 with headers. Four visits per second are 4.144 Mbit/s, which
/// exceeds 4 Mbit/s; three do not. Pages have five objects, and exchanges have two answers. A film needs this at its
/// lowest rate, and may need more.
#[test]
fn every_kind_can_be_too_much() {
    for kind in ["transfers", "web", "requests", "video"] {
        let of = |rate: u32| {
            star(&application(kind, "b", &format!("arrivals = {{ law = \"poisson\", rate = {rate} }}")))
                .overloads()
        };
        assert_eq!(of(3), Vec::<String>::new(), "{kind}");
        let said = of(4);
        // Films of 1 s: after 4 / 4.144 of this time, enough films play to fill the link. After all of it, they need
        // 4.144.
        let expected = if kind == "video" {
            "flow \"video to b\": from 1 s on at the latest, visits offer more than \"hub > b\" carries (4 Mbit/s). \
             Visits begin whether or not earlier visits are over. At 1 s, the offered load is at least 4.144 Mbit/s \
             (load 1.036)"
                .to_owned()
        } else {
            format!(
                "flow \"{kind} to b\": visits offer 4.144 Mbit/s to \"hub > b\", which carries 4 Mbit/s (load 1.036)"
            )
        };
        assert!(said.len() == 1 && said[0].starts_with(&expected), "{said:?}");
    }
}

/// A Pareto law with a shape of 0.9 has an infinite mean.
#[test]
fn sizes_without_a_mean_are_told() {
    let flow = |size: &str| {
        application("transfers", "b", "arrivals = { law = \"poisson\", rate = 1 }")
            .replace("\"125 kB\"", size)
    };
    let said = star(&flow("{ law = \"pareto\", least = \"1 kB\", shape = 0.9 }")).overloads();
    let expected = "flow \"transfers to b\": the visits have no mean size";
    assert!(said.len() == 1 && said[0].starts_with(expected), "{said:?}");
    let bounded = "{ law = \"pareto\", least = \"1 kB\", shape = 0.9, most = \"2 kB\" }";
    assert_eq!(star(&flow(bounded)).overloads(), Vec::<String>::new());
    let Err(error) = Scenario::from_toml(&star_text(&flow("\"web-search\"")), "a.toml") else {
        panic!("a law's name was taken for an amount")
    };
    assert!(error.to_string().contains("(write { law = \"web-search\" })"), "{error}");
}

/// Answers of 2 bytes need packets of 54 bytes. This is 26 times as much as the headers of full segments give (2.0718
/// bytes). A load of 0.85 is 22 times the link, and a load of 0.03 is less than the link.
#[test]
fn small_answers_have_whole_headers() {
    let of = |load: f64| {
        star(&application("transfers", "a", &format!("load = {load}")).replace("125 kB", "2 B")).overloads()
    };
    assert_eq!(of(0.03), Vec::<String>::new());
    let said = of(0.85);
    assert!(
        said[0]
            .contains("offer at least 221.544 Mbit/s to \"hub > a\", which carries 10 Mbit/s (load 22.154)"),
        "{said:?}"
    );
}

/// Rates below one megabit are not rounded to zero. 0.85 of 400 bit/s are 340 bit/s for full segments. As above,
/// answers of 2 bytes in packets of 54 bytes need 22.15 times the link: 8862 bit/s, which is 1.058 kB/s more than the
/// link carries.
#[test]
fn small_rates_are_told_as_they_are() {
    let flow = application("transfers", "a", "load = 0.85").replace("125 kB", "2 B");
    let said = scenario(&star_text(&flow).replace("10 Mbit/s", "400 bit/s")).overloads();
    assert!(said[0].contains("to \"hub > a\", which carries 400 bit/s (load 22.154)"), "{said:?}");
    assert!(
        said[0].contains("offer at least 8.862 kbit/s") && said[0].contains("grows by 1.058 kB/s"),
        "{said:?}"
    );
}

/// The loads of flows that share a link add up, including those of `count`, but only if the flows are active at the
/// same time.
#[test]
fn loads_of_a_shared_link_add_up() {
    let half = |more: &str| application("transfers", "a", &format!("load = 0.6\n{more}"));
    assert_eq!(star(&half("")).overloads(), Vec::<String>::new());
    let both = star(&[half(""), half("").replace("transfers to a", "others")].concat()).overloads();
    assert!(
        both[0].starts_with("flows \"transfers to a\", \"others\": ") && both[0].contains("(load 1.2)"),
        "{both:?}"
    );
    let three = star(&half("count = 3")).overloads();
    assert!(
        three[0].contains("offer 18 Mbit/s to \"hub > a\", which carries 10 Mbit/s (load 1.8)"),
        "{three:?}"
    );
    // A load of exactly 1 is allowed for any rounding.
    for parts in 2..12_u32 {
        let load = 1.0 / f64::from(parts);
        let flow = application("transfers", "a", &format!("load = {load}\ncount = {parts}"));
        assert_eq!(star(&flow).overloads(), Vec::<String>::new(), "{parts}");
    }
    // One flow stops when the other starts, or one second earlier.
    let early = half("stop = \"10 s\"");
    assert_eq!(star(&[early.clone(), half("start = \"10 s\"")].concat()).overloads(), Vec::<String>::new());
    let meet = star(&[early, half("start = \"9 s\"")].concat()).overloads();
    assert!(meet[0].contains("from 9 s on, visits offer 12 Mbit/s"), "{meet:?}");
    // The second and the third flow start 8 s later each. Three are too many, and two are not.
    let stagger = application("transfers", "a", "load = 0.4\ncount = 3\nstagger = \"8 s\"");
    assert!(star(&stagger).overloads()[0].contains("from 16 s on, visits offer 12 Mbit/s"));
    assert_eq!(star(&stagger.replace("count = 3", "count = 2")).overloads(), Vec::<String>::new());
}

/// The link has 10 Mbit/s, with 1500 bytes on the wire per 1448 bytes. Films of 1 Mbit/s and 100 s start every 5 s.
/// After 100 s, 20 films play, which need 20.718 Mbit/s. The link is full after 10 / 20.718 of this time, at 48.27 s.
/// Exchanges have ten answers of 1 Mbit, 10 s apart, and 1.2 exchanges start per second: 1.2 answers per second at the
/// start, 12 after 90 s, which is 0.12 more each second. The link carries 9.653 answers per second, so it is full at
/// 70.44 s.
#[test]
fn what_is_asked_for_later_is_not_asked_for_yet() {
    let of = |flow: &str, seconds: u32| {
        let duration = format!("duration = \"{seconds} s\"");
        scenario(&star_text(flow).replacen("duration = \"20 s\"", &duration, 1)).overloads()
    };
    let arrivals = |per_s: f64| format!("arrivals = {{ law = \"regular\", rate = {per_s} }}");
    let films = application("video", "a", &arrivals(0.2))
        .replace(", \"3 Mbit/s\"], length = \"1 s\"", "], length = \"100 s\"");
    for short in [20, 48] {
        assert_eq!(of(&films, short), Vec::<String>::new());
    }
    assert_eq!(
        of(&films, 300),
        [
            "flow \"video to a\": from 48.3 s on at the latest, visits offer more than \"hub > a\" carries (10 \
             Mbit/s). Visits begin whether or not earlier visits are over. At 100 s, the offered load is 20.718 Mbit/s \
             (load 2.072), and the backlog grows by up to 1.340 MB/s. The later a visit begins, the longer it takes, \
             so more and more visits stay unfinished"
        ]
    );
    // 60 of 100 s: 12.431 Mbit/s. Films that stop after 48 s never need more than 9.945.
    let early = of(&films, 60);
    assert!(
        early.len() == 1 && early[0].contains("At 60 s, the offered load is 12.431 Mbit/s (load 1.243)"),
        "{early:?}"
    );
    assert_eq!(of(&films.replace("kind", "stop = \"48 s\"\nkind"), 300), Vec::<String>::new());
    // A stream of 5 Mbit/s leaves half of the link, which is full at 24.13 s.
    let stream = "[[flows]]\nkind = \"cbr\"\nfrom = \"hub\"\nto = \"a\"\nrate = \"5 Mbit/s\"\n";
    let both = of(&[films.as_str(), stream].concat(), 300);
    assert!(
        both.len() == 1 && both[0].contains("from 24.2 s on at the latest, visits and one other flow offer"),
        "{both:?}"
    );
    let exchanges = application("requests", "a", &arrivals(1.2))
        .replace("\"62500 B\", count = 2", "\"125 kB\", count = 10, think = \"10 s\"");
    assert_eq!(of(&exchanges, 70), Vec::<String>::new());
    let asked = of(&exchanges, 80);
    // 1.2 + 0.12 * 80 = 10.8 answers per second.
    assert!(
        asked.len() == 1
            && asked[0].contains("from 70.5 s on at the latest,")
            && asked[0].contains("At 80 s, the offered load is 11.188 Mbit/s (load 1.119)"),
        "{asked:?}"
    );
}

/// A load on a link that carries nothing, and a load that gives too low a rate: the fault is at the user's key.
#[test]
fn a_load_of_nothing_is_told_at_its_key() {
    let of = |load: &str, rate: &str| {
        let text = format!(
            "duration = \"10 s\"\n[network.dumbbell]\nrate_steps = [{{ at = \"0 s\", rate = \"{rate}\" }}, {{ at = \"20 s\", \
             rate = \"1 Mbit/s\" }}]\nrtt = \"60 ms\"\nqueue = \"50 packets\"\n[[flows]]\nkind = \"transfers\"\ncontroller = \
             \"cubic\"\nsize = \"10 kB\"\nload = {load}\n"
        );
        Scenario::from_toml(&text, "a.toml").map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(
        of("0.5", "0 bit/s"),
        "a.toml:10: flows[0].load: load = 0.5 needs a rate of each link from \"left\" to \"right\", but a \
         link on this path has the rate 0 during the whole run of 10 s (write a rate above 0, a longer duration, or \
         arrivals = { law = \"poisson\", rate = 1 })"
    );
    assert_eq!(of("0.5", "1 Mbit/s"), "");
}

/// Two pairs over satellites certainly share the links that lead to the same site or into the same beam, and no other
/// links.
#[test]
fn pairs_over_satellites_share_what_they_must() {
    let matrix = |pairs: &str, shared: &str| {
        scenario(&format!(
            "duration = \"10 s\"\n[network.constellation]\npreset = \"geo\"\n{shared}\nuplink = {{ rate = \"1 Gbit/s\" }}\ndownlink = \
             {{ rate = \"10 Mbit/s\" }}\nsites = [{{ name = \"hut\", latitude = \"46 deg\", longitude = \"9 deg\", cell = \"alps\" \
             }}, {{ name = \"inn\", latitude = \"46 deg\", longitude = \"10 deg\", cell = \"alps\" }}, {{ name = \"hub\", latitude \
             = \"40 deg\", longitude = \"9 deg\" }}, {{ name = \"hub2\", latitude = \"41 deg\", longitude = \"9 deg\" \
             }}]\n[[traffic]]\nmatrix = \"pairs\"\npairs = {pairs}\ncontroller = \"cubic\"\nkind = \"transfers\"\nsize = \"125 \
             kB\"\nload = 0.6\n"
        ))
        .overloads()
    };
    let to_both = "[[\"hub\", \"hut\"], [\"hub\", \"inn\"]]";
    // The key `shared` needs sites with a cell, and a cell needs `shared`. With only one of them, each site has its own
    // downlink.
    assert_eq!(matrix(to_both, "shared = { uplink = \"beam\" }"), Vec::<String>::new());
    let beam = matrix(to_both, "shared = { downlink = \"beam\" }");
    assert!(
        beam.len() == 1
            && beam[0].contains("to \"satellite > the cell alps\", which carries 10 Mbit/s (load 1.2)"),
        "{beam:?}"
    );
    let one = matrix("[[\"hub\", \"hut\"], [\"hub2\", \"hut\"]]", "shared = { uplink = \"beam\" }");
    assert!(one.len() == 1 && one[0].contains("to \"satellite > hut\""), "{one:?}");
}

/// A beam of 10 Mbit/s of a satellite with a total of 4 Mbit/s carries 4 Mbit/s. Half of it is 2, and three sites of a
/// cell need 6.
#[test]
fn a_beam_carries_no_more_than_its_satellite_sends() {
    let sites = |cells: [&str; 3]| {
        let site = |(place, cell): (usize, &str)| {
            format!(
                "{{ name = \"{place}\", latitude = \"46 deg\", longitude = \"{place} deg\", cell = \"{cell}\" }}"
            )
        };
        cells.into_iter().enumerate().map(site).collect::<Vec<_>>().join(", ")
    };
    let text = |cells: [&str; 3], pairs: &str| {
        format!(
            "duration = \"10 s\"\n[network.constellation]\npreset = \"geo\"\nshared = {{ downlink = \"beam\", downlink_total = \
             \"4 Mbit/s\" }}\nuplink = {{ rate = \"1 Gbit/s\" }}\ndownlink = {{ rate = \"10 Mbit/s\" }}\nsites = [{}, {{ name = \
             \"hub\", latitude = \"40 deg\", longitude = \"9 deg\" }}]\n[[traffic]]\nmatrix = \"pairs\"\npairs = {pairs}\ncontroller \
             = \"cubic\"\nkind = \"transfers\"\nsize = \"125 kB\"\nload = 0.5\n",
            sites(cells)
        )
    };
    let all = "[[\"hub\", \"0\"], [\"hub\", \"1\"], [\"hub\", \"2\"]]";
    let one = scenario(&text(["alps"; 3], all));
    assert!(near(&rates(&one), &[2.0 * 1448.0 / 1500.0; 3]), "{:?}", rates(&one));
    let said = one.overloads();
    assert!(
        said.len() == 1
            && said[0].contains(
                "offer 6 Mbit/s to \"satellite > the cell alps\", which carries 4 Mbit/s (load 1.5)"
            ),
        "{said:?}"
    );
    assert_eq!(scenario(&text(["alps", "sea", "sea"], all)).overloads(), Vec::<String>::new());
    // Sites of a cell that receive no data are also printed, because they affect the choice of its satellite.
    let first = scenario(&text(["alps", "sea", "sea"], "[[\"hub\", \"0\"]]"));
    let again = scenario(&first.to_toml(""));
    assert_eq!(again.to_toml(""), first.to_toml(""));
    assert_eq!((again.to_toml("").matches("cell = \"sea\"").count(), again.flows.len()), (2, 1));
}
