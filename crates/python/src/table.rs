// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrow tables handed to Python without a copy.

use arrow::array::{RecordBatch, RecordBatchIterator};
use arrow::ffi_stream::FFI_ArrowArrayStream;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Columns in Arrow's memory, handed over by the Arrow PyCapsule interface.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Table(RecordBatch);

impl From<RecordBatch> for Table {
    fn from(batch: RecordBatch) -> Self {
        Self(batch)
    }
}

#[pymethods]
impl Table {
    /// A capsule around a C stream: <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the wish for another schema.
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}
