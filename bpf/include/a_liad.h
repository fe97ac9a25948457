/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A-LIAD (M. Shin et al., KSII Transactions on Internet and Information Systems 8(8), 2014): the twin of
 * crates/control/src/a_liad.rs, as close to the paper as possible (a_liad_paper) and with its intended curves
 * (a_liad_safe, with A_LIAD_SAFE).
 *
 *   slow start: W += 1 per ACK below ssthresh/2, then (ssthresh - W)/2W; ssthresh: Hoe's estimate, per round    (1), (2)
 *   until the first loss: W += (2 ssthresh - W)/2W while RTT/RTTmin < delta, then 1/W (or 1)                    (3)
 *   W < W_max: W += (1 - 1/alpha)(W_max - W)/W (literal, round), ln(alpha)(W_max - W)/W (exact); >= 1/W, <= 1   (6)
 *   W >= W_max: W += 1/W (linear) or 1 (exponential)
 *   alpha: N = 1.5787 s/RTTmin, 2 alpha^N (N + 1 + alpha/(2 (alpha - 1))) = 1e8                          (8), (9), (11)
 *   loss: beta = 1 - RTTmin/RTTmax, at most beta_max; W = (1 - beta) W; W_max by w_max_rule                     (7)
 *   timeout: ssthresh = W/2, W = 1
 *
 * Domain: RTTmin from 4.1 ms to 8.4 s; a shorter or longer one counts as the end of this range. ln(alpha) is
 * interpolated in a table with a relative error below 1.2e-4.
 *
 * Differences from the Rust twin, in addition to those of window.h and hoe.h:
 *  1. `alpha_mode` cannot be "online". With "fixed", `alpha` is at most 16.
 *  2. `ack_rule` of the slow start is literal in a_liad_paper and exact in a_liad_safe with `ack_rule`.
 */
#ifndef BENTPIPE_A_LIAD_H
#define BENTPIPE_A_LIAD_H

#include "hoe.h"
#include "ops.h"
#include "reno.h"

enum { LITERAL, ROUND, EXACT };
enum { TABLE, FIXED };
enum { LINEAR, EXPONENTIAL };
enum { KEEP_MAX, KEEP_ON_EMPTY, ALWAYS, FIXED_MAX };
enum { EVER, EPOCH };

#ifdef A_LIAD_SAFE
CHOICE(ack_rule, "ack_rule", EXACT, "literal round exact");
CHOICE(w_max_rule, "w_max_rule", KEEP_ON_EMPTY, "max keep always fixed");
CHOICE(rtt_max, "rtt_max", EPOCH, "ever epoch");
CHOICE(beyond_w_max, "beyond_w_max", LINEAR, "linear exponential");
#else
CHOICE(ack_rule, "ack_rule", LITERAL, "literal round exact");
CHOICE(w_max_rule, "w_max_rule", KEEP_MAX, "max keep always fixed");
CHOICE(rtt_max, "rtt_max", EVER, "ever epoch");
CHOICE(beyond_w_max, "beyond_w_max", EXPONENTIAL, "linear exponential");
#endif
CHOICE(alpha_mode, "alpha_mode", TABLE, "table fixed");
PARAMETER(alpha_q24, "alpha", 2, 16777216, 1.01, 16, "none");
PARAMETER(delta_q16, "delta", 1.93, 65536, 1, 100, "none");
CHOICE(probe_inc, "probe_inc", LINEAR, "linear exponential");
PARAMETER(beta_max_q24, "beta_max", 0.5, 16777216, 0, 0.9, "none");
FLAG(fast_convergence, "fast_convergence", false);
FLAG(pacing, "pacing", false);

#define LN2_Q24 11629080
/* 1 / ln 2 */
#define LOG2_E_Q24 24204406ULL

/* ln(alpha) in 1/2^24 for RTTs from 2^12 us, eight per octave, up to 2^23 us: the solution of (8), (9) and (11) with
 * beta = 1/2 and Y = 1e8 (crates/control/src/a_liad/alpha.rs), at least ln(1.01).
 */
