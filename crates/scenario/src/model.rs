// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the visits of applications.

use crate::ScenarioError;
use crate::application::kind_of;
use crate::check::Source;
use crate::format::{
    self, ChoiceWord, Counts, Page, PageName, PageObject, PageObjects, PageTable, ProtocolWord, Sizes, Times,
    Video,
};
use crate::text::{Fraction, Q};
use crate::words::{W, Word};
use traffic::{
    Choice, ExchangeModel, FilmModel, Law, Model, Object, Objects, PageModel, Protocol, Tls, TrafficError,
};
use units::{Code, Span};

/// Largest number of connections of a browser to one host over HTTP/1.1.
const CONNECTIONS: u8 = 6;
/// Length of a video in seconds. This is our choice.
const LENGTH_S: f64 = 600.0;

/// Returns an empty model, for a flow with recorded faults.
pub fn none() -> Model {
    Model::Transfer { size: Law::Constant(1.0) }
}

/// Reads the page at `path`.
pub fn page(text: Option<Page>, source: &Source<'_>, path: &str) -> Result<Model, ScenarioError> {
    let table = match text {
        None => PageTable::default(),
        Some(Page::Name(name)) => PageTable { preset: Some(name), ..PageTable::default() },
        Some(Page::Table(table)) => *table,
    };
    let at = |key: &str| format!("{path}.{key}");
    let error = |code, key: &str, message: String| source.error(code, &at(key), message);
    let sizes = |key: &str, law: Option<Sizes>| law.map(|law| law.read(source, &at(key))).transpose();
    let drawn = [
        ("first", table.first.is_some()),
        ("size", table.size.is_some()),
        ("stages", table.stages.is_some()),
    ];
    let drawn = drawn.into_iter().find(|(_, there)| *there);
    let (first, size) = (sizes("first", table.first)?, sizes("size", table.size)?);
    let others = match table.objects {
        Some(PageObjects::Always(number)) => Ok(Law::Constant(number)),
        Some(PageObjects::Table(law)) => Ok(law.read(source, &at("objects"))?),
        Some(PageObjects::Listed(objects)) => Err(Some(objects)),
        None => Err(None),
    };
    if let (Some(_), Ok(_)) = (table.preset, &others) {
        let message = "a built-in page has its own objects (remove `preset`, or `objects`)".to_owned();
        return Err(error(Code::ScenarioValue, "preset", message));
    }
    let objects = match (others, drawn) {
        (Err(listed), Some((key, _))) => {
            let whose = if listed.is_some() {
                "a list of objects already contains the size of each object"
            } else {
                "a built-in page has its own objects"
            };
            let message = format!("`{key}` has no effect, because {whose}");
            let fix = if listed.is_some() {
                "replace the list of objects by a number"
            } else {
                "add a number of objects"
            };
            let fix = format!("remove `{key}`, or {fix}, such as objects = 70");
            return Err(error(Code::ScenarioValue, key, message).fix(fix));
        }
        (Err(Some(listed)), None) => Objects::Listed(listed.into_iter().map(object).collect()),
        (Err(None), None) => {
            let name = table.preset.map_or(PageName::Median2024, |name| name.0);
            let named = PageModel::named(name.word());
            named.map_or_else(|| Objects::Listed(Vec::new()), |page| page.objects)
        }
        (Ok(others), _) => {
            let Some(size) = size else {
                let message =
                    "a page with a number of `objects` also needs their `size` (write size = \"25 kB\", or a distribution)".to_owned();
                return Err(error(Code::ScenarioMissingKey, "size", message));
            };
            Objects::Drawn {
                first: first.unwrap_or_else(|| size.clone()),
                others,
                size,
                stages: table.stages.unwrap_or(1),
            }
        }
    };
    let whole = PageModel::of(objects);
    let page = PageModel {
        protocol: match table.protocol.map(|word| word.0) {
            Some(ProtocolWord::Http1) => {
                Protocol::Http1 { connections: table.connections.unwrap_or(CONNECTIONS) }
            }
            Some(ProtocolWord::Http2Interleaved) => Protocol::Http2Interleaved,
            Some(ProtocolWord::Http2) | None => whole.protocol,
        },
        request: table.request.map_or(whole.request, |q| q.0),
        wait: table.wait.map_or(whole.wait, |q| q.0),
        ..whole
    };
    page.check().map_err(|fault| {
        let key = match fault {
            TrafficError::Connections { .. } => at("connections"),
            TrafficError::Circle { .. }
            | TrafficError::ObjectUnknown { .. }
            | TrafficError::ObjectTwice { .. } => at("objects"),
            _ => path.to_owned(),
        };
        source.error(Code::ScenarioValue, &key, fault.to_string())
    })?;
    Ok(Model::Page(page))
}

