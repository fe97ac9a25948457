// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls: two streams of frames between two hosts. Voice calls, video calls and games send such streams.

use crate::ScenarioError;
use crate::check::Source;
use crate::format;
use crate::text::Q;
use crate::words::{W, Word};
use units::{Bytes, Code, Span};

/// A call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call {
    /// Kind of call.
    pub profile: Profile,
    /// Playout delay of a frame. It starts when the frame would have arrived with the smallest delay so far.
    pub playout: Span,
    /// The stream from `from` to `to`.
    pub there: Media,
    /// The stream from `to` to `from`.
    pub back: Media,
}

/// Kinds of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Voice with the codec G.711.
    #[default]
    Voice,
    /// Video with 720 lines.
    VideoCall,
    /// A first-person shooter. `from` is the player, and `to` is the server.
    Game,
}

/// One direction of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Media {
    /// Interval between frames.
    pub interval: Span,
    /// Mean size of a frame in bytes.
    pub frame: Bytes,
    /// Largest number of bytes of a frame in one packet.
    pub payload: Bytes,
    /// Length of the headers of a packet.
    pub header: Bytes,
    /// Every `key_every`-th frame is a key frame.
    pub key_every: u32,
    /// Size of a key frame, as a multiple of the other frames.
    pub key_ratio: f64,
}

/// Headers of RTP (RFC 3550, section 5.1), UDP and IPv4.
const RTP_HEADER: Bytes = Bytes::new(12 + 8 + 20);
/// Headers of UDP and IPv4.
const UDP_HEADER: Bytes = Bytes::new(8 + 20);
/// Recommended datagram size for a path whose MTU is unknown (RFC 8831, section 5). WebRTC's packets have this payload.
const PAYLOAD: Bytes = Bytes::new(1200);

const fn frames(interval: Span, bytes: u64, header: Bytes) -> Media {
    Media { interval, frame: Bytes::new(bytes), payload: PAYLOAD, header, key_every: 1, key_ratio: 1.0 }
}

impl Profile {
    /// Returns the name of the profile in files.
    pub fn name(self) -> &'static str {
        self.word()
    }

    /// Returns the call of this profile.
    pub const fn call(self) -> Call {
        let (playout, there, back) = match self {
            // G.711 sends 8000 bytes per second. Frames of 20 ms are the default of RFC 3551, table 1. The playout
            // buffer of three frames is our choice.
            Self::Voice => {
                let media = frames(Span::from_millis(20), 160, RTP_HEADER);
                (Span::from_millis(60), media, media)
            }
            // Zoom requires 1.2 Mbit/s in each direction for a call between two persons at 720p ("Zoom system
            // requirements", 2024). Our choices are 30 frames per second, a key frame every 10 s with 5 times the bytes
            // of the others, and the playout buffer.
            Self::VideoCall => {
                let plain = frames(Span::from_nanos(33_333_333), 5000, RTP_HEADER);
                let media = Media { key_every: 300, key_ratio: 5.0, ..plain };
                (Span::from_millis(100), media, media)
            }
            // W. Feng, F. Chang, W. Feng, J. Walpole, "Provisioning on-line games: a traffic analysis of a busy
            // Counter-Strike server", IMW 2002, tables 2 and 3. Packets have 40 B and 130 B of data on average, and the
            // server's tick is 50 ms. The players send 437 packets/s while they receive 361, which is one packet per
            // player every 41 ms. The default of `cl_interp` is 100 ms (Valve, "Source Multiplayer Networking").
            Self::Game => (
                Span::from_millis(100),
                frames(Span::from_millis(41), 40, UDP_HEADER),
                frames(Span::from_millis(50), 130, UDP_HEADER),
            ),
        };
        Call { profile: self, playout, there, back }
    }
}

