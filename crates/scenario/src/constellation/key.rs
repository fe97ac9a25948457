// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[network.constellation]`, as in messages.

/// The table itself.
pub const PATH: &str = "network.constellation";

/// One of its keys.
pub fn at(key: &str) -> String {
    format!("{PATH}.{key}")
}
