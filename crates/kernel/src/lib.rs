// SPDX-License-Identifier: MIT OR Apache-2.0
//! Congestion controllers in a running Linux kernel: the parts that work without the kernel.
//!
//! [`parameters`] reads the parameters that a controller in C declares (`bpf/include/parameters.h`) and converts values
//! of users. [`record`](mod@record) reads the reports of `trace.bpf.c` about connections, and [`account`] makes rows
//! and a summary of them.
//!
//! The program `bentpipe-kernel` (feature `bpf`) is the only part of Bentpipe that needs root. It contains the compiled
//! controllers, loads them, traces connections and writes hints. It takes its orders as arguments, and answers with
//! lines of JSON. The command `bentpipe kernel`, which is written in Python, calls this program.
#![forbid(unsafe_code)]

pub mod account;
pub mod parameters;
pub mod record;
