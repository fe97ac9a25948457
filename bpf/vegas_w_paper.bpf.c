/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Vegas-W exactly as printed: the newest estimate is kept in avoidance, and W = B RTTmin at a loss. include/vegas_w.h has
 * the equations, their domain and the differences from the Rust twin.
 */
#define VEGAS_W_PAPER
#include "include/vegas_w.h"

VEGAS_W_OPS(vegas_w_paper);
