// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Parquet file of a table whose rows are written as they arrive. Memory contains only rows that are not yet
//! written.
//!
//! Tables of a run folder are written 65,536 rows at a time, each as one row group. Therefore memory contains at most
//! one batch of each table. If a run has no folder, all rows stay in memory.

use crate::RecordError;
use crate::journal::Journal;
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowWriter, encode_arrow_schema};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use saved::{Damaged, Writer};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// Rows per written batch and per row group. The Parquet writer keeps a row group in memory until it is complete.
pub(crate) const ROWS: usize = 1 << 16;

/// Destination of the rows of a table.
#[derive(saved::Saved)]
pub(crate) struct TableFile {
    #[saved(fixed)]
    path: PathBuf,
    /// Whether the file is written even without rows.
    #[saved(fixed)]
    always: bool,
    #[saved(fixed)]
    writer: Option<ArrowWriter<FirstError<BufWriter<File>>>>,
    /// The journal of a run with a checkpoint. The file is then written at the end of the run.
    #[saved(each)]
    journal: Option<Journal>,
    #[saved(fixed)]
    failure: Option<RecordError>,
}

impl TableFile {
    /// Creates a file. The file appears in the file system at the first write.
    pub fn new(path: PathBuf, always: bool) -> Self {
        Self { path, always, writer: None, journal: None, failure: None }
    }

    /// Returns the same file with a journal.
    #[must_use]
    pub fn with_journal(self, journal: Option<Journal>) -> Self {
        Self { journal, ..self }
    }

    /// Returns whether the file has a journal.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// Forces the rows in the journal onto the disk.
    pub fn sync(&self) -> Result<(), RecordError> {
        self.journal.as_ref().map_or(Ok(()), Journal::sync)
    }

    /// Opens the journal at the length that was loaded.
    pub fn reopen(&mut self) -> Result<(), RecordError> {
        self.journal.as_mut().map_or(Ok(()), Journal::reopen)
    }

    /// Returns whether a write has failed.
    pub fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns the error and removes it, if a write has failed.
    pub fn failure(&mut self) -> Option<RecordError> {
        self.failure.take()
    }

    /// Writes a batch that is not the last batch. An error is reported later, because the function that adds a row
    /// returns no error. `save` writes the rows of a batch for the journal.
    pub fn spill(&mut self, batch: &RecordBatch, save: fn(&RecordBatch, &mut Writer)) {
        if self.failure.is_none() {
            let written = match &mut self.journal {
                Some(journal) => {
                    let mut rows = Writer::default();
                    save(batch, &mut rows);
                    journal.append(&rows.into_bytes())
                }
                None => self.write(batch),
            };
            self.failure = written.err();
        }
    }

    /// Writes the batches of the journal, the last batch and the end of the file. `load` is the inverse of the argument
    /// `save` of [`Self::spill`]. Returns the batch if it contains all rows of the table.
    pub fn finish(
        mut self,
        batch: RecordBatch,
        load: impl Fn(&[u8]) -> Result<RecordBatch, Damaged>,
    ) -> Result<Option<RecordBatch>, RecordError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if let Some(journal) = self.journal.take() {
            journal.replay(|rows| self.write(&load(rows).map_err(|_| journal.damaged())?))?;
        }
        let are_all = self.writer.is_none();
        if are_all && batch.num_rows() == 0 && !self.always {
            return Ok(Some(batch));
        }
        self.write(&batch)?;
        self.close(&batch.schema())?;
        Ok(are_all.then_some(batch))
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), RecordError> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                let file =
                    File::create(&self.path).map_err(|error| RecordError::writing(&self.path, error))?;
                let to = FirstError { inner: BufWriter::new(file), failure: None };
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::default()))
                    .set_created_by(concat!("bentpipe ", env!("CARGO_PKG_VERSION")).to_owned())
                    .set_max_row_group_row_count(Some(ROWS))
                    .build();
                // The schema contains metadata that are known only at the end. Therefore the metadata are written at
                // the end.
                let options =
                    ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
                let opened = ArrowWriter::try_new_with_options(to, plain(batch), options);
                none.insert(
                    opened.map_err(|error| RecordError::writing(&self.path, io::Error::other(error)))?,
                )
            }
        };
        let schema = plain(batch);
        let columns = RecordBatch::try_new(schema, batch.columns().to_vec());
        let written = columns.map_err(ParquetError::from).and_then(|batch| writer.write(&batch));
        self.checked(written)
    }

    fn close(&mut self, schema: &Schema) -> Result<(), RecordError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let schema = encode_arrow_schema(schema);
        writer.append_key_value_metadata(KeyValue::new(ARROW_SCHEMA_META_KEY.to_owned(), schema));
        let closed = writer.finish().map(drop);
        let flushed = writer.inner_mut().flush();
        self.checked(closed.and_then(|()| flushed.map_err(|error| ParquetError::External(error.into()))))
    }

    /// Returns the first error of the file instead of the error of the Parquet writer, because the first error is more
    /// precise.
    fn checked(&mut self, result: Result<(), ParquetError>) -> Result<(), RecordError> {
        let witnessed = self.writer.as_mut().and_then(|writer| writer.inner_mut().failure.take());
        match (result, witnessed) {
            (Ok(()), None) => Ok(()),
            (_, Some(error)) => Err(RecordError::writing(&self.path, error)),
            (Err(error), None) => Err(RecordError::writing(&self.path, io::Error::other(error))),
        }
    }
}

/// Returns the schema of a batch without its metadata.
fn plain(batch: &RecordBatch) -> SchemaRef {
    Arc::new(Schema::new(batch.schema().fields().clone()))
}

/// A writer that stores its first error. The user of the writer may hide this error in another error.
struct FirstError<W> {
    inner: W,
    failure: Option<io::Error>,
}

impl<W: Write> FirstError<W> {
    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            self.failure.get_or_insert(error);
            kind.into()
        })
    }
}

impl<W: Write> Write for FirstError<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.inner.write(bytes);
        self.note(result)
    }
    fn flush(&mut self) -> io::Result<()> {
        let result = self.inner.flush();
        self.note(result)
    }
}
