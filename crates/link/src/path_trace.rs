// SPDX-License-Identifier: MIT OR Apache-2.0
//! Path traces: rate, one-way delay and loss over time in one CSV file.
//!
//! The values of a row apply until the time of the next row. They change in steps, without interpolation. The header
//! names the columns in any order. There must be a column `time_s` and at least one of `rate_mbit_s`, `delay_ms` and
//! `loss_ratio`. Lines that begin with `#` are comments.
//!
//! Tables of `bentpipe path --csv` and `bentpipe.path_trace` can also be read. In these tables, cells are empty while
//! no path exists. In such rows, every packet is lost, and rate and delay keep their values.

use crate::chance::is_open;
use crate::mahimahi::TraceError;
use crate::service::ServiceError;
use crate::{Piece, RateSchedule};
use csvfile::{Row as Cells, Rows};
use std::sync::Arc;
use units::{Rate, Span, Time};

/// Largest number of steps. More steps are probably a mistake, and would take too much memory.
const MAX_STEPS: usize = 10_000_000;

/// What happens at the end of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceEnd {
    /// The trace is repeated. A path trace is repeated from the time of its last row on. The values of the last row are
    /// not used.
    Wrap,
    /// The values of the last row hold forever.
    Hold,
    /// The link stops carrying packets. For a path trace, this happens at the time of its last row. The values of the
    /// last row are not used.
    Stop,
}

impl TraceEnd {
    /// All variants.
    pub const ALL: &'static [Self] = &[Self::Wrap, Self::Hold, Self::Stop];

    /// The name of this variant in scenarios.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Wrap => "wrap",
            Self::Hold => "hold",
            Self::Stop => "stop",
        }
    }
}

/// A path trace, prepared for a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathTrace {
    /// Rate over time, if the file has rates.
    pub rate: Option<TraceRate>,
    /// Delay over time, if the file has delays. Each entry applies from its time on, and the first entry is at time
    /// zero.
    pub delay: Option<Arc<[(Time, Span)]>>,
    /// Probability of loss over time, if the file has losses. Each entry applies from its time on.
    pub loss: Option<Arc<[(Time, f64)]>>,
    /// The time of the last row.
    pub lasts: Span,
}

impl PathTrace {
    /// Whether at some time the trace loses some packets and delivers others.
    pub fn draws(&self) -> bool {
        let Self { rate: _, delay: _, loss, lasts: _ } = self;
        loss.iter().any(|steps| steps.iter().any(|&(_, probability)| is_open(probability)))
    }
}

/// Rate over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceRate {
    /// Unlimited rate: transmission takes no time.
    Unlimited,
    /// Rate that changes in steps.
    Steps(RateSchedule),
}

/// The names of the columns, in the order of output.
pub const COLUMNS: [&str; 4] = ["time_s", "rate_mbit_s", "delay_ms", "loss_ratio"];
/// The cell text that means an unlimited rate.
pub const UNLIMITED: &str = "unlimited";

/// Largest value of each column: 30 days, 1 Tbit/s (the limit of schedules), 1 h (the limit of all delays), and a loss
/// ratio of 1. [`UNITS`] contains the factors that convert a value to nanoseconds, bit/s, nanoseconds, and a ratio.
const MOST: [f64; 4] = [2_592_000.0, 1e6, 3.6e6, 1.0];
const UNITS: [f64; 4] = [1e9, 1e6, 1e6, 1.0];

/// A row: time in nanoseconds, rate in bit/s, delay in nanoseconds, loss ratio.
type Row = [Option<f64>; 4];

/// The meaning of a column of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// A column of [`COLUMNS`], by its index.
    Of(usize),
    /// The share of time without a path. `bentpipe.path_trace` writes this column.
    Outage,
    /// One end of the path. `bentpipe path` writes this column. Its value must be the same in every row.
    End,
    /// Any other column of `bentpipe path`. These columns are not used.
    Beside,
}

/// Columns of the tables that Bentpipe writes, and how a path trace uses each column.
const WRITTEN: [(&str, Column); 14] = [
    ("outage_ratio", Column::Outage),
    ("one_way_delay_ms", Column::Of(2)),
    ("from", Column::End),
    ("to", Column::End),
    ("links", Column::Beside),
    ("propagation_rtt_ms", Column::Beside),
    ("rtt_rate_us_s", Column::Beside),
    ("uplink_ms", Column::Beside),
    ("isl_ms", Column::Beside),
    ("downlink_ms", Column::Beside),
    ("via", Column::Beside),
    ("nodes", Column::Beside),
    ("hop_km", Column::Beside),
    ("hop_doppler_ppm", Column::Beside),
];

