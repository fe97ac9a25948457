// SPDX-License-Identifier: MIT OR Apache-2.0
//! A web page: objects, of which some are known only when others have come, over one connection or several.
//!
//! Objects that are known are asked for in the order of the list. With HTTP/1.1 an object takes the first connection that is free;
//! as long as more objects wait than connections are on their way, another one is opened, up to the limit. With HTTP/2
//! everything that is known is asked for at once on one connection. All objects come from one server; nothing is cached.
//!
//! ```text
//! ideal = opening, and the longest of
//!   the chain:  largest sum over a chain of objects that wait for each other of (think + RTT + wait + size / rate)
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

/// Most objects of a page.
pub const MOST_OBJECTS: usize = 10_000;
/// Most connections of a page. Browsers open 6 to a host.
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
    /// Drawn for each page: a first object, and others in consecutive stages.
    Drawn {
        /// Bytes of the first object, the document.
        first: Law,
        /// How many others.
        others: Law,
        /// Bytes of each.
        size: Law,
        /// Number of stages with equal numbers of objects: those of the first stage wait for the document, each later
        /// object for a drawn object of the stage before.
        stages: u32,
    },
}

/// An object of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its bytes, the head of the answer included.
    pub size: Bytes,
    /// Names of those that must have come before it is known.
    pub after: Vec<String>,
    /// How long the browser then takes before it asks: reading the document, running the script. (Of an object that waits for
    /// none: from the beginning of the visit on, beside the handshake.)
    pub think: Span,
}

/// How a page is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Protocol {
    /// HTTP/1.1: the largest number of connections, one request at a time on each.
    Http1 {
        /// How many. Browsers: 6.
        connections: u8,
    },
    /// HTTP/2: one connection, everything that is known is asked for at once; answers come one after the other, in the order
    /// asked.
    Http2,
    /// The same, but answers take turns on it, a frame each.
    Http2Interleaved,
}

impl PageModel {
    /// A page of these objects by HTTP/2, from a server that answers at once.
    pub const fn of(objects: Objects) -> Self {
        Self { objects, protocol: Protocol::Http2, request: REQUEST, wait: Span::ZERO }
    }

    /// The page that has a name: `median-2024`, of the medians of HTTP Archive's desktop pages.
    pub fn named(name: &str) -> Option<Self> {
        (name == "median-2024").then(|| Self::of(Objects::Listed(median::objects())))
    }

    /// Whether it can be fetched.
    ///
    /// # Errors
    /// Without objects, with an object that waits for one that is not there, or with a circle, whose objects are named.
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

    /// Mean of its bytes; `None` if a law has no mean. Objects that are drawn: the mean of the laws, without rounding.
    pub fn mean_bytes(&self) -> Option<f64> {
        match &self.objects {
            Objects::Listed(objects) => Some(objects.iter().map(|object| object.size.get() as f64).sum()),
            Objects::Drawn { first, others, size, .. } => Some(first.mean()? + others.mean()? * size.mean()?),
        }
    }

    /// Mean number of its objects; `None` if a law has no mean.
    pub(crate) fn mean_objects(&self) -> Option<f64> {
        match &self.objects {
            Objects::Listed(objects) => Some(objects.len() as f64),
            Objects::Drawn { others, .. } => Some(1.0 + others.mean()?),
        }
    }

    /// The largest number of connections.
    pub const fn connections(&self) -> u32 {
        match self.protocol {
            Protocol::Http1 { connections } => connections as u32,
            Protocol::Http2 | Protocol::Http2Interleaved => 1,
        }
    }

    /// Whether two pages can differ.
    pub(crate) fn draws(&self) -> bool {
        let Self { objects, protocol: _, request: _, wait: _ } = self;
        match objects {
            Objects::Listed(_) => false,
            // Which object of the stage before an object waits for is drawn as well.
            Objects::Drawn { first, others, size, stages } => {
                *stages > 1 || [first, others, size].into_iter().any(Law::draws)
            }
        }
    }

    /// A visit of it.
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
