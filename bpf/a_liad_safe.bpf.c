/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A-LIAD with its intended curves: the exact rule per ACK, RTTmax of the epoch, linear growth beyond W_max.
 * include/a_liad.h has the equations, their domain and the differences from the Rust twin.
 */
#define A_LIAD_SAFE
#include "include/a_liad.h"

A_LIAD_OPS(a_liad_safe);