/// Reads a path trace for a run that lasts `until`.
///
/// # Errors
/// If a line is not a row, if the times do not start at zero and increase, if a value is out of bounds, or if packets
/// would wait forever.
pub fn read(text: &str, end: TraceEnd, until: Span) -> Result<PathTrace, TraceError> {
    let mut rows = Rows::of(text);
    let head = rows.head(&COLUMNS.join(",")).map_err(or_import)?;
    let (order, written) = columns(&head).map_err(|why| TraceError::at(head.line, why)).map_err(or_import)?;
    let mut table = Table { rows: Vec::new(), there: [false; 4], unlimited: None, written, ends: Vec::new() };
    for column in &order {
        match column {
            Column::Of(column) => table.there[*column] = true,
            Column::Outage => table.there[3] = true,
            Column::End | Column::Beside => {}
        }
    }
    // In rows without a path, every packet is lost, so the table has a loss.
    table.there[3] |= written;
    for row in rows {
        let row = row?;
        table.push(&row, &order).map_err(|why| TraceError::at(row.line, why))?;
    }
    table.laid(end, until).map_err(|why| TraceError { line: None, why })
}

/// Adds a hint to a fault in the header: `bentpipe import` converts the files of other tools.
fn or_import(fault: TraceError) -> TraceError {
    if fault.line.is_none() {
        return fault;
    }
    let why = format!("{}; `bentpipe import` converts measurements of other tools to path traces", fault.why);
    TraceError { why, ..fault }
}

/// Returns the column at each position of the header, and whether Bentpipe has written the table.
fn columns(head: &Cells) -> Result<(Vec<Column>, bool), String> {
    // Every table that Bentpipe writes has one of these two columns. Other files have neither.
    let written = head.cells().any(|name| name == "outage_ratio" || name == "one_way_delay_ms");
    let column = |name: &str| {
        let own = COLUMNS.iter().position(|known| *known == name).map(Column::Of);
        let other = || WRITTEN.iter().find(|(known, _)| *known == name).map(|(_, column)| *column);
        own.or_else(|| if written { other() } else { None })
    };
    let mut order = Vec::with_capacity(head.len());
    for name in head.cells() {
        let Some(column) = column(name) else {
            return Err(format!(
                "unknown column \"{name}\" (columns: {}; `bentpipe import` converts files of other tools)",
                COLUMNS.join(", ")
            ));
        };
        let earlier = order.iter().position(|known| *known == column);
        if let (Column::Of(_), Some(earlier)) = (column, earlier) {
            let earlier = head.cell(earlier);
            return Err(format!(
                "the columns \"{earlier}\" and \"{name}\" have the same meaning (keep one of them)"
            ));
        }
        order.push(column);
    }
    let says = |column: &Column| matches!(column, Column::Of(1..=3) | Column::Outage);
    if !order.contains(&Column::Of(0)) || !order.iter().any(says) {
        let message = format!(
            "\"{}\" is not a header of a path trace: it needs time_s and one of {}",
            head.shown(),
            COLUMNS[1..].join(", ")
        );
        return Err(message);
    }
    Ok((order, written))
}

/// The rows of a file that is being read.
struct Table {
    rows: Vec<Row>,
    there: [bool; 4],
    /// Whether all rates are "unlimited", or `None` before the first rate.
    unlimited: Option<bool>,
    /// Whether Bentpipe has written the table. Such a table has empty cells while no path exists.
    written: bool,
    /// The two ends of the path, if the file contains them.
    ends: Vec<String>,
}

/// How often the rows are repeated in a run.
#[derive(Clone, Copy)]
struct Turns {
    /// Number of repetitions.
    count: u64,
    /// Length of one repetition.
    period: Span,
    end: TraceEnd,
}

