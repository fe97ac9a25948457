// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contract of a controller.
//!
//! In addition to ACKs, losses, timeouts and RTT, the algorithms need:
//!
//! | algorithm | needs | part of the contract |
//! |---|---|---|
//! | Reno, NewReno, STCP, HSTCP, BIC, CUBIC | one reaction per episode, no growth when not cwnd-limited, undo | `Loss::new_episode`, `Ack::cwnd_limited`, `Spurious::episode` |
//! | H-TCP | min and max RTT per epoch, throughput change | `Ack::rtt`, `Ack::total_delivered`, `now` |
//! | Hybla | ρ from SRTT or min RTT, Hoe's estimate, packet spacing | `Ack::srtt`, `Ack::min_rtt`, `AckedPacket::sent_at`, `Control::pacing` |
//! | Hybla-IM | ACK spacing, T_PD at each packet's sending, T_QD of the packets before the hole, "keep the rate" | `Ack::now`, `AckedPacket::{tx, propagation_rtt}`, `LostPacket::tx`, `LossVerdict::LinkError` |
//! | Geo-Reno | distance, minimum of the competing set (a parameter) | `PathState::distance_m` |
//! | Vegas, Veno, YeAH, Illinois, LEDBAT++ | rounds, RTT per round, base RTT | `Ack::{round, round_start, rtt, min_rtt}`; one-way delay in `Ack::one_way_delay_ns` |
//! | Vegas-W | send gap and ACK gap of the two packets before the hole, RTT jumps | `AckedPacket::{tx, sent_at}` + `Ack::now`, `LostPacket::tx` |
//! | Westwood, Westwood+, LogWestwood+ | amount and spacing of ACKs, min RTT at loss | `Ack::{now, acked, duplicate, cumulative, min_rtt}` |
//! | A-LIAD, LIAD | Hoe's packet pair, RTT extremes, round start window | `AckedPacket::sent_at`, `Ack::{rtt, round_start}` |
//! | HYBIC | time, min RTT, undo of epochs | `Ack::{now, min_rtt}` |
//! | Copa | RTT per ACK, standing RTT, losses per window | `Ack::{rtt, srtt, total_lost}`, `Control::pacing` |
//! | BBRv1, BBRv3, LeoCC | delivery-rate sample with in-flight and lost at send, idle restart, own recovery | `RateSample`, `LostPacket::{tx_in_flight, lost_at_send}`, `Sent`, `Idle`, `Control::{quantum, owns_recovery}` |
//! | PCC Vivace | monitor intervals: sent, lost and RTT per packet by interval | `Sent`, `AckedPacket`, `LostPacket`, `Control::{pacing, timers}` |
//! | TCP-Peach, Peach+, Cherry | low-priority probes, copies or new data | `Control::probes`, `PacketKind::Probe`, `Ack::probes` |
//! | Jersey, NJ | router's congestion warning, receiver timestamps | `Ack::congestion_warning`, `Ack::one_way_delay_ns` |
//! | Prague, DCTCP, ECN | marked bytes, and each ACK with some | `Ack::ce`, `LossTrigger::Ecn`, `Controller::answers_each_mark` |
//! | HyStart++, SEARCH, limited, S-curve | rounds, RTT samples, bytes sent and delivered over time | `Ack::{round_start, rtt, total_sent, total_delivered}` |
//! | Careful Resume | saved state, first and last unvalidated packet, one-RTT timer | `Start::saved`, `Sent::tx`, `Ack::packets`, `Control::{timers, save}` |
//! | SaTCP, StarQUIC | announced changes with duration, loss judged by sending time | `PathChange::{at, lasts, uncertainty}`, `LostPacket::sent_at`, `LossVerdict::LinkError` |
//! | pausing at handovers | hold, timers | `Control::{hold_until, timers}`, `PathChange` |

use crate::{
    Ack, Control, Idle, Limited, Loss, LossVerdict, NewMss, PathChange, Sent, Signals, Spurious, Start,
    Timeout, TimerFired, Unused,
};

