// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of QUIC connections.

use crate::check::Source;
use crate::document::Value;
use crate::format::{AckRule, Quic};
use crate::settings::{TextOf, settings};
use crate::text::Q;
use crate::words::{W, words};
use crate::{Scenario, ScenarioError};
use control::SavedPath;
use units::{Bytes, Code, Span};

/// The source of a controller's code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControllerSource {
    /// The controller catalogue of Bentpipe.
    #[default]
    Bentpipe,
    /// The QUIC library.
    Library,
}

/// Whether packets are really encrypted after the handshake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// Packets are encrypted.
    #[default]
    Real,
    /// Packets are not encrypted: the payload stays readable, and the 16 bytes of the tag are zero.
    Null,
}

/// Transport protocol of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransportProtocol {
    /// TCP.
    #[default]
    Tcp,
    /// QUIC.
    Quic,
}

words! {
    /// Transport protocol of a flow.
    TransportProtocol { Tcp = "tcp", Quic = "quic" }
    /// The source of a controller's code.
    ControllerSource { Bentpipe = "bentpipe", Library = "library" }
    /// Whether packets are encrypted after the handshake.
    Keys { Real = "real", Null = "null" }
}

/// The rule by which a receiver delays acknowledgements (ACK frequency extension of QUIC).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckFrequency {
    /// Largest number of ack-eliciting packets without an acknowledgement.
    pub every: u32,
    /// Longest delay of an acknowledgement.
    pub at_most: Span,
}

/// Settings of a QUIC connection.
#[derive(Clone, Debug, PartialEq)]
pub struct QuicConfig {
    /// Source of the controller's code.
    pub controllers: ControllerSource,
    /// Largest UDP payload at the start, in bytes.
    pub datagram: u32,
    /// Largest UDP payload that path MTU discovery tries, in bytes.
    pub largest_datagram: u32,
    /// Initial window in datagrams.
    pub initial_window: u32,
    /// Rule of delayed acknowledgements that the sender requests. `None`: every second packet is acknowledged, at most
    /// 25 ms late (RFC 9000, sections 13.2.2 and 18.2).
    pub ack_frequency: Option<AckFrequency>,
    /// Round-trip time that the sender assumes before the first sample.
    pub initial_rtt: Span,
    /// Largest number of bytes over all streams that the receiver accepts before its application reads them; `None` if
    /// unlimited.
    pub receive_window: Option<Bytes>,
    /// Largest number of bytes of one stream that the receiver accepts before its application reads them; `None` if
    /// unlimited.
    pub stream_window: Option<Bytes>,
    /// Largest number of bytes that the sender stores until they are acknowledged; `None` if unlimited.
    pub send_window: Option<Bytes>,
    /// Bytes of each stream. A transfer then uses several streams, one after another. `None`: all data are in one
    /// stream.
    pub stream_size: Option<Bytes>,
    /// Whether packets carry ECT(0). A queue may then mark them instead of dropping them.
    pub ecn: bool,
    /// Whether the first packet carries data (0-RTT). An earlier connection left a session ticket.
    pub zero_rtt: bool,
    /// Whether the library paces packets if the controller has no pacing rate.
    pub pacing: bool,
    /// Whether packets are encrypted.
    pub keys: Keys,
    /// State of the path that an earlier connection saved (RFC 9959).
    pub saved_path: Option<SavedPath>,
}

/// Length of the IPv4 and UDP headers of a datagram, in bytes.
pub const QUIC_HEADERS: u32 = 28;

impl Default for QuicConfig {
    fn default() -> Self {
        Self {
            controllers: ControllerSource::Bentpipe,
            // RFC 9000, section 14.1.
            datagram: 1200,
            // Default upper limit of quinn and noq: the payload that fits into 1,500 bytes with IPv6 and a tunnel
            // header.
            largest_datagram: 1452,
            // RFC 9002, section 7.2.
            initial_window: 10,
            ack_frequency: None,
            // RFC 9002, section 6.2.2.
            initial_rtt: Span::from_millis(333),
            receive_window: None,
            stream_window: None,
            send_window: None,
            stream_size: Some(Bytes::new(1_000_000)),
            ecn: true,
            zero_rtt: false,
            pacing: true,
            keys: Keys::Real,
            saved_path: None,
        }
    }
}

/// Smallest number of bytes of a full datagram that are not stream data: flags, connection ID, packet number, type and
/// number of the stream, and the tag of AES-GCM (RFC 9000, sections 17.3 and 19.8; RFC 9001, section 5.3).
const OVERHEAD: u32 = 1 + 8 + 1 + 2 + 16;

