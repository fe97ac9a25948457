// SPDX-License-Identifier: MIT OR Apache-2.0
//! The controllers in connections of noq-proto, in virtual time.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

// The format of the vectors, and the comparison with the expected values.
extern crate control as bentpipe_control;
#[expect(dead_code, reason = "a part of the format is not used for noq")]
#[path = "../../../control/tests/vectors/cases.rs"]
mod cases;
#[path = "../../../control/tests/vectors/expect.rs"]
mod expect;
#[expect(dead_code, reason = "the size of datagrams is known")]
#[path = "../../../control/tests/vectors/profile.rs"]
mod profile;

mod catalogue;
mod pipe;
mod transfers;
mod vectors;
