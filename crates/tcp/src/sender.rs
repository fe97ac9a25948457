// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sending half of a connection: transmission (`transmit`), acknowledgements (`ack`), loss detection (`detection`),
//! and the start of the connection (`setup`).

mod ack;
mod buffer;
mod congestion;
mod detection;
pub mod ecn;
mod flow_control;
mod log;
mod messages;
mod ns2;
mod recovery;
mod relay;
mod setup;
mod tail;
#[cfg(test)]
mod tests;
mod transmit;
mod tso;
mod unused;
mod validation;

use crate::event::{Event, SenderStats};
use crate::probing::Probing;
use crate::scoreboard::Scoreboard;
use crate::timer::RetransmissionTimer;
use crate::{Config, Recovery, Setup, Transfer};
use ack::LastAck;
use buffer::SendBuffer;
use congestion::CongestionControl;
use control::{Control, Controller, Ephemeris, Limit, Overrides, PathChange, Signals, Snapshot};
use detection::LossDetection;
use flow_control::FlowControl;
use log::Log;
use recovery::{Forced, LossRecovery, Mode, Order};
use setup::{Connection, Stage};
use std::sync::Arc;
use transmit::{Pacing, Transmissions};
use units::{Bytes, Span, Time};

/// The signals of a sender that knows the ephemeris, if the engine announces path changes.
const PATH_SIGNALS: Signals = Signals::PROPAGATION.and(Signals::PATH_CHANGE);

/// The sending half of a TCP connection, with its congestion controller.
///
/// After each call of `start`, `handle` and `handle_timeout`, call [`Sender::poll_transmit`] until it returns `None`.
/// [`Config::platform`] defines the signals that a controller receives. If a controller requires more signals, the
/// caller must refuse it.
#[derive(Clone, saved::Saved)]
pub struct Sender {
    config: Config,
    connection: Connection,
    buffer: SendBuffer,
    board: Scoreboard,
    cc: CongestionControl,
    pacing: Pacing,
    flow: FlowControl,
    sent: Transmissions,
    timer: RetransmissionTimer,
    last_ack: LastAck,
    detection: LossDetection,
    recovery: LossRecovery,
    ecn: ecn::EcnSender,
    probing: Probing,
    log: Log,
}

impl Sender {
    /// Creates a sender whose first segment is 0. [`Sender::start`] calls the controller for the first time.
    pub fn new(
        config: Config,
        controller: Box<dyn Controller>,
        transfer: Transfer,
        path: Option<Arc<dyn Ephemeris>>,
    ) -> Self {
        Self::starting_at(0, config, controller, transfer, path)
    }

    /// Creates a sender whose first segment has the number `first`. The receiver must start with the same number.
    pub fn starting_at(
        first: u64,
        config: Config,
        controller: Box<dyn Controller>,
        transfer: Transfer,
        path: Option<Arc<dyn Ephemeris>>,
    ) -> Self {
        let cc = CongestionControl::new(first, &config, controller, path);
        let mut config = config;
        // If a probe delivers a segment, the later data segment looks like an unnecessary retransmission. If the
        // controller uses probes, no reduction is therefore undone.
        config.undo &= !cc.uses.contains(Signals::PROBE);
        Self {
            connection: Connection { first, ..Connection::default() },
            buffer: SendBuffer::new(&config, first, transfer),
            board: Scoreboard::new(first),
            pacing: Pacing::new(&config),
            flow: FlowControl {
                limit: first + u64::from(config.window_segments()),
                ..FlowControl::default()
            },
            sent: Transmissions { last_at: Time::MAX, ..Transmissions::default() },
            timer: RetransmissionTimer::new(&config),
            last_ack: LastAck::default(),
            detection: LossDetection::new(&config),
            recovery: LossRecovery { recover: first, ..LossRecovery::default() },
            ecn: ecn::EcnSender::new(&config, cc.controller.as_ref()),
            probing: Probing::default(),
            log: Log::default(),
            cc,
            config,
        }
    }

    /// Sets additional signals of the network (congestion warnings). This method must be called before the start.
    pub fn also_provides(&mut self, signals: Signals) {
        self.cc.from_network = signals;
    }

    /// Informs the controller that the path changes or will change.
    pub fn path_changed(&mut self, change: &PathChange) {
        self.tell(change.now, |controller, control| controller.on_path(change, control));
    }

    /// Handles the timers that are due. A call before [`Sender::next_timeout`] has no effect.
    pub fn handle_timeout(&mut self, now: Time) {
        self.log.events.clear();
        self.last_ack.newly = 0;
        self.recovery.order = Order::RepairsFirst;
        if self.pacing.blocked_until <= now {
            self.pacing.blocked_until = Time::MAX;
        }
        for id in 0..self.cc.control.timers.len() {
            if self.cc.control.timers[id].is_some_and(|at| at <= now) {
                self.cc.control.timers[id] = None;
                let event = control::TimerFired { now, id };
                self.tell(now, |controller, control| controller.on_timer(&event, control));
            }
        }
        if self.detection.reorder_at <= now {
            self.detect_losses(now);
        }
        if self.detection.tail.due <= now {
            self.probe_tail(now);
        } else if self.timer.due <= now {
            self.time_out(now);
        }
    }

    /// Time at which [`Sender::handle_timeout`] must be called next, or [`Time::MAX`] if no call is needed.
    pub fn next_timeout(&self) -> Time {
        let [a, b] = self.cc.control.timers;
        let timers = a.unwrap_or(Time::MAX).min(b.unwrap_or(Time::MAX));
        let due = self.timer.due.min(self.detection.next()).min(self.pacing.blocked_until).min(timers);
        due.min(self.probe_due())
    }

