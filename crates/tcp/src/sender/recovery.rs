// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loss recovery: reactions to a loss or a timeout, and the undo of spurious reactions.

use super::Sender;
use crate::event::Event;
use crate::recovery::{Release, prr::Prr, undo::Undo};
use crate::segment::{Flags, expand};
use crate::{Recovery, Segment, Timeouts};
use control::{LossVerdict, LostPacket, Spurious, Timeout};
use units::{Span, Time};

/// What the sender is currently repairing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub(super) enum Mode {
    /// Nothing is being repaired, or only link errors are being repaired.
    #[default]
    Open,
    /// Nothing is being repaired, but a mark has reduced the window (CWR in Linux).
    Reduction,
    /// A loss episode is being repaired.
    Recovery,
    /// The losses that a timeout presumed are being repaired.
    Timeout,
}

/// A segment that is sent regardless of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub(super) enum Forced {
    /// Old data: a fast retransmit, or a tail loss probe of old data.
    Repair(u64),
    /// New data: a tail loss probe of new data.
    New,
}

/// The kind of segments that are sent first while the window has room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub(super) enum Order {
    /// Lost segments first, then new data.
    #[default]
    RepairsFirst,
    /// New data if there are any, and lost segments otherwise. F-RTO waits for the acknowledgements of new data.
    NewFirst,
    /// Only new data. Late arrivals suggest that the segments declared lost were not lost.
    NewOnly,
}

/// The newest episode, and what may be sent during it.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct LossRecovery {
    pub(super) mode: Mode,
    /// Time at which the current recovery began, and the smoothed RTT at this time.
    pub(super) began: Option<(Time, Option<Span>)>,
    /// The first segment that had not been sent when the newest episode began.
    pub(super) recover: u64,
    /// Number of the newest episode.
    pub(super) episode: u32,
    /// Number of the first transmission after the newest reduction. Losses of earlier transmissions belong together.
    pub(super) reduced_at: u64,
    /// First loss of a segment beyond `recover` during the episode. If this loss is not repaired in the episode, it
    /// begins the next episode.
    pub(super) late: Option<(u64, LostPacket)>,
    pub(super) undo: Undo,
    /// The rule that limits sending in addition to the window, if there is such a rule.
    pub(super) release: Option<Release>,
    /// Whether F-RTO must still decide whether the timeout was spurious.
    pub(super) f_rto: bool,
    /// The kind of segments that are sent first after the newest acknowledgement.
    pub(super) order: Order,
    /// A segment that is sent next, regardless of the window.
    pub(super) forced: Option<Forced>,
    pub(super) reno: Reno,
}

/// The state of a sender without SACK.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub(super) struct Reno {
    /// Number of consecutive duplicate ACKs.
    pub(super) duplicates: u32,
    /// Number of segments that duplicate ACKs allow beyond the window.
    pub(super) inflation: i64,
    /// For NewReno: whether the first partial acknowledgement has restarted the timer.
    pub(super) partial_seen: bool,
}

impl LossRecovery {
    /// Whether holes are being repaired.
    pub(super) fn is_repairing(&self) -> bool {
        matches!(self.mode, Mode::Recovery | Mode::Timeout)
    }

    /// Begins the repair of holes. If a repair is in progress, its start time does not change.
    pub(super) fn begin(&mut self, now: Time, srtt: Option<Span>) {
        self.mode = Mode::Recovery;
        self.began.get_or_insert((now, srtt));
        self.reno.partial_seen = false;
    }

    /// Records a reduction of the window. `next` is the next new segment, and `next_tx` is the number of the next
    /// transmission.
    pub(super) fn reduce(&mut self, mode: Mode, next: u64, next_tx: u64) {
        (self.mode, self.recover, self.reduced_at, self.late) = (mode, next, next_tx, None);
    }

    /// Ends the episode.
    fn close(&mut self) {
        (self.mode, self.began, self.release, self.forced) = (Mode::Open, None, None, None);
        self.deflate();
    }

    /// Resets the count of duplicate ACKs, because a new acknowledgement arrived outside a recovery. Duplicate ACKs
    /// then no longer allow additional segments.
    pub(super) fn deflate(&mut self) {
        (self.reno.duplicates, self.reno.inflation) = (0, 0);
    }
}

impl Sender {
    /// FlightSize of RFC 5681, without the segments that limited transmit sent beyond the window (section 3.2, step 1).
    pub(super) fn flight_size(&self) -> u64 {
        self.board.outstanding().min(self.cc.window.max(self.board.pipe()))
    }

