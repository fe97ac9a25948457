/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the controllers of the family BBR have in common: packet-timed rounds, rate samples, the amount in flight, the
 * excess of ACKs over a rate, ranges of application-limited packets, and random numbers. The twin of the common parts of
 * crates/control/src/bbr1, bbr3 and estimate.rs.
 *
 * Rates are in 1/65536 segments/s, windows in 1/2^24 segment.
 *
 * Domain: rates up to 2^22 segments/s (48 Gbit/s with 1,448 bytes), RTTs up to 16.7 s, windows up to 2^21 segments. A
 * larger value counts as the end of the range. A rate has a relative error below 2e-6 from 8 segments/s on.
 */
#ifndef BENTPIPE_BBR_H
#define BENTPIPE_BBR_H

#include "bandwidth.h"
#include "round.h"
#include "storage.h"
#include "window.h"

#define MAX_RATE_Q16 (1ULL << 38)
#define MAX_RTT_US (1U << 24)
/* RTT from which the first pacing rate is computed, without a sample: 1 ms. */
#define FIRST_RTT_US 1000
/* Largest burst at the pacing rate, bytes. */
#define MAX_QUANTUM_BYTES 65536
/* Smallest window that keeps the flow running if the receiver acknowledges every second segment. */
#define MIN_PIPE_Q24 (4 * Q24)

/* Segments in flight (tcp_packets_in_flight of include/net/tcp.h). */
static __always_inline u32 in_flight(const struct tcp_sock *tp)
{
	return tp->packets_out - tp->sacked_out - tp->lost_out + tp->retrans_out;
}

static __always_inline u64 segments_q24(u32 segments)
{
	return min_u64((u64)segments << 24, MAX_WINDOW_Q24);
}

/* The delivery rate of a sample, q16; 0 without one. */
static __always_inline u64 rate_q16(const struct rate_sample *rs)
{
	if (rs->delivered <= 0 || rs->interval_us <= 0)
		return 0;
	return min_u64((min_u64(rs->delivered, 1 << 20) * USEC_PER_SEC << 16) / (u64)rs->interval_us, MAX_RATE_Q16);
}

/* The rate of `window_q24` per `rtt_us`, q16. */
static __always_inline u64 rate_per_rtt_q16(u64 window_q24, u32 rtt_us)
{
	return min_u64((window_q24 >> 8) * USEC_PER_SEC / max_u64(rtt_us, 1), MAX_RATE_Q16);
}

/* Sets the pacing rate of the socket, at least 1 byte/s. */
static __always_inline void set_pacing(struct sock *sk, u64 pacing_q16)
{
	u64 bytes = (pacing_q16 * min_u64(tcp_sk(sk)->mss_cache, 1 << 16)) >> 16;

	sk->sk_pacing_rate = max_u64(bytes, 1);
}

/* Rounds (draft-ietf-ccwg-bbr-06, section 5.5.1): one ends with the first ACK of a segment that was sent after it
 * began.
 */
struct rounds {
	u32 count;
	/* `delivered` of the socket when the round began. */
	u32 delivered;
};

static __always_inline bool round_ends(const struct rate_sample *rs, u32 delivered)
{
	return rs->prior_mstamp && !before(rs->prior_delivered, delivered);
}

/* The amount by which ACKs are ahead of a rate (BBR.extra_acked): what was acknowledged in an interval, minus rate
 * times interval. The interval restarts when the ACKs fall behind.
 */
struct excess {
	u64 began_us;
	u64 acked_q24;
};

static __always_inline void excess_restart(struct excess *e, u64 now_us)
{
	e->began_us = now_us;
	e->acked_q24 = 0;
}

static __always_inline u64 excess_q24(struct excess *e, u64 now_us, u32 acked, u64 rate_q16)
{
	u64 expected = pipe_q24(rate_q16, min_u64(minus(now_us, e->began_us), MAX_RTT_US));

	if (e->acked_q24 <= expected) {
		excess_restart(e, now_us);
		expected = 0;
	}
	e->acked_q24 = min_u64(e->acked_q24 + segments_q24(acked), 2 * MAX_WINDOW_Q24);
	return e->acked_q24 - expected;
}

/* Segments that count as application-limited: `delivered` of the socket was in this range when they were sent. */
struct mark {
	u32 first;
	u32 last;
	u32 set;
};

/* Marks what is sent until the current flight is delivered. */
static __always_inline void mark_app_limited(struct mark *m, const struct tcp_sock *tp, bool begin)
{
	if (begin || !m->set)
		m->first = tp->delivered;
	m->last = tp->delivered + in_flight(tp);
	m->set = 1;
}

static __always_inline bool is_marked(const struct mark *m, const struct rate_sample *rs)
{
	return m->set && rs->prior_mstamp && !before(rs->prior_delivered, m->first) &&
	       !before(m->last, rs->prior_delivered);
}

/* SplitMix64, as in crates/random. */
static __always_inline u64 random_word(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* A random integer below `bound`. */
static __always_inline u32 random_below(u64 *state, u32 bound)
{
	return ((random_word(state) >> 32) * bound) >> 32;
}

#endif