/// Named numbers for traces. A name contains its unit (`"ssthresh_segments"`). A name without a unit belongs to a plain
/// number (`"rho"`).
pub type Snapshot = Vec<(&'static str, f64)>;

/// A congestion controller: a deterministic state machine.
///
/// Every method receives the event and the [`Control`], which the platform obeys after the call. Events arrive in the
/// order in which things happen. If an ACK reveals a loss, the [`Ack`] arrives before the [`Loss`]. Methods that a
/// controller does not implement do nothing.
///
/// A platform may move a controller to another thread, read it from several threads, and clone it. A clone answers the
/// same events exactly as the original does. Events of the clone do not affect the original, and events of the original
/// do not affect the clone. (A QUIC connection clones its controller for a new path.)
///
/// The state of a controller is saved together with its run. Values that follow from the controller's settings are
/// saved too.
pub trait Controller: CloneController + saved::Saved + Send + Sync {
    /// Whether the state of this controller can be saved.
    fn can_be_saved(&self) -> bool {
        true
    }
    /// Signals that this controller requires.
    fn requires(&self) -> Signals {
        Signals::NONE
    }
    /// Signals that this controller uses if they are available, including the required signals.
    fn uses(&self) -> Signals {
        self.requires()
    }
    /// Called when the connection starts. `control.cwnd` holds the initial window of the platform.
    fn on_start(&mut self, event: &Start, control: &mut Control);
    /// Called after a packet was sent, if [`Controller::uses`] contains [`Signals::SENT`].
    fn on_sent(&mut self, _event: &Sent, _control: &mut Control) {}
    /// An acknowledgement arrived.
    fn on_ack(&mut self, event: &Ack<'_>, control: &mut Control);
    /// Called when packets were declared lost. The returned verdict decides whether the platform begins a recovery
    /// episode.
    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> LossVerdict;
    /// With rate halving: whether the window that [`Controller::on_loss`] set is kept while losses are repaired.
    /// Otherwise, the window may fall to half of this value. In Linux 2.6.22, most modules return half of the threshold
    /// as `min_cwnd`. A module without `min_cwnd` keeps the threshold.
    fn keeps_window_in_repair(&self) -> bool {
        false
    }
    /// Whether the controller receives every acknowledgement with marks outside of repairs, and decides itself how
    /// often it reduces. A verdict on a mark then has no effect: no episode begins. Otherwise, a mark is reported once
    /// per window of data, and [`Ack::in_recovery`] is set until that window is acknowledged.
    fn answers_each_mark(&self) -> bool {
        false
    }
    /// Called when all episodes are repaired: every packet that was sent before the newest episode began is
    /// acknowledged.
    fn on_recovery_exit(&mut self, _now: units::Time, _control: &mut Control) {}
    /// Called when the retransmission timer expired. A probe timeout (RFC 9002, section 6.2) does not call this method.
    fn on_timeout(&mut self, event: &Timeout, control: &mut Control);
    /// Called when all packets of a long enough period were lost (RFC 9002, section 7.6). The [`Loss`] that shows this
    /// arrived before. The module [`event`](crate::event) describes the reaction of the platform, and the answer of
    /// each family of controllers.
    fn on_persistent_congestion(&mut self, now: units::Time, control: &mut Control);
    /// An earlier episode proved spurious.
    fn on_spurious(&mut self, _event: &Spurious, _control: &mut Control) {}
    /// Called when sending became limited by the application or the receiver.
    fn on_limited(&mut self, _event: &Limited, _control: &mut Control) {}
    /// Called when the window was not used. If the window follows from a model of the path and not from ACKs, the
    /// controller keeps the window (Linux exempts modules with `cong_control`).
    fn on_unused(&mut self, _event: &Unused, _control: &mut Control) {}
    /// Sending resumes after an idle period.
    fn on_idle(&mut self, _event: &Idle, _control: &mut Control) {}
    /// The path changes or will change.
    fn on_path(&mut self, _event: &PathChange, _control: &mut Control) {}
    /// Called when the size of a full segment changes. [`NewMss`] describes how the window changes.
    fn on_mss(&mut self, event: &NewMss, control: &mut Control);
    /// A timer fired.
    fn on_timer(&mut self, _event: &TimerFired, _control: &mut Control) {}
    /// Named numbers of the controller's state, for traces. This method is not called for every packet.
    fn snapshot(&self, out: &mut Snapshot);
}

/// Clones a boxed controller. Every controller that is `Clone` implements this trait.
pub trait CloneController {
    /// Returns a controller in the same state.
    fn clone_box(&self) -> Box<dyn Controller>;
}

impl<C: Controller + Clone + 'static> CloneController for C {
    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Controller> {
    fn clone(&self) -> Self {
        self.as_ref().clone_box()
    }
}