    pub(super) fn open_episode(&mut self, now: Time) {
        self.log.stats.episodes += 1;
        self.recovery.episode += 1;
        self.recovery.begin(now, self.timer.rtt.srtt());
        self.recovery.reduce(Mode::Recovery, self.board.next(), self.sent.next_tx);
        self.ecn.reduced();
        self.detection.tail.reset();
        self.recovery.undo.begin(self.recovery.episode, self.board.una(), self.board.repaired_out());
        self.restart_timer(now);
        if self.selective() {
            self.recovery.reno.inflation = 0;
            // RFC 6675 section 5, step 4.3: the first repair is sent regardless of the pipe.
            self.recovery.forced = self.board.next_repair().map(Forced::Repair);
        }
        if self.selective() && !self.cc.control.owns_recovery {
            let (board, window) = (&self.board, self.cc.window);
            let reports = self.detection.ns2.as_ref().map(|_| u64::from(self.config.dup_thresh));
            let (outstanding, sacked) = (board.outstanding(), reports.unwrap_or(board.sacked_out()));
            self.recovery.release = if self.config.uses_prr() {
                Some(Release::Prr(Prr::new(outstanding, sacked, self.last_ack.newly)))
            } else {
                let least = if self.cc.controller.keeps_window_in_repair() { window } else { window / 2 };
                Release::of_repair(self.config.repair, outstanding, sacked, board.pipe(), least)
            };
        }
        if self.cc.control.owns_recovery {
            self.recovery.reno.inflation = 0;
        }
    }

    /// Ends a recovery, because all data that were sent before the episode began are acknowledged.
    pub(super) fn leave_recovery(&mut self, now: Time) {
        if self.detection.ns2.is_some() {
            self.end_scoreboard();
        }
        if let Some(again) = &mut self.detection.again {
            // TCP-Linux calls scb_->ClearScoreBoard(), which also removes segments that were sent later.
            again.forget();
            self.recovery.late = None;
            self.forget_reports();
        }
        let release = self.recovery.release.take();
        self.close_episode(now);
        let in_flight = self.board.pipe();
        self.recovery.release = release.and_then(|release| release.repaired(in_flight, self.cc.window));
        self.detection.rack.on_recovery_exit();
        self.tell(now, |controller, control| controller.on_recovery_exit(now, control));
        if self.cc.validation.is_some() {
            self.end_response(now, true);
        }
        if let Some((seq, packet)) = self.recovery.late.take()
            && seq >= self.board.una()
            && self.board.lost_out() > 0
        {
            // Data that were sent after the reduction were also lost and are still missing, so the next episode begins.
            self.detection.found.add(seq, packet);
            let verdict = self.announce(now, 0, true, self.board.pipe());
            self.detection.found.clear();
            if verdict == LossVerdict::Congestion {
                self.open_episode(now);
            }
        }
    }

    fn close_episode(&mut self, now: Time) {
        (self.log.stats.longest_recovery, self.log.stats.longest_recovery_rtts) = self.longest_recovery(now);
        self.recovery.close();
    }

    /// Handles the expired retransmission timer (RFC 6298 section 5, RFC 5681 section 3.1).
    pub(super) fn time_out(&mut self, now: Time) {
        self.timer.stop();
        if self.board.outstanding() == 0 {
            self.repeat_syn();
            self.wonder_at_window();
            return;
        }
        self.log.stats.timeouts += 1;
        self.timer.expirations += 1;
        // RFC 5682, section 3.1, step 1; Linux, tcp_enter_loss(): F-RTO is not used if the first of several consecutive
        // timeouts interrupts a repair.
        let interrupts = self.timer.expirations == 1 && self.recovery.is_repairing();
        if self.recovery.mode == Mode::Open && self.board.sacked_out() >= u64::from(self.config.dup_thresh) {
            self.detection.rack.doubt_reordering(self.config.dup_thresh);
        }
        self.recovery.f_rto = self.config.f_rto && self.config.undo && self.selective() && !interrupts;
        if self.timer.expirations == 1 {
            self.recovery.episode += 1;
            self.recovery.undo.begin(self.recovery.episode, self.board.una(), self.board.repaired_out());
        }
        self.timer.back_off();
        let in_flight_before = self.reduced_from();
        if self.detection.ns2.is_some() {
            self.go_back();
        }
        let lost = self.presume_lost(now);
        self.log.stats.presumed_lost += lost;
        self.cc.rates.lost += self.bytes_of(lost).get();
        self.close_episode(now);
        if self.cc.validation.is_some() {
            self.end_response(now, false);
        }
        self.recovery.reduce(Mode::Timeout, self.board.next(), self.sent.next_tx);
        self.ecn.reduced();
        // RFC 6298 (5.4): the oldest segment is sent regardless of the data in flight.
        self.recovery.forced = Some(Forced::Repair(self.board.una()));
        self.detection.tail.reset();
        let before = self.cc.control.cwnd;
        // ns-2's agents reduce their threshold at each timeout.
        let each = self.config.timeouts != Timeouts::Rfc6298;
        let consecutive = if each { 1 } else { self.timer.expirations };
        let episode = self.recovery.episode;
        let event = Timeout { now, consecutive, in_flight_before, episode };
        self.tell(now, |controller, control| controller.on_timeout(&event, control));
        self.log.note(Event::Timeout);
        self.log.note_cut(episode, before, self.cc.control.cwnd, self.config.mss);
        self.timer.restart(now);
    }

