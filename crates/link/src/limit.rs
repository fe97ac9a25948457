// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue's limit as a link compares with it.

use crate::QueueLimit;
use units::Span;

/// How much may wait.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) enum Limit {
    Packets(u64),
    Bytes(u64),
    Time(Span),
    None,
}

impl Limit {
    /// Of a queue whose BDPs were resolved.
    pub(crate) const fn new(limit: QueueLimit) -> Self {
        match limit {
            QueueLimit::Packets(packets) => Self::Packets(packets),
            QueueLimit::Bytes(bytes) => Self::Bytes(bytes.get()),
            QueueLimit::Time(span) => Self::Time(span),
            QueueLimit::Bdp(_) | QueueLimit::Unlimited => Self::None,
        }
    }
}