fn object(text: PageObject) -> Object {
    Object {
        name: text.name,
        size: text.size.0,
        after: text.after.unwrap_or_default(),
        think: text.think.map_or(Span::ZERO, |q| q.0),
    }
}

/// Returns a page whose objects are streams of one QUIC connection, from the page at `path`. The browser requests every
/// known object at once, and objects arrive independently of each other.
///
/// # Errors
/// If the text contains the key `protocol`, because QUIC replaces it.
pub fn over_streams(page: Model, source: &Source<'_>, path: &str) -> Result<Model, ScenarioError> {
    let place = format!("{path}.protocol");
    if source.has(&place) {
        let message = "`protocol` has no effect with transport = \"quic\": each object uses a stream of one QUIC connection";
        return Err(source.error(Code::ScenarioValue, &place, message).fix("remove `protocol`"));
    }
    Ok(match page {
        // With this protocol, answers can be complete in any order.
        Model::Page(page) => Model::Page(PageModel { protocol: Protocol::Http2Interleaved, ..page }),
        other => other,
    })
}

pub fn film(text: Video, source: &Source<'_>, path: &str) -> Result<Model, ScenarioError> {
    let at = |key: &str| format!("{path}.{key}");
    let length = text.length.map(|length| length.read(source, &at("length"))).transpose()?;
    let common = FilmModel::of(length.unwrap_or(Law::Constant(LENGTH_S)));
    let segment = text.segment.map_or(common.segment, |q| q.0);
    let buffer = text.buffer.map_or(common.buffer, |q| q.0);
    let startup = text.startup.map_or(segment * 2, |q| q.0);
    let choice = match (text.choice.map_or(ChoiceWord::Buffer, |word| word.0), Choice::BBA_0, Choice::RATE) {
        (ChoiceWord::Buffer, Choice::Buffer { reservoir, cushion }, _) => {
            let part = |of: Span| buffer.mul_f64(of.secs_f64() / common.buffer.secs_f64());
            Choice::Buffer {
                reservoir: text.reservoir.map_or_else(|| part(reservoir), |q| q.0),
                cushion: text.cushion.map_or_else(|| part(cushion), |q| q.0),
            }
        }
        (_, _, Choice::Rate { segments, safety }) => Choice::Rate {
            segments: text.segments.unwrap_or(segments),
            safety: text.safety.map_or(safety, |safety| safety.0),
        },
        (_, _, Choice::Buffer { .. }) => {
            unreachable!("a player with choice \"rate\" uses `segments` and `safety`")
        }
    };
    let film = FilmModel {
        ladder: text.ladder.map_or(common.ladder, |ladder| ladder.into_iter().map(|q| q.0).collect()),
        segment,
        length: common.length,
        startup,
        resume: text.resume.map_or(startup, |q| q.0),
        buffer,
        choice,
    };
    film.check().map_err(|fault| {
        let key = match &fault {
            TrafficError::LadderEmpty => at("ladder"),
            TrafficError::LadderFalls { rung, .. } => format!("{path}.ladder[{}]", rung.saturating_sub(1)),
            TrafficError::Buffer { what, .. } => at(what.split(' ').next().unwrap_or(what)),
            _ => path.to_owned(),
        };
        source.error(Code::ScenarioValue, &key, fault.to_string())
    })?;
    Ok(Model::Film(film))
}

/// Reads the requests and answers at `path`.
pub fn exchange(text: format::Request, source: &Source<'_>, path: &str) -> Result<Model, ScenarioError> {
    let at = |key: &str| format!("{path}.{key}");
    let times = |key: &str, law: Option<Times>| law.map(|law| law.read(source, &at(key))).transpose();
    let request = text.size.map(|size| size.read(source, &at("size"))).transpose()?;
    let count = text.count.map(|count| count.read(source, &at("count"))).transpose()?;
    let exchange = ExchangeModel {
        request: request.unwrap_or(Law::Constant(traffic::REQUEST.get() as f64)),
        answer: text.answer.read(source, &at("answer"))?,
        wait: times("wait", text.wait)?.unwrap_or(Law::Constant(0.0)),
        count: count.unwrap_or(Law::Constant(1.0)),
        think: times("think", text.think)?.unwrap_or(Law::Constant(0.0)),
    };
    exchange.check().map_err(|fault| source.error(Code::ScenarioValue, path, fault.to_string()))?;
    Ok(Model::Exchange(exchange))
}

