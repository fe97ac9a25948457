// SPDX-License-Identifier: MIT OR Apache-2.0
//! The limit of a queue in the form that a link checks.

use crate::QueueLimit;
use units::Span;

/// Largest amount that may wait in the queue.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) enum Limit {
    Packets(u64),
    Bytes(u64),
    Time(Span),
    None,
}

impl Limit {
    /// Converts the limit of a queue. A limit in BDPs must already be converted to bytes. Otherwise, the queue has no
    /// limit.
    pub(crate) const fn new(limit: QueueLimit) -> Self {
        match limit {
            QueueLimit::Packets(packets) => Self::Packets(packets),
            QueueLimit::Bytes(bytes) => Self::Bytes(bytes.get()),
            QueueLimit::Time(span) => Self::Time(span),
            QueueLimit::Bdp(_) | QueueLimit::Unlimited => Self::None,
        }
    }
}