#define TABLE_ENTRIES 89
#ifdef BENTPIPE_NATIVE
static
#endif
const u32 ln_alpha_q24[TABLE_ENTRIES] = {
	510524, 580109, 650296, 721026, 792248, 863921, 936010, 1008485,
	1081320, 1227980, 1375837, 1524770, 1674680, 1825482, 1977108, 2129496,
	2282595, 2590749, 2901263, 3213894, 3528443, 3844744, 4162657, 4482061,
	4802852, 5448243, 6098219, 6752292, 7410065, 8071207, 8735435, 9402511,
	10072227, 11418870, 12774145, 14137081, 15506882, 16882887, 18264538, 19651357,
	21042931, 23838943, 26650162, 29474670, 32310912, 35157599, 38013653, 40878158,
	43750330, 49515047, 55303350, 61111780, 66937600, 72778604, 78632988, 84499254,
	90376143, 102157675, 113970698, 125809990, 137671479, 149551926, 161448714, 173359696,
	185283096, 209161434, 233074372, 257015074, 280978420, 304960491, 328958236, 352969239,
	376991561, 425064144, 473166417, 521291703, 569435200, 617593358, 665763498, 713943559,
	762131926, 858528712, 954946286, 1051379558, 1147824974, 1244279981, 1340742694, 1437211693,
	1533685887,
};

struct a_liad {
	struct window w;
	u32 round_end;
	struct hoe hoe;
	u32 rtt_us;
	u32 max_rtt_us;
	/* Fraction by which the newest loss reduced the window. */
	u32 beta_q24;
	/* Before the newest reduction. */
	u32 prior_max_rtt_us;
	u32 prior_beta_q24;
	/* W when the round began, in 1/256 segment. */
	u32 round_q8;
	/* 0 while probing. */
	u64 w_max_q24;
	u64 prior_w_max_q24;
};
FITS_PRIVATE(struct a_liad);

/* ln(x) in 1/2^24, for x from 1 to 16: binary digits of log2 by squaring, without branches. */
static __always_inline u64 ln_q24(u64 x_q24)
{
	u64 z = x_q24 << 3, digits = 0; /* q27 */

	if (z >= 1ULL << 29) {
		z >>= 2;
		digits += 2;
	}
	if (z >= 1ULL << 28) {
		z >>= 1;
		digits += 1;
	}
	for (int i = 0; i < 24; i++) {
		u64 carry;

		z = (z * z) >> 27;
		carry = z >> 28;
		z >>= carry;
		digits = 2 * digits + carry;
	}
	return (digits * LN2_Q24) >> 24;
}

static __always_inline u64 ln_alpha(u32 min_rtt_us)
{
	u32 rtt = clamp_u64(min_rtt_us, 1 << 12, (1 << 23) - 1), octave = 12, base, step, at;

	if (alpha_mode == FIXED)
		return ln_q24(alpha_q24);
	if (min_rtt_us == UNKNOWN_US)
		return LN2_Q24;
	for (u32 i = 13; i < 23; i++)
		octave += rtt >> i ? 1 : 0;
	octave &= 31;
	step = (1U << octave) >> 3;
	at = (rtt - (1U << octave)) / step;
	base = (1U << octave) + at * step;
	at += (octave - 12) * 8;
	if (at >= TABLE_ENTRIES - 1)
		at = TABLE_ENTRIES - 2;
	return ln_alpha_q24[at] +
	       (u64)(ln_alpha_q24[at + 1] - ln_alpha_q24[at]) * (rtt - base) / step;
}

/* The factor of (T - W)/W: 1 - 1/alpha, or ln(alpha). */
static __always_inline u64 rate_q24(u64 ln)
{
	if (ack_rule == EXACT)
		return ln;
	if (alpha_mode == FIXED && ln != LN2_Q24)
		return Q24 - ratio_q24(Q24, alpha_q24);
	return ln == LN2_Q24 ? Q24 / 2 : Q24 - ratio_q24(Q24, min_u64(exp2_q24((ln * LOG2_E_Q24) >> 32), 1ULL << 44));
}

