/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Copa (V. Arun, H. Balakrishnan, NSDI 2018). The twin of crates/control/src/copa.rs.
 *
 *   d_q = RTTstanding - RTTmin, target W = RTTstanding/(delta d_q)
 *   RTTstanding: smallest RTT of SRTT/2, RTTmin: of min_rtt_window (at least min_rtt_rounds RTTmin), RTTmax: of 4 SRTT
 *   slow start: W += acked until W >= target; then W += v acked/(delta W) up to the target, W -= as much above it
 *   v = 1, doubled per RTT from the third on in one direction, at most delta W
 *   d_q above 0.1 (RTTmax - RTTmin) for 5 SRTT: 1/delta += 1 per RTT, halved at a loss; else delta
 *   timeout: W = 2 and slow start       pacing: 2 W/RTTstanding       ECN marks: no reaction
 *
 * Domain: RTTs from 1 us to 67 s; 1/delta below 2^21 segments.
 *
 * Differences from the Rust twin, in addition to 2 and 3 of window.h:
 *  1. `velocity` and `empty_test` are "paper", and there is no `heavy_loss`.
 *  2. Whether the window limits sending is Linux's tcp_is_cwnd_limited, which is generous in slow start.
 */
#include "include/round.h"
#include "include/storage.h"
#include "include/window.h"
#include "include/windowed.h"

PARAMETER(delta_q24, "delta", 0.5, 16777216, 0.001, 10, "1/segments");
PARAMETER(min_rtt_window_ms, "min_rtt_window", 10, 1000, 0.1, 86400, "s");
PARAMETER(min_rtt_rounds_q8, "min_rtt_rounds", 0, 256, 0, 1000, "round trips");
FLAG(mode_switching, "mode_switching", true);

#define MIN_SEGMENTS 2
/* Rounds in one direction before the velocity doubles. */
#define SAME_DIRECTION_ROUNDS 3
/* Largest 1/delta. */
#define MAX_INVERSE_Q16 (1ULL << 37)

enum { NOT_MOVED, UP, DOWN };

struct copa {
	struct window w;
	/* 1/delta, and before the newest loss. */
	u64 inverse_q16;
	u64 prior_inverse_q16;
	/* The velocity; the window when this round began (0: no round yet); the direction of the last round and the number
	 * of later rounds with it.
	 */
	u64 velocity_q16;
	u64 began_q24;
	u32 same;
	u8 direction;
	u8 slow_start;
	u8 competitive;
	/* Whether a loss was detected in this round. */
	u8 lost;
	u32 round_end;
	/* When the queue was last nearly empty. */
	u64 empty_us;
};
FITS_PRIVATE(struct copa);

/* The ticks of `min` are ms, those of the others us. `max` holds the complements. */
struct rtts {
	struct windowed_min min;
	struct windowed_min standing;
	struct windowed_min max;
};
STORAGE(struct rtts)

static __always_inline u64 inverse_of_delta(void)
{
	return divide(Q16 * Q24, delta_q24);
}

static __always_inline void restart_velocity(struct copa *ca)
{
	ca->velocity_q16 = Q16;
	ca->began_q24 = 0;
	ca->direction = NOT_MOVED;
	ca->same = 0;
}

SEC("struct_ops")
void BPF_PROG(copa_init, struct sock *sk)
{
	struct copa *ca = PRIVATE(sk, struct copa);
	struct tcp_sock *tp = tcp_sk(sk);
	struct rtts *rtts = storage_of(sk, true);

	window_init(sk, &ca->w, true);
	set_cwnd(tp, &ca->w, max_u64(cwnd_q24(tp, &ca->w), MIN_SEGMENTS * Q24));
	ca->inverse_q16 = inverse_of_delta();
	ca->prior_inverse_q16 = ca->inverse_q16;
	restart_velocity(ca);
	ca->slow_start = 1;
	ca->competitive = 0;
	ca->lost = 0;
	ca->round_end = tp->snd_nxt;
	ca->empty_us = tp->tcp_mstamp;
	if (rtts)
		__builtin_memset(rtts, 0, sizeof(*rtts));
}

/* Processes an RTT sample, and tests whether other flows fill the queue. */
static __always_inline void observe(const struct tcp_sock *tp, struct copa *ca, struct rtts *rtts, u32 rtt_us)
{
	u64 now_us = tp->tcp_mstamp, before = rtts->min.known ? rtts->min.s[0].value : rtt_us;
	u32 srtt_us = tp->srtt_us >> 3, window_ms, min, standing, max;
	bool competitive;

	window_ms = max_u64(min_rtt_window_ms, before * min_rtt_rounds_q8 / 256000);
	min = windowed_min(&rtts->min, window_ms, now_us / 1000, rtt_us);
	standing = windowed_min(&rtts->standing, srtt_us / 2, now_us, rtt_us);
	max = ~windowed_min(&rtts->max, 4 * srtt_us, now_us, ~rtt_us);
	if (!mode_switching)
		return;
	if (10 * minus(standing, min) <= minus(max, min))
		ca->empty_us = now_us;
	competitive = minus(now_us, ca->empty_us) > 5ULL * srtt_us;
	if (ca->competitive && !competitive)
		ca->inverse_q16 = inverse_of_delta();
	ca->competitive = competitive;
}

