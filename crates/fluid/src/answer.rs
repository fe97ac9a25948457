// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a model answers: columns, facts, notes, and how to draw them.

use crate::parameter::Parameter;

/// Columns of equal length, single numbers, what a reader must know, and which columns make a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// What was computed with, as the model declares it.
    pub parameters: Vec<(&'static Parameter, Vec<f64>)>,
    /// The table.
    pub columns: Vec<Column>,
    /// Single numbers; the unit stands at the end of each name.
    pub facts: Vec<(String, f64)>,
    /// Contradictions, readings, limits: whole sentences.
    pub notes: Vec<String>,
    /// The picture.
    pub panels: Vec<Panel>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, with the unit at its end.
    pub name: &'static str,
    /// What it is, for axes and legends.
    pub label: &'static str,
    /// The cells.
    pub cells: Cells,
}

/// Cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Numbers; `None` where there is none.
    Numbers(Vec<Option<f64>>),
    /// Words.
    Words(Vec<String>),
}

/// One of the pictures side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What it shows.
    pub title: &'static str,
    /// The column on the horizontal axis.
    pub x: &'static str,
    /// The columns drawn against it.
    pub y: Vec<&'static str>,
    /// Name of the vertical axis, with its unit.
    pub y_label: &'static str,
    /// The column by which rows are put into one curve each.
    pub by: Option<&'static str>,
    /// Horizontal axis.
    pub x_scale: Scale,
    /// Vertical axis.
    pub y_scale: Scale,
    /// How values are drawn.
    pub marks: Marks,
}

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal factors.
    Logarithmic,
}

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// A line through them.
    Line,
    /// Bars side by side.
    Bars,
}

impl Answer {
    /// Adds a column of numbers.
    pub(crate) fn numbers(
        &mut self,
        name: &'static str,
        label: &'static str,
        cells: impl IntoIterator<Item = f64>,
    ) {
        self.some_numbers(name, label, cells.into_iter().map(Some));
    }

    /// Adds a column of numbers of which some are missing.
    pub(crate) fn some_numbers(
        &mut self,
        name: &'static str,
        label: &'static str,
        cells: impl IntoIterator<Item = Option<f64>>,
    ) {
        self.columns.push(Column { name, label, cells: Cells::Numbers(cells.into_iter().collect()) });
    }

    /// Adds a column of words.
    pub(crate) fn words<W: Into<String>>(
        &mut self,
        name: &'static str,
        label: &'static str,
        cells: impl IntoIterator<Item = W>,
    ) {
        let words = cells.into_iter().map(Into::into).collect();
        self.columns.push(Column { name, label, cells: Cells::Words(words) });
    }

    /// Adds a fact.
    pub(crate) fn fact(&mut self, name: impl Into<String>, value: f64) {
        self.facts.push((name.into(), value));
    }

    /// Adds a note.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Adds a panel.
    pub(crate) fn panel(&mut self, panel: Panel) {
        self.panels.push(panel);
    }
}

impl Panel {
    /// Lines of the columns `y` over the column `x`, on linear axes.
    pub(crate) fn lines(
        title: &'static str,
        x: &'static str,
        y: impl Into<Vec<&'static str>>,
        y_label: &'static str,
    ) -> Self {
        let (x_scale, y_scale) = (Scale::Linear, Scale::Linear);
        Self { title, x, y: y.into(), y_label, by: None, x_scale, y_scale, marks: Marks::Line }
    }

    /// Bars of the columns `y` at the words or numbers of the column `x`.
    pub(crate) fn bars(
        title: &'static str,
        x: &'static str,
        y: impl Into<Vec<&'static str>>,
        y_label: &'static str,
    ) -> Self {
        Self { marks: Marks::Bars, ..Self::lines(title, x, y, y_label) }
    }

    /// One curve for each value of the column `by`.
    pub(crate) fn by(self, by: &'static str) -> Self {
        Self { by: Some(by), ..self }
    }

    /// Logarithmic horizontal axis.
    pub(crate) fn log_x(self) -> Self {
        Self { x_scale: Scale::Logarithmic, ..self }
    }

    /// Logarithmic vertical axis.
    pub(crate) fn log_y(self) -> Self {
        Self { y_scale: Scale::Logarithmic, ..self }
    }
}
