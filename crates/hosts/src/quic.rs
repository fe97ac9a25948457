// SPDX-License-Identifier: MIT OR Apache-2.0
//! A real QUIC library (noq) as an endpoint of the simulator, in virtual time.
//!
//! The library is a pure state machine: it gets datagrams and times, and returns datagrams and the time of its next
//! timer. Its packets have real bytes, with TLS 1.3, and use the same links and queues as TCP.
//!
//! Runs repeat byte for byte: all random bytes come from the stream of the endpoint ([`draws`]), certificates and keys
//! are fixed ([`tls`]), and instants count from time zero ([`clock`]). An additional flow does not change the bytes of
//! other flows.

mod clock;
mod content;
mod draws;
mod library;
mod null_keys;
mod tls;