/* The window at the target rate, q24; UNSET_Q24 without a queue. */
static __always_inline u64 target_q24(const struct copa *ca, const struct rtts *rtts)
{
	u32 standing = rtts->standing.s[0].value, min = rtts->min.s[0].value;

	if (!rtts->min.known || standing <= min)
		return UNSET_Q24;
	return mul_q16(min_u64(ratio_q24(standing, standing - min), 1ULL << 40), ca->inverse_q16);
}

/* Once per round: the window is compared with the window of the round before. */
static __always_inline void update_velocity(struct copa *ca, u64 cwnd)
{
	u8 direction = NOT_MOVED;
	u64 doubled = ca->velocity_q16;

	if (ca->began_q24 && cwnd != ca->began_q24)
		direction = cwnd > ca->began_q24 ? UP : DOWN;
	ca->began_q24 = cwnd;
	ca->same = direction && direction == ca->direction ? ca->same + 1 : 0;
	ca->direction = direction;
	if (ca->same >= SAME_DIRECTION_ROUNDS)
		doubled *= 2;
	/* delta W */
	doubled = min_u64(doubled, ratio_q24(cwnd, max_u64(ca->inverse_q16 << 8, 1)) >> 8);
	ca->velocity_q16 = ca->same ? max_u64(doubled, Q16) : Q16;
}

static __always_inline void step(struct tcp_sock *tp, struct copa *ca, u64 target, u32 acked)
{
	u64 cwnd = cwnd_q24(tp, &ca->w), move;

	if (ca->slow_start) {
		if (is_cwnd_limited(tp))
			cwnd += (u64)acked << 24;
		ca->slow_start = cwnd < target;
	} else if (cwnd > target || BITFIELD(tp, is_cwnd_limited)) {
		move = min_u64(mul_q16(ca->velocity_q16, ca->inverse_q16) << 8, MAX_WINDOW_Q24 - 1);
		move = min_u64(ratio_q24(move, cwnd), MAX_WINDOW_Q24) * min_u64(acked, 1 << 16);
		cwnd = cwnd > target ? minus(cwnd, move) : cwnd + move;
	}
	set_cwnd(tp, &ca->w, max_u64(cwnd, MIN_SEGMENTS * Q24));
}

SEC("struct_ops")
void BPF_PROG(copa_cong_control, struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
{
	struct copa *ca = PRIVATE(sk, struct copa);
	struct tcp_sock *tp = tcp_sk(sk);
	struct rtts *rtts = storage_of(sk, false);
	u32 acked = rs->acked_sacked, standing;
	bool round_start = round_starts(tp, &ca->round_end);

	if (!rtts)
		return;
	if (rs->rtt_us > 0)
		observe(tp, ca, rtts, rs->rtt_us);
	if (rs->losses > 0)
		ca->lost = 1;
	if (round_start) {
		if (ca->competitive && !ca->lost)
			ca->inverse_q16 = min_u64(ca->inverse_q16 + Q16, MAX_INVERSE_Q16);
		ca->lost = 0;
		if (!ca->slow_start)
			update_velocity(ca, cwnd_q24(tp, &ca->w));
	}
	if (acked)
		step(tp, ca, target_q24(ca, rtts), acked);
	standing = rtts->standing.s[0].value;
	if (standing)
		sk->sk_pacing_rate = ((2 * cwnd_q24(tp, &ca->w) * min_u64(tp->mss_cache, 1 << 16)) >> 24) * USEC_PER_SEC / standing;
}

SEC("struct_ops")
u32 BPF_PROG(copa_ssthresh, struct sock *sk)
{
	struct copa *ca = PRIVATE(sk, struct copa);
	struct tcp_sock *tp = tcp_sk(sk);

	ca->prior_inverse_q16 = ca->inverse_q16;
	/* tcp_enter_cwr and tcp_enter_recovery: prior_ssthresh is 0 if the cause is an ECN mark. */
	if (tp->prior_ssthresh) {
		if (ca->competitive)
			ca->inverse_q16 = max_u64(ca->inverse_q16 / 2, inverse_of_delta());
		ca->lost = 1;
	}
	return tp->snd_ssthresh;
}

SEC("struct_ops")
void BPF_PROG(copa_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct copa *ca = PRIVATE(sk, struct copa);

	/* A timeout leaves 1/delta unchanged. */
	if (ev == CA_EVENT_LOSS)
		ca->inverse_q16 = ca->prior_inverse_q16;
}

SEC("struct_ops")
void BPF_PROG(copa_set_state, struct sock *sk, u8 state)
{
	struct copa *ca = PRIVATE(sk, struct copa);

	if (state == TCP_CA_Loss) {
		set_cwnd(tcp_sk(sk), &ca->w, MIN_SEGMENTS * Q24);
		ca->slow_start = 1;
		ca->lost = 1;
		restart_velocity(ca);
	}
}

SEC("struct_ops")
u32 BPF_PROG(copa_undo_cwnd, struct sock *sk)
{
	return tcp_sk(sk)->snd_cwnd;
}

SEC(".struct_ops.link")
struct tcp_congestion_ops copa = {
	.init = (void *)copa_init,
	.cong_control = (void *)copa_cong_control,
	.ssthresh = (void *)copa_ssthresh,
	.cwnd_event = (void *)copa_cwnd_event,
	.set_state = (void *)copa_set_state,
	.undo_cwnd = (void *)copa_undo_cwnd,
	.flags = TCP_CONG_NON_RESTRICTED,
	.name = "copa",
};
