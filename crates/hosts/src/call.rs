// SPDX-License-Identifier: MIT OR Apache-2.0
//! One end of a call. It sends its own frames, and plays the frames of the other end.
//!
//! All packets of a frame leave at the same time. Each packet carries its sending time, the number of its frame and the
//! number of packets in this frame.
//!
//! The listener has a playout buffer of constant length. The reference is the smallest delay of a complete frame so
//! far. The playout time of a frame is the time at which the frame would have arrived with this smallest delay, plus
//! `playout`. This method does not need a common clock.
//!
//! If a frame is incomplete at its playout time, it is missed. If it is completed later, it is *late*. If it is never
//! completed, it is *lost*. Frames are judged in order, after their playout time: when the next packet arrives, or at
//! the end. Frames whose playout time is in the warm-up do not count.
//!
//! The experience of the users is computed at the end of the run (`sim::output::calls`, `sim::output::e_model`). The
//! row of the flow counts both directions.

use super::{Metered, Received, SourceTotals};
use crate::meter::{Delays, OneWay, Spread};
use crate::{AnyBody, Frame, Packet};
use control::PathChange;
use engine::{Cause, Endpoint};
use scenario::{Call, Media, Profile};
use std::collections::VecDeque;
use units::{Bytes, Span, Time};

/// Longest time after its playout time in which a missed frame can still count as late.
const PATIENCE: Span = Span::from_secs(30);

/// One end of a call.
#[derive(Clone, Debug, saved::Saved)]
pub struct CallEnd {
    #[saved(fixed)]
    profile: Profile,
    /// Whether this is the called end.
    is_called: bool,
    #[saved(fixed)]
    media: Media,
    start: Time,
    stop: Time,
    /// Time at which the next frame leaves.
    due: Time,
    /// Number of the next frame. The next field is the number of the next packet.
    frame: u64,
    packet: u32,
    /// Bytes of the last frame that have not left yet. The next field is the number of packets in this frame.
    left: u64,
    packets: u32,
    totals: SourceTotals,
    /// Numbers of packets that were sent and dropped in the warm-up.
    before: (u64, u64),
    received: Received,
    queueing: Delays,
    one_way: OneWay,
    spread: Spread,
    listener: Listener,
}

const _: () =
    assert!(size_of::<CallEnd>() <= size_of::<super::TcpSource>(), "runs without calls take no more memory");

/// The listener, which plays the frames of the other end.
#[derive(Clone, Debug, saved::Plain)]
pub struct Listener {
    interval: Span,
    start: Time,
    stop: Time,
    playout: Span,
    /// Delay of the complete frame that was fastest so far.
    least: Option<Span>,
    /// The frames whose number is at least `first`.
    frames: VecDeque<Arriving>,
    first: u64,
    /// Number of the next frame to judge.
    next: u64,
    /// `since` is the end of the warm-up. `counted` is the first frame that counts, because its playout time is after
    /// the warm-up.
    since: Time,
    counted: u64,
    heard: PlayedFrames,
}

/// The packets of one frame that have arrived.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Arriving {
    packets: u32,
    is_whole: bool,
}

/// Results of the frames whose playout time has passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct PlayedFrames {
    /// Number of all frames.
    pub frames: u64,
    /// Number of frames that were not complete at their playout time.
    pub missed: u64,
    /// Number of missed frames that were completed later.
    pub late: u64,
    /// Number of bursts. A burst is a sequence of consecutive missed frames.
    pub bursts: u64,
    /// Number of frames in the longest burst.
    pub longest: u64,
    /// Number of missed frames in the burst that is in progress, or zero.
    pub running: u64,
    /// Sum over all played frames of the time from sending to playing, in nanoseconds.
    pub played_ns: u128,
}

impl Listener {
    fn new(media: &Media, playout: Span, start: Time, stop: Time) -> Self {
        Self {
            interval: media.interval,
            start,
            stop,
            playout,
            least: None,
            frames: VecDeque::new(),
            first: 0,
            next: 0,
            since: Time::ZERO,
            counted: 0,
            heard: PlayedFrames::default(),
        }
    }

    fn sent_at(&self, frame: u64) -> Time {
        self.start + self.interval * frame
    }