/* Growth per segment by (6), at least 1/W, q24. */
static __always_inline u64 towards(const struct a_liad *ca, u64 target, u64 rate, u64 cwnd)
{
	u64 from = ack_rule == ROUND ? min_u64((u64)ca->round_q8 << 16, cwnd) : cwnd;
	u64 gap = ratio_q24(min_u64(minus(target, from), MAX_WINDOW_Q24 - 1), max_u64(from, 1));

	return max_u64(mul_q24(min_u64(gap, 1ULL << 38), rate), ratio_q24(Q24, cwnd));
}

static __always_inline u64 plain_step(u32 kind, u64 cwnd)
{
	return kind == LINEAR ? ratio_q24(Q24, cwnd) : Q24;
}

static __always_inline bool is_queue_empty(const struct a_liad *ca)
{
	return ca->rtt_us && 10ULL * ca->rtt_us < 11ULL * ca->w.min_rtt_us;
}

SEC("struct_ops")
void BPF_PROG(a_liad_init, struct sock *sk)
{
	struct a_liad *ca = PRIVATE(sk, struct a_liad);

	window_init(sk, &ca->w, pacing);
	ca->round_end = tcp_sk(sk)->snd_nxt;
	ca->hoe = (struct hoe){ 0 };
	ca->rtt_us = 0;
	ca->max_rtt_us = 0;
	ca->beta_q24 = beta_max_q24;
	ca->round_q8 = tcp_sk(sk)->snd_cwnd << 8;
	ca->w_max_q24 = 0;
	ca->prior_w_max_q24 = 0;
}

SEC("struct_ops")
void BPF_PROG(a_liad_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct a_liad *ca = PRIVATE(sk, struct a_liad);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 rtt_us = window_observe(tp, &ca->w, sample);
	bool round_start = round_starts(tp, &ca->round_end);
	u64 threshold;

	if (rtt_us) {
		ca->rtt_us = rtt_us;
		ca->max_rtt_us = max_u64(ca->max_rtt_us, rtt_us);
	}
	if (round_start)
		ca->round_q8 = cwnd_q24(tp, &ca->w) >> 16;
	if (!ca->w.initial || !in_slow_start(tp, &ca->w))
		return;
	/* "By repeating this estimation every RTT during a slow start" (section 3.1). */
	if (round_start && ca->hoe.found)
		ca->hoe = (struct hoe){ 0 };
	threshold = hoe_threshold(tp, &ca->w, &ca->hoe, false, sample->pkts_acked, rtt_us);
	if (threshold)
		set_ssthresh(tp, &ca->w, threshold);
}

static __always_inline u64 slow_start(const struct a_liad *ca, const struct tcp_sock *tp, u32 acked)
{
	u64 cwnd = cwnd_q24(tp, &ca->w), ssthresh = ssthresh_q24(tp, &ca->w), counted = reno_slow_start(acked);
	u64 rate = ack_rule == LITERAL ? Q24 / 2 : LN2_Q24, gap = minus(ssthresh, cwnd);

	if (ssthresh == UNSET_Q24 || cwnd < ssthresh / 2 || gap < Q24)
		return counted;
	return (counted >> 24) * min_u64(mul_q24(min_u64(ratio_q24(gap, cwnd), 1ULL << 38), rate), Q24);
}

static __always_inline u64 avoidance(const struct a_liad *ca, const struct tcp_sock *tp, u32 acked)
{
	u64 cwnd = cwnd_q24(tp, &ca->w), growth;

	if (ca->w_max_q24 == 0) {
		if (ca->rtt_us && (u64)ca->rtt_us << 16 >= (u64)ca->w.min_rtt_us * delta_q16)
			growth = plain_step(probe_inc, cwnd);
		else /* (3), (6) with alpha = 2: W += (2 ssthresh - W) / 2W */
			growth = towards(ca, 2 * ssthresh_q24(tp, &ca->w), ack_rule == EXACT ? LN2_Q24 : Q24 / 2, cwnd);
	} else if (cwnd < ca->w_max_q24) {
		growth = towards(ca, ca->w_max_q24, rate_q24(ln_alpha(ca->w.min_rtt_us)), cwnd);
	} else {
		growth = plain_step(beyond_w_max, cwnd);
	}
	return min_u64(growth, Q24) * min_u64(acked, 1 << 16);
}

