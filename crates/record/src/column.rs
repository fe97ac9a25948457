// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns that grow by one cell per row, and the macro that defines a table of columns.

use crate::RecordError;
use arrow_array::builder::{
    BooleanBuilder, Float32Builder, Float64Builder, StringBuilder, StringDictionaryBuilder, UInt32Builder,
    UInt64Builder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, Float64Type, Int32Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_schema::Field;
use saved::{Damaged, Plain, Reader, Saved, Writer};
use std::collections::HashMap;
use std::sync::Arc;

/// A column under construction. Pushing a cell allocates memory only when a vector of the column grows.
pub trait Column: Clone + Default {
    /// Type of a cell.
    type Cell<'a>;
    /// Whether a cell may be missing.
    const NULLABLE: bool;
    /// Adds a cell.
    fn push(&mut self, cell: Self::Cell<'_>);
    /// Returns the cells as an array. The column is empty afterwards.
    fn finish(&mut self) -> ArrayRef;
    /// Writes the cells of an array that [`Column::finish`] returned.
    fn save(cells: &dyn Array, to: &mut Writer);
    /// Adds `rows` cells that [`Column::save`] wrote. The column is then the same as after pushing these cells.
    ///
    /// # Errors
    /// If the bytes do not fit.
    fn load(&mut self, rows: usize, from: &mut Reader<'_>) -> Result<(), Damaged>;
}

/// A table of any columns.
pub trait Rows {
    /// Returns why rows could not be written, and removes the reason; `None` if there was no failure.
    fn failure(&mut self) -> Option<RecordError>;
    /// Returns whether the saved state is complete: no row was written to a file without a journal.
    fn can_be_saved(&self) -> bool;
    /// Forces the rows in the journal onto the disk.
    fn sync(&self) -> Result<(), RecordError>;
    /// Opens the journal at the length that was loaded, and removes later rows.
    fn reopen(&mut self) -> Result<(), RecordError>;
}

macro_rules! columns {
    (@save flag, $cells:ident, $to:ident) => { save_cells($cells.as_boolean().iter(), $to) };
    (@save text, $cells:ident, $to:ident) => { save_text($cells.as_string(), $to) };
    (@save words, $cells:ident, $to:ident) => { save_words($cells, $to) };
    (@save $number:ident, $cells:ident, $to:ident) => { save_cells($cells.as_primitive::<$number>().iter(), $to) };
    (@load text, $column:expr, $rows:ident, $from:ident) => {
        for _ in 0..$rows {
            $column.append_option(Option::<String>::read_from($from)?);
        }
    };
    (@load words, $column:expr, $rows:ident, $from:ident) => {
        let words = Vec::<String>::read_from($from)?;
        for _ in 0..$rows {
            let word = Option::<u32>::read_from($from)?.map(|key| words.get(key as usize));
            let word = word.map(|word| word.ok_or_else(|| $from.damaged::<Self>())).transpose()?;
            $column.append_option(word);
        }
    };
    (@load $cell:ident, $column:expr, $rows:ident, $from:ident) => {
        for _ in 0..$rows {
            $column.append_option(Option::<columns!(@native $cell)>::read_from($from)?);
        }
    };
    (@native flag) => { bool };
    (@native $number:ident) => { <$number as ArrowPrimitiveType>::Native };
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $cell:ty, nullable $nullable:literal, $builder:ty, $append:ident, ($($nothing:literal),+), $copy:expr, $kind:ident;
    )+) => {
        $(
            $(#[doc = $doc])+
            pub struct $name($builder);
            /// The default of Arrow reserves memory for 1024 cells. For the tables of a run that records nothing, this
            /// would be half a megabyte.
            impl Default for $name {
                fn default() -> Self {
                    Self(<$builder>::with_capacity($($nothing),+))
                }
            }
            impl Clone for $name {
                fn clone(&self) -> Self {
                    let mut copied = Self::default();
                    let copy: fn(&mut $builder, &$builder) = $copy;
                    copy(&mut copied.0, &self.0);
                    copied
                }
            }
            impl Column for $name {
                type Cell<'a> = $cell;
                const NULLABLE: bool = $nullable;
                #[inline]
                fn push(&mut self, cell: Self::Cell<'_>) {
                    self.0.$append(cell);
                }
                fn finish(&mut self) -> ArrayRef {
                    Arc::new(self.0.finish())
                }
                fn save(cells: &dyn Array, to: &mut Writer) {
                    columns!(@save $kind, cells, to);
                }
                fn load(&mut self, rows: usize, from: &mut Reader<'_>) -> Result<(), Damaged> {
                    columns!(@load $kind, self.0, rows, from);
                    Ok(())
                }
            }
        )+
    };
}

columns! {
    /// Real numbers.
    F64: f64, nullable false, Float64Builder, append_value, (0), |to, from| to.append_array(&from.finish_cloned()), Float64Type;
    /// Real numbers, some missing.
    F64Opt: Option<f64>, nullable true, Float64Builder, append_option, (0), |to, from| to.append_array(&from.finish_cloned()), Float64Type;
    /// Real numbers that need at most seven digits, some missing.
    F32Opt: Option<f32>, nullable true, Float32Builder, append_option, (0), |to, from| to.append_array(&from.finish_cloned()), Float32Type;
    /// Indices.
    U32: u32, nullable false, UInt32Builder, append_value, (0), |to, from| to.append_array(&from.finish_cloned()), UInt32Type;
    /// Indices, some missing.
    U32Opt: Option<u32>, nullable true, UInt32Builder, append_option, (0), |to, from| to.append_array(&from.finish_cloned()), UInt32Type;
    /// Counts.
    U64: u64, nullable false, UInt64Builder, append_value, (0), |to, from| to.append_array(&from.finish_cloned()), UInt64Type;
    /// Booleans.
    Flag: bool, nullable false, BooleanBuilder, append_value, (0), |to, from| to.append_array(&from.finish_cloned()), flag;
    /// Words of a small vocabulary, each stored once.
    Word: &'a str, nullable false, StringDictionaryBuilder<Int32Type>, append_value, (0, 0, 0), |to, from| copy_words(to, from), words;
    /// Words of a small vocabulary, some missing.
    WordOpt: Option<&'a str>, nullable true, StringDictionaryBuilder<Int32Type>, append_option, (0, 0, 0), |to, from| copy_words(to, from), words;
    /// Free text.
    Text: &'a str, nullable false, StringBuilder, append_value, (0, 0), |to, from| copy_text(to, from), text;
    /// Free text, some missing.
    TextOpt: Option<&'a str>, nullable true, StringBuilder, append_option, (0, 0), |to, from| copy_text(to, from), text;
}

fn save_cells<T: Plain>(cells: impl Iterator<Item = Option<T>>, to: &mut Writer) {
    cells.for_each(|cell| cell.save_to(to));
}

fn save_text(cells: &StringArray, to: &mut Writer) {
    save_cells(cells.iter().map(|text| text.map(str::to_owned)), to);
}

/// Writes the words of the dictionary in its order, then the key of each cell.
fn save_words(cells: &dyn Array, to: &mut Writer) {
    let cells = cells.as_dictionary::<Int32Type>();
    let words: Vec<String> = cells.values().as_string::<i32>().iter().flatten().map(str::to_owned).collect();
    words.save_to(to);
    save_cells(cells.keys().iter().map(|key| key.map(i32::cast_unsigned)), to);
}

#[expect(clippy::expect_used, reason = "what is copied has been built before")]
fn copy_words(to: &mut StringDictionaryBuilder<Int32Type>, from: &StringDictionaryBuilder<Int32Type>) {
    let words = from.finish_cloned();
    let typed = words.downcast_dict::<StringArray>().expect("the words are strings");
    to.extend_dictionary(&typed).expect("a copy has the same keys");
}

#[expect(clippy::expect_used, reason = "what is copied has been built before")]
fn copy_text(to: &mut StringBuilder, from: &StringBuilder) {
    to.append_array(&from.finish_cloned()).expect("a copy is not longer");
}

/// Returns a field of a schema with the type of the array. The metadata of the field are the unit and the meaning.
pub fn field(name: &str, array: &dyn Array, nullable: bool, unit: &str, meaning: &str) -> Field {
    let mut metadata = HashMap::from([("meaning".to_owned(), meaning.trim().to_owned())]);
    if !unit.is_empty() {
        metadata.insert("unit".to_owned(), unit.to_owned());
    }
    Field::new(name, array.data_type().clone(), nullable).with_metadata(metadata)
}

/// Defines a table: a struct for a row, and a builder with one column for each field of the row.
macro_rules! table {
    (
        $(#[doc = $doc:literal])+
        $table:ident of $row:ident $(<$life:lifetime>)? {
            $($(#[doc = $meaning:literal])+ $field:ident: $cell:ty as $column:ident $(in $unit:literal)?,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $row $(<$life>)? {
            $($(#[doc = $meaning])+ pub $field: $cell,)+
        }

        #[doc = concat!("Collects rows of [`", stringify!($row), "`].")]
        #[derive(Default)]
        pub struct $table {
            /// Number of rows in memory.
            rows: usize,
            /// The first of these rows, if they were handed out during the run. The columns have the other rows.
            handed_out: Vec<RecordBatch>,
            /// Number of rows in the file.
            written: usize,
            file: Option<TableFile>,
            $($field: $column,)+
        }

        /// A copy contains the rows in memory, and does not write to a file.
        impl Clone for $table {
            fn clone(&self) -> Self {
                let handed_out = self.handed_out.clone();
                Self { rows: self.rows, handed_out, written: 0, file: None, $($field: self.$field.clone(),)+ }
            }
        }

        impl std::fmt::Debug for $table {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($table)).field("rows", &self.len()).finish_non_exhaustive()
            }
        }

        impl Rows for $table {
            fn failure(&mut self) -> Option<RecordError> {
                self.file.as_mut()?.failure()
            }
            fn can_be_saved(&self) -> bool {
                self.written == 0 || self.file.as_ref().is_some_and(TableFile::has_journal)
            }
            fn sync(&self) -> Result<(), RecordError> {
                self.file.as_ref().map_or(Ok(()), TableFile::sync)
            }
            fn reopen(&mut self) -> Result<(), RecordError> {
                self.file.as_mut().map_or(Ok(()), TableFile::reopen)
            }
        }

        /// The saved state is the rows in memory, and the length of the journal.
        impl Saved for $table {
            fn save_to(&self, to: &mut Writer) {
                self.written.save_to(to);
                self.file.save_each(to);
                Self::save_rows(&self.clone().take(HashMap::new()), to);
            }
            fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
                self.take(HashMap::new());
                self.written.load_from(from)?;
                self.file.load_each(from)?;
                self.load_rows(from)
            }
        }

        impl $table {
            /// Names of the columns.
            pub const COLUMNS: &'static [&'static str] = &[$(stringify!($field),)+];

            /// Adds a row.
            #[inline]
            pub fn push_row(&mut self, row: &$row) {
                self.rows += 1;
                $(self.$field.push(row.$field);)+
                if self.rows == ROWS {
                    self.spill();
                }
            }

            #[cold]
            fn spill(&mut self) {
                if self.file.is_some() {
                    self.written += self.rows;
                    let batch = self.take(HashMap::new());
                    if let Some(file) = &mut self.file {
                        file.spill(&batch, Self::save_rows);
                    }
                }
            }

            fn save_rows(batch: &RecordBatch, to: &mut Writer) {
                batch.num_rows().save_to(to);
                let mut columns = batch.columns().iter();
                $($column::save(columns.next().expect("a batch has the columns of its table"), to);)+
            }

            fn load_rows(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
                let rows = from.length::<Self>()?;
                $(self.$field.load(rows, from)?;)+
                self.rows += rows;
                Ok(())
            }

            /// Creates a table that writes its rows to a file as they arrive. With `None`, rows stay in memory.
            pub(crate) fn into_file(file: Option<TableFile>) -> Self {
                Self { file, ..Self::default() }
            }

            /// Returns whether rows could not be written.
            #[inline]
            pub fn has_failed(&self) -> bool {
                self.file.as_ref().is_some_and(TableFile::has_failed)
            }

            /// Returns the number of rows so far.
            pub fn len(&self) -> usize {
                self.written + self.rows
            }

            /// Returns whether the table has no rows.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Returns the table as one batch, with `metadata` in its schema. Returns `None` if the file already
            /// contains the earlier rows.
            fn finish(mut self, metadata: &HashMap<String, String>) -> Result<Option<RecordBatch>, RecordError> {
                let batch = self.take(metadata.clone());
                match self.file {
                    Some(file) => file.finish(batch, |rows| {
                        let mut earlier = Self::default();
                        earlier.load_rows(&mut Reader::new(rows)).map(|()| earlier.take(HashMap::new()))
                    }),
                    None => Ok(Some(batch)),
                }
            }

            /// Returns the rows since the last call, without a copy; `None` if there are none. Rows that were written to the file in the meantime
            /// are not among them.
            pub fn fresh(&mut self) -> Option<RecordBatch> {
                let known: usize = self.handed_out.iter().map(RecordBatch::num_rows).sum();
                (self.rows > known).then(|| {
                    let batch = self.columns(HashMap::new());
                    self.handed_out.push(batch.clone());
                    batch
                })
            }

            /// Returns the rows in memory as a batch, and removes them from the table.
            fn take(&mut self, metadata: HashMap<String, String>) -> RecordBatch {
                self.rows = 0;
                let last = self.columns(metadata);
                let mut batches = std::mem::take(&mut self.handed_out);
                if batches.is_empty() {
                    return last;
                }
                let schema = last.schema();
                batches.push(last);
                concat_batches(&schema, &batches).expect("all batches have the columns of the table")
            }

            /// Returns the rows in the columns as a batch, and empties the columns.
            fn columns(&mut self, metadata: HashMap<String, String>) -> RecordBatch {
                let (mut fields, mut arrays) = (Vec::new(), Vec::new());
                $(
                    let array = self.$field.finish();
                    let unit = concat!($($unit)?);
                    fields.push(field(stringify!($field), &array, $column::NULLABLE, unit, concat!($($meaning),+)));
                    arrays.push(array);
                )+
                let schema = Schema::new_with_metadata(fields, metadata);
                RecordBatch::try_new(Arc::new(schema), arrays)
                    .expect("every row pushes one cell to every column, and the types are taken from the columns")
            }
        }
    };
}
pub(crate) use table;
