// SPDX-License-Identifier: MIT OR Apache-2.0
//! The controllers in connections of noq-proto, in virtual time.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod catalogue;
mod pipe;
mod transfers;
