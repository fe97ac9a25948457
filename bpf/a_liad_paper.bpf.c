/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A-LIAD as close to its paper as possible. include/a_liad.h has the equations, their domain and the differences from the
 * Rust twin.
 */
#include "include/a_liad.h"

A_LIAD_OPS(a_liad_paper);