impl Table {
    fn push(&mut self, cells: &Cells, order: &[Column]) -> Result<(), String> {
        self.refuse_another_pair(cells, order)?;
        let mut row = [None; 4];
        let (mut outage, mut gap) = (0.0, false);
        for (column, cell) in order.iter().zip(cells.cells()) {
            match *column {
                Column::Of(2) if self.written && cell.is_empty() => gap = true,
                // In tables that Bentpipe writes, an empty rate means that no link of the path has a rate. An empty
                // loss means that no path exists.
                Column::Of(1 | 3) if self.written && cell.is_empty() => {}
                Column::Of(column) => row[column] = self.cell(column, cell)?,
                Column::Outage => outage = number("outage_ratio", 1.0, cell)?,
                Column::End | Column::Beside => {}
            }
        }
        if self.written {
            self.fill(&mut row, gap, outage)?;
        }
        let time = row[0].unwrap_or_default();
        match self.rows.last() {
            None if time > 0.0 => {
                return Err(format!(
                    "the first row is at {} s (begin at 0: values before it are unknown)",
                    time / 1e9
                ));
            }
            Some(before) if before[0].unwrap_or_default() >= time => {
                let before = before[0].unwrap_or_default() / 1e9;
                return Err(format!(
                    "{} s is not later than the row before it at {before} s (sort the rows, and list each time once; \
                    times are whole nanoseconds)",
                    time / 1e9
                ));
            }
            _ => {}
        }
        self.rows.push(row);
        Ok(())
    }

    /// Refuses a table that contains more than one pair of ends.
    fn refuse_another_pair(&mut self, cells: &Cells, order: &[Column]) -> Result<(), String> {
        let ends: Vec<&str> = order
            .iter()
            .zip(cells.cells())
            .filter(|(column, _)| **column == Column::End)
            .map(|end| end.1)
            .collect();
        if self.rows.is_empty() {
            self.ends = ends.into_iter().map(str::to_owned).collect();
        } else if self.ends != ends {
            return Err(format!(
                "this row is for the path from {}, but the rows above are for the path from {} (write one file for \
                 each path)",
                ends.join(" to "),
                self.ends.join(" to ")
            ));
        }
        Ok(())
    }

    /// Fills the empty cells of a row. Without a path, every packet is lost, and rate and delay keep their previous
    /// values.
    fn fill(&mut self, row: &mut Row, gap: bool, outage: f64) -> Result<(), String> {
        let loss = row[3].unwrap_or_default();
        row[3] = Some(if gap { 1.0 } else { 1.0 - (1.0 - loss) * (1.0 - outage) });
        if gap {
            let before = self.rows.last().copied().unwrap_or_default();
            (row[1], row[2]) = (before[1], before[2]);
            return Ok(());
        }
        // Rows before the first path get the rate and the delay of the first path.
        if self.rows.iter().all(|row| row[2].is_none()) {
            for before in &mut self.rows {
                (before[1], before[2]) = (row[1], row[2]);
            }
        }
        let unlimited = row[1].is_none();
        if self.there[1] && *self.unlimited.get_or_insert(unlimited) != unlimited {
            return Err("rate_mbit_s: a path must have a rate in every row or in none".to_owned());
        }
        Ok(())
    }

    /// Reads a cell, and returns its value in base units. `None` means unlimited.
    fn cell(&mut self, column: usize, cell: &str) -> Result<Option<f64>, String> {
        let (name, most) = (COLUMNS[column], MOST[column]);
        if column == 1 {
            let unlimited = cell == UNLIMITED;
            if *self.unlimited.get_or_insert(unlimited) != unlimited {
                return Err(format!(
                    "rate_mbit_s \"{cell}\": a rate must be \"{UNLIMITED}\" in every row or in none"
                ));
            }
            if unlimited {
                return Ok(None);
            }
        }
        let base = number(name, most, cell)? * UNITS[column];
        if column == 1 && base > 0.0 && base.round() == 0.0 {
            return Err(format!("rate_mbit_s \"{cell}\": a rate is 0, or 0.000001 (1 bit/s) or more"));
        }
        Ok(Some(if column == 3 { base } else { base.round() }))
    }

