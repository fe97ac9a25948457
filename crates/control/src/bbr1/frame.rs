// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame of every controller derived from BBRv1: the common [`Machine`], and a [`Variant`] that contains the
//! differences.

use super::machine::{Machine, MachineParameters, State};
use super::window::MIN_PIPE_SEGMENTS;
use crate::window::Rescale;
use crate::{
    Ack, Control, Controller, Idle, Loss, LossTrigger, LossVerdict, NewMss, PathChange, Signals, Snapshot,
    Spurious, Start, Timeout,
};
use units::{Span, Time};

/// Signals that BBR requires.
pub const REQUIRES: Signals = Signals::RATE_SAMPLE.and(Signals::PACING);

/// The differences between BBRv1 and a controller derived from it. [`Rescale`] converts the amounts in segments that
/// the variant stores.
pub trait Variant: Clone + Rescale + saved::Plain + Send + Sync + 'static {
    /// Signals that the variant requires.
    fn requires(&self) -> Signals {
        REQUIRES
    }
    /// The connection starts.
    fn start(&mut self, _event: &Start) {}
    /// Passes an ACK to the machine's model. Returns whether PROBE_RTT is due.
    fn observe(&mut self, machine: &mut Machine, ack: &Ack<'_>) -> bool {
        machine.observe(ack);
        machine.observe_rtt(ack)
    }
    /// Reacts to the end of PROBE_RTT. `rtt` is the newest RTT sample.
    fn leave_probe_rtt(&mut self, machine: &mut Machine, now: Time, _rtt: Option<Span>) {
        machine.leave_probe_rtt(now, None);
    }
    /// Called after an ACK has changed the state of the machine. A variant can react here to the new state.
    fn settle(&mut self, _machine: &mut Machine, _ack: &Ack<'_>) {}
    /// The bandwidth from which the pacing rate and the window are computed, in segments/s.
    fn bandwidth(&self, machine: &Machine) -> f64 {
        machine.bandwidth()
    }
    /// The path changes or will change.
    fn path(&mut self, _event: &PathChange) {}
    /// Values of the variant, for traces.
    fn snapshot(&self, _machine: &Machine, _out: &mut Snapshot) {}
}

/// A controller: the state machine of BBRv1 ([`Machine`]) and the changes that a variant makes ([`Variant`]).
#[derive(Clone, Debug, saved::Plain)]
pub struct Bbr<V> {
    machine: Machine,
    variant: V,
}

impl<V: Variant> Bbr<V> {
    /// A machine with `parameters`, combined with `variant`.
    pub fn new(parameters: MachineParameters, variant: V) -> Self {
        Self { machine: Machine::new(parameters), variant }
    }
}

impl<V: Variant> Controller for Bbr<V> {
    fn requires(&self) -> Signals {
        self.variant.requires()
    }

    fn uses(&self) -> Signals {
        self.requires().and(Signals::UNDO)
    }

    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.variant.start(event);
        self.machine.start(event, control);
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        let Self { machine, variant } = self;
        let due = variant.observe(machine, ack);
        if due && !machine.is_resuming() && machine.state() != State::ProbeRtt {
            machine.enter_probe_rtt(ack);
        }
        if machine.state() == State::ProbeRtt && machine.probe_rtt_is_over(ack) {
            variant.leave_probe_rtt(machine, ack.now, ack.rtt);
        }
        variant.settle(machine, ack);
        machine.command(ack, variant.bandwidth(machine), control);
    }

    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> LossVerdict {
        if event.trigger == LossTrigger::Ecn {
            return LossVerdict::LinkError;
        }
        self.machine.lose(event, control);
        LossVerdict::Congestion
    }

    fn on_recovery_exit(&mut self, now: Time, control: &mut Control) {
        self.machine.recovered(now, control);
    }

    fn on_timeout(&mut self, event: &Timeout, control: &mut Control) {
        self.machine.time_out(event, control);
    }

    fn on_persistent_congestion(&mut self, _now: Time, control: &mut Control) {
        self.machine.collapse(MIN_PIPE_SEGMENTS, control);
    }

    fn on_spurious(&mut self, event: &Spurious, control: &mut Control) {
        self.machine.spurious(event.now, control);
    }

    fn on_idle(&mut self, event: &Idle, control: &mut Control) {
        let Self { machine, variant } = self;
        if machine.resume(event, variant.bandwidth(machine), control) {
            variant.leave_probe_rtt(machine, event.now, None);
            machine.write(control);
        }
    }

    fn on_path(&mut self, event: &PathChange, _control: &mut Control) {
        self.variant.path(event);
    }

    fn on_mss(&mut self, event: &NewMss, control: &mut Control) {
        let factor = self.machine.set_mss(event.mss);
        self.variant.rescale(factor);
        self.machine.write(control);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        self.machine.snapshot(self.variant.bandwidth(&self.machine), out);
        self.variant.snapshot(&self.machine, out);
    }
}
