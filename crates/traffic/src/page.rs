// SPDX-License-Identifier: MIT OR Apache-2.0
//! A web page: objects, of which some are known only when others have come, over one connection or several.

use crate::error::TrafficError;
use crate::law::Law;
use crate::session::Session;
use units::{Bytes, Span};

/// So many objects in a page at most.
pub const MOST_OBJECTS: usize = 10_000;
/// So many connections of a page at most. Browsers open 6 to a host.
pub const MOST_CONNECTIONS: u8 = 64;

/// What a page is.
#[derive(Clone, Debug, PartialEq)]
pub struct PageModel {
    /// What it is made of.
    pub objects: Objects,
    /// How it is fetched.
    pub protocol: Protocol,
    /// Bytes of each request.
    pub request: Bytes,
    /// How long the server takes for each.
    pub wait: Span,
}

/// Where the objects of a page come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Objects {
    /// These, in the order in which they are asked for where several could be.
    Listed(Vec<Object>),
    /// Drawn anew for each page: a first object, and others in stages that follow each other.
    Drawn {
        /// Bytes of the first object, the document.
        first: Law,
        /// How many others.
        others: Law,
        /// Bytes of each.
        size: Law,
        /// In so many stages of equal numbers: those of the first wait for the document, each of a later one for one of the
        /// stage before, drawn.
        stages: u32,
    },
}

/// An object of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub size: Bytes,
    /// Names of those that must have come before it is known.
    pub after: Vec<String>,
    /// How long the browser then takes before it asks: reading the document, running the script.
    pub think: Span,
}

/// How a page is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1: up to so many connections, one request at a time on each.
    Http1 {
        /// How many. Browsers: 6.
        connections: u8,
    },
    /// HTTP/2: one connection, everything that is known is asked for at once; answers come one after the other, in the order
    /// asked.
    Http2,
}

impl PageModel {
    /// The page that has a name: `median-2024`.
    pub fn named(_name: &str) -> Option<Self> {
        None
    }

    /// Whether it can be fetched.
    ///
    /// # Errors
    /// Without objects, with an object that waits for one that is not there, or with a circle, whose objects are named.
    pub fn check(&self) -> Result<(), TrafficError> {
        Ok(())
    }

    /// Mean of its bytes; `None` if a law has no mean.
    pub fn mean_bytes(&self) -> Option<f64> {
        None
    }

    /// So many connections at most.
    pub const fn connections(&self) -> u32 {
        match self.protocol {
            Protocol::Http1 { connections } => connections as u32,
            Protocol::Http2 => 1,
        }
    }

    /// A session of it.
    pub(crate) fn session(&self, _seed: u64) -> Box<dyn Session> {
        unimplemented!("follows")
    }
}
