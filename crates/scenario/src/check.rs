// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks a parsed file against the JSON Schema of the format. Reports each fault with its line and key.

mod rules;

use crate::ScenarioError;
use crate::error::clipped;
use crate::preset::{self, NetworkPreset, Origin};
use crate::text::{Fraction, KINDS, TextKind, Written};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use units::{Code, UnitTable};

/// Names with at least this similarity are suggested (Jaro-Winkler similarity, 0 to 1).
const NEAR: f64 = 0.75;

/// Largest number of faults of one document that are searched for. Nobody corrects more at once, and each fault needs a
/// search for its line.
pub const MOST_FAULTS: usize = 200;

/// Parses a text into keys and values, without a schema.
///
/// # Errors
/// If the text is not valid TOML, or has more levels of tables than any scenario. The error contains the line if it is
/// known.
pub fn parse_toml(text: &str, origin: &str) -> Result<toml::Table, ScenarioError> {
    let source = Source::parse(text, origin)?;
    toml::from_str(text).map_err(|error| source.error(Code::ScenarioSyntax, "", error.message()))
}

/// Returns the lines of all keys of a TOML text, counted from 1, by the paths of the keys. For a key in an array of
/// tables, this is the line of its first occurrence.
///
/// # Errors
/// If the text is not valid TOML.
pub fn key_lines(text: &str) -> Result<BTreeMap<Vec<String>, usize>, ScenarioError> {
    let source = Source::parse(text, "")?;
    let mut lines = BTreeMap::new();
    add_lines(&mut lines, &[], source.own(), text);
    Ok(lines)
}

fn add_lines(lines: &mut BTreeMap<Vec<String>, usize>, above: &[String], table: &DeTable<'_>, text: &str) {
    for (name, value) in table {
        let path = [above, &[name.get_ref().to_string()]].concat();
        lines.entry(path.clone()).or_insert_with(|| line_of(text, &name.span()));
        let items =
            value.get_ref().as_array().into_iter().flat_map(|items| items.iter()).map(Spanned::get_ref);
        for inside in std::iter::once(value.get_ref()).chain(items).filter_map(DeValue::as_table) {
            add_lines(lines, &path, inside, text);
        }
    }
}

/// Returns the message of the TOML parser, or a clearer message if the text has too many levels of tables.
fn unreadable(said: &str) -> String {
    if said.contains("recurs") {
        "the text is nested too deeply (write keys with fewer dots, and values with fewer brackets)"
            .to_owned()
    } else {
        format!("this is not TOML: {}", said.replace('\n', ", "))
    }
}

/// Keys of single links for rate, delay or loss over time. A preset of a whole path has none of these keys.
const OF_LINKS: [&str; 5] = ["rate_steps", "trace", "delay_trace", "path_trace", "trace_end"];

/// Keys of links on which a terminal sends.
const OF_TERMINALS: [&str; 3] = ["dama", "grants", "acks"];

/// For files that a scenario names, the copies that are opened instead.
pub type Copies = BTreeMap<PathBuf, PathBuf>;

/// No copies: the files themselves are opened.
pub static NO_COPIES: Copies = Copies::new();

/// A parsed file with the positions of its keys.
#[derive(Debug)]
pub struct Source<'a> {
    pub origin: &'a str,
    pub text: &'a str,
    /// Whether the user can see the lines of the text.
    numbers_lines: bool,
    /// The effective document: the keys of the file, merged over its preset.
    tree: Spanned<DeTable<'a>>,
    /// The network preset, and the text of the file without it.
    below: Option<(&'static NetworkPreset, Spanned<DeTable<'a>>)>,
    /// Faults found so far.
    faults: RefCell<Vec<ScenarioError>>,
    /// Files named so far.
    files: RefCell<BTreeSet<PathBuf>>,
    /// Files to open instead of others.
    copies: &'a Copies,
}

impl<'a> Source<'a> {
    /// Parses a TOML text.
    pub fn parse(text: &'a str, origin: &'a str) -> Result<Self, ScenarioError> {
        Self::parse_with(text, origin, &NO_COPIES)
    }

