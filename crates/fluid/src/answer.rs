// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answer of a model: columns, facts, notes and panels.

use crate::parameter::Parameter;

/// The result of a model: a table of columns of equal length, single numbers, notes for the reader, and panels that
/// plot columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The values of all parameters.
    pub parameters: Vec<(&'static Parameter, Vec<f64>)>,
    /// Columns of the table.
    pub columns: Vec<Column>,
    /// Single numbers. Each name ends with its unit.
    pub facts: Vec<(String, f64)>,
    /// Notes in whole sentences: contradictions, readings and limits.
    pub notes: Vec<String>,
    /// Plots.
    pub panels: Vec<Panel>,
}

/// A column of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, which ends with the unit.
    pub name: &'static str,
    /// Label for axes and legends.
    pub label: &'static str,
    /// Cells.
    pub cells: Cells,
}

/// Cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Numbers; `None` for a missing number.
    Numbers(Vec<Option<f64>>),
    /// Words.
    Words(Vec<String>),
}

/// A plot. The panels of an answer are shown side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Title.
    pub title: &'static str,
    /// Name of the column on the horizontal axis.
    pub x: &'static str,
    /// Names of the columns that are drawn against `x`.
    pub y: Vec<&'static str>,
    /// Label of the vertical axis, with its unit.
    pub y_label: &'static str,
    /// Name of the column that groups the rows. Each of its values has a separate curve.
    pub by: Option<&'static str>,
    /// Scale of the horizontal axis.
    pub x_scale: Scale,
    /// Scale of the vertical axis.
    pub y_scale: Scale,
    /// How values are drawn.
    pub marks: Marks,
}

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Linear scale.
    Linear,
    /// Logarithmic scale.
    Logarithmic,
}

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// A line through the values.
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

    /// Adds a column of numbers, some of which are missing.
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
    /// Creates a panel with lines of the columns `y` over the column `x`, on linear axes.
    pub(crate) fn lines(
        title: &'static str,
        x: &'static str,
        y: impl Into<Vec<&'static str>>,
        y_label: &'static str,
    ) -> Self {
        let (x_scale, y_scale) = (Scale::Linear, Scale::Linear);
        Self { title, x, y: y.into(), y_label, by: None, x_scale, y_scale, marks: Marks::Line }
    }

    /// Creates a panel with bars of the columns `y`, one group for each cell of the column `x`.
    pub(crate) fn bars(
        title: &'static str,
        x: &'static str,
        y: impl Into<Vec<&'static str>>,
        y_label: &'static str,
    ) -> Self {
        Self { marks: Marks::Bars, ..Self::lines(title, x, y, y_label) }
    }

    /// Draws a separate curve for each value of the column `by`.
    pub(crate) fn by(self, by: &'static str) -> Self {
        Self { by: Some(by), ..self }
    }

    /// Makes the horizontal axis logarithmic.
    pub(crate) fn log_x(self) -> Self {
        Self { x_scale: Scale::Logarithmic, ..self }
    }

    /// Makes the vertical axis logarithmic.
    pub(crate) fn log_y(self) -> Self {
        Self { y_scale: Scale::Logarithmic, ..self }
    }
}
