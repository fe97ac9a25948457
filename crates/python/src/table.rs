// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrow tables that are passed to Python without a copy.

use arrow_array::builder::{Float64Builder, ListBuilder, UInt32Builder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray, UInt32Array};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// Columns in Arrow's memory. They are passed on through the Arrow PyCapsule interface.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Table(RecordBatch);

impl From<RecordBatch> for Table {
    fn from(batch: RecordBatch) -> Self {
        Self(batch)
    }
}

#[pymethods]
impl Table {
    /// Returns a capsule around a C stream:
    /// <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the requested schema.
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// Creates a table from columns of equal length.
pub fn table(columns: Vec<(&str, ArrayRef)>) -> Table {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true)))
        .expect("the columns are made from the same rows")
        .into()
}

/// Creates a column of numbers.
pub fn floats<T>(rows: &[T], cell: impl Fn(&T) -> Option<f64>) -> ArrayRef {
    Arc::new(rows.iter().map(cell).collect::<Float64Array>())
}

/// Creates a column of lists of numbers.
pub fn float_lists<T, I: IntoIterator<Item = f64>>(rows: &[T], cell: impl Fn(&T) -> I) -> ArrayRef {
    let mut lists = ListBuilder::new(Float64Builder::new());
    for row in rows {
        lists.append_value(cell(row).into_iter().map(Some));
    }
    Arc::new(lists.finish())
}

/// Creates a column of text.
pub fn texts<T>(rows: &[T], cell: impl Fn(&T) -> String) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(rows.iter().map(cell)))
}

/// Creates a column of indices or counts.
pub fn counts<T>(rows: &[T], cell: impl Fn(&T) -> u32) -> ArrayRef {
    Arc::new(UInt32Array::from_iter_values(rows.iter().map(cell)))
}

/// Creates a column of indices, some of which are missing.
pub fn indices<T>(rows: &[T], cell: impl Fn(&T) -> Option<u32>) -> ArrayRef {
    Arc::new(rows.iter().map(cell).collect::<UInt32Array>())
}

/// Creates a column of lists of indices.
pub fn index_lists<T>(rows: &[T], cell: impl Fn(&T) -> Vec<u32>) -> ArrayRef {
    let mut lists = ListBuilder::new(UInt32Builder::new());
    for row in rows {
        lists.append_value(cell(row).into_iter().map(Some));
    }
    Arc::new(lists.finish())
}