    /// Does the same as [`Source::parse`]. If a file has a copy in `copies`, the copy is opened.
    pub fn parse_with(text: &'a str, origin: &'a str, copies: &'a Copies) -> Result<Self, ScenarioError> {
        match DeTable::parse(text) {
            Ok(own) => {
                let (tree, below) = match preset::below(&own) {
                    Some((tree, preset)) => (tree, Some((preset, own))),
                    None => (own, None),
                };
                Ok(Self {
                    origin,
                    text,
                    numbers_lines: true,
                    tree,
                    below,
                    faults: RefCell::default(),
                    files: RefCell::default(),
                    copies,
                })
            }
            Err(error) => Err(ScenarioError {
                line: error.span().map(|span| line_of(text, &span)),
                ..ScenarioError::new(Code::ScenarioSyntax, origin, "", unreadable(error.message()))
            }),
        }
    }

    /// Marks the text as generated: its own faults have no line. Faults in files that it names still have a line.
    pub fn without_lines(self) -> Self {
        Self { numbers_lines: false, ..self }
    }

    /// Reads the effective document as `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ScenarioError> {
        T::deserialize(toml::Deserializer::from(self.tree.clone()))
            .map_err(|error| self.error(Code::ScenarioWrongType, "", error.message()))
    }

    /// Returns the preset that the network comes from, if any.
    pub fn network_origin(&self) -> Option<Origin> {
        self.below.as_ref().map(|(preset, own)| Origin { preset, own: preset::own_keys(own.get_ref()) })
    }

    /// Creates an error at a key. If the key is missing, the line is that of the nearest table around it. If the preset
    /// sets the key, the line is that of the preset's name.
    pub fn error(&self, code: Code, key: &str, message: impl Into<String>) -> ScenarioError {
        let (mut span, value) = find(self.own(), key);
        let mut note = String::new();
        if let Some((preset, _)) = self.below.as_ref().filter(|_| value.is_none() && self.has(key)) {
            span = find(self.own(), "network.preset").0;
            let name = preset.name;
            note = format!(
                " (the preset \"{name}\" sets this key: write the key in the scenario to replace the \
                value)"
            );
        }
        let mut fault = ScenarioError::new(code, self.origin, key, message.into() + &note);
        fault.line = span.filter(|_| self.numbers_lines).map(|span| line_of(self.text, &span));
        fault.note = note.len() as u16;
        fault
    }

    /// Returns the text of the file without the preset.
    fn own(&self) -> &DeTable<'a> {
        self.below.as_ref().map_or(&self.tree, |(_, own)| own).get_ref()
    }

    /// Returns the value of a result. If the result is a fault, records the fault and returns `None`.
    pub fn keep<T>(&self, result: Result<T, ScenarioError>) -> Option<T> {
        result.map_err(|fault| self.faults.borrow_mut().push(fault)).ok()
    }

    /// Returns whether [`MOST_FAULTS`] faults are recorded, so that the search for faults ends.
    pub fn is_full(&self) -> bool {
        self.faults.borrow().len() >= MOST_FAULTS
    }

    /// Returns all recorded faults as an error, if there are any.
    pub fn verdict(&self) -> Result<(), ScenarioError> {
        ScenarioError::together(self.faults.take()).map_or(Ok(()), Err)
    }

    /// Combines a fault that ended reading with the recorded faults.
    pub fn with_others(&self, fault: ScenarioError) -> ScenarioError {
        self.keep::<()>(Err(fault.clone()));
        self.verdict().err().unwrap_or(fault)
    }

    /// Returns the key whose value is the name of this file.
    pub fn key_of(&self, file: &Path) -> Option<String> {
        self.key_within(self.tree.get_ref(), "", file)
    }

    fn key_within(&self, table: &DeTable<'_>, path: &str, file: &Path) -> Option<String> {
        table.iter().find_map(|(key, value)| self.key_at(value.get_ref(), join(path, key.get_ref()), file))
    }

    fn key_at(&self, value: &DeValue<'_>, path: String, file: &Path) -> Option<String> {
        match value {
            DeValue::String(text) => (self.beside(text) == file).then_some(path),
            DeValue::Table(table) => self.key_within(table, &path, file),
            DeValue::Array(items) => items
                .iter()
                .enumerate()
                .find_map(|(index, item)| self.key_at(item.get_ref(), format!("{path}[{index}]"), file)),
            _ => None,
        }
    }

    /// Returns the path to open for a file that the scenario names. The name is relative to the folder of the scenario.
    pub fn file(&self, name: &str) -> PathBuf {
        let path = self.beside(name);
        self.files.borrow_mut().insert(path.clone());
        self.copies.get(&path).cloned().unwrap_or(path)
    }

    /// Returns the files that the scenario names, sorted.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        self.files.take()
    }

    fn beside(&self, file: &str) -> PathBuf {
        Path::new(self.origin).parent().unwrap_or(Path::new("")).join(file)
    }

    /// Returns whether the file or its preset has this key.
    pub fn has(&self, key: &str) -> bool {
        find(self.tree.get_ref(), key).1.is_some()
    }

    /// Returns the preset of the network.
    fn preset(&self) -> Option<&'static NetworkPreset> {
        self.below.as_ref().map(|(preset, _)| *preset)
    }

    /// Returns whether the file itself has this key.
    fn says(&self, key: &str) -> bool {
        find(self.own(), key).1.is_some()
    }

    /// Returns whether the file or its preset limits the queue at this key, either as text or in a table.
    pub fn limits_queue(&self, key: &str) -> bool {
        self.has(&format!("{key}.limit"))
            || find(self.tree.get_ref(), key).1.is_some_and(|value| !value.is_table())
    }

    /// Returns the number of equal sites that the table at `path` describes. Without a key `count`, this is 1.
    pub fn count_at(&self, path: &str) -> usize {
        let (_, value) = find(self.tree.get_ref(), &format!("{path}.count"));
        let count = value.and_then(DeValue::as_integer).and_then(|number| number.as_str().parse().ok());
        count.unwrap_or(1)
    }

    /// Checks the whole document against the schema.
    pub fn check(&self, schema: &Json) -> Result<(), ScenarioError> {
        Checker { source: self, root: schema }.table(schema, self.tree.get_ref(), "");
        self.verdict()
    }

    /// Checks a text that replaces the value of a top-level key. The text is not in the file.
    pub fn check_instead(&self, schema: &Json, key: &str, text: &str) -> Result<(), ScenarioError> {
        let (checker, schema) = (Checker { source: self, root: schema }, &schema["properties"][key]);
        let choices = checker.choices(schema);
        let Some(choice) = choices.first() else { return Ok(()) };
        checker.text(choice, schema, text, key).map_err(|fault| ScenarioError {
            origin: Box::default(),
            line: None,
            ..fault
        })
    }
}