    /// Computes how often the rows are repeated in a run that lasts `until`.
    fn turns(&self, end: TraceEnd, until: Span) -> Result<Turns, String> {
        let last = self.rows.last().ok_or("there are no rows below the header (write at least one)")?;
        let period = Span::from_nanos(last[0].unwrap_or_default() as u64);
        if end == TraceEnd::Hold {
            return Ok(Turns { count: 1, period, end });
        }
        if period == Span::ZERO {
            let cannot = if end == TraceEnd::Wrap { "wrap" } else { "stop" };
            return Err(format!(
                "a trace of one row cannot {cannot} (the last row ends the trace: add a row, or write trace_end = \
                \"hold\")"
            ));
        }
        if end == TraceEnd::Stop {
            return Ok(Turns { count: 1, period, end });
        }
        // One more repetition than the run needs is added. Packets in flight at the end of the run then also have a
        // rate.
        let turns = until.nanos() / period.nanos() + 2;
        let steps = turns.saturating_mul(self.rows.len() as u64);
        if steps > MAX_STEPS as u64 {
            return Err(format!(
                "{} rows in {period}, repeated for {until}, are {steps} steps; the limit is {MAX_STEPS} (write \
                trace_end = \"hold\", shorten the run or write fewer rows)",
                self.rows.len()
            ));
        }
        Ok(Turns { count: turns, period, end })
    }

    /// Returns the values of a column over the run. Each value applies from its time on. Equal neighbours are merged.
    fn steps<T: PartialEq + Copy>(
        &self,
        turns: Turns,
        column: usize,
        value: impl Fn(f64) -> T,
    ) -> Vec<(Time, T)> {
        let rows = match turns.end {
            TraceEnd::Hold => &self.rows[..],
            TraceEnd::Wrap | TraceEnd::Stop => &self.rows[..self.rows.len() - 1],
        };
        let mut steps: Vec<(Time, T)> = Vec::new();
        for turn in 0..turns.count {
            for row in rows {
                let at = Time::from_nanos(row[0].unwrap_or_default() as u64) + turns.period * turn;
                let value = value(row[column].unwrap_or_default());
                if steps.last().is_none_or(|&(_, before)| before != value) {
                    steps.push((at, value));
                }
            }
        }
        steps
    }

    fn laid(&self, end: TraceEnd, until: Span) -> Result<PathTrace, String> {
        if self.rows.len() > MAX_STEPS {
            return Err(format!("{} rows are too many: at most {MAX_STEPS} are possible", self.rows.len()));
        }
        let turns = self.turns(end, until)?;
        let rate = match (self.there[1], self.unlimited) {
            (false, _) => None,
            (true, Some(true)) => Some(TraceRate::Unlimited),
            (true, _) => {
                let mut steps = self.steps(turns, 1, |bits| Rate::from_bits_per_s(bits as u64));
                if steps.iter().all(|&(_, rate)| rate == Rate::default()) {
                    return Err("rate_mbit_s: every rate during the run is 0 (write a rate above 0, or a loss_ratio of 1)"
                        .to_owned());
                }
                let paused =
                    |steps: &[(Time, Rate)]| steps.last().is_some_and(|&(_, rate)| rate == Rate::default());
                match end {
                    // A pause needs an end, so pauses at the end of the last repetition are removed.
                    TraceEnd::Wrap => {
                        while paused(&steps) {
                            steps.pop();
                        }
                    }
                    // The rate after the end lets waiting packets leave. They are then lost on the link.
                    TraceEnd::Stop if paused(&steps) => {
                        let highest = steps.iter().map(|&(_, rate)| rate).max().unwrap_or_default();
                        steps.push((Time::ZERO + turns.period, highest));
                    }
                    TraceEnd::Stop | TraceEnd::Hold => {}
                }
                let pieces = steps.iter().map(|&(from, rate)| Piece::constant(from, rate)).collect();
                let schedule = RateSchedule::new(pieces).map_err(|error| match error {
                    ServiceError::NoEnd => "rate_mbit_s: the last rate is 0, so packets would wait forever (trace_end = \
                                            \"stop\" ends the link at the last row; or end with a rate above 0)"
                        .to_owned(),
                    other => format!("rate_mbit_s: {other}"),
                })?;
                Some(TraceRate::Steps(schedule))
            }
        };
        let delay = self.there[2].then(|| self.steps(turns, 2, |ns| Span::from_nanos(ns as u64)).into());
        let loss = self.there[3].then(|| self.steps(turns, 3, |loss| loss).into());
        Ok(PathTrace { rate, delay, loss, lasts: turns.period })
    }
}

/// Reads the number in a cell.
fn number(name: &str, most: f64, cell: &str) -> Result<f64, String> {
    let value = cell.parse().ok().filter(|value| (0.0..=most).contains(value));
    value.ok_or_else(|| {
        let cell: String = cell.chars().take(40).collect();
        format!("{name} \"{cell}\": it must be a number from 0 to {most}")
    })
}

#[cfg(test)]
mod tests;
