// SPDX-License-Identifier: MIT OR Apache-2.0
//! Another QUIC implementation as a peer of ours. The tests are in `tests/`. s2n-quic brings a TLS library in C, so this
//! package is not a default member of the workspace.
