// SPDX-License-Identifier: MIT OR Apache-2.0
//! A histogram whose memory grows with the number of different values.
//!
//! The cells are those of an HDR histogram with three significant digits (<http://hdrhistogram.org>): up to 2047 each
//! value has its own cell, and above 2047 each power of two has 1024 cells of equal width. HDR histograms allocate all
//! cells up to the largest value, 50 kB for a delay of one second. The delays of a flow are in few of these cells.

use saved::{Damaged, Plain, Reader, Saved, Writer};

/// Logarithm of the number of cells per power of two.
const DIGITS: u32 = 10;
/// Number of cells of a page.
const PAGE: usize = 16;

/// Counts of values of 32 bits. A value is known to 0.1 %.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// For each page of cells, its position in `pages` plus one, or 0 for a page without counts.
    directory: Vec<u16>,
    /// Pages in the order in which they were first needed.
    pages: Pages,
    total: u64,
}

/// Counts by page and cell. They take 16 bits until a count needs more. Few flows have 65,536 delays in one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pages {
    Short(Vec<[u16; PAGE]>),
    Long(Vec<[u32; PAGE]>),
}

impl Default for Pages {
    fn default() -> Self {
        Self::Short(Vec::new())
    }
}

impl Pages {
    fn len(&self) -> usize {
        match self {
            Self::Short(pages) => pages.len(),
            Self::Long(pages) => pages.len(),
        }
    }

    /// Returns the count of a cell.
    fn get(&self, page: usize, cell: usize) -> u32 {
        match self {
            Self::Short(pages) => pages[page][cell].into(),
            Self::Long(pages) => pages[page][cell],
        }
    }

    /// Adds `count` to the count of a cell, up to [`u32::MAX`].
    fn add(&mut self, page: usize, cell: usize, count: u32) {
        match self {
            Self::Short(pages) => {
                let counted = &mut pages[page][cell];
                if let Ok(sum) = u16::try_from(u32::from(*counted).saturating_add(count)) {
                    *counted = sum;
                } else {
                    self.widen();
                    self.add(page, cell, count);
                }
            }
            Self::Long(pages) => {
                let counted = &mut pages[page][cell];
                *counted = counted.saturating_add(count);
            }
        }
    }

    #[cold]
    fn widen(&mut self) {
        if let Self::Short(pages) = self {
            *self = Self::Long(pages.iter().map(|page| page.map(u32::from)).collect());
        }
    }

    /// Adds a page without counts.
    fn push(&mut self) {
        match self {
            Self::Short(pages) => push(pages),
            Self::Long(pages) => push(pages),
        }
    }
}

/// Adds a page without counts. If the memory is full, it grows by a quarter. Doubling, as in a vector, would be too
/// much, because pages are added more and more rarely.
fn push<T: Copy + Default>(pages: &mut Vec<[T; PAGE]>) {
    if pages.len() == pages.capacity() {
        pages.reserve_exact(4 + pages.len() / 4);
    }
    pages.push([T::default(); PAGE]);
}

impl Cells {
    /// Counts a value.
    pub fn record(&mut self, value: u32) {
        self.record_n(value, 1);
    }

    /// Counts a value `count` times. A cell counts at most [`u32::MAX`] values.
    fn record_n(&mut self, value: u32, count: u32) {
        let cell = cell_of(value);
        let page = self.page(cell / PAGE);
        self.pages.add(page, cell % PAGE, count);
        self.total += u64::from(count);
    }

    /// Returns the position of a page in `pages`. The page is added if it does not exist.
    fn page(&mut self, number: usize) -> usize {
        if let Some(place) = self.directory.get(number).and_then(|&place| usize::from(place).checked_sub(1)) {
            return place;
        }
        if self.directory.len() <= number {
            self.directory.reserve_exact(number + 1 - self.directory.len());
            self.directory.resize(number + 1, 0);
        }
        self.pages.push();
        // All values of 32 bits need 1472 pages.
        self.directory[number] =
            u16::try_from(self.pages.len()).unwrap_or_else(|_| unreachable!("1472 pages"));
        self.pages.len() - 1
    }