/// Adds TLS to a model, if the flow uses it.
pub fn secured(model: Model, text: Option<format::Tls>) -> Model {
    let table = match text {
        None | Some(format::Tls::Switch(false)) => return model,
        Some(format::Tls::Switch(true)) => format::TlsTable::default(),
        Some(format::Tls::Table(table)) => table,
    };
    let common = Tls::COMMON;
    let tls = Tls {
        hello: table.hello.map_or(common.hello, |q| q.0),
        answer: table.answer.map_or(common.answer, |q| q.0),
        wait: table.wait.map_or(common.wait, |q| q.0),
    };
    Model::Secured { tls, inner: Box::new(model) }
}

/// Returns why a visit has no mean size.
pub fn why_no_mean(model: &Model) -> &'static str {
    match model {
        Model::Film(_) => "the sizes of a video's segments depend on the network",
        Model::Secured { inner, .. } => why_no_mean(inner),
        _ => "a Pareto law of shape 1 or less has no mean (set `most`, or a shape above 1)",
    }
}

/// Returns the keys of a flow's table that describe its visits.
pub fn write(model: &Model) -> format::Flow {
    let kind = Some(kind_of(model));
    let none = format::Flow { kind, ..format::Flow::default() };
    match model {
        Model::Transfer { size } => format::Flow { size: Some(Sizes::of(size)), ..none },
        Model::Page(page) => format::Flow { page: Some(Page::Table(Box::new(page_table(page)))), ..none },
        Model::Film(film) => format::Flow { video: Some(video(film)), ..none },
        Model::Exchange(exchange) => {
            let request = format::Request {
                size: Some(Sizes::of(&exchange.request)),
                answer: Sizes::of(&exchange.answer),
                wait: Some(Times::of(&exchange.wait)),
                count: Some(Counts::of(&exchange.count)),
                think: Some(Times::of(&exchange.think)),
            };
            format::Flow { request: Some(request), ..none }
        }
        Model::Secured { tls, inner } => {
            let table = format::TlsTable {
                hello: Some(Q(tls.hello)),
                answer: Some(Q(tls.answer)),
                wait: Some(Q(tls.wait)),
            };
            format::Flow { tls: Some(format::Tls::Table(table)), ..write(inner) }
        }
    }
}

fn page_table(page: &PageModel) -> PageTable {
    let (protocol, connections) = match page.protocol {
        Protocol::Http1 { connections } => (ProtocolWord::Http1, Some(connections)),
        Protocol::Http2 => (ProtocolWord::Http2, None),
        Protocol::Http2Interleaved => (ProtocolWord::Http2Interleaved, None),
    };
    let whole = PageTable {
        protocol: Some(W(protocol)),
        connections,
        request: Some(Q(page.request)),
        wait: Some(Q(page.wait)),
        ..PageTable::default()
    };
    let named =
        |name: &&PageName| PageModel::named(name.word()).is_some_and(|named| named.objects == page.objects);
    match &page.objects {
        Objects::Listed(_) if PageName::ALL.iter().any(|name| named(&name)) => {
            PageTable { preset: PageName::ALL.iter().find(named).copied().map(W), ..whole }
        }
        Objects::Listed(objects) => {
            let object = |object: &Object| PageObject {
                name: object.name.clone(),
                size: Q(object.size),
                after: (!object.after.is_empty()).then(|| object.after.clone()),
                think: Some(Q(object.think)),
            };
            PageTable { objects: Some(PageObjects::Listed(objects.iter().map(object).collect())), ..whole }
        }
        Objects::Drawn { first, others, size, stages } => PageTable {
            objects: Some(PageObjects::of(others)),
            first: Some(Sizes::of(first)),
            size: Some(Sizes::of(size)),
            stages: Some(*stages),
            ..whole
        },
    }
}

fn video(film: &FilmModel) -> Video {
    let whole = Video {
        ladder: Some(film.ladder.iter().copied().map(Q).collect()),
        segment: Some(Q(film.segment)),
        length: Some(Times::of(&film.length)),
        startup: Some(Q(film.startup)),
        resume: Some(Q(film.resume)),
        buffer: Some(Q(film.buffer)),
        choice: None,
        reservoir: None,
        cushion: None,
        segments: None,
        safety: None,
    };
    match film.choice {
        Choice::Buffer { reservoir, cushion } => Video {
            choice: Some(W(ChoiceWord::Buffer)),
            reservoir: Some(Q(reservoir)),
            cushion: Some(Q(cushion)),
            ..whole
        },
        Choice::Rate { segments, safety } => Video {
            choice: Some(W(ChoiceWord::Rate)),
            segments: Some(segments),
            safety: Some(Fraction(safety)),
            ..whole
        },
    }
}