    /// Handles a packet that arrived at `now`. Its frame has `packets` packets.
    fn handle(&mut self, now: Time, frame: u64, packets: u32) {
        self.judge(now);
        let Some(place) = frame.checked_sub(self.first) else { return };
        while self.frames.len() as u64 <= place {
            self.frames.push_back(Arriving::default());
        }
        let arriving = &mut self.frames[place as usize];
        arriving.packets += 1;
        if arriving.packets < packets || arriving.is_whole {
            return;
        }
        arriving.is_whole = true;
        let delay = now.since(self.sent_at(frame));
        self.least = Some(self.least.map_or(delay, |least| least.min(delay)));
        if (self.counted..self.next).contains(&frame) {
            self.heard.late += 1;
        }
    }

    /// Judges all frames whose playout time was before `now`.
    fn judge(&mut self, now: Time) {
        let Some(least) = self.least else { return };
        self.judge_after(now, least + self.playout);
    }

    fn judge_after(&mut self, now: Time, wait: Span) {
        let heard = &mut self.heard;
        while self.start + self.interval * self.next + wait < now {
            let sent_at = self.start + self.interval * self.next;
            if sent_at >= self.stop {
                return;
            }
            if sent_at + wait < self.since {
                self.next += 1;
                self.counted = self.next;
                continue;
            }
            let place = self.next.checked_sub(self.first).map(|place| place as usize);
            heard.frames += 1;
            if place.and_then(|place| self.frames.get(place)).is_some_and(|frame| frame.is_whole) {
                heard.played_ns += u128::from(wait.nanos());
                heard.running = 0;
            } else {
                heard.missed += 1;
                heard.bursts += u64::from(heard.running == 0);
                heard.running += 1;
                heard.longest = heard.longest.max(heard.running);
            }
            self.next += 1;
        }
        let kept = PATIENCE.nanos() / self.interval.nanos() + 1;
        while self.first + kept < self.next {
            self.frames.pop_front();
            self.first += 1;
        }
    }

    /// Returns the results of the frames until `end`. `idle` is the delay on the empty path. It replaces the smallest
    /// delay if no frame has arrived.
    fn heard(&self, end: Time, idle: Span) -> PlayedFrames {
        let mut all = self.clone();
        all.judge_after(end, self.least.unwrap_or(idle) + self.playout);
        all.heard
    }

    /// Ends the warm-up at `now`.
    fn forget(&mut self, now: Time) {
        (self.since, self.counted, self.heard) = (now, self.next, PlayedFrames::default());
    }
}

impl CallEnd {
    /// Creates the calling end and the called end of a call from `start` to `stop`.
    pub fn pair(call: &Call, start: Time, stop: Option<Time>) -> [Self; 2] {
        let stop = stop.unwrap_or(Time::MAX);
        let end = |is_called, sends: Media, plays: Media| Self {
            profile: call.profile,
            is_called,
            media: sends,
            start,
            stop,
            due: start,
            frame: 0,
            packet: 0,
            left: 0,
            packets: 0,
            totals: SourceTotals::default(),
            before: (0, 0),
            received: Received::default(),
            queueing: Delays::default(),
            one_way: OneWay::default(),
            spread: Spread::default(),
            listener: Listener::new(&plays, call.playout, start, stop),
        };
        [end(false, call.there, call.back), end(true, call.back, call.there)]
    }

    /// Returns the profile of the call.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns the length of the playout buffer, which is the waiting time of the fastest frame.
    pub const fn playout(&self) -> Span {
        self.listener.playout
    }

    /// Returns the interval between the frames that this end sends.
    pub const fn interval(&self) -> Span {
        self.media.interval
    }

    /// Returns the number of packets that this end has sent since the warm-up, and the number of these packets that
    /// were dropped.
    pub fn sent_and_dropped(&self) -> (u64, u64) {
        let (sent, dropped) = self.all_sent_and_dropped();
        (sent - self.before.0, dropped - self.before.1)
    }

    fn all_sent_and_dropped(&self) -> (u64, u64) {
        (self.totals.sent_packets, self.totals.dropped.iter().sum())
    }

    /// Returns the delays of the received packets, with a resolution of a microsecond.
    pub fn spread(&self) -> &Spread {
        &self.spread
    }

    /// Returns the results until `end` of the frames that this end plays. `idle` is the delay on an empty path.
    pub fn heard(&self, end: Time, idle: Span) -> PlayedFrames {
        self.listener.heard(end, idle)
    }
}

