// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts utility gradients to rate changes (section 4.2 of the paper).

/// Sizes of the changes of the rate in one step.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Steps {
    /// Conversion from utility gradient to rate change, (Mbit/s)^2 per utility (theta_0, 1).
    pub conversion: f64,
    /// First bound of a change, as a fraction of the rate (omega_0, 0.05).
    pub bound: f64,
    /// Growth of the bound after a change has reached the bound (delta, 0.1).
    pub bound_increment: f64,
}

/// The paper's confidence amplifier and dynamic change boundary.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Stepper {
    up: bool,
    /// Number of consecutive steps in this direction.
    same: u32,
    /// k: number of consecutive changes that reached the bound.
    met: f64,
}

impl Stepper {
    /// The change in Mbit/s for the gradient `gradient` at the rate `x` Mbit/s.
    pub(super) fn change(&mut self, steps: &Steps, gradient: f64, x: f64) -> f64 {
        if gradient == 0.0 {
            *self = Self::default();
            return 0.0;
        }
        let up = gradient > 0.0;
        if up != self.up {
            *self = Self { up, same: 0, met: 0.0 };
        }
        self.same = self.same.saturating_add(1);
        let change = amplifier(self.same) * steps.conversion * gradient.abs();
        // omega = omega_0 + k delta.
        let bounded = change.min((steps.bound + self.met * steps.bound_increment) * x);
        if change > bounded {
            self.met += 1.0;
        } else {
            // The smallest k with change <= omega x.
            self.met = ((change / x - steps.bound) / steps.bound_increment).ceil().max(0.0);
        }
        if up { bounded } else { -bounded }
    }

    /// m: the confidence after `same` steps in one direction.
    pub(super) fn confidence(&self) -> f64 {
        amplifier(self.same)
    }
}

/// m(tau) = tau up to 3, then 2 tau - 3; at least 1.
fn amplifier(same: u32) -> f64 {
    let tau = f64::from(same.max(1));
    if tau <= 3.0 { tau } else { 2.0 * tau - 3.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: Steps = Steps { conversion: 1.0, bound: 0.05, bound_increment: 0.1 };

    #[test]
    fn confidence_is_1_2_3_5_7_and_starts_again_when_the_direction_turns() {
        let mut stepper = Stepper::default();
        for wanted in [1.0, 2.0, 3.0, 5.0, 7.0] {
            assert_eq!(stepper.change(&STEPS, 1.0, 1e6), wanted);
        }
        assert_eq!(stepper.change(&STEPS, -1.0, 1e6), -1.0);
        assert_eq!(stepper.change(&STEPS, 0.0, 1e6), 0.0);
        assert_eq!(stepper.change(&STEPS, -1.0, 1e6), -1.0);
    }

    /// At 100 Mbit/s, the changes are 5, 15 and 25 Mbit/s while they reach the bound. Then k falls to the required
    /// value. When the direction changes, k is 0.
    #[test]
    fn the_bound_widens_while_it_is_met() {
        let mut stepper = Stepper::default();
        // At the third change, m = 3. 12 <= 25 and 0.12 <= 0.05 + 1 * 0.1, so k = 1. At the fourth change, m = 5 and
        // 5000 > 15.
        for (gradient, wanted) in
            [(1000.0, 5.0), (1000.0, 15.0), (4.0, 12.0), (1000.0, 15.0), (-1000.0, -5.0)]
        {
            let change = stepper.change(&STEPS, gradient, 100.0);
            assert!((change - wanted).abs() < 1e-9, "{change}, not {wanted}");
        }
    }
}