    /// Marks the segments that a timeout presumes lost. Returns the number of segments that were not marked before.
    fn presume_lost(&mut self, now: Time) -> u64 {
        if self.config.recovery != Recovery::RackTlp {
            if let Some(again) = &mut self.detection.again {
                again.forget();
            }
            return self.board.mark_all_lost(|_, _| true);
        }
        // RFC 8985 section 6.3: these are the oldest segment, and all segments that were sent more than a round trip
        // ago.
        let reo_wnd = self.detection.rack.reo_wnd(true, &self.timer);
        let (una, rack) = (self.board.una(), &self.detection.rack);
        self.board.mark_all_lost(|seq, record| seq == una || rack.overdue(now, record.sent_at, reo_wnd))
    }

    /// Processes a DSACK. If it shows that the newest episode was spurious, returns the number of the episode.
    pub(super) fn spurious_by_dsack(&mut self, ack: &Segment) -> Option<u32> {
        if !ack.flags.has(Flags::DSACK) || ack.sack_count == 0 || !self.selective() {
            return None;
        }
        let una = self.board.una();
        let (from, to) = (expand(ack.sack[0][0], una), expand(ack.sack[0][1], una));
        self.detection.rack.on_dsack(una, self.board.next());
        if self.detection.tail.repeated.is_some() && self.detection.tail.end == Some(to) {
            self.detection.tail.settle();
        }
        self.recovery.undo.on_dsack(from, to).filter(|_| self.config.undo)
    }

    /// Checks whether an advancing acknowledgement shows that the episode under repair was spurious. This is the case
    /// if the acknowledged data were sent before the first retransmission (RFC 3522). If so, the episode is undone.
    ///
    /// If a fast recovery continues while retransmissions are in flight, only new data are sent, and no further losses
    /// are detected (Linux, `tcp_try_undo_partial()`).
    pub(super) fn judge_delayed(&mut self, now: Time, echo: Time) {
        let judges = self.config.undo && self.config.timestamps && self.recovery.is_repairing();
        if !judges || !self.recovery.undo.is_delayed(echo) {
            return;
        }
        let goes_on = self.recovery.mode == Mode::Recovery && self.board.una() < self.recovery.recover;
        if goes_on && self.selective() && self.board.repaired_out() > 0 {
            self.recovery.order = Order::NewOnly;
        } else if let Some(episode) = self.recovery.undo.settle() {
            if goes_on {
                self.forgive();
            }
            self.undo_episode(now, episode);
        }
    }

    /// Applies F-RTO with SACK after a timeout (RFC 5682, section 3.1; Linux, `tcp_process_loss()`).
    ///
    /// `original` is true if the acknowledgement newly covers a segment that was sent before the timeout and never
    /// retransmitted. This shows that the timeout was spurious (step 3.b). If the acknowledgement advances for another
    /// reason, new data are sent instead of repairs (step 2.b). If the next acknowledgement is then a duplicate, or
    /// reports data above a hole (`reported`), data were lost (step 3.a).
    pub(super) fn judge_timeout(&mut self, now: Time, advanced: bool, original: bool, reported: bool) {
        if original {
            self.recovery.f_rto = false;
            if let Some(episode) = self.recovery.undo.settle() {
                self.undo_episode(now, episode);
            }
        } else if self.board.next() > self.recovery.recover {
            self.recovery.f_rto = !reported;
        } else if advanced && self.board.una() < self.recovery.recover {
            self.recovery.order = Order::NewFirst;
        }
    }

    /// Resets the segments that were declared lost to the state in flight.
    fn forgive(&mut self) {
        let by_time = self.config.recovery == Recovery::RackTlp && self.recovery.mode == Mode::Timeout;
        let mut outstanding = Vec::new();
        self.board.forgive(|seq, record| {
            if by_time {
                outstanding.push((seq, record.tx));
            }
        });
        if by_time {
            self.detection.rack.judge_once_more(outstanding);
        }
    }

    /// Whether there is a segment that was never sent and that the receiver's window allows.
    pub(super) fn has_new(&self, now: Time) -> bool {
        self.has_data(now) && self.board.next() < self.flow.limit
    }

    /// Whether lost segments may be sent now.
    pub(super) fn repairs_now(&mut self, now: Time) -> bool {
        match self.recovery.order {
            Order::RepairsFirst => true,
            Order::NewFirst if self.board.next() == self.recovery.recover && !self.has_new(now) => {
                // RFC 5682, section 3.1, step 2: there are no new data to send, so the timeout counts as genuine.
                (self.recovery.f_rto, self.recovery.order) = (false, Order::RepairsFirst);
                true
            }
            Order::NewFirst | Order::NewOnly => false,
        }
    }

    /// Undoes a spurious episode. The controller undoes its reduction (RFC 4015).
    pub(super) fn undo_episode(&mut self, now: Time, episode: u32) {
        self.log.stats.spurious += 1;
        if self.recovery.mode == Mode::Timeout {
            self.forgive();
        }
        if self.recovery.mode != Mode::Open {
            self.close_episode(now);
        }
        if self.cc.validation.is_some() {
            self.end_response(now, false);
        }
        self.log.note(Event::Spurious);
        self.tell(now, |controller, control| controller.on_spurious(&Spurious { now, episode }, control));
    }
}
