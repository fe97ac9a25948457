// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reader for CSV files that users name (RFC 4180).
//!
//! - Cells may be quoted; a quote inside a quoted cell is doubled. Blanks around a cell are ignored.
//! - Lines end with LF, CR LF or CR. Empty lines are skipped. Lines that begin with `#` are comments.
//! - Every fault names its line, counted from 1.
//!
//! This crate does not know the columns of any file. It does not open files: `units::input` reads them and removes the
//! byte order mark.

use std::borrow::Cow;
use std::fmt;
use std::io::Cursor;

/// A fault in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line of the fault, counted from 1; `None` if it concerns the whole file.
    pub line: Option<usize>,
    /// What is wrong, and the fix.
    pub why: String,
}

impl Fault {
    /// Creates a fault in a line.
    pub fn at(line: usize, why: impl Into<String>) -> Self {
        Self { line: Some(line), why: why.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for Fault {}

/// A row of cells.
#[derive(Clone, Debug)]
pub struct Row {
    /// Line of the row, counted from 1.
    pub line: usize,
    cells: csv::StringRecord,
}

impl Row {
    /// Returns the cells in order.
    pub fn cells(&self) -> impl Iterator<Item = &str> {
        self.cells.iter()
    }

    /// Returns the cell in column `at`, counted from 0. Returns an empty text if the row is shorter.
    pub fn cell(&self, at: usize) -> &str {
        self.cells.get(at).unwrap_or_default()
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns whether the row has no cells.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the row as text for a message, cut off if it is long.
    pub fn shown(&self) -> String {
        let all = self.cells.iter().collect::<Vec<_>>().join(",");
        if all.chars().count() <= SHOWN { all } else { all.chars().take(SHOWN).chain(['…']).collect() }
    }
}

/// Largest number of characters of a row in a message.
const SHOWN: usize = 60;

/// All rows of a text.
#[derive(Debug)]
pub struct Rows<'t> {
    reader: csv::Reader<Cursor<Cow<'t, [u8]>>>,
    /// Number of cells that each row must have; `None` without a header.
    wide: Option<usize>,
}

impl<'t> Rows<'t> {
    /// Reads the rows of a text, including a header.
    pub fn of(text: &'t str) -> Self {
        // The `csv` library also accepts CR as a line end, but counts only LF as a line.
        let text = if text.contains('\r') {
            Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n").into_bytes())
        } else {
            Cow::Borrowed(text.as_bytes())
        };
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_reader(Cursor::new(text));
        Self { reader, wide: None }
    }

    /// Reads the header, which names the columns. Every later row must have as many cells as the header.
    ///
    /// `example` is a header that error messages show.
    ///
    /// # Errors
    /// If there are no rows, if the cells of the header are values or are not separated by commas, or if a column is
    /// listed twice.
    pub fn head(&mut self, example: &str) -> Result<Row, Fault> {
        let Some(head) = self.next().transpose()? else {
            let why = format!("the file is empty (write the header {example} and a row)");
            return Err(Fault { line: None, why });
        };
        let refuse = |why: String| Err(Fault::at(head.line, why));
        let shown = head.shown();
        for (separator, name) in [(';', "semicolons"), ('\t', "tabs")] {
            if head.len() == 1 && head.cell(0).contains(separator) {
                return refuse(format!(
                    "\"{shown}\": the columns are separated by {name} (use commas between columns, and decimal points)"
                ));
            }
        }
        if head.cells().any(|cell| cell.parse::<f64>().is_ok()) {
            return refuse(format!(
                "\"{shown}\" is a row of values instead of a header: the file names no columns (write {example} above \
                it)"
            ));
        }
        let twice =
            head.cells().enumerate().find(|(at, name)| head.cells().take(*at).any(|one| one == *name));
        if let Some((_, name)) = twice {
            return refuse(format!("the column \"{name}\" is listed twice (keep one of them)"));
        }
        self.wide = Some(head.len());
        Ok(head)
    }

    fn checked(&self, row: Row) -> Result<Row, Fault> {
        let refuse = |why: String| Err(Fault::at(row.line, why));
        if row.cells().any(|cell| cell.contains('\n')) {
            return refuse("a quote is opened and not closed in this line (close it)".to_owned());
        }
        if let Some(cell) = row.cells().find(|cell| cell.starts_with('"')) {
            let cell: String = cell.chars().take(SHOWN).collect();
            return refuse(format!("a blank stands before the quoted value {cell}: remove the blank"));
        }
        match self.wide {
            Some(wide) if wide != row.len() => {
                let values = if row.len() == 1 { "value" } else { "values" };
                refuse(format!("the row has {} {values}, but the header names {wide}", row.len()))
            }
            _ => Ok(row),
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut cells = csv::StringRecord::new();
        loop {
            match self.reader.read_record(&mut cells) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    let line = error.position().map(|at| at.line() as usize);
                    return Some(Err(Fault { line, why: error.to_string() }));
                }
            }
            let (line, raw) = self.place(cells.position());
            // A line of blanks is not a row, and a comment may be indented.
            if !raw.is_empty() && !raw.starts_with(b"#") {
                return Some(self.checked(Row { line, cells }));
            }
        }
    }
}

impl Rows<'_> {
    /// Returns the line number of a row, and the content of this line without blanks around it. The `csv` library
    /// reports a position before the empty lines and comments above the row; this function skips these lines.
    fn place(&self, at: Option<&csv::Position>) -> (usize, &[u8]) {
        let Some(at) = at else { return (0, b"") };
        let mut line = at.line() as usize;
        let mut rest = self.reader.get_ref().get_ref().get(at.byte() as usize..).unwrap_or_default();
        while rest.starts_with(b"\n") || rest.starts_with(b"#") {
            let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
            (line, rest) = (line + 1, &rest[end..]);
        }
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        (line, rest[..end].trim_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<(usize, Vec<String>)> {
        let of = |row: Result<Row, Fault>| {
            let row = row.unwrap_or_else(|fault| panic!("{fault}"));
            (row.line, row.cells().map(str::to_owned).collect())
        };
        Rows::of(text).map(of).collect()
    }

    /// The expected cells follow from RFC 4180, section 2: rules 5 to 7 (quotes, with a comma and a doubled quote
    /// inside) and rule 1 (CR LF).
    #[test]
    fn quotes_and_line_ends_are_those_of_the_rfc() {
        let wanted = vec![
            (2, vec!["name".to_owned(), "km".to_owned()]),
            (4, vec!["Rome, Italy".to_owned(), "5".to_owned()]),
            (5, vec!["say \"hi\"".to_owned(), "6".to_owned()]),
        ];
        let text = "# a comment\n\"name\",\"km\"\n\n\"Rome, Italy\", 5 \n\"say \"\"hi\"\"\",\"6\"\n";
        for ends in ["\n", "\r\n", "\r"] {
            assert_eq!(cells(&text.replace('\n', ends)), wanted, "{ends:?}");
        }
        assert_eq!(cells(" # no row\n  \na,b"), [(3, vec!["a".to_owned(), "b".to_owned()])]);
        assert_eq!(cells(""), []);
    }

    #[test]
    fn what_is_no_head_is_named_as_such() {
        let head =
            |text: &str| Rows::of(text).head("a,b").map(|row| row.shown()).map_err(|fault| fault.to_string());
        assert_eq!(head("b , a\n"), Ok("b,a".to_owned()));
        for (text, why) in [
            ("# only\n", "the file is empty (write the header a,b and a row)"),
            (
                "0,10\n",
                "line 1: \"0,10\" is a row of values instead of a header: the file names no columns (write a,b above \
                 it)",
            ),
            (
                "a;b\n",
                "line 1: \"a;b\": the columns are separated by semicolons (use commas between columns, and decimal \
                 points)",
            ),
            ("\n\na,b,a\n", "line 3: the column \"a\" is listed twice (keep one of them)"),
        ] {
            assert_eq!(head(text), Err(why.to_owned()));
        }
    }

    #[test]
    fn faults_of_rows_have_their_line() {
        let fault = |text: &str| {
            let mut rows = Rows::of(text);
            rows.head("a,b").unwrap_or_else(|fault| panic!("{fault}"));
            rows.find_map(Result::err).map(|fault| fault.to_string())
        };
        assert_eq!(fault("a,b\n1,2\n"), None);
        assert_eq!(
            fault("a,b\n1,2\n3\n").as_deref(),
            Some(
                "line 3: the row has 1 value, but the header \
        names 2"
            )
        );
        assert_eq!(
            fault("a,b\n\"1,5\",\"2,5\",3\n").as_deref(),
            Some("line 2: the row has 3 values, but the header names 2")
        );
        let open = "line 2: a quote is opened and not closed in this line (close it)";
        assert_eq!(fault("a,b\n\"1,2\n3,4\n").as_deref(), Some(open));
        let late = "line 2: a blank stands before the quoted value \"2\": remove the blank";
        assert_eq!(fault("a,b\n1, \"2\"\n").as_deref(), Some(late));
    }
}