/// Returns the position in the text of a key, or of the longest part of its path that exists. Also returns its value if
/// the whole path exists.
fn find<'t, 'a>(tree: &'t DeTable<'a>, key: &str) -> (Option<Range<usize>>, Option<&'t DeValue<'a>>) {
    let (mut found, mut value) = (None, None::<&DeValue<'a>>);
    for step in key.split(['.', '[']) {
        let (span, inside) = if let Some(index) = step.strip_suffix(']') {
            let items = value.and_then(DeValue::as_array).zip(index.parse::<usize>().ok());
            let Some(item) = items.and_then(|(items, index)| items.get(index)) else { return (found, None) };
            (item.span(), item)
        } else {
            let table = value.map_or(Some(tree), DeValue::as_table);
            let entry = table.and_then(|table| table.iter().find(|(name, _)| name.get_ref() == step));
            let Some((name, inside)) = entry else { return (found, None) };
            (name.span(), inside)
        };
        (found, value) = (Some(span), Some(inside.get_ref()));
    }
    (found, value)
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    text[..span.start.min(text.len())].matches('\n').count() + 1
}

/// Returns the known name that is most similar to `name`, if any is similar enough. Upper and lower case are equal.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = units::beginning(name).to_lowercase();
    let scored = known.map(|candidate| (strsim::jaro_winkler(&name, &candidate.to_lowercase()), candidate));
    scored
        .filter(|&(score, _)| score >= NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

struct Checker<'a> {
    source: &'a Source<'a>,
    root: &'a Json,
}

/// Returns whether a text is within the bounds that the choices declare.
fn within(kind: &TextKind, choices: &[&Json], text: &str) -> bool {
    let Ok(Some(value)) = (kind.read)(text) else { return false };
    let bound = |name: &str| {
        let bound = choices.iter().find_map(|choice| choice[name].as_str())?;
        (kind.read)(bound).ok().flatten()
    };
    bound("x-min").is_none_or(|min| value >= min) && bound("x-max").is_none_or(|max| value <= max)
}

/// Returns the path of a key in the table at `path`.
pub fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Returns the JSON type of a TOML value.
fn type_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "string",
        DeValue::Integer(_) => "integer",
        DeValue::Float(_) => "number",
        DeValue::Boolean(_) => "boolean",
        DeValue::Datetime(_) => "datetime",
        DeValue::Array(_) => "array",
        DeValue::Table(_) => "object",
    }
}

