//! temporary
use sim::Options;
use units::{Span, Time};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let mut s = scenario::Scenario::from_toml(&text, &a[1]).unwrap();
    if a.len() > 3 {
        s.duration = a[3].parse().unwrap();
    }
    let mut o = Options::of(&s);
    o.interval = Some(Span::from_millis(500));
    o.events = true;
    if a.len() > 4 {
        let at = |x: &str| Time::ZERO + x.parse::<Span>().unwrap();
        o.packets = Some(scenario::Window { from: at(&a[4]), to: at(&a[5]) });
    }
    let out = match sim::run(&s, &o) {
        Ok(o) => o,
        Err(e) => {
            println!("ERR {e}");
            return;
        }
    };
    let f = record::RunFolder::create(std::path::Path::new(&a[2])).unwrap();
    f.scenario(&text).unwrap();
    f.tables(&out.tables.finish(&out.summary.provenance)).unwrap();
    f.finish(&out.summary).unwrap();
}
