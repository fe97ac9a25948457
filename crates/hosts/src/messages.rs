// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages of an application in the byte stream of a connection. They are needed because the payload of TCP has no
//! content here.
//!
//! A message is a request, or an answer that is interleaved with other answers. It ends at a position in the byte
//! stream. Messages travel with the segments. Each segment with data carries all messages that were written and are not
//! yet acknowledged. Every copy of the segment with the last byte of a request therefore carries this request. The
//! receiver reads a message when all bytes before the end of the message have arrived in order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use units::{Bytes, Span};

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum MessageKind {
    /// A request.
    Request {
        /// Processing time of the server.
        wait: Span,
        /// Size of the answer.
        answer: Bytes,
        /// Whether the answer is interleaved with other answers.
        in_turns: bool,
    },
    /// The end of an interleaved answer. The value is the number of the answer.
    Answer(u32),
}

/// A message, and its end in the byte stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Message {
    /// Number of the message in its direction.
    number: u32,
    /// Position of the end of the message: number of bytes since the connection was opened.
    upto: u64,
    /// Kind and content.
    pub kind: MessageKind,
}

/// The messages of a connection at one host, in both directions.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Messages {
    /// Messages that were written here and are not yet acknowledged.
    written: VecDeque<Message>,
    /// Number of messages that were written here.
    count: u32,
    /// Messages that arrived and were not yet read, by number.
    came: BTreeMap<u32, Message>,
    /// Number of messages that were read.
    read: u32,
}

impl Messages {
    /// Writes a message. Its end is after the first `upto` bytes of the outgoing stream.
    pub fn write(&mut self, upto: u64, kind: MessageKind) {
        self.written.push_back(Message { number: self.count, upto, kind });
        self.count += 1;
    }

    /// Returns the messages that a segment must carry if the first `acknowledged` bytes are acknowledged.
    pub fn carried(&mut self, acknowledged: u64) -> Vec<Message> {
        while self.written.front().is_some_and(|message| message.upto <= acknowledged) {
            self.written.pop_front();
        }
        self.written.iter().copied().collect()
    }

    /// Stores the messages of a segment that arrived.
    pub fn come(&mut self, messages: &[Message]) {
        let new = messages.iter().filter(|message| message.number >= self.read);
        self.came.extend(new.map(|message| (message.number, *message)));
    }

    /// Returns the next message if all its bytes are among the first `bytes` bytes of the stream.
    pub fn read(&mut self, bytes: u64) -> Option<Message> {
        let next = self.came.first_entry().filter(|next| *next.key() == self.read)?;
        if next.get().upto > bytes {
            return None;
        }
        self.read += 1;
        Some(next.remove())
    }

    /// Writes the messages that the other side of a proxy has received in the first `bytes` bytes.
    pub fn pass_on(&mut self, other: &mut Self, bytes: u64) {
        while let Some(message) = other.read(bytes) {
            self.write(message.upto, message.kind);
        }
    }
}

/// Numbers of connections that are finished.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Over {
    /// All numbers up to this number are finished.
    below: u32,
    /// Finished numbers above `below`.
    others: BTreeSet<u32>,
}

impl Over {
    /// Adds a number. Numbers start at 1, and 0 is not the number of a connection.
    pub fn insert(&mut self, number: u32) {
        if number > self.below {
            self.others.insert(number);
        }
        while self.others.remove(&(self.below + 1)) {
            self.below += 1;
        }
    }

    pub fn contains(&self, number: u32) -> bool {
        number <= self.below || self.others.contains(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn request(ms: u64) -> MessageKind {
        MessageKind::Request { wait: Span::from_millis(ms), answer: Bytes::new(1000), in_turns: false }
    }

    /// There are two requests of 100 bytes. The segment of the first request is lost, and its retransmission arrives
    /// after the segment of the second request.
    #[test]
    fn messages_are_read_in_order_once_their_bytes_are_there() {
        let (mut here, mut there) = (Messages::default(), Messages::default());
        here.write(100, request(1));
        let lost = here.carried(0);
        here.write(200, request(2));
        let second = here.carried(0);
        assert_eq!((lost.len(), second.len()), (1, 2));
        there.come(&second);
        assert_eq!(there.read(0), None);
        there.come(&lost);
        assert_eq!(there.read(150).map(|message| message.kind), Some(request(1)));
        assert_eq!(there.read(150), None);
        // A late copy of a segment does not restore a message that was already read.
        there.come(&lost);
        assert_eq!(there.read(200).map(|message| message.kind), Some(request(2)));
        assert_eq!(there.read(1000), None);
        assert_eq!(here.carried(100).len(), 1);
        assert!(here.carried(200).is_empty());
    }

    #[test]
    fn a_proxy_passes_on_what_has_come_in_order() {
        let (mut users, mut called, mut calling) =
            (Messages::default(), Messages::default(), Messages::default());
        users.write(100, request(1));
        users.write(300, request(3));
        called.come(&users.carried(0));
        calling.pass_on(&mut called, 200);
        assert_eq!(calling.carried(0).len(), 1);
        calling.pass_on(&mut called, 300);
        assert_eq!(calling.carried(100).iter().map(|message| message.kind).collect::<Vec<_>>(), [request(3)]);
    }

    #[test]
    fn numbers_that_are_over_take_no_room_once_all_below_are() {
        let mut over = Over::default();
        for number in [2, 3, 5, 1] {
            over.insert(number);
        }
        assert_eq!((over.below, over.others.len()), (3, 1));
        assert!((0..=3).chain([5]).all(|number| over.contains(number)));
        assert!(!over.contains(4) && !over.contains(6));
    }
}
