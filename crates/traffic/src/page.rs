// SPDX-License-Identifier: MIT OR Apache-2.0
//! A web page: objects on one or several connections. Some objects become known only when other objects have arrived.
//!
//! The browser requests known objects in the order of the list. With HTTP/1.1, an object uses the first free
//! connection. If the number of waiting objects exceeds the number of connections that are being opened, the browser
//! opens another connection, up to the limit. With HTTP/2, the browser requests every known object immediately on one
//! connection. All objects come from one server, and nothing is cached.
//!
//! ```text
//! ideal = opening, and the longest of
//!   the chain:  largest sum of (think + RTT + wait + size / rate) over a chain of objects, each waiting for the one before
//!   the bytes:  RTT + wait + all bytes / rate
//!   the turns:  sum over all objects of (RTT + wait + size / rate) / connections      (HTTP/1.1)
//! ```

mod graph;
mod loader;
mod median;

use crate::REQUEST;
use crate::error::TrafficError;
use crate::law::{Law, number};
use crate::visit::Visit;
use graph::Graph;
use loader::Loader;
use random::{SeedableRng as _, SplitMix64};
use units::{Bytes, Span};

/// Largest number of objects of a page.
pub const MOST_OBJECTS: usize = 10_000;
/// Largest number of connections of a page. Browsers open 6 per host.
pub const MOST_CONNECTIONS: u8 = 64;

/// Model of a web page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageModel {
    /// The objects of the page.
    pub objects: Objects,
    /// Protocol that fetches the objects.
    pub protocol: Protocol,
    /// Size of each request.
    pub request: Bytes,
    /// Processing time of the server before each answer.
    pub wait: Span,
}

/// The objects of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Objects {
    /// Listed objects. If several objects are known, the browser requests them in the order of the list.
    Listed(Vec<Object>),
    /// Random objects, drawn for each page: a document, and further objects in consecutive stages.
    Drawn {
        /// Size of the document, the first object, in bytes.
        first: Law,
        /// Number of the other objects.
        others: Law,
        /// Size of each other object, in bytes.
        size: Law,
        /// Number of stages. All stages have the same number of objects. The objects of the first stage wait for the
        /// document. Every later object waits for one object of the previous stage, which is drawn at random.
        stages: u32,
    },
}

/// An object of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Name.
    pub name: String,
    /// Size, including the headers of the answer.
    pub size: Bytes,
    /// Names of the objects that must arrive before this object is known.
    pub after: Vec<String>,
    /// Time between the arrival of the last object in `after` and the request. In this time, the browser reads a
    /// document or runs a script. If `after` is empty, the time counts from the beginning of the visit, in parallel
    /// with the handshake.
    pub think: Span,
}

/// Protocol that fetches the objects of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Protocol {
    /// HTTP/1.1: several connections with one open request each.
    Http1 {
        /// Largest number of connections. Browsers use 6.
        connections: u8,
    },
    /// HTTP/2 on one connection. The browser requests every known object at once. The answers arrive one after the
    /// other, in the order of the requests.
    Http2,
    /// As `Http2`, but the answers take turns on the connection. In each turn, an answer sends one frame.
    Http2Interleaved,
}

impl PageModel {
    /// Returns a page of these objects over HTTP/2, from a server that answers immediately.
    pub const fn of(objects: Objects) -> Self {
        Self { objects, protocol: Protocol::Http2, request: REQUEST, wait: Span::ZERO }
    }

    /// Returns the named page `median-2024`, built from the medians of HTTP Archive's desktop pages. `None` for any
    /// other name.
    pub fn named(name: &str) -> Option<Self> {
        (name == "median-2024").then(|| Self::of(Objects::Listed(median::objects())))
    }

    /// Checks that the page can be fetched.
    ///
    /// # Errors
    /// If the page has no objects, if an object waits for an object that is not on the page, or if objects wait for
    /// each other in a circle. The error names the objects.
    pub fn check(&self) -> Result<(), TrafficError> {
        if let Protocol::Http1 { connections } = self.protocol
            && !(1..=MOST_CONNECTIONS).contains(&connections)
        {
            return Err(TrafficError::Connections { connections, most: MOST_CONNECTIONS });
        }
        match &self.objects {
            Objects::Listed(objects) => Graph::listed(objects).map(drop),
            Objects::Drawn { first, others, size, stages } => {
                [first, others, size].into_iter().try_for_each(Law::check)?;
                number("stages", f64::from(*stages), (1..=100).contains(stages), "between 1 and 100")
            }
        }
    }

    /// Returns the mean size of the page, in bytes; `None` if a distribution does not have a mean. For random objects,
    /// the mean is computed from the means of the distributions, without the rounding of draws.
    pub fn mean_bytes(&self) -> Option<f64> {
        match &self.objects {
            Objects::Listed(objects) => Some(objects.iter().map(|object| object.size.get() as f64).sum()),
            Objects::Drawn { first, others, size, .. } => Some(first.mean()? + others.mean()? * size.mean()?),
        }
    }

    /// Returns the mean number of objects; `None` if a distribution does not have a mean.
    pub(crate) fn mean_objects(&self) -> Option<f64> {
        match &self.objects {
            Objects::Listed(objects) => Some(objects.len() as f64),
            Objects::Drawn { others, .. } => Some(1.0 + others.mean()?),
        }
    }

    /// Returns the largest number of connections.
    pub const fn connections(&self) -> u32 {
        match self.protocol {
            Protocol::Http1 { connections } => connections as u32,
            Protocol::Http2 | Protocol::Http2Interleaved => 1,
        }
    }

    /// Returns whether two pages can differ.
    pub(crate) fn draws(&self) -> bool {
        let Self { objects, protocol: _, request: _, wait: _ } = self;
        match objects {
            Objects::Listed(_) => false,
            // With several stages, the object for which an object waits is also drawn.
            Objects::Drawn { first, others, size, stages } => {
                *stages > 1 || [first, others, size].into_iter().any(Law::draws)
            }
        }
    }

    /// Starts a visit.
    pub(crate) fn visit(&self, seed: u64) -> Box<dyn Visit> {
        let graph = match &self.objects {
            Objects::Listed(objects) => {
                Graph::listed(objects).expect("a page is checked before it is fetched")
            }
            Objects::Drawn { first, others, size, stages } => {
                Graph::drawn(first, others, size, *stages, &mut SplitMix64::seed_from_u64(seed))
            }
        };
        Box::new(Loader::new(graph, self.protocol, self.request, self.wait))
    }
}