SEC("struct_ops")
void BPF_PROG(a_liad_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	struct a_liad *ca = PRIVATE(sk, struct a_liad);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w))
		grow(tp, &ca->w, slow_start(ca, tp, acked), ssthresh_q24(tp, &ca->w));
	else
		grow(tp, &ca->w, avoidance(ca, tp, acked), MAX_WINDOW_Q24);
}

/* W_max after a loss at `cwnd`. */
static __always_inline u64 max_after_loss(const struct a_liad *ca, const struct tcp_sock *tp, u64 cwnd)
{
	u64 ssthresh = ssthresh_q24(tp, &ca->w);

	if (ca->w_max_q24 == 0) {
		/* In slow start with an empty queue, W_max is the target of probing. */
		if (cwnd < ssthresh && ssthresh != UNSET_Q24 && is_queue_empty(ca))
			return max_u64(cwnd, 2 * ssthresh);
		return cwnd;
	}
	if (w_max_rule == FIXED_MAX)
		return ca->w_max_q24;
	if (cwnd >= ca->w_max_q24)
		return cwnd;
	if (w_max_rule == KEEP_MAX || (w_max_rule == KEEP_ON_EMPTY && is_queue_empty(ca)))
		return ca->w_max_q24;
	return fast_convergence ? mul_q24(cwnd, (2 * Q24 - ca->beta_q24) / 2) : cwnd;
}

SEC("struct_ops")
u32 BPF_PROG(a_liad_ssthresh, struct sock *sk)
{
	struct a_liad *ca = PRIVATE(sk, struct a_liad);
	struct tcp_sock *tp = tcp_sk(sk);
	u64 cwnd = cwnd_q24(tp, &ca->w);

	ca->prior_w_max_q24 = ca->w_max_q24;
	ca->prior_beta_q24 = ca->beta_q24;
	ca->prior_max_rtt_us = ca->max_rtt_us;
	ca->beta_q24 = beta_max_q24;
	/* (7): beta = 1 - RTTmin/RTTmax */
	if (ca->max_rtt_us)
		ca->beta_q24 = min_u64(minus(Q24, ratio_q24(ca->w.min_rtt_us, ca->max_rtt_us)), beta_max_q24);
	ca->w_max_q24 = max_after_loss(ca, tp, cwnd);
	if (rtt_max == EPOCH)
		ca->max_rtt_us = ca->rtt_us;
	/* (7) reduces the window and not the FlightSize of RFC 5681. */
	return reduce(tp, &ca->w, mul_q24(cwnd, Q24 - ca->beta_q24));
}

SEC("struct_ops")
void BPF_PROG(a_liad_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct a_liad *ca = PRIVATE(sk, struct a_liad);

	if (ev == CA_EVENT_LOSS) {
		/* The paper does not describe timeouts: as Reno. W_max is unchanged. */
		ca->w_max_q24 = ca->prior_w_max_q24;
		ca->beta_q24 = ca->prior_beta_q24;
		halve_at_timeout(tcp_sk(sk), &ca->w);
		window_timeout(&ca->w);
	}
}

SEC("struct_ops")
u32 BPF_PROG(a_liad_undo_cwnd, struct sock *sk)
{
	struct a_liad *ca = PRIVATE(sk, struct a_liad);

	ca->w_max_q24 = ca->prior_w_max_q24;
	ca->beta_q24 = ca->prior_beta_q24;
	ca->max_rtt_us = ca->prior_max_rtt_us;
	return window_undo(tcp_sk(sk), &ca->w);
}

PLAIN_STATE(a_liad)

#define A_LIAD_OPS(name_)                                                     \
	SEC(".struct_ops.link")                                               \
	struct tcp_congestion_ops name_ = {                                   \
		.init = (void *)a_liad_init,                                  \
		.pkts_acked = (void *)a_liad_pkts_acked,                      \
		.cong_avoid = (void *)a_liad_cong_avoid,                      \
		.ssthresh = (void *)a_liad_ssthresh,                          \
		.set_state = (void *)a_liad_set_state,                        \
		.cwnd_event = (void *)a_liad_cwnd_event,                      \
		.undo_cwnd = (void *)a_liad_undo_cwnd,                        \
		.flags = TCP_CONG_NON_RESTRICTED,                             \
		.name = #name_,                                               \
	}

#endif
