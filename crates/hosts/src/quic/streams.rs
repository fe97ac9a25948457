// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests and answers on the streams of a connection. A request is the client's half of a bidirectional stream, and
//! its answer is the server's half. Each half consists of bytes and the end of the stream.
//!
//! The bytes of a request are a pattern, like the bytes of its answer. The meaning of a request is therefore passed
//! outside of the network ([`Requests`]). The server reads it when the complete request has arrived.

use super::content;
use super::controlled::Controlled;
use noq_proto::{Connection, ReadError, StreamId, WriteError};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use units::{Bytes, Span};

/// Number of bytes of a stream that are written before the next stream has its turn. This is our choice. By default,
/// the frames of HTTP/2 have this size (RFC 9113, section 4.2).
const TURN: u64 = 1 << 14;

/// The meaning of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Size of the request.
    pub size: Bytes,
    /// Processing time of the server.
    pub wait: Span,
    /// Size of the answer.
    pub answer: Bytes,
}

/// The meanings of the requests that the server has not read yet, by connection and stream.
#[derive(Clone, Debug, Default)]
pub struct Requests(Arc<Mutex<BTreeMap<(u32, u64), Request>>>);

impl Requests {
    fn all(&self) -> MutexGuard<'_, BTreeMap<(u32, u64), Request>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn insert(&self, connection: u32, stream: StreamId, request: Request) {
        self.all().insert((connection, stream.index()), request);
    }

    pub fn take(&self, connection: u32, stream: StreamId) -> Option<Request> {
        self.all().remove(&(connection, stream.index()))
    }

    /// Removes the requests of a connection that has ended.
    pub fn forget(&self, connection: u32) {
        let mut all = self.all();
        let its: Vec<_> = all.range((connection, 0)..=(connection, u64::MAX)).map(|(&key, _)| key).collect();
        for key in its {
            all.remove(&key);
        }
    }
}

/// Data that the library has not accepted yet.
#[derive(Debug, Default)]
pub struct Outgoing(VecDeque<Unwritten>);

#[derive(Debug)]
struct Unwritten {
    stream: StreamId,
    /// Position of the next byte in the pattern.
    at: u64,
    left: u64,
}

impl Outgoing {
    /// Adds the content of one direction of a stream.
    pub fn push(&mut self, connection: u32, stream: StreamId, is_answer: bool, size: Bytes) {
        let at = content::of_stream(connection, stream.index(), is_answer);
        self.0.push_back(Unwritten { stream, at, left: size.get() });
    }

    /// Writes data in turns, as far as the library accepts them. Streams that are complete are ended.
    pub fn write(&mut self, controlled: &mut Controlled, connection: &mut Connection) {
        if self.0.is_empty() {
            return;
        }
        controlled.enlarge_buffer(connection);
        // Number of consecutive streams for which the library did not accept data.
        let mut blocked = 0;
        while blocked < self.0.len()
            && let Some(mut next) = self.0.pop_front()
        {
            let mut stream = connection.send_stream(next.stream);
            let written = if next.left == 0 {
                Ok(0)
            } else {
                let mut chunk = [content::data(next.at, next.left.min(TURN))];
                stream.write_chunks(&mut &mut chunk[..])
            };
            match written {
                Ok(written) => {
                    blocked = 0;
                    next.at += written as u64;
                    next.left -= written as u64;
                    if next.left == 0 {
                        // This cannot fail, because the stream is open and was not reset.
                        let _ = stream.finish();
                    } else {
                        self.0.push_back(next);
                    }
                }
                Err(WriteError::Blocked) => {
                    blocked += 1;
                    self.0.push_back(next);
                }
                // The connection has ended.
                Err(_) => {}
            }
        }
    }
}

/// The data of a stream that have arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Came {
    /// Number of new bytes.
    pub bytes: u64,
    /// Whether the new bytes include the last byte of the stream.
    pub is_whole: bool,
}

/// Reads one direction of a stream up to the first gap. `number` is the number of the connection.
///
/// # Panics
/// If a byte differs from the byte that was sent. This would be a defect of the library or of the hosts.
pub fn read(connection: &mut Connection, number: u32, stream: StreamId, is_answer: bool) -> Came {
    let first = content::of_stream(number, stream.index(), is_answer);
    let mut came = Came::default();
    let mut half = connection.recv_stream(stream);
    // If a stream was read to its end, it is closed.
    let Ok(mut chunks) = half.read(true) else { return came };
    loop {
        match chunks.next(usize::MAX) {
            Ok(Some(chunk)) => {
                assert!(
                    content::is_data(first + chunk.offset, &chunk.bytes),
                    "the QUIC library delivered wrong data in {stream:?} of connection {number} at {}",
                    chunk.offset
                );
                came.bytes += chunk.bytes.len() as u64;
            }
            Ok(None) => {
                came.is_whole = true;
                break;
            }
            Err(ReadError::Blocked | ReadError::Reset(_)) => break,
        }
    }
    // The next datagram carries the new limits of flow control.
    let _ = chunks.finalize();
    came
}
