// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths of keys of `[network.constellation]`, as in messages.

/// Path of the table itself.
pub const PATH: &str = "network.constellation";

/// Returns the path of a key of `[network.constellation]`.
pub fn at(key: &str) -> String {
    format!("{PATH}.{key}")
}
