/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What is known about the path in advance: a BPF map that a program of the host writes (ephemeris, an announcement of
 * the terminal) and controllers read.
 *
 * The map `hints` is an array with one entry (key 0), for all flows of the host. An entry with all members 0 says
 * nothing; each member that is 0 is not known.
 */
#ifndef BENTPIPE_HINTS_H
#define BENTPIPE_HINTS_H

#include "kernel.h"

enum hint_kind { HINT_HANDOVER, HINT_REROUTE, HINT_RATE, HINT_OUTAGE };

struct hint {
	/* Propagation round trip of the path, ns. */
	u64 base_rtt_ns;
	/* Next change of the path, on the clock of bpf_ktime_get_ns (CLOCK_MONOTONIC). A writer leaves a past change in
	 * place until the next one is known.
	 */
	u64 boundary_ns;
	/* How long the change lasts (an outage), ns. */
	u64 lasts_ns;
	/* When the change was announced, on the same clock. */
	u64 announced_ns;
	/* Distance between the endpoints, m. */
	u32 distance_m;
	/* enum hint_kind of the change. */
	u32 kind;
};

#ifdef BENTPIPE_NATIVE
extern struct hint hints[1];
static __always_inline const struct hint *hint_of_path(void)
{
	return hints;
}
#else
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct hint);
} hints SEC(".maps");

/* The hint; NULL only if the map is gone. */
static __always_inline const struct hint *hint_of_path(void)
{
	u32 key = 0;

	return bpf_map_lookup_elem(&hints, &key);
}
#endif

#endif
