// SPDX-License-Identifier: MIT OR Apache-2.0
//! A straight line through the RTTs of a monitor interval, by least squares.

/// Sums of the samples (x, RTT).
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Line {
    origin: f64,
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Line {
    /// Adds a sample. `rtt` is in seconds.
    pub(super) fn add(&mut self, x: f64, rtt: f64) {
        if self.n == 0.0 {
            self.origin = rtt;
        }
        // The sums use differences to the first sample, so that the sums of squares keep their precision.
        let y = rtt - self.origin;
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
    }

    /// Number of samples.
    pub(super) const fn samples(&self) -> f64 {
        self.n
    }

    /// Mean RTT in seconds; 0 without samples.
    pub(super) fn mean(&self) -> f64 {
        if self.n == 0.0 { 0.0 } else { self.origin + self.y / self.n }
    }

    /// Slope in seconds per unit of x; 0 if all values of x are equal.
    pub(super) fn slope(&self) -> f64 {
        let spread = self.n * self.xx - self.x * self.x;
        if spread > 1e-12 * self.n * self.xx { (self.n * self.xy - self.x * self.y) / spread } else { 0.0 }
    }

    /// Root mean square distance, in seconds, of the samples from the line with slope `slope` through the means.
    pub(super) fn residual(&self, slope: f64) -> f64 {
        if self.n == 0.0 {
            return 0.0;
        }
        let centred = |product: f64, a: f64, b: f64| product - a * b / self.n;
        let xx = centred(self.xx, self.x, self.x);
        let xy = centred(self.xy, self.x, self.y);
        let yy = centred(self.yy, self.y, self.y);
        ((yy - 2.0 * slope * xy + slope * slope * xx) / self.n).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    /// Anscombe's first data set (The American Statistician 1973): slope 0.500, mean 7.50, and residual sum of squares
    /// 13.75.
    #[test]
    fn fits_a_published_data_set() {
        let points = [
            (10.0, 8.04),
            (8.0, 6.95),
            (13.0, 7.58),
            (9.0, 8.81),
            (11.0, 8.33),
            (14.0, 9.96),
            (6.0, 7.24),
            (4.0, 4.26),
            (12.0, 10.84),
            (7.0, 4.82),
            (5.0, 5.68),
        ];
        let mut line = Line::default();
        for (x, y) in points {
            line.add(x, y);
        }
        assert!((line.slope() - 0.500).abs() < 5e-4 && (line.mean() - 7.50).abs() < 5e-3);
        let squares = line.residual(line.slope()).powi(2) * line.samples();
        assert!((squares - 13.75).abs() < 0.02, "{squares}");
    }

    #[test]
    fn one_moment_has_no_slope() {
        let mut line = Line::default();
        line.add(3.0, 0.1);
        line.add(3.0, 0.2);
        assert_eq!(line.slope(), 0.0);
    }
}
