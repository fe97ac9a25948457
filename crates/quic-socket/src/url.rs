// SPDX-License-Identifier: MIT OR Apache-2.0
//! URLs of files: `https://host:port/path`.

use crate::SocketError;
use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};
use std::str::FromStr;
use units::Code;

/// The default port of `https` (RFC 9110, section 4.2.2).
const PORT: u16 = 443;

/// The URL of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// Name or address of the server. An IPv6 address is stored without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// Path with its leading slash.
    pub(crate) path: String,
}

impl Url {
    /// Returns host and port as in the URL.
    pub(crate) fn authority(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    /// Returns the addresses of the host. The first address should be tried first.
    ///
    /// # Errors
    /// If the host has no address.
    pub(crate) fn resolve(&self) -> Result<Vec<SocketAddr>, SocketError> {
        let unknown = |why: &str| {
            let why = format!("{self}: the host has no address: {why} (check the name)");
            SocketError::new(Code::AddressUnusable, why)
        };
        let found = (self.host.as_str(), self.port).to_socket_addrs();
        let found: Vec<SocketAddr> = found.map_err(|error| unknown(&error.to_string()))?.collect();
        if found.is_empty() { Err(unknown("the answer is empty")) } else { Ok(found) }
    }
}

impl FromStr for Url {
    type Err = SocketError;

    fn from_str(text: &str) -> Result<Self, SocketError> {
        let wrong = |why: &str| {
            let why = format!(
                "\"{text}\": {why} (write https://HOST:PORT/PATH, for example https://localhost:4433/file)"
            );
            SocketError::new(Code::ArgumentValue, why)
        };
        let rest = text.strip_prefix("https://").ok_or_else(|| wrong("a URL must begin with https://"))?;
        let slash = rest.find('/').unwrap_or(rest.len());
        let (authority, path) = rest.split_at(slash);
        if authority.contains('@') {
            return Err(wrong("a URL must not have a user name"));
        }
        let (host, port) = match authority.strip_prefix('[') {
            Some(rest) => {
                let (host, port) =
                    rest.split_once(']').ok_or_else(|| wrong("the bracket of the address is not closed"))?;
                (host, port.strip_prefix(':'))
            }
            None => match authority.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (authority, None),
            },
        };
        if host.is_empty() {
            return Err(wrong("the host is missing"));
        }
        let port = match port {
            None => PORT,
            Some(port) => match port.parse() {
                Ok(port) if port > 0 => port,
                _ => return Err(wrong("the port is not a number from 1 to 65535")),
            },
        };
        let path = if path.is_empty() { "/" } else { path };
        if path.bytes().any(|byte| byte <= b' ' || byte == 0x7F) {
            return Err(wrong("the path contains a space or a control character; write a space as %20"));
        }
        Ok(Self { host: host.to_owned(), port, path: path.to_owned() })
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "https://{}{}", self.authority(), self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::Url;

    #[test]
    fn hosts_ports_and_paths() {
        let url: Url = "https://localhost:4433/a/b".parse().expect("a URL");
        assert_eq!((url.host.as_str(), url.port, url.path.as_str()), ("localhost", 4433, "/a/b"));
        let url: Url = "https://[::1]".parse().expect("a URL");
        assert_eq!((url.host.as_str(), url.port, url.path.as_str()), ("::1", 443, "/"));
        assert_eq!(url.to_string(), "https://[::1]:443/");
    }

    #[test]
    fn wrong_urls_name_the_part() {
        for (text, why) in [
            ("http://a/", "must begin with https://"),
            ("https:///a", "host is missing"),
            ("https://a:0/", "port"),
            ("https://a:x/", "port"),
            ("https://[::1/", "bracket"),
            ("https://a/b c", "space"),
            ("https://a@b/", "user name"),
        ] {
            let error = text.parse::<Url>().expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
