// SPDX-License-Identifier: MIT OR Apache-2.0
//! Classifies losses by the congestion warning of routers (K. Xu, Y. Tian, N. Ansari, "TCP-Jersey for wireless IP
//! communications", IEEE JSAC 22(4), 2004).
//!
//! Routers mark packets while their average queue is long, and the receiver echoes the marks. If a mark was echoed
//! after the lost packet was sent, the loss is congestion. Otherwise, it is a link error. The paper reads only the
//! marks on the duplicate ACKs that report the loss. This code also reads the marks on the ACKs of the round trip
//! before, because packets shortly before the hole passed the same queue.

use super::Verdicts;
use crate::{Ack, Loss, LossVerdict, Signals, Snapshot};
use units::Time;

/// Stores the time of the newest warning and judges losses.
#[derive(Clone, Debug, saved::Plain)]
pub struct Warning {
    echoed: Option<Time>,
    verdicts: Verdicts,
}

impl Warning {
    /// The part before the first warning.
    pub const NONE: Self = Self { echoed: None, verdicts: Verdicts::NONE };

    /// The part requires warnings. If routers did not mark packets, every loss would be a link error.
    pub const fn requires(&self) -> Signals {
        Signals::CONGESTION_WARNING
    }

    /// Processes an ACK.
    pub const fn on_ack(&mut self, ack: &Ack<'_>) {
        if ack.congestion_warning {
            self.echoed = Some(ack.now);
        }
    }

    /// Judges a loss by the sending time of the first lost packet.
    pub fn judge(&mut self, loss: &Loss<'_>) -> LossVerdict {
        let warned = match loss.packets.first() {
            Some(lost) => self.echoed.is_some_and(|echoed| echoed >= lost.sent_at),
            None => true,
        };
        self.verdicts.count(if warned { LossVerdict::Congestion } else { LossVerdict::LinkError })
    }

    /// Values for traces.
    pub fn snapshot(&self, out: &mut Snapshot) {
        self.verdicts.snapshot(out);
    }
}