    /// Returns the largest value of the cell in which the quantile is, or 0 without values.
    pub fn value_at_quantile(&self, quantile: f64) -> u32 {
        let wanted = ((quantile * self.total as f64).ceil() as u64).clamp(1, self.total.max(1));
        let mut counted = 0;
        let found = self.recorded().find(|&(_, count)| {
            counted += u64::from(count);
            counted >= wanted
        });
        found.map_or(0, |(value, _)| value)
    }

    /// Returns the largest value and the count of each cell that is not empty, in increasing order.
    fn recorded(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let pages = self.directory.iter().enumerate();
        let existing =
            pages.filter_map(|(number, &place)| Some((number, usize::from(place).checked_sub(1)?)));
        let cells = existing.flat_map(move |(number, place)| {
            (0..PAGE).map(move |cell| (number * PAGE + cell, self.pages.get(place, cell)))
        });
        cells.filter(|&(_, count)| count > 0).map(|(cell, count)| (largest_in(cell), count))
    }
}

/// Returns the number of the cell of a value.
fn cell_of(value: u32) -> usize {
    let shift = value.checked_ilog2().unwrap_or(0).saturating_sub(DIGITS);
    ((shift << DIGITS) + (value >> shift)) as usize
}

/// Returns the largest value of a cell.
fn largest_in(cell: usize) -> u32 {
    let cell = cell as u64;
    // Cells below 2048 have a width of 1. Otherwise the upper bits are the shift plus one.
    let shift = (cell >> DIGITS).saturating_sub(1);
    let first = (cell - (shift << DIGITS)) << shift;
    u32::try_from(first + (1 << shift) - 1).unwrap_or(u32::MAX)
}

/// Saves the cells that are not empty. Each cell is represented by its largest value.
impl Saved for Cells {
    fn save_to(&self, to: &mut Writer) {
        self.recorded().collect::<Vec<_>>().save_to(to);
    }
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        *self = Self::read_from(from)?;
        Ok(())
    }
}

impl Plain for Cells {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        let mut cells = Self::default();
        for (value, count) in Vec::<(u32, u32)>::read_from(from)? {
            cells.record_n(value, count);
        }
        Ok(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::Histogram;
    use proptest::prelude::*;

    proptest! {
        /// Expected: the quantiles of the library `hdrhistogram` with three significant digits.
        #[test]
        fn quantiles_are_those_of_an_hdr_histogram(
            values in prop::collection::vec((any::<u32>(), 0u32..32), 1..300),
            quantiles in prop::collection::vec(0.0..=1.0, 8),
        ) {
            let (mut cells, mut expected) = (Cells::default(), Histogram::<u64>::new(3).expect("three digits"));
            for (value, shift) in values {
                cells.record(value >> shift);
                expected.record(u64::from(value >> shift)).expect("it grows");
            }
            for quantile in quantiles.into_iter().chain([0.05, 0.5, 0.95, 0.99, 1.0]) {
                // The library returns the smallest value of the cell for the quantile 0.
                if quantile > 0.0 {
                    let value = u64::from(cells.value_at_quantile(quantile));
                    prop_assert_eq!(value, expected.value_at_quantile(quantile).min(u64::from(u32::MAX)));
                }
            }
        }
    }

    /// Expected: 100 delays near one second need far less memory than the 11,000 cells of an HDR histogram.
    #[test]
    fn memory_grows_with_the_number_of_different_values() {
        let mut cells = Cells::default();
        for value in 1_000_000..1_000_100 {
            cells.record(value);
        }
        assert_eq!(cells.pages.len(), 1, "cells are 512 wide at one second");
        assert!(cells.directory.capacity() < 800);
    }

    #[test]
    fn a_count_grows_beyond_16_and_stops_at_32_bits() {
        let mut cells = Cells::default();
        cells.record(7);
        cells.record_n(9, 65_535);
        assert!(matches!(cells.pages, Pages::Short(_)));
        cells.record(9);
        assert_eq!(cells.recorded().collect::<Vec<_>>(), [(7, 1), (9, 65_536)]);
        cells.record_n(9, u32::MAX);
        assert_eq!(cells.recorded().collect::<Vec<_>>(), [(7, 1), (9, u32::MAX)]);
    }
}
