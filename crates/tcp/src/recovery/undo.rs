// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether an episode was spurious: Eifel detection by timestamps (RFC 3522) and DSACK (RFC 2883, RFC 3708).

use units::Time;

/// What must be remembered of the newest episode to find out that nothing had been lost.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Undo {
    /// Number of the episode; `None` once it is settled.
    episode: Option<u32>,
    /// Oldest unacknowledged segment when it began.
    marker: u64,
    first_retransmission: Option<Time>,
    retransmissions: u64,
    /// No acknowledgement has advanced since the first retransmission (RFC 3522 judges the first one only).
    undecided: bool,
}

impl Undo {
    /// An episode begins. With repairs of an earlier one still in flight (`unclear`) no acknowledgement could be
    /// told apart from theirs, and the episode stands.
    pub(crate) fn begin(&mut self, episode: u32, una: u64, unclear: bool) {
        *self = Self {
            episode: (!unclear).then_some(episode),
            marker: una,
            first_retransmission: None,
            retransmissions: 0,
            undecided: true,
        };
    }

    pub(crate) fn on_retransmission(&mut self, now: Time) {
        self.first_retransmission.get_or_insert(now);
        self.retransmissions += 1;
    }

    /// The cumulative acknowledgement advanced and echoes `echo`. Returns the episode if the segment that caused it
    /// was sent before the first retransmission.
    pub(crate) fn on_advance(&mut self, echo: Time) -> Option<u32> {
        let first = self.first_retransmission?;
        let spurious = std::mem::take(&mut self.undecided) && echo < first;
        if spurious { self.episode.take() } else { None }
    }

    /// The receiver reports segments `[from, to)` as received twice. Returns the episode once that holds for every
    /// retransmission of it.
    pub(crate) fn on_dsack(&mut self, from: u64, to: u64) -> Option<u32> {
        self.episode?;
        if from < self.marker || self.retransmissions == 0 {
            return None;
        }
        self.retransmissions = self.retransmissions.saturating_sub(to - from);
        if self.retransmissions == 0 { self.episode.take() } else { None }
    }
}
