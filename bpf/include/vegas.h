/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The rules of Vegas (L. Brakmo, L. Peterson, IEEE JSAC 13(8), 1995, read with ns-2) that Vegas-W shares: the twin of
 * crates/control/src/vegas.rs.
 *
 *   diff = W (RTT - BaseRTT)/RTT, once per round, RTT the mean of the round
 *   slow start: doubles in every other round; diff > gamma ends it
 *   avoidance:  diff < alpha: +1 in this round; diff > beta: -1 at once, W >= 2
 *   loss: ssthresh = 3/4 W      timeout: ssthresh = W/2, W = 2
 *
 * Differences from the Rust twin, for both controllers:
 *  1. Linux begins a recovery only for data sent after the last one, so every recovery reduces the window.
 *  2. Windows after a timeout are at least 2 segments as soon as state Loss begins.
 */
#ifndef BENTPIPE_VEGAS_H
#define BENTPIPE_VEGAS_H

#include "ops.h"
#include "reno.h"
#include "round.h"

enum { RTT_MEAN, RTT_MIN };
enum { EVERY_OTHER_ROUND, EVERY_ROUND };

PARAMETER(alpha_q8, "alpha", 1, 256, 0, 1000000, "segments");
PARAMETER(beta_q8, "beta", 3, 256, 0, 1000000, "segments");
PARAMETER(gamma_q8, "gamma", 1, 256, 0, 1000000, "segments");
CHOICE(rtt_of_round, "rtt", RTT_MEAN, "mean min");
CHOICE(doubling, "doubling", EVERY_OTHER_ROUND, "every-other-round every-round");
PARAMETER(kept_at_loss_q24, "kept_at_loss", 0.75, 16777216, 0.1, 0.95, "none");
FLAG(pacing, "pacing", false);

#define MIN_VEGAS_Q24 (2 * Q24)

/* How ACKs grow the window in the current round. */
enum { HOLD, GROW_SLOW_START, GROW_AVOIDANCE };

struct vegas {
	struct window w;
	u32 round_end;
	u32 base_us;
	/* Samples of this round. */
	u32 count;
	u32 min_us;
	u32 sum_us;
	/* Growth per segment in avoidance, q24. */
	u32 step_q24;
	u8 growth;
	/* Whether the window may grow in this round. */
	u8 turn;
};

static __always_inline void forget_samples(struct vegas *v)
{
	v->count = 0;
	v->sum_us = 0;
	v->min_us = UNKNOWN_US;
}

static __always_inline void vegas_init(struct sock *sk, struct vegas *v)
{
	window_init(sk, &v->w, pacing);
	v->round_end = tcp_sk(sk)->snd_nxt;
	v->base_us = UNKNOWN_US;
	v->growth = HOLD;
	v->turn = 1;
	v->step_q24 = 0;
	forget_samples(v);
}

static __always_inline void take_sample(struct vegas *v, u32 rtt_us)
{
	/* The mean is that of at most the first 2^32 us of samples. */
	if (v->sum_us + rtt_us > v->sum_us) {
		v->sum_us += rtt_us;
		v->count++;
	}
	if (rtt_us < v->min_us)
		v->min_us = rtt_us;
}

/* Segments that wait on the path, q24. Needs a sample. */
static __always_inline u64 diff_q24(const struct vegas *v, u64 cwnd)
{
	/* In eighths of a us, so that a mean keeps fractions. */
	u64 rtt = rtt_of_round == RTT_MIN ? 8ULL * v->min_us : 8ULL * v->sum_us / v->count;
	u64 late = minus(rtt, 8ULL * v->base_us);

	return late ? mul_q24(cwnd, ratio_q24(late, rtt)) : 0;
}

/* Slow start, once per round. `kept_q24` of the window remain at its end; below `capacity_q24`, it does not end. */
static __always_inline void decide_slow_start(struct tcp_sock *tp, struct vegas *v, u64 diff, u64 kept_q24,
					      u64 capacity_q24)
{
	u64 cwnd = cwnd_q24(tp, &v->w);

	v->turn = !v->turn || doubling == EVERY_ROUND;
	v->growth = v->turn ? GROW_SLOW_START : HOLD;
	if (v->turn && diff > (u64)gamma_q8 << 16 && cwnd >= capacity_q24) {
		set_cwnd(tp, &v->w, min_u64(cwnd, max_u64(mul_q24(cwnd, kept_q24), MIN_VEGAS_Q24)));
		set_ssthresh(tp, &v->w, cwnd_q24(tp, &v->w));
		v->growth = HOLD;
	}
}

static __always_inline void decide_avoidance(struct tcp_sock *tp, struct vegas *v, u64 diff)
{
	u64 cwnd = cwnd_q24(tp, &v->w);

	v->growth = HOLD;
	if (v->count == 0)
		return;
	if (diff < (u64)alpha_q8 << 16) {
		v->growth = GROW_AVOIDANCE;
		v->step_q24 = ratio_q24(Q24, cwnd);
	} else if (diff > (u64)beta_q8 << 16) {
		set_cwnd(tp, &v->w, min_u64(cwnd, max_u64(minus(cwnd, Q24), MIN_VEGAS_Q24)));
		cwnd = cwnd_q24(tp, &v->w);
		if (cwnd < ssthresh_q24(tp, &v->w))
			set_ssthresh(tp, &v->w, cwnd);
	}
}

/* Processes an ACK before its RTT sample is taken. */
static __always_inline void follow(struct sock *sk, struct vegas *v, bool round_start, u64 kept_q24, u64 capacity_q24)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u8 state = BITFIELD(&tp->inet_conn, icsk_ca_state);
	u64 diff = 0;

	if (state == TCP_CA_Recovery || state == TCP_CA_CWR) {
		/* The round began with another window. */
		v->growth = HOLD;
		forget_samples(v);
	} else if (round_start) {
		if (v->count)
			diff = diff_q24(v, cwnd_q24(tp, &v->w));
		if (in_slow_start(tp, &v->w))
			decide_slow_start(tp, v, diff, kept_q24, capacity_q24);
		else
			decide_avoidance(tp, v, diff);
		forget_samples(v);
	}
}

static __always_inline void vegas_cong_avoid_in(struct tcp_sock *tp, struct vegas *v, u32 acked)
{
	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &v->w))
		grow(tp, &v->w, v->growth == GROW_SLOW_START ? reno_slow_start(acked) : 0, ssthresh_q24(tp, &v->w));
	else if (v->growth == GROW_AVOIDANCE)
		grow(tp, &v->w, (u64)v->step_q24 * acked, MAX_WINDOW_Q24);
}

static __always_inline void vegas_event(struct vegas *v, enum tcp_ca_event ev)
{
	if (ev == CA_EVENT_TX_START || ev == CA_EVENT_LOSS) {
		forget_samples(v);
		v->growth = HOLD;
	}
	if (ev == CA_EVENT_LOSS) {
		v->turn = 1;
		window_timeout(&v->w);
	}
}

/* set_state */
static __always_inline void vegas_state(struct tcp_sock *tp, struct vegas *v, u8 state)
{
	window_state(&v->w, state);
	if (state == TCP_CA_Loss && tp->snd_cwnd < 2 && tp->prior_cwnd >= 2)
		tp->snd_cwnd = 2;
}

#endif
