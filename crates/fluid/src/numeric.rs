// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numerical tools for the models: roots, straight lines, and small least-squares problems.

/// Returns the zero of the increasing function `f` between `low` and `high`, exact to about the last bit. If there is
/// no zero in this range, returns the end at which `f` is nearer to zero.
pub(crate) fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// A straight line y = intercept + slope x, fitted to points by least squares. r^2 is the fraction of the variance that
/// the line explains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub intercept: f64,
    pub slope: f64,
    pub r_squared: f64,
}

/// Fits a line to `points`; `None` if all points have the same abscissa.
pub(crate) fn line(points: &[(f64, f64)]) -> Option<Line> {
    let n = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| f(p.0 - x, p.1 - y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if xx.is_nan() || xx <= 0.0 {
        return None;
    }
    let slope = xy / xx;
    let r_squared = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
    Some(Line { intercept: y - slope * x, slope, r_squared })
}

/// Returns the coefficients c for which the sum over j of c_j basis_j(row) is nearest to `targets`. The method is least
/// squares by the normal equations, which is suitable for a few terms. `None` if the rows do not determine the
/// coefficients.
pub(crate) fn least_squares(rows: &[Vec<f64>], targets: &[f64]) -> Option<Vec<f64>> {
    let terms = rows.first()?.len();
    let mut matrix: Vec<Vec<f64>> = (0..terms)
        .map(|i| {
            let product = |j: usize| rows.iter().map(|row| row[i] * row[j]).sum::<f64>();
            let right = rows.iter().zip(targets).map(|(row, target)| row[i] * target).sum::<f64>();
            (0..terms).map(product).chain([right]).collect()
        })
        .collect();
    // Gaussian elimination with the largest pivot.
    for column in 0..terms {
        let pivot =
            (column..terms).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        matrix.swap(column, pivot);
        let pivot = matrix[column].clone();
        if pivot[column].abs() < 1e-300 {
            return None;
        }
        for (_, row) in matrix.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).skip(column).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    Some((0..terms).map(|i| matrix[i][terms] / matrix[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_a_square() {
        assert!((root(1.0, 2.0, |x| x * x - 2.0) - std::f64::consts::SQRT_2).abs() < 1e-15);
    }

    /// Expected: Anscombe's first quartet (1973) has y = 3.00 + 0.500 x and r^2 = 0.67.
    #[test]
    fn anscombe() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let points: Vec<_> = x.into_iter().zip(y).collect();
        let found = line(&points).unwrap_or(Line { intercept: 0.0, slope: 0.0, r_squared: 0.0 });
        assert!((found.intercept - 3.00).abs() < 0.005 && (found.slope - 0.500).abs() < 0.0005);
        assert!((found.r_squared - 0.67).abs() < 0.005);
        assert_eq!(line(&[(1.0, 2.0), (1.0, 3.0)]), None);
    }

    /// Expected: the values 1, 2, 5 at 0, 1, 2 determine the parabola 1 + x^2.
    #[test]
    fn a_parabola() {
        let rows: Vec<Vec<f64>> = [0.0, 1.0, 2.0].iter().map(|x: &f64| vec![1.0, *x, x * x]).collect();
        let found = least_squares(&rows, &[1.0, 2.0, 5.0]).unwrap_or_default();
        assert!(found.iter().zip([1.0, 0.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
        assert_eq!(least_squares(&[vec![0.0]], &[1.0]), None);
    }
}