impl QuicConfig {
    /// Returns the bytes of stream data and the bytes of headers in a packet of the largest size.
    pub const fn full_packet(&self) -> (u32, u32) {
        (self.largest_datagram - OVERHEAD, OVERHEAD + QUIC_HEADERS)
    }
}

settings! {
    Quic => QuicConfig;
    always controllers, datagram, largest_datagram, initial_window, initial_rtt, receive_window, stream_window,
        send_window, stream_size, ecn, zero_rtt, pacing, keys;
    perhaps ack_frequency, saved_path
}

impl TextOf<AckFrequency> for AckRule {
    fn read(self) -> AckFrequency {
        AckFrequency { every: self.every, at_most: self.at_most.0 }
    }
    fn write(rule: AckFrequency) -> Self {
        Self { every: rule.every, at_most: Q(rule.at_most) }
    }
}

/// Names of the library's own controllers whose runs are repeatable. (The library's "bbr3" draws random numbers from
/// the operating system and has no seed.)
pub const LIBRARY_CONTROLLERS: [&str; 2] = ["reno", "cubic"];

/// Returns the settings of a flow, from its table at `path`.
///
/// # Errors
/// If two keys contradict each other.
pub fn configured(text: Option<&Quic>, source: &Source<'_>, path: &str) -> Result<QuicConfig, ScenarioError> {
    let mut config = QuicConfig::default();
    if let Some(text) = text {
        text.apply(&mut config);
        if text.largest_datagram.is_none() {
            config.largest_datagram = config.largest_datagram.max(config.datagram);
        }
    }
    let QuicConfig { datagram, largest_datagram, stream_window, receive_window, .. } = config;
    let fault = |key: &str, message: String| {
        Err(source.error(Code::ScenarioValue, &format!("{path}.{key}"), message))
    };
    if largest_datagram < datagram {
        return fault(
            "largest_datagram",
            format!(
                "largest_datagram of {largest_datagram} B is smaller than datagram of {datagram} B, the size at the start \
                (write largest_datagram = \"{datagram} B\" or more)"
            ),
        );
    }
    for (key, window) in [("stream_window", stream_window), ("receive_window", receive_window)] {
        if let Some(window) = window.filter(|window| window.get() < u64::from(datagram)) {
            return fault(
                key,
                format!(
                    "{key} of {window} is smaller than one datagram of {datagram} B (write {key} = \"{datagram} B\" or more)"
                ),
            );
        }
    }
    Ok(config)
}

/// Returns the settings as text for users: "quic", "quic; keys = null".
pub fn label(config: &QuicConfig) -> String {
    let table = |config: &QuicConfig| match serde_json::to_value(Quic::from_settings(config)) {
        Ok(serde_json::Value::Object(table)) => table,
        _ => serde_json::Map::new(),
    };
    let defaults = table(&QuicConfig::default());
    let changes = table(config)
        .into_iter()
        .filter(|(key, value)| !value.is_null() && key != "saved_path" && defaults.get(key) != Some(value));
    let changes: Vec<String> = changes.map(|(key, value)| format!("{key} = {value}")).collect();
    if changes.is_empty() { "quic".to_owned() } else { format!("quic; {}", changes.join(", ")) }
}

impl From<Option<W<TransportProtocol>>> for TransportProtocol {
    fn from(text: Option<W<TransportProtocol>>) -> Self {
        text.unwrap_or_default().0
    }
}

/// Returns notes about QUIC flows whose controller has the parameter `pacing`, although the library paces anyway.
pub fn paced_anyway(scenario: &Scenario) -> impl Iterator<Item = String> {
    let flows = scenario.flows.iter().filter(|flow| flow.kind.quic().is_some_and(|config| config.pacing));
    flows.filter_map(|flow| {
        let controller = flow.kind.controller()?;
        let (_, value) = controller.parameters.iter().find(|(key, _)| key == "pacing")?;
        let Value::Flag(paces) = value else { return None };
        let (why, remove) =
            if *paces { ("QUIC always paces", "remove `pacing`; ") } else { ("the QUIC library paces", "") };
        Some(format!(
            "flow \"{}\": `pacing = {paces}` of {} has no effect over QUIC, because {why} ({remove}to send without \
             pacing, write quic = {{ pacing = false }})",
            flow.name, controller.name
        ))
    })
}
