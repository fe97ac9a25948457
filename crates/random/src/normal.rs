// SPDX-License-Identifier: MIT OR Apache-2.0
//! The standard normal distribution: its tail probability Q, and the inverse of Q.

use std::f64::consts::TAU;

/// Returns Q(x), the probability that a standard normal variable exceeds `x`. The result is accurate to ten digits for
/// |x| up to 7, and to eight digits for larger |x|.
pub fn tail(x: f64) -> f64 {
    let z = x.abs();
    let upper = if z > 37.0 {
        0.0
    } else if z < 7.071_067_811_865_47 {
        // Hart (1968) 5666, in the form of West (2005), "Better approximations to cumulative normal functions".
        const P: [f64; 7] = [
            0.035_262_496_599_891_1,
            0.700_383_064_443_688,
            6.373_962_203_531_65,
            33.912_866_078_383,
            112.079_291_497_871,
            221.213_596_169_931,
            220.206_867_912_376,
        ];
        const R: [f64; 8] = [
            0.088_388_347_648_318_4,
            1.755_667_163_182_64,
            16.064_177_579_207,
            86.780_732_202_946_1,
            296.564_248_779_674,
            637.333_633_378_831,
            793.826_512_519_948,
            440.413_735_824_752,
        ];
        let polynomial = |c: &[f64]| c.iter().fold(0.0, |sum, c| sum * z + c);
        (-z * z / 2.0).exp() * polynomial(&P) / polynomial(&R)
    } else {
        // The continued fraction of the tail, truncated after four steps.
        let fraction = z + 1.0 / (z + 2.0 / (z + 3.0 / (z + 4.0 / (z + 0.65))));
        (-z * z / 2.0).exp() / fraction / TAU.sqrt()
    };
    if x >= 0.0 { upper } else { 1.0 - upper }
}

/// Returns Q⁻¹(p), the value that a standard normal variable exceeds with probability `p`. `p` must be between 1e-300
/// and 1 - 1e-16.
pub fn exceeded_with(p: f64) -> f64 {
    let (mut low, mut high) = (-38.0_f64, 38.0_f64);
    // Bisection until no number lies between the bounds. It is slow, but the function is called only a few times per
    // run.
    loop {
        let middle = low.midpoint(high);
        if middle <= low || middle >= high {
            return middle;
        }
        if tail(middle) > p { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected (Abramowitz and Stegun, tables 26.1 and 26.5): Q(1) = 0.1586552539, Q(3.090232) = 0.001, Q(4.753424) =
    /// 1e-6, Q(5.199338) = 1e-7, Q(8) = 6.220960574e-16.
    #[test]
    fn the_tail_is_that_of_the_tables() {
        for (x, q) in [
            (0.0, 0.5),
            (1.0, 0.158_655_253_931_457),
            (-1.0, 0.841_344_746_068_543),
            (3.090_232_306_167_81, 1e-3),
            (4.753_424_308_822_9, 1e-6),
            (5.199_337_582_192_82, 1e-7),
            (8.0, 6.220_960_574_271_8e-16),
        ] {
            assert!((tail(x) / q - 1.0).abs() < if x < 7.0 { 1e-10 } else { 1e-8 }, "Q({x}) = {}", tail(x));
            if q > 1e-12 && x != 0.0 {
                assert!((exceeded_with(q) - x).abs() < 1e-8, "{q}");
            }
        }
        assert!(exceeded_with(0.5).abs() < 1e-12);
    }
}
