// SPDX-License-Identifier: MIT OR Apache-2.0
//! The E-model: how people rate a voice call, from its delay and its losses.
//!
//! Equations and symbols follow ITU-T G.107 (06/2015), sections 7.1 to 7.5 and annex B. Every quantity that is not in
//! [`Call`] has the default value of table 3 in G.107. The model predicts ratings of narrow-band telephony (300 to 3400
//! Hz). It is intended for planning, not for single calls.

/// The effects of the network and the terminals on a call, in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call {
    /// Ta: absolute delay from mouth to ear, in ms.
    pub delay_ms: f64,
    /// Absolute delay in the other direction, in ms. Both delays together are the delay of the echo.
    pub delay_back_ms: f64,
    /// Ie: impairment by the codec.
    pub ie: f64,
    /// Bpl: robustness of the codec against losses.
    pub bpl: f64,
    /// Ppl: fraction of lost packets, 0 to 1.
    pub loss: f64,
    /// BurstR: mean length of loss bursts, divided by their mean length under random loss. It is 1 for random loss.
    pub burst_ratio: f64,
}

/// Ie of G.711 (G.113, appendix I).
pub const G711_IE: f64 = 0.0;
/// Bpl of G.711 with the packet loss concealment of its appendix I, measured with 10 ms per packet (G.113, appendix I).
/// The table of G.113 was not available. The value is the one that other implementations quote from it.
pub const G711_PLC_BPL: f64 = 25.1;

// Table 3 of G.107, in this order: loudness ratings of sending and receiving, sidetone masking, D-values of the
// telephones, noise in dBm0p or dBmp, noise of the rooms in dB(A), loudness rating of the talker's echo, weighted echo
// path loss, quantising units, sensitivity to delay.
const SLR: f64 = 8.0;
const RLR: f64 = 2.0;
const STMR: f64 = 15.0;
const D_S: f64 = 3.0;
const D_R: f64 = 3.0;
const N_C: f64 = -70.0;
const N_FOR: f64 = -64.0;
const P_S: f64 = 35.0;
const P_R: f64 = 35.0;
const TELR: f64 = 65.0;
const WEPL: f64 = 110.0;
const QDU: f64 = 1.0;
const S_T: f64 = 1.0;
const M_T: f64 = 100.0;

fn power(level: f64) -> f64 {
    10_f64.powf(level / 10.0)
}

/// Returns `(1 + x^n)^(1/n)`.
fn knee(x: f64, n: f64) -> f64 {
    (1.0 + x.powf(n)).powf(1.0 / n)
}

/// No (7-3 to 7-7): sum of all noise powers at the 0 dBr point.
fn noise() -> f64 {
    let olr = SLR + RLR;
    let room_sent = P_S - SLR - D_S - 100.0 + 0.004 * (P_S - olr - D_S - 14.0).powi(2);
    let p_re = P_R + 10.0 * (1.0 + power(10.0 - (STMR + D_R))).log10();
    let room_received = RLR - 121.0 + p_re + 0.008 * (p_re - 35.0).powi(2);
    10.0 * (power(N_C) + power(room_sent) + power(room_received) + power(N_FOR + RLR)).log10()
}

/// Ro (7-2): signal-to-noise ratio.
fn signal_to_noise() -> f64 {
    15.0 - 1.5 * (SLR + noise())
}

/// Is (7-8 to 7-17): impairments that occur together with the voice (loudness, sidetone, quantising). `echo_ms` is T.
fn simultaneous(echo_ms: f64) -> f64 {
    let x_olr = SLR + RLR + 0.2 * (64.0 + noise() - RLR);
    let too_loud = 20.0 * (knee(x_olr / 8.0, 8.0) - x_olr / 8.0);
    let stmr_o = -10.0 * (power(-STMR) + (-echo_ms / 4.0).exp() * power(-TELR)).log10();
    let sidetone = 12.0 * knee((stmr_o - 13.0) / 6.0, 8.0)
        - 28.0 * knee((stmr_o + 1.0) / 19.4, 35.0)
        - 13.0 * knee((stmr_o - 3.0) / 33.0, 13.0)
        + 29.0;
    let q = 37.0 - 15.0 * QDU.log10();
    let g = 1.07 + 0.258 * q + 0.0602 * q * q;
    let y = (signal_to_noise() - 100.0) / 15.0 + 46.0 / 8.4 - g / 9.0;
    let z = 46.0 / 30.0 - g / 40.0;
    let quantising = 15.0 * (1.0 + 10_f64.powf(y) + 10_f64.powf(z)).log10();
    too_loud + sidetone + quantising
}

/// Idd (7-27, 7-28): impairment by the absolute delay.
fn absolute_delay(delay_ms: f64) -> f64 {
    if delay_ms <= M_T {
        return 0.0;
    }
    let x = (delay_ms / M_T).log2();
    25.0 * (knee(x, 6.0 * S_T) - 3.0 * knee(x / 3.0, 6.0 * S_T) + 2.0)
}

/// Idte (7-19 to 7-22): impairment by the talker's echo. `echo_ms` is T.
fn talker_echo(echo_ms: f64) -> f64 {
    if echo_ms < 1.0 {
        return 0.0;
    }
    let terv = TELR - 40.0 * ((1.0 + echo_ms / 10.0) / (1.0 + echo_ms / 150.0)).log10()
        + 6.0 * (-0.3 * echo_ms * echo_ms).exp();
    let r_e = 80.0 + 2.5 * (terv - 14.0);
    let difference = -1.5 * (noise() - RLR) - r_e;
    (difference / 2.0 + (difference * difference / 4.0 + 100.0).sqrt() - 1.0) * (1.0 - (-echo_ms).exp())
}

/// Idle (7-25, 7-26): impairment by the listener's echo. `round_trip_ms` is Tr.
fn listener_echo(round_trip_ms: f64) -> f64 {
    let r_le = 10.5 * (WEPL + 7.0) * (round_trip_ms + 1.0).powf(-0.25);
    let difference = signal_to_noise() - r_le;
    difference / 2.0 + (difference * difference / 4.0 + 169.0).sqrt()
}

impl Call {
    /// Returns Id (7-18), the impairment by delay and echo.
    pub fn delay_impairment(&self) -> f64 {
        let round_trip_ms = self.delay_ms + self.delay_back_ms;
        talker_echo(round_trip_ms / 2.0) + listener_echo(round_trip_ms) + absolute_delay(self.delay_ms)
    }

    /// Returns Ie,eff (7-29), the impairment by codec and losses.
    pub fn effective_equipment_impairment(&self) -> f64 {
        let lost = 100.0 * self.loss;
        let robust = lost / self.burst_ratio + self.bpl;
        self.ie + if lost > 0.0 { (95.0 - self.ie) * lost / robust } else { 0.0 }
    }

    /// Returns the rating R (7-1) with the advantage factor A = 0. The smallest rating is 0.
    pub fn rating(&self) -> f64 {
        let echo_ms = f64::midpoint(self.delay_ms, self.delay_back_ms);
        let undisturbed = signal_to_noise() - simultaneous(echo_ms);
        (undisturbed - self.delay_impairment() - self.effective_equipment_impairment()).max(0.0)
    }
}

/// Returns the mean opinion score of a rating (annex B, B-4).
pub fn opinion(rating: f64) -> f64 {
    match rating {
        r if r <= 0.0 => 1.0,
        r if r >= 100.0 => 4.5,
        r => 1.0 + 0.035 * r + r * (r - 60.0) * (100.0 - r) * 7e-6,
    }
}

#[cfg(test)]
mod tests;
