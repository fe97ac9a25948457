// SPDX-License-Identifier: MIT OR Apache-2.0
//! Detection of spurious episodes by timestamps (Eifel detection, RFC 3522) and by DSACK (RFC 2883, RFC 3708).

use units::Time;

/// The state of the newest episode that is needed to detect that no segment was lost.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Undo {
    /// Number of the episode, or `None` if the episode is settled.
    episode: Option<u32>,
    /// The oldest unacknowledged segment at the beginning of the episode.
    marker: u64,
    /// Sending time of the first retransmission that may still be in flight (Linux, `retrans_stamp`).
    first_retransmission: Option<Time>,
    /// Number of retransmissions that were not yet reported by a DSACK (Linux, `undo_retrans`).
    retransmissions: u64,
}

impl Undo {
    /// Begins an episode. At this time, `repairs` retransmissions are in flight, from a tail loss probe or from an
    /// earlier episode. The sending time of the first retransmission separates the acknowledgements of the new episode
    /// from the acknowledgements of these retransmissions.
    pub(crate) fn begin(&mut self, episode: u32, una: u64, repairs: u64) {
        *self = Self {
            episode: Some(episode),
            marker: una,
            first_retransmission: self.first_retransmission.filter(|_| repairs > 0),
            retransmissions: repairs,
        };
    }

    /// Records that a segment is retransmitted. `alone` is true if no loss is being repaired and no other
    /// retransmission is in flight. This retransmission is then the first one.
    pub(crate) fn on_retransmission(&mut self, now: Time, alone: bool) {
        if alone {
            self.first_retransmission = None;
        }
        self.first_retransmission.get_or_insert(now);
        self.retransmissions += 1;
    }

    /// Whether a segment that was sent before the first retransmission caused the acknowledgement that echoes `echo`
    /// (RFC 3522, section 3.2, step 5; Linux, `tcp_packet_delayed()`). The result is false after the episode is
    /// settled.
    pub(crate) fn is_delayed(&self, echo: Time) -> bool {
        self.episode.is_some() && self.first_retransmission.is_some_and(|first| echo < first)
    }

    /// Settles the episode as spurious. Returns the number of the episode, or `None` if it was already settled.
    pub(crate) fn settle(&mut self) -> Option<u32> {
        self.episode.take()
    }

    /// Processes a report that segments `[from, to)` were received twice. If all retransmissions of the episode have
    /// now been reported in this way, returns the number of the episode.
    pub(crate) fn on_dsack(&mut self, from: u64, to: u64) -> Option<u32> {
        self.episode?;
        if from < self.marker || self.retransmissions == 0 {
            return None;
        }
        self.retransmissions = self.retransmissions.saturating_sub(to - from);
        if self.retransmissions == 0 { self.episode.take() } else { None }
    }
}
