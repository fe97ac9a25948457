// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors, and messages that explain the end of a connection.

use crate::ALPN;
use noq_proto::{ConnectionError, TransportErrorCode, VarInt};
use rustls::CertificateError;
use std::fmt;
use units::Code;

/// The TLS alert `no_application_protocol` (RFC 8446, section 6). QUIC error codes contain the number of the alert (RFC
/// 9001, section 4.8).
const NO_APPLICATION_PROTOCOL: u8 = 120;

/// Codes with which our server resets the stream of a request. The numbers are those of HTTP status codes.
pub(crate) mod stream_code {
    use noq_proto::VarInt;

    /// The request is not `GET /path`.
    pub const BAD_REQUEST: VarInt = VarInt::from_u32(400);
    /// The path leads to a place outside the served folder.
    pub const REFUSED: VarInt = VarInt::from_u32(403);
    /// The file does not exist.
    pub const NO_FILE: VarInt = VarInt::from_u32(404);
    /// The file could not be read to its end.
    pub const UNREADABLE: VarInt = VarInt::from_u32(500);
}

/// An error. The message contains the value, the place and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocketError {
    code: Code,
    message: String,
}

impl SocketError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Returns the stable error code.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Returns the end of the connection to `peer` as an error; `None` if the connection was closed without an error.
    pub(crate) fn of_connection(peer: &str, reason: &ConnectionError) -> Option<Self> {
        let failed = |what: &str| Some(Self::new(Code::ConnectionFailed, format!("{peer}: {what}")));
        match reason {
            ConnectionError::TransportError(error) => {
                let tls = error.crypto.as_ref().and_then(|error| error.downcast_ref::<rustls::Error>());
                match tls {
                    Some(rustls::Error::InvalidCertificate(why)) => Some(Self::of_certificate(peer, why)),
                    _ if error.code == TransportErrorCode::crypto(NO_APPLICATION_PROTOCOL) => {
                        failed(&no_protocol("the peer"))
                    }
                    _ => {
                        failed(&format!("the connection was closed because of an error of the peer: {error}"))
                    }
                }
            }
            ConnectionError::ConnectionClosed(close) => {
                if close.error_code == TransportErrorCode::NO_ERROR {
                    None
                } else if close.error_code == TransportErrorCode::crypto(NO_APPLICATION_PROTOCOL) {
                    failed(&no_protocol("the peer"))
                } else {
                    failed(&format!(
                        "the peer closed the connection: {close}{}",
                        certificate_hint(close.error_code)
                    ))
                }
            }
            ConnectionError::ApplicationClosed(close) => (!is_success(close.error_code)).then(|| {
                let why = format!("{peer}: the application at the peer closed the connection: {close}");
                Self::new(Code::ConnectionFailed, why)
            }),
            ConnectionError::Reset => failed(
                "the peer does not know the connection any more (connect again: the peer was probably restarted)",
            ),
            ConnectionError::TimedOut => failed(
                "no packet arrived until the timeout (check the host, the port and the firewall, because QUIC needs \
                 UDP, or write a longer --timeout)",
            ),
            ConnectionError::VersionMismatch => failed("the peer does not support QUIC version 1"),
            ConnectionError::LocallyClosed => None,
            ConnectionError::CidsExhausted => failed("no connection ID is free"),
        }
    }

    fn of_certificate(peer: &str, why: &CertificateError) -> Self {
        let told = rustls::Error::InvalidCertificate(why.clone()).to_string();
        let told = told.trim_start_matches("invalid peer certificate: ");
        let (what, fix) = match why {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => (
                "the certificate of the server has expired",
                "renew the certificate at the server, check the clock of this machine, or accept the certificate \
                 with --insecure",
            ),
            // A new certificate may have the old name and another key.
            CertificateError::UnknownIssuer | CertificateError::BadSignature => (
                "no certificate of --ca has issued the certificate of the server",
                "write --ca FILE with the certificate of the issuing authority or of the server itself, or accept \
                 the certificate with --insecure",
            ),
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => (
                "the certificate of the server is for another name",
                "use a name of the certificate in the URL, or accept the certificate with --insecure",
            ),
            _ => (
                "the certificate of the server was not accepted",
                "replace the certificate at the server, or accept the certificate with --insecure",
            ),
        };
        Self::new(Code::CertificateRefused, format!("{peer}: {what}: {told} ({fix})"))
    }

    /// Returns the error for the request for `url` whose stream the server reset.
    pub(crate) fn of_stream(url: &str, code: VarInt) -> Self {
        let meaning = match code {
            stream_code::NO_FILE => {
                "a server of Bentpipe sends this code if there is no such file; check the path"
            }
            stream_code::REFUSED => {
                "a server of Bentpipe sends this code if the path leads outside of the served folder"
            }
            stream_code::BAD_REQUEST => {
                "a server of Bentpipe sends this code if the request is not \"GET /path\""
            }
            stream_code::UNREADABLE => "a server of Bentpipe sends this code if it cannot read the file",
            _ => "the server defines the meaning of this code; its log may contain the reason",
        };
        Self::new(
            Code::RequestRefused,
            format!("{url}: the server reset the stream with code {code} ({meaning})"),
        )
    }
}

fn no_protocol(who: &str) -> String {
    format!(
        "{who} does not offer the application protocol {ALPN} (HTTP/0.9; HTTP/3 servers need another client)"
    )
}

/// Returns a hint if the peer refused our certificate.
fn certificate_hint(code: TransportErrorCode) -> &'static str {
    const REFUSALS: [u8; 6] = [42, 43, 44, 45, 46, 48];
    if REFUSALS.iter().any(|&alert| code == TransportErrorCode::crypto(alert)) {
        " (it did not accept the certificate of this server)"
    } else {
        ""
    }
}

/// Returns whether the code means success: 0, or H3_NO_ERROR (RFC 9114, section 8.1).
fn is_success(code: VarInt) -> bool {
    code.into_inner() == 0 || code.into_inner() == 0x100
}

impl fmt::Display for SocketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SocketError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_connections_name_the_fix() {
        for (reason, said) in [
            (ConnectionError::Reset, "connect again"),
            (ConnectionError::TimedOut, "--timeout"),
            (ConnectionError::VersionMismatch, "QUIC version 1"),
        ] {
            let error = SocketError::of_connection("host:1", &reason).expect("an error");
            assert_eq!(error.code(), Code::ConnectionFailed);
            assert!(error.to_string().starts_with("host:1: ") && error.to_string().contains(said), "{error}");
        }
        assert_eq!(SocketError::of_connection("host:1", &ConnectionError::LocallyClosed), None);
    }
}
