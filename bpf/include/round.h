/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Round trips: one ends with the first ACK of data that was sent after it began (Linux tcp_vegas.c, beg_snd_nxt).
 */
#ifndef BENTPIPE_ROUND_H
#define BENTPIPE_ROUND_H

#include "kernel.h"

/* Whether sequence number `a` is before `b`. */
static __always_inline bool before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

/* Whether the newest ACK begins a round. `end` holds snd_nxt at the beginning of the round. */
static __always_inline bool round_starts(const struct tcp_sock *tp, u32 *end)
{
	if (before(tp->snd_una, *end))
		return false;
	*end = tp->snd_nxt;
	return true;
}

#endif