/// Returns the value as the user wrote it, shortened if it is long.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{}\"", clipped(text)),
        DeValue::Integer(number) => clipped(number.as_str()).into_owned(),
        DeValue::Float(number) => clipped(number.as_str()).into_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(datetime) => datetime.to_string(),
        DeValue::Array(_) => "an array".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn number_of(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n as f64)
        }
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

impl<'a> Checker<'a> {
    /// Returns the schemas that a schema allows. References are resolved. `null` is omitted, because TOML has no null.
    fn choices(&self, schema: &'a Json) -> Vec<&'a Json> {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            return self.choices(&self.root["$defs"][name]);
        }
        match schema["anyOf"].as_array() {
            Some(any) => any.iter().flat_map(|choice| self.choices(choice)).collect(),
            None if schema["type"] == "null" => Vec::new(),
            None => vec![schema],
        }
    }

    fn accepts(schema: &Json, kind: &str) -> bool {
        let named = |name: &Json| name == kind || (name == "number" && kind == "integer");
        match &schema["type"] {
            Json::Array(types) => types.iter().any(named),
            // This schema allows any value.
            Json::Null => true,
            single => named(single),
        }
    }

    fn value(&self, schema: &'a Json, value: &DeValue<'_>, path: &str) -> Result<(), ScenarioError> {
        let choices = self.choices(schema);
        let kind = type_of(value);
        let Some(choice) = choices.iter().find(|choice| Self::accepts(choice, kind)) else {
            return Err(self.wrong_type(&choices, value, path));
        };
        match value {
            DeValue::String(text) => self.text(choice, schema, text, path),
            DeValue::Integer(_) | DeValue::Float(_) => self.number(choice, schema, value, path),
            DeValue::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if self.source.is_full() {
                        break;
                    }
                    let found = self.value(&choice["items"], item.get_ref(), &format!("{path}[{index}]"));
                    self.source.keep(found);
                }
                Ok(())
            }
            DeValue::Table(table) => {
                self.table(choice, table, path);
                // A table that lists only differences may be incomplete.
                if schema["x-partial"] != true {
                    self.needs(choice, table, path);
                }
                Ok(())
            }
            DeValue::Boolean(_) | DeValue::Datetime(_) => Ok(()),
        }
    }

    /// Records all faults of a table.
    fn table(&self, schema: &'a Json, table: &DeTable<'_>, path: &str) {
        let known = schema["properties"].as_object();
        for (key, value) in table {
            if self.source.is_full() {
                return;
            }
            let (name, at) = (key.get_ref(), join(path, key.get_ref()));
            if let Some(inner) = known.and_then(|known| known.get(name.as_ref())) {
                self.source.keep(self.value(inner, value.get_ref(), &at));
            } else if schema["additionalProperties"] == false {
                self.source.keep::<()>(Err(self.unknown_key(schema, name, table, path)));
            } else {
                self.source.keep(self.value(&schema["additionalProperties"], value.get_ref(), &at));
            }
        }
        if let Some(known) = known {
            let is_its_own = |key: &&str| self.source.keep(self.foreign(known, key, table, path)).is_some();
            let there = known.keys().map(String::as_str).filter(|key| table.contains_key(*key));
            let own: Vec<&str> = there.filter(is_its_own).collect();
            self.rules(schema, &own, table, path);
        }
        // If a required key is probably misspelt, do not report it as missing.
        let meant = Self::meant(schema, table);
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            if !meant.contains(&key) && !table.keys().any(|name| name.get_ref() == key) {
                let place = if path.is_empty() { "the scenario".to_owned() } else { format!("`{path}`") };
                let meaning = known.map_or("", |known| self.description(&known[key])).replace('\n', " ");
                let message = format!("{place} needs the key `{key}`: {meaning}");
                self.source.keep::<()>(Err(self.source.error(
                    Code::ScenarioMissingKey,
                    &join(path, key),
                    message.trim_end_matches(": "),
                )));
            }
        }
    }

    /// Returns the known keys for which the table's unknown keys are probably misspellings.
    fn meant(schema: &'a Json, table: &DeTable<'_>) -> Vec<&'a str> {
        let known = schema["properties"].as_object();
        let Some(known) = known.filter(|_| schema["additionalProperties"] == false) else {
            return Vec::new();
        };
        let unknown = table.keys().filter(|key| !known.contains_key(key.get_ref().as_ref()));
        unknown.filter_map(|key| nearest(key.get_ref(), known.keys().map(String::as_str))).collect()
    }

    /// Refuses a key that belongs only to tables of another kind. `x-only` names the key that determines the kind, and
    /// the values that this key must have.
    fn foreign(
        &self,
        known: &'a serde_json::Map<String, Json>,
        name: &str,
        table: &DeTable<'_>,
        path: &str,
    ) -> Result<(), ScenarioError> {
        let only = known.get(name).and_then(|key| key["x-only"].as_object());
        for (decider, owners) in only.into_iter().flatten() {
            let deciding = &known[decider];
            let default = deciding["default"].as_str();
            let word = table.get(decider.as_str()).map_or(default, |value| value.get_ref().as_str());
            let (Some(word), Some(owners)) = (word, owners.as_array()) else { continue };
            // If the word is unknown, another check reports it.
            let known_word = |choice: &&Json| {
                choice["enum"].as_array().is_none_or(|words| words.iter().any(|one| one == word))
            };
            if self.choices(deciding).iter().any(known_word) && !owners.iter().any(|owner| owner == word) {
                let kind = deciding["x-decides"].as_str().unwrap_or(decider);
                let message = format!("{kind} \"{word}\" has no key `{name}`");
                let fault = self.source.error(Code::ScenarioValue, &join(path, name), message);
                return Err(fault.fix(format!("remove `{name}`, or write {decider} = {}", owners[0])));
            }
        }
        Ok(())
    }

    fn description(&self, schema: &'a Json) -> &'a str {
        let own = schema["description"].as_str();
        own.or_else(|| self.choices(schema).first().and_then(|choice| choice["description"].as_str()))
            .unwrap_or("")
    }

    /// Searches the tables inside this table for an unknown key: for `per`, it finds `loss.per`. If several tables have
    /// such a key, a table that the document contains is preferred.
    fn below(&self, schema: &'a Json, name: &str, table: &DeTable<'_>) -> Option<String> {
        let has =
            |inner: &'a Json| self.choices(inner).iter().any(|choice| choice["properties"][name].is_object());
        let holders: Vec<&str> = schema["properties"]
            .as_object()?
            .iter()
            .filter(|(_, inner)| has(inner))
            .map(|(key, _)| key.as_str())
            .collect();
        let there = || holders.iter().find(|key| table.contains_key(**key));
        let holder = if let [single] = holders.as_slice() { single } else { there()? };
        Some(format!("{holder}.{name}"))
    }

    fn unknown_key(&self, schema: &'a Json, name: &str, table: &DeTable<'_>, path: &str) -> ScenarioError {
        let known: Vec<&str> = schema["properties"]
            .as_object()
            .map(|known| known.keys().map(String::as_str).collect())
            .unwrap_or_default();
        let place =
            if path.is_empty() { "at the top of the file".to_owned() } else { format!("in `{path}`") };
        let near = nearest(name, known.iter().copied());
        let below = self.below(schema, name, table);
        let hint = match near {
            _ if name == "delay_steps" => {
                "write extra_delay here; to use this key, describe the path as network.dumbbell, network.chain or \
                 network.star; "
                    .to_owned()
            }
            _ if name == "rate_steps" && path.starts_with("network.star.carriers") => {
                "all terminals of a carrier have the same constant rate: for rates over time, write rate_steps and a \
                 dama without carrier in each branch; "
                    .to_owned()
            }
            _ if name == "ecn" => {
                "ECN is a setting of senders: write tcp = { ecn = \"classic\" } in a flow, and choose a discipline \
                 that marks for a queue; ".to_owned()
            }
            _ if OF_TERMINALS.contains(&name) && path.starts_with("network.constellation") => {
                "this key exists only for links from sites: write it in uplink or user_link; ".to_owned()
            }
            _ if OF_LINKS.contains(&name) => {
                "to use this key, describe the path as network.dumbbell, network.chain or network.star; "
                    .to_owned()
            }
            _ if below.is_some() => below.map(|key| format!("did you mean `{key}`? ")).unwrap_or_default(),
            Some(near) => format!("did you mean `{near}`? "),
            None => String::new(),
        };
        let message = format!("unknown key `{name}` {place} ({hint}known keys: {})", known.join(", "));
        self.source
            .error(Code::ScenarioUnknownKey, &join(path, name), message)
            .value(name)
            .alternatives(known, near)
    }

    fn wrong_type(&self, choices: &[&'a Json], value: &DeValue<'_>, path: &str) -> ScenarioError {
        let key = path.rsplit('.').next().unwrap_or(path);
        let expected: Vec<String> = choices.iter().map(|choice| expectation(choice)).collect();
        // If the value is a number without a unit, the message shows it with the probable unit.
        let quantity = choices.iter().find_map(|choice| kind_of(choice));
        let write = match quantity {
            Some(kind) if kind.name == Fraction::KIND => format!("0.005 or {key} = \"{}\"", kind.example),
            Some(kind) => format!("\"{}\"", kind.example),
            None => match choices.iter().find_map(|c| c["x-write"].as_str()) {
                Some(example) => example.to_owned(),
                None => self.as_list(choices, value).unwrap_or_default(),
            },
        };
        let write = (!write.is_empty()).then(|| format!("write {key} = {write}"));
        let off =
            path.starts_with("network.") && matches!(value, DeValue::String(text) if text == preset::OFF);
        let bare = quantity.filter(|_| number_of(value).is_some());
        let (message, fix) = match bare {
            _ if off => (
                format!(
                    "\"{}\" removes a key of the network preset, but no network preset has `{key}`",
                    preset::OFF
                ),
                Some(write.map_or_else(
                    || format!("remove `{key}`"),
                    |write| format!("remove `{key}`, or {write}"),
                )),
            ),
            Some(kind) => self.without_unit(kind, choices, &shown(value), path),
            None => (
                format!("{} is not allowed here: the value must be {}", shown(value), expected.join(" or ")),
                write,
            ),
        };
        let fault = self.source.error(Code::ScenarioWrongType, path, message);
        let fault = fault.value(shown(value)).bound(expected.join(" or "));
        match fix {
            Some(fix) => fault.fix(fix),
            None => fault,
        }
    }

    /// Returns the message and the fix for a number where a quantity with a unit is required.
    fn without_unit(
        &self,
        kind: &TextKind,
        choices: &[&'a Json],
        number: &str,
        path: &str,
    ) -> (String, Option<String>) {
        let key = path.rsplit('.').next().unwrap_or(path);
        let message =
            format!("{number} has no unit: the value must be {} with its unit", with_article(kind.name));
        let table = units::units_like(kind.unit).unwrap_or_default();
        let known: Vec<&str> = table.iter().map(|&(unit, _)| unit).filter(|unit| unit.is_ascii()).collect();
        if known.len() < 2 {
            return (message, Some(format!("write {key} = \"{number} {}\"", kind.unit)));
        }
        let every = format!("units are {}", known.join(", "));
        let usual = self.usual_unit(key, choices, table).map(|unit| format!("{number} {unit}"));
        let fits = |text: &String| within(kind, choices, text);
        let fix = match usual.filter(fits) {
            Some(text) => format!("write {key} = \"{text}\"; {every}"),
            None => format!("write a unit after the number: {}", known.join(", ")),
        };
        (message, Some(fix))
    }

    /// Returns the unit in which the schema's texts give this key: in the description of its default, or in an example.
    fn usual_unit(&self, key: &str, choices: &[&'a Json], table: UnitTable) -> Option<&'static str> {
        let defaults = choices.iter().filter_map(|choice| choice["description"].as_str());
        let default =
            defaults.flat_map(|text| text.split("Default \"").skip(1)).find_map(|text| unit_of(text, table));
        default.or_else(|| {
            let start = format!("{key} = \"");
            let mut unit = None;
            each_text(self.root, &mut |text| {
                let examples = text.match_indices(&start).filter(|&(at, _)| {
                    !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
                });
                let found =
                    examples.map(|(at, _)| &text[at + start.len()..]).find_map(|rest| unit_of(rest, table));
                unit = unit.or(found);
            });
            unit
        })
    }

    /// If a list is required, returns a single value as a list.
    fn as_list(&self, choices: &[&'a Json], value: &DeValue<'_>) -> Option<String> {
        let kind = type_of(value);
        let takes = |list: &&&Json| {
            list["items"].is_object()
                && self.choices(&list["items"]).iter().any(|item| Self::accepts(item, kind))
        };
        choices.iter().find(takes)?;
        let item = if kind == "object" { "{ … }".to_owned() } else { shown(value) };
        Some(format!("[{item}]"))
    }

    /// Returns whether a word is the name of a law whose table `schema` allows.
    fn is_law(&self, schema: &Json, word: &str) -> bool {
        let is_word = |law: &&Json| {
            law["const"] == *word
                || law["enum"].as_array().is_some_and(|words| words.iter().any(|known| *known == *word))
        };
        let has = |table: &&Json| self.choices(&table["properties"]["law"]).iter().any(is_word);
        self.choices(schema).iter().any(has)
    }

    fn text(&self, choice: &'a Json, schema: &'a Json, text: &str, path: &str) -> Result<(), ScenarioError> {
        if let Some(words) = choice["enum"].as_array() {
            let words: Vec<&str> = words.iter().filter_map(Json::as_str).collect();
            if !words.contains(&text) {
                let near = nearest(text, words.iter().copied());
                let hint = near.map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
                let others = self.choices(schema).into_iter().filter(|other| !Self::accepts(other, "string"));
                let choices: Vec<_> =
                    words.into_iter().map(str::to_owned).chain(others.map(alternative)).collect();
                let message =
                    format!("\"{text}\" is not an allowed word ({hint}choices: {})", choices.join(", "));
                let fault =
                    self.source.error(Code::ScenarioValue, path, message).value(format!("\"{text}\""));
                return Err(fault.alternatives(choices.iter().map(String::as_str), near));
            }
        }
        let Some(kind) = kind_of(choice) else { return Ok(()) };
        let value = (kind.read)(text).map_err(|(code, message)| {
            if code == Code::UnitSyntax && kind.name != Fraction::KIND && text.trim().parse::<f64>().is_ok() {
                let (message, fix) = self.without_unit(kind, &[choice, schema], text.trim(), path);
                let fault = self.source.error(code, path, message).value(format!("\"{text}\""));
                let fault = fault.bound(expectation(choice));
                return fix.into_iter().fold(fault, ScenarioError::fix);
            }
            let fault = if self.is_law(schema, text) {
                let message = format!("\"{text}\" is the name of a law, not {}", with_article(kind.name));
                self.source.error(code, path, message).fix(format!("write {{ law = \"{text}\" }}"))
            } else {
                self.source.error(code, path, message)
            };
            fault.value(format!("\"{text}\"")).bound(expectation(choice))
        })?;
        // The bounds of a fraction are numbers. The user wrote percent, so show the bounds in percent.
        let percent = |name: &str| {
            let number = schema[name].as_f64().or_else(|| choice[name].as_f64())?;
            (kind.name == Fraction::KIND).then(|| format!("{} %", units::short(number * 100.0)))
        };
        let (least, most) = (percent("minimum"), percent("maximum"));
        let bound = |name: &str| schema[name].as_str().or_else(|| choice[name].as_str());
        let (min, max) = (bound("x-min").or(least.as_deref()), bound("x-max").or(most.as_deref()));
        let at = |bound: Option<&str>| bound.and_then(|bound| (kind.read)(bound).ok().flatten());
        let below = value.zip(at(min)).is_some_and(|(value, min)| value < min);
        let above = value.zip(at(max)).is_some_and(|(value, max)| value > max);
        if below || above {
            let way = if below { "too small" } else { "too large" };
            return Err(self.out_of_bounds(&format!("\"{text}\""), way, min, max, path));
        }
        Ok(())
    }

    fn number(
        &self,
        choice: &Json,
        schema: &Json,
        value: &DeValue<'_>,
        path: &str,
    ) -> Result<(), ScenarioError> {
        let bound = |name: &str| choice[name].as_f64().or_else(|| schema[name].as_f64());
        let (min, max) = (bound("minimum"), bound("maximum"));
        let way = match number_of(value).filter(|number| number.is_finite()) {
            None => "not a finite number",
            Some(number) if min.is_some_and(|min| number < min) => "too small",
            Some(number) if max.is_some_and(|max| number > max) => "too large",
            Some(_) => return Ok(()),
        };
        let text = |bound: Option<f64>| bound.map(units::short);
        let fault = self.out_of_bounds(&shown(value), way, text(min).as_deref(), text(max).as_deref(), path);
        // A number above 1 was probably meant as percent.
        let percent = number_of(value).filter(|number| (1.0..=100.0).contains(number));
        let percent = percent.filter(|number| {
            kind_of(choice).is_some_and(|kind| kind.name == Fraction::KIND)
                && max.is_some_and(|max| number / 100.0 <= max)
        });
        match percent {
            Some(number) if way == "too large" => {
                Err(fault.fix(format!("write \"{} %\" or {}", shown(value), units::short(number / 100.0))))
            }
            _ => Err(fault),
        }
    }

    fn out_of_bounds(
        &self,
        value: &str,
        way: &str,
        min: Option<&str>,
        max: Option<&str>,
        path: &str,
    ) -> ScenarioError {
        let range = match (min, max) {
            (Some(min), Some(max)) => format!("within {min} and {max}"),
            (Some(min), None) => format!("at least {min}"),
            (None, Some(max)) => format!("at most {max}"),
            (None, None) => "finite".to_owned(),
        };
        let message = match (min, max) {
            (None, None) => format!("{value} is {way}"),
            _ => format!("{value} is {way}: it must be {range}"),
        };
        self.source.error(Code::ScenarioValue, path, message).value(value).bound(range)
    }
}

fn kind_of(schema: &Json) -> Option<&'static TextKind> {
    let format = schema["format"].as_str()?;
    KINDS.iter().find(|kind| kind.name == format)
}

/// Returns the unit of the quantity at the start of a text. The quantity ends at the next quotation mark.
fn unit_of(text: &str, table: UnitTable) -> Option<&'static str> {
    let (_, unit) = units::split(text.split('"').next()?);
    table.iter().map(|&(known, _)| known).find(|known| *known == unit.trim())
}

/// Calls `look` with every text in a JSON value, in order.
fn each_text<'j>(json: &'j Json, look: &mut impl FnMut(&'j str)) {
    match json {
        Json::String(text) => look(text),
        Json::Array(items) => items.iter().for_each(|item| each_text(item, look)),
        Json::Object(keys) => keys.values().for_each(|value| each_text(value, look)),
        _ => {}
    }
}

fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// Returns the values that are allowed instead of a word, as text.
fn alternative(schema: &Json) -> String {
    match (schema["type"].as_str(), schema["x-write"].as_str()) {
        (Some("boolean"), _) => "true, false".to_owned(),
        (_, Some(example)) => example.to_owned(),
        _ => expectation(schema),
    }
}

/// Returns the required type of value as text.
fn expectation(schema: &Json) -> String {
    if let Some(kind) = kind_of(schema) {
        if kind.name == Fraction::KIND {
            return format!("a number, or {} in percent", with_article(kind.name));
        }
        return format!("{} with its unit", with_article(kind.name));
    }
    if schema["enum"].is_array() {
        return "a word".to_owned();
    }
    let single = match &schema["type"] {
        Json::Array(types) => types.first().and_then(Json::as_str),
        single => single.as_str(),
    };
    match single {
        Some("integer") => "a whole number",
        Some("number") => "a number",
        Some("boolean") => "true or false",
        Some("array") => "an array",
        Some("object") => "a table",
        _ => "text",
    }
    .to_owned()
}
