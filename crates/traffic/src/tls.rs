// SPDX-License-Identifier: MIT OR Apache-2.0
//! TLS 1.3 for any visit: each connection needs one more round trip before its first request (RFC 8446, section 2).
//!
//! The client's second flight (its Finished message, about 74 bytes) travels with the first request and is not counted.
//! Session resumption with early data (0-RTT) is not modelled. For a resumption without early data, set a small
//! `answer`, because the server does not send certificates.
//!
//! This wrapper does not depend on the kind of visit.

use crate::visit::{Act, EmptyPath, Experience, Happened, Visit};
use units::{Bytes, Rate, Span, Time};

/// Sizes of a TLS handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Tls {
    /// Size of ClientHello, the client's first flight.
    pub hello: Bytes,
    /// Size of the server's flight: ServerHello, certificates, Finished.
    pub answer: Bytes,
    /// Computing time of the server, mainly for its signature.
    pub wait: Span,
}

impl Tls {
    /// Common sizes. ClientHello is padded to 517 bytes (RFC 7685). Two certificates and their signatures are about 4
    /// kB. This value is our choice, because the size depends on the certificate chain of the server.
    pub const COMMON: Self = Self { hello: Bytes::new(517), answer: Bytes::new(4_000), wait: Span::ZERO };
}

/// A visit over TLS.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Secured {
    tls: Tls,
    inner: Box<dyn Visit>,
    /// For each connection, whether its handshake is complete.
    shaken: Vec<bool>,
}

impl Secured {
    pub(crate) fn new(tls: Tls, inner: Box<dyn Visit>) -> Self {
        Self { tls, inner, shaken: Vec::new() }
    }
}

impl Visit for Secured {
    fn happen(&mut self, now: Time, what: Happened, acts: &mut Vec<Act>) {
        match what {
            Happened::Begun | Happened::Timeout => self.inner.happen(now, what, acts),
            Happened::Opened(connection) => {
                let at = usize::from(connection);
                if self.shaken.len() <= at {
                    self.shaken.resize(at + 1, false);
                }
                let Tls { hello, answer, wait } = self.tls;
                acts.push(Act::Ask { connection, request: hello, wait, answer });
            }
            // The first answer is the answer of the handshake, whose bytes were already reported.
            Happened::Answered { connection, answer } => {
                if let Some(answer) = answer.checked_sub(1) {
                    self.inner.happen(now, Happened::Answered { connection, answer }, acts);
                }
            }
            Happened::Received { connection, bytes } => {
                let Some(rest) = bytes.checked_sub(self.tls.answer.get()) else { return };
                let shaken = &mut self.shaken[usize::from(connection)];
                if !std::mem::replace(shaken, true) {
                    self.inner.happen(now, Happened::Opened(connection), acts);
                }
                if rest > 0 {
                    self.inner.happen(now, Happened::Received { connection, bytes: rest }, acts);
                }
            }
            Happened::Broken { connection, .. } => {
                if let Some(shaken) = self.shaken.get_mut(usize::from(connection)) {
                    *shaken = false;
                }
                self.inner.happen(now, what, acts);
            }
        }
    }

    fn next_timeout(&self) -> Time {
        self.inner.next_timeout()
    }

    fn experience(&self, now: Time) -> Experience {
        self.inner.experience(now)
    }

    /// The ideal time grows by one round trip, the server's computing time, and the transmission time of the server's
    /// flight. These times count only once, because connections make their handshakes in parallel.
    fn ideal(&self, path: EmptyPath) -> Option<Span> {
        let handshake = path.rtt + self.tls.wait + path.rate.time_for(self.tls.answer);
        self.inner.ideal(path).map(|ideal| handshake + ideal)
    }

    fn interleaves(&self) -> bool {
        self.inner.interleaves()
    }

    fn sustainable(&self, path: EmptyPath) -> Option<Rate> {
        self.inner.sustainable(path)
    }

    fn retries(&self) -> u32 {
        self.inner.retries()
    }
}
