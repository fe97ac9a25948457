/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Vegas-W, corrected: the largest estimate of two rounds, estimated in avoidance too; a loss never increases the window.
 * include/vegas_w.h has the equations, their domain and the differences from the Rust twin.
 */
#include "include/vegas_w.h"

VEGAS_W_OPS(vegas_w);
