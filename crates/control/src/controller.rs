// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contract of a controller.

use crate::{
    Ack, Control, Idle, Limited, Loss, LossVerdict, NewMss, PathChange, Sent, Signals, Spurious, Start,
    Timeout, TimerFired,
};

/// Named numbers for traces; a name carries its unit (`"ssthresh_segments"`, `"rho"` is without unit).
pub type Snapshot = Vec<(&'static str, f64)>;

/// A congestion controller: a deterministic state machine.
///
/// Every method gets the event and the [`Control`] that the ground obeys afterwards. Events come in the order in
/// which things happen; an [`Ack`] comes before the [`Loss`] that it reveals. Methods without a body of the
/// controller's own do nothing.
///
/// A ground may move a controller to another thread, look at it from several, and clone it: a clone answers the same
/// events as the original would, and neither disturbs the other (a QUIC connection takes one along to a new path).
pub trait Controller: CloneController + Send + Sync {
    /// Signals without which this controller is not itself.
    fn requires(&self) -> Signals {
        Signals::NONE
    }
    /// Signals that it uses if they are there (the requirements included).
    fn uses(&self) -> Signals {
        self.requires()
    }
    /// The connection starts. `control.cwnd` holds the initial window of the ground.
    fn on_start(&mut self, event: &Start, control: &mut Control);
    /// A packet was sent; called only if [`Signals::SENT`] is among [`Controller::uses`].
    fn on_sent(&mut self, _event: &Sent, _control: &mut Control) {}
    /// An acknowledgement arrived.
    fn on_ack(&mut self, event: &Ack<'_>, control: &mut Control);
    /// Packets were declared lost. The answer decides whether the ground opens a recovery episode.
    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> LossVerdict;
    /// Where losses are repaired by rate halving: whether the window that [`Controller::on_loss`] set is kept meanwhile, or
    /// may halve. A module of Linux 2.6.22 that names no `min_cwnd` keeps the threshold; most name half of it.
    fn keeps_window_in_repair(&self) -> bool {
        false
    }
    /// Whether it is told of every acknowledgement with marks, while nothing is repaired, and decides itself how often it reduces:
    /// "link error" leaves all as it is, and no answer opens an episode. Otherwise a mark is told of once per window of data,
    /// and until that is acknowledged [`Ack::in_recovery`] is set.
    fn answers_each_mark(&self) -> bool {
        false
    }
    /// The newest episode is repaired, and with it those before: everything sent before it began is acknowledged.
    fn on_recovery_exit(&mut self, _now: units::Time, _control: &mut Control) {}
    /// The retransmission timer expired. A probe timeout (RFC 9002, section 6.2) is none.
    fn on_timeout(&mut self, event: &Timeout, control: &mut Control);
    /// All packets of a long enough period were lost (RFC 9002, section 7.6); the [`Loss`] that shows it came before.
    /// [`event`](crate::event) says what the platform does then, and how each family of controllers answers.
    fn on_persistent_congestion(&mut self, now: units::Time, control: &mut Control);
    /// An earlier episode proved spurious.
    fn on_spurious(&mut self, _event: &Spurious, _control: &mut Control) {}
    /// Sending became limited by the application or the receiver.
    fn on_limited(&mut self, _event: &Limited, _control: &mut Control) {}
    /// Sending resumes after idling.
    fn on_idle(&mut self, _event: &Idle, _control: &mut Control) {}
    /// The path changes, or will.
    fn on_path(&mut self, _event: &PathChange, _control: &mut Control) {}
    /// A full segment has another size from now on; [`NewMss`] says what becomes of the window.
    fn on_mss(&mut self, event: &NewMss, control: &mut Control);
    /// A timer fired.
    fn on_timer(&mut self, _event: &TimerFired, _control: &mut Control) {}
    /// Named numbers of the inner state, for traces. Not called per packet.
    fn snapshot(&self, out: &mut Snapshot);
}

/// Clones a controller of which only the contract is known. Every controller that is `Clone` has it.
pub trait CloneController {
    /// A controller in the same state.
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