impl Media {
    /// Returns the rounded size in bytes of frame number `frame`. One of `key_every` frames has `key_ratio` times the
    /// bytes of each other frame. The mean over all frames is `self.frame`.
    pub fn bytes(&self, frame: u64) -> u64 {
        let every = f64::from(self.key_every);
        let other = self.frame.get() as f64 * every / (every - 1.0 + self.key_ratio);
        let is_key = frame.is_multiple_of(self.key_every.into());
        (if is_key { other * self.key_ratio } else { other }).round().max(1.0) as u64
    }

    /// Returns the number of packets for a frame of `bytes` bytes.
    pub fn packets(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.payload.get()).max(1)
    }

    /// Returns the size of the largest packet.
    pub fn largest(&self) -> Bytes {
        Bytes::new(self.bytes(0).min(self.payload.get())) + self.header
    }

    /// Returns the mean number of packets per second, and the mean number of bits per second on the wire.
    pub fn load(&self) -> (f64, f64) {
        let (key, other) = (self.bytes(0), self.bytes(1));
        let others = f64::from(self.key_every) - 1.0;
        let mean = |of: &dyn Fn(u64) -> u64| (of(key) as f64 + others * of(other) as f64) / (others + 1.0);
        let per_s = 1.0 / self.interval.secs_f64();
        let packets = mean(&|bytes| self.packets(bytes)) * per_s;
        (packets, 8.0 * (mean(&|bytes| bytes) * per_s + packets * self.header.get() as f64))
    }

    fn read(
        self,
        text: Option<format::Media>,
        source: &Source<'_>,
        path: &str,
    ) -> Result<Self, ScenarioError> {
        let Some(text) = text else { return Ok(self) };
        let interval = text.interval.map_or(self.interval, |q| q.0);
        let frame = match (text.frame, text.rate) {
            (Some(Q(frame)), _) => frame,
            (None, Some(Q(rate))) => {
                let frame = Bytes::new((rate.bytes_per_s() * interval.secs_f64()).round() as u64);
                if frame == Bytes::ZERO || frame > MOST {
                    let message = format!(
                        "a rate of {rate} needs a frame of {frame} every {interval}, but a frame must have 1 B to \
                         {MOST}"
                    );
                    return Err(source
                        .error(Code::ScenarioValue, &format!("{path}.rate"), message)
                        .fix("write another rate or interval"));
                }
                frame
            }
            (None, None) => self.frame,
        };
        Ok(Self {
            interval,
            frame,
            payload: text.payload.map_or(self.payload, |q| q.0),
            header: text.header.map_or(self.header, |q| q.0),
            key_every: text.key_every.unwrap_or(self.key_every),
            key_ratio: text.key_ratio.unwrap_or(self.key_ratio),
        })
    }
}

/// Size of the largest frame.
const MOST: Bytes = Bytes::new(10_000_000);

impl Call {
    /// Reads the call in the table of a flow at `path`.
    pub(crate) fn read(flow: &format::Flow, source: &Source<'_>, path: &str) -> Self {
        let own = flow.profile.map_or_else(Profile::default, |word| word.0).call();
        let there = source.keep(own.there.read(flow.there, source, &format!("{path}.there")));
        let back = source.keep(own.back.read(flow.back, source, &format!("{path}.back")));
        Self {
            playout: flow.playout.map_or(own.playout, |q| q.0),
            // If a fault was recorded, the flow is not used.
            there: there.unwrap_or(own.there),
            back: back.unwrap_or(own.back),
            ..own
        }
    }

    /// Returns the keys that describe the whole call.
    pub(crate) fn write(&self) -> format::Flow {
        format::Flow {
            kind: Some(format::Kind::Call),
            profile: Some(W(self.profile)),
            playout: Some(Q(self.playout)),
            there: Some(self.there.write()),
            back: Some(self.back.write()),
            ..format::Flow::default()
        }
    }
}

impl Media {
    fn write(&self) -> format::Media {
        format::Media {
            interval: Some(Q(self.interval)),
            frame: Some(Q(self.frame)),
            rate: None,
            payload: Some(Q(self.payload)),
            header: Some(Q(self.header)),
            key_every: Some(self.key_every),
            key_ratio: Some(self.key_ratio),
        }
    }
}
