// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sizes in a traffic matrix: cells of the column `size`, and flows that can have a size.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::FlowKind;
use crate::format::{Sizes, SizesTable};
use crate::law::SizeLaw;
use crate::text::{Q, Written};
use crate::words::Word;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;
use std::sync::LazyLock;
use traffic::{Law, Model};
use units::{Bytes, Code};

/// Reads a cell: a quantity (`100 kB`), the name of a measured law (`web-search`), or the table of a law as in
/// scenarios.
pub fn cell(text: &str) -> Result<Sizes, (Code, String)> {
    /// A cell in the form of a scenario.
    #[derive(Deserialize, JsonSchema)]
    struct Row {
        size: SizesTable,
    }
    static SCHEMA: LazyLock<Json> = LazyLock::new(|| schemars::schema_for!(Row).to_value());
    let is_name = SizeLaw::ALL.iter().any(|law| law.word() == text);
    let table = if is_name { format!("{{ law = \"{text}\" }}") } else { text.to_owned() };
    if !table.starts_with('{') {
        return Bytes::read(text).map(|size| Sizes::Always(Q(size)));
    }
    let line = format!("size = {table}");
    let row: Result<Row, _> = Source::parse(&line, "").and_then(|source| {
        source.check(&SCHEMA)?;
        source.read()
    });
    row.map(|row| Sizes::Table(row.size)).map_err(|error| {
        let why = error.message();
        let example = "{ law = 'exponential', mean = '100 kB' }";
        (Code::ScenarioValue, format!("cannot read the law {text}: {why} (write \"{example}\")"))
    })
}

/// Gives a flow of a matrix the size of its row.
pub fn set(kind: &mut FlowKind, size: &Sizes, source: &Source<'_>) -> Result<(), (Code, String)> {
    match (kind, size) {
        (FlowKind::Tcp { transfer, .. } | FlowKind::Quic { transfer, .. }, Sizes::Always(Q(size))) => {
            *transfer = tcp::Transfer::Finite(*size);
            Ok(())
        }
        (FlowKind::Tcp { .. } | FlowKind::Quic { .. }, Sizes::Table(_)) => Err((
            Code::ScenarioValue,
            "the flow is one connection and has one size, not a law of sizes (write 10 MB, or kind = \"transfers\")"
                .to_owned(),
        )),
        (FlowKind::Application { model, .. }, size) => {
            let Some(law) = of_transfer(model) else { return Err(of_another_kind()) };
            let read = size.clone().read(source, "size").map_err(|error| message_of(&error))?;
            if read == Law::Constant(0.0) {
                let message = "a transfer needs at least one byte (write 1 B or more, or remove the row)";
                return Err((Code::ScenarioValue, message.to_owned()));
            }
            *law = read;
            Ok(())
        }
        _ => Err(of_another_kind()),
    }
}

fn of_another_kind() -> (Code, String) {
    let message = "in a traffic matrix, only flows of kind \"tcp\" or \"transfers\" can have a size (leave the cell in \
                   column `size` empty for other kinds)";
    (Code::ScenarioValue, message.to_owned())
}

/// Returns the message for a fault in a law. If the fault is in a file, the message contains the file.
fn message_of(error: &ScenarioError) -> (Code, String) {
    let is_file = error.line.is_some() || error.key.is_empty();
    let place =
        if is_file && !error.origin.is_empty() { format!("{}: ", error.origin) } else { String::new() };
    (error.code, format!("{place}{}", error.message))
}

fn of_transfer(model: &mut Model) -> Option<&mut Law> {
    match model {
        Model::Transfer { size } => Some(size),
        Model::Secured { inner, .. } => of_transfer(inner),
        Model::Page(_) | Model::Film(_) | Model::Exchange(_) => None,
    }
}