impl Endpoint for CallEnd {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let Frame { sent_at, frame, packets, len, .. } = *packet.body.frame();
        self.received.packets += 1;
        self.received.delivered += Bytes::new(u64::from(len));
        self.received.last_arrival = now;
        self.queueing.add(Span::from_nanos(packet.queued_ns));
        self.one_way.add(now.since(sent_at));
        self.spread.add(now.since(sent_at));
        self.listener.handle(now, frame.into(), packets);
    }
    fn handle_timeout(&mut self, now: Time) {
        if now >= self.stop {
            (self.due, self.stop) = (Time::MAX, Time::MAX);
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        if self.left == 0 {
            if now < self.due {
                return None;
            }
            self.left = self.media.bytes(self.frame);
            self.packets = self.media.packets(self.left) as u32;
            self.frame += 1;
            // The time is computed from the start of the call. Rounding to a nanosecond therefore does not accumulate.
            self.due = self.start + self.media.interval * self.frame;
        }
        let payload = self.left.min(self.media.payload.get());
        self.left -= payload;
        let len = (payload + self.media.header.get()) as u16;
        self.totals.sent_packets += 1;
        self.totals.sent_bytes += u64::from(len);
        let frame = Frame {
            sent_at: now,
            number: self.packet,
            frame: (self.frame - 1) as u32,
            packets: self.packets,
            len,
            is_back: self.is_called,
        };
        self.packet = self.packet.wrapping_add(1);
        Some((AnyBody::Frame(frame), len))
    }
    fn next_timeout(&self) -> Time {
        self.due.min(self.stop)
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet, cause: Cause) {
        self.totals.dropped[cause as usize] += 1;
    }
}

impl Metered for CallEnd {
    fn totals(&self) -> SourceTotals {
        self.totals
    }
    fn received(&self) -> Received {
        self.received
    }
    fn queueing(&self) -> Option<&Delays> {
        Some(&self.queueing)
    }
    fn one_way(&self) -> Option<&OneWay> {
        Some(&self.one_way)
    }
    fn call(&self) -> Option<&CallEnd> {
        Some(self)
    }
    fn forget_delays(&mut self, now: Time) {
        self.queueing.forget();
        self.one_way.forget();
        self.spread.forget();
        self.before = self.all_sent_and_dropped();
        self.listener.forget(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_nanos(ms * 1_000_000)
    }

    /// Returns a listener for frames of one packet, which are sent every 20 ms and have a delay of 10 ms. The playout
    /// buffer is 40 ms long, so the playout time of frame k is 20 k + 50 ms.
    fn listener(stop: u64) -> Listener {
        let media = Media {
            interval: Span::from_millis(20),
            frame: Bytes::new(160),
            payload: Bytes::new(1200),
            header: Bytes::new(40),
            key_every: 1,
            key_ratio: 1.0,
        };
        Listener::new(&media, Span::from_millis(40), Time::ZERO, ms(stop))
    }

    #[test]
    fn frames_of_the_warm_up_do_not_count_when_they_are_judged_after_it() {
        // Frames 0 to 9 arrive, and frames 10 to 20 are lost. The warm-up ends at 405 ms. The playout time is 390 ms
        // for frame 17 and 410 ms for frame 18. Until 1000 ms, the last frame is frame 47, whose playout time is 990
        // ms. Of these 30 frames, 18, 19 and 20 are missed.
        let mut listener = listener(2000);
        (0..10).for_each(|frame| listener.handle(ms(20 * frame + 10), frame, 1));
        listener.forget(ms(405));
        (21..50).for_each(|frame| listener.handle(ms(20 * frame + 10), frame, 1));
        let heard = listener.heard(ms(1000), Span::ZERO);
        assert_eq!((heard.frames, heard.missed, heard.late, heard.bursts, heard.longest), (30, 3, 0, 1, 3));
        // A frame of the warm-up that is completed now does not count. A frame after the warm-up counts as late.
        listener.handle(ms(1001), 12, 1);
        listener.handle(ms(1001), 19, 1);
        assert_eq!(listener.heard(ms(1001), Span::ZERO).late, 1);
    }

    /// No packet arrives over a path of 300 ms. Expected: the playout time is 340 ms for frame 0, and 380 ms for frame
    /// 2.
    #[test]
    fn frames_that_cannot_have_come_yet_are_not_missed() {
        let listener = listener(2000);
        let heard = |end| listener.heard(ms(end), Span::from_millis(300)).frames;
        assert_eq!([280, 299, 340, 341, 380, 381].map(heard), [0, 0, 0, 1, 2, 3]);
    }

    #[test]
    fn a_call_that_was_over_in_the_warm_up_has_no_frames_after_it() {
        // No packets of the last frames arrive, so these frames are judged only at the end.
        let mut listener = listener(200);
        (0..5).for_each(|frame| listener.handle(ms(20 * frame + 10), frame, 1));
        listener.forget(ms(405));
        assert_eq!(listener.heard(ms(1000), Span::ZERO), PlayedFrames::default());
    }
}