    /// Calls the controller, and then applies the commands in its [`Control`].
    fn tell<R>(&mut self, now: Time, call: impl FnOnce(&mut dyn Controller, &mut Control) -> R) -> R {
        let phase = self.cc.control.phase;
        let answer = call(self.cc.controller.as_mut(), &mut self.cc.control);
        self.obey(now);
        self.log.note_phase(phase, self.cc.control.phase);
        answer
    }

    /// Computes the window in whole segments from the window in bytes, and accepts a request for probes.
    fn obey(&mut self, now: Time) {
        if let Some(request) = self.cc.control.probes.take() {
            self.probing.request(now, request);
        }
        self.cc.count_window(self.config.mss);
    }

    fn complete_if_done(&mut self, now: Time) {
        if self.connection.completed_at.is_none() && self.board.una() >= self.buffer.data_end {
            self.connection.completed_at = Some(now);
            self.log.note(Event::Complete);
        }
    }

    /// Whether the receiver reports selectively (SACK).
    fn selective(&self) -> bool {
        matches!(self.config.recovery, Recovery::Sack | Recovery::RackTlp)
    }

    fn bytes_of(&self, segments: u64) -> Bytes {
        Bytes::new(segments * u64::from(self.config.mss))
    }

    /// Sets commands from outside. From now on, they replace the commands of the controller.
    pub fn command(&mut self, now: Time, overrides: Overrides) {
        self.cc.command(overrides);
        self.tell(now, |_, _| ());
    }

    /// The current commands from outside.
    pub fn overrides(&self) -> Overrides {
        self.cc.overrides.unwrap_or_default()
    }

    /// Whether the state of this sender can be saved. This depends on its controller.
    pub fn can_be_saved(&self) -> bool {
        self.cc.controller.can_be_saved()
    }

    /// The commands of the controller.
    pub fn control(&self) -> &Control {
        &self.cc.control
    }
    /// The counters of this sender.
    pub fn stats(&self) -> &SenderStats {
        &self.log.stats
    }
    /// The recovery that took the most round trips. Returns its length and its number of round trips, as in
    /// [`SenderStats`]. A recovery that is in progress at `now` is included.
    pub fn longest_recovery(&self, now: Time) -> (Span, f64) {
        let longest = (self.log.stats.longest_recovery, self.log.stats.longest_recovery_rtts);
        let Some((began, srtt)) = self.recovery.began else { return longest };
        let lasts = now.since(began);
        // If a host and a proxy are at the same place, the RTT may be zero.
        let rtts = srtt.map_or(0.0, |srtt| lasts.secs_f64() / srtt.max(Span::from_micros(1)).secs_f64());
        if (longest.1, longest.0) < (rtts, lasts) { (lasts, rtts) } else { longest }
    }
    /// Writes named numbers of the controller's internal state to `out`.
    pub fn snapshot(&self, out: &mut Snapshot) {
        self.cc.controller.snapshot(out);
    }
    /// The smoothed RTT.
    pub fn srtt(&self) -> Option<Span> {
        self.timer.rtt.srtt()
    }
    /// The smallest RTT of segments with data.
    pub fn min_rtt(&self) -> Option<Span> {
        self.timer.min_rtt
    }
    /// RTTVAR of RFC 6298, or `None` before the first sample.
    pub fn rtt_variation(&self) -> Option<Span> {
        self.timer.rtt.variation()
    }
    /// The RTT sample of the last call of [`Sender::handle`].
    pub fn rtt_sample(&self) -> Option<Span> {
        self.last_ack.rtt
    }
    /// Number of segments that are presumed to be in the network.
    pub fn in_flight_segments(&self) -> u64 {
        self.board.pipe()
    }
    /// Total time for which the application has limited sending. The result counts until `now`, or until the transfer
    /// was complete.
    pub fn app_limited_time(&self, now: Time) -> Span {
        Span::from_nanos(self.log.stats.app_limited_ns) + self.running_limit(Limit::Application, now)
    }
    /// Total time for which the receiver's window has limited sending, although the congestion window allowed more. The
    /// result counts until `now`, or until the transfer was complete.
    pub fn receiver_limited_time(&self, now: Time) -> Span {
        Span::from_nanos(self.log.stats.receiver_limited_ns) + self.running_limit(Limit::Receiver, now)
    }
    /// Time since `limit` stopped the sender; zero if it does not stop the sender now.
    fn running_limit(&self, limit: Limit, now: Time) -> Span {
        let end = self.connection.completed_at.unwrap_or(now);
        if self.sent.limited == Some(limit) { end.since(self.sent.limited_since) } else { Span::ZERO }
    }
    /// Whether all data of a finite transfer are acknowledged.
    pub fn is_complete(&self) -> bool {
        self.connection.completed_at.is_some()
    }
    /// Time at which all data of the transfer were acknowledged.
    pub fn completed_at(&self) -> Option<Time> {
        self.connection.completed_at
    }
    /// Sets whether cuts, timeouts, phases and similar events are recorded, in addition to losses.
    pub fn record_events(&mut self, yes: bool) {
        self.log.recording = yes;
    }
    /// Whether there are events that [`Sender::events`] has not returned yet.
    #[inline]
    pub fn has_events(&self) -> bool {
        !self.log.events.is_empty()
    }
    /// Returns and removes the events since the beginning of the last call of `handle` or `handle_timeout`. The next of
    /// these calls also removes them.
    pub fn events(&mut self) -> std::vec::Drain<'_, Event> {
        self.log.events.drain(..)
    }
}
