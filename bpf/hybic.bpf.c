/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * HYBIC (A. Bisu, A. Gallant and H. Sun, IEEE Future Networks World Forum 2024): Hybla's slow start and CUBIC's
 * congestion avoidance. The twin of crates/control/src/hybic.rs.
 *
 *   rho = max(1, RTTmin / RTTref), first ssthresh = rho gamma
 *   slow start: W += 2^rho - 1 per acknowledged segment, as Hybla
 *   avoidance:  CUBIC (RFC 9438) with C = A, but W_est(t) = W_epoch + 3 (1 - beta)/(1 + beta) t / RTTref     (7)
 *   loss:       W_max = W, or W (1 + beta)/2 below the last W_max; ssthresh = beta W
 *
 * Domain: a from 1e-4 to 100, t below 19 h, |t - K| below 100 s.
 *
 * Differences from the Rust twin, in addition to those of window.h:
 *  1. After an undo, a new stage begins with the earlier W_max. Rust continues the earlier stage.
 *  2. `initial_ssthresh` cannot be "hoe".
 */
#include "include/cubic_curve.h"
#include "include/ops.h"
#include "include/rho.h"

PARAMETER(rtt0_us, "rtt0", 0.1, 1000000, 0.001, 10, "s");
CHOICE(rho_rtt, "rho_rtt", RHO_MIN, "srtt min");
CHOICE(initial_ssthresh, "initial_ssthresh", THRESHOLD_RHO_GAMMA, "rho_gamma unset");
PARAMETER(gamma_q8, "gamma", 128, 256, 2, 1000000, "segments");
PARAMETER(a_q16, "a", 0.4, 65536, 0.0001, 100, "segments/s^3");
PARAMETER(beta_q24, "beta", 0.7, 16777216, 0.1, 0.95, "none");
FLAG(fast_convergence, "fast_convergence", true);
FLAG(pacing, "pacing", true);

/* A stage of congestion avoidance. */
struct stage {
	u64 start_us;
	u64 k_us;
	u64 w_max_q24;
	u64 w_start_q24;
};

struct hybic {
	struct window w;
	struct rho rho;
	struct clock clock;
	struct stage stage;
	/* W_max at the newest reduction, and before it; 0 without a loss and after a timeout. */
	u64 w_max_q24;
	u64 prior_w_max_q24;
};
FITS_PRIVATE(struct hybic);

SEC("struct_ops")
void BPF_PROG(hybic_init, struct sock *sk)
{
	struct hybic *ca = PRIVATE(sk, struct hybic);

	window_init(sk, &ca->w, pacing);
	rho_init(sk, &ca->rho, initial_ssthresh);
	ca->clock.now_us = 1;
	clock_skip(tcp_sk(sk), &ca->clock);
	ca->stage.start_us = 0;
	ca->w_max_q24 = 0;
	ca->prior_w_max_q24 = 0;
}

SEC("struct_ops")
void BPF_PROG(hybic_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct hybic *ca = PRIVATE(sk, struct hybic);
	struct tcp_sock *tp = tcp_sk(sk);

	u32 rtt_us = window_observe(tp, &ca->w, sample);

	clock_set(tp, &ca->clock, &ca->w);
	rho_observe(sk, &ca->w, &ca->rho, NULL, sample->pkts_acked, rtt_us, rho_rtt, rtt0_us, gamma_q8, pacing);
}

/* The stage that runs; one begins at the first ACK of congestion avoidance. start_us = 0: none. */
static __always_inline struct stage *stage_of(struct hybic *ca, u64 cwnd)
{
	struct stage *stage = &ca->stage;

	if (stage->start_us == 0) {
		stage->start_us = ca->clock.now_us;
		stage->w_start_q24 = cwnd;
		/* RFC 9438, sections 4.8 and 4.10: without a loss and after a timeout, K = 0 and W_max = W. */
		stage->w_max_q24 = ca->w_max_q24 ? ca->w_max_q24 : cwnd;
		stage->k_us = cubic_k_us(minus(stage->w_max_q24, cwnd), a_q16);
	}
	return stage;
}

static __always_inline u64 avoidance(struct hybic *ca, const struct tcp_sock *tp, u32 acked)
{
	u64 cwnd = cwnd_q24(tp, &ca->w);
	struct stage *stage = stage_of(ca, cwnd);
	u64 t_us = min_u64(minus(ca->clock.now_us, stage->start_us), 1ULL << 36);
	/* (7): 3 (1 - beta) / ((1 + beta) RTTref) */
	u64 alpha_q24 = 3 * (Q24 - beta_q24) * Q24 / (Q24 + beta_q24);
	u64 w_est = stage->w_start_q24 + alpha_q24 * t_us / rtt0_us;
	u64 target;

	if (cubic_w_q24(a_q16, t_us, stage->k_us, stage->w_max_q24) < w_est)
		return minus(w_est, cwnd);
	/* RFC 9438, section 4.2: target = W_cubic(t + RTT) within [W, 1.5 W]; sections 4.4, 4.5: W += (target - W) / W */
	target = cubic_w_q24(a_q16, t_us + (tp->srtt_us >> 3), stage->k_us, stage->w_max_q24);
	target = clamp_u64(target, cwnd, cwnd + cwnd / 2);
	return ratio_q24(target - cwnd, cwnd) * acked;
}

SEC("struct_ops")
void BPF_PROG(hybic_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	struct hybic *ca = PRIVATE(sk, struct hybic);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w))
		grow(tp, &ca->w, slow_start_growth(tp, &ca->w, &ca->rho, ca->rho.value, acked), ssthresh_q24(tp, &ca->w));
	else
		grow(tp, &ca->w, avoidance(ca, tp, acked), MAX_WINDOW_Q24);
}

SEC("struct_ops")
u32 BPF_PROG(hybic_ssthresh, struct sock *sk)
{
	struct hybic *ca = PRIVATE(sk, struct hybic);
	struct tcp_sock *tp = tcp_sk(sk);
	u64 cwnd = cwnd_q24(tp, &ca->w);

	clock_set(tp, &ca->clock, &ca->w);
	ca->prior_w_max_q24 = ca->w_max_q24;
	/* RFC 9438, section 4.7 */
	if (fast_convergence && cwnd < ca->w_max_q24)
		ca->w_max_q24 = mul_q24(cwnd, (Q24 + beta_q24) / 2);
	else
		ca->w_max_q24 = cwnd;
	ca->stage.start_us = 0;
	return reduce(tp, &ca->w, mul_q24(flight_q24(tp, &ca->w), beta_q24));
}

SEC("struct_ops")
void BPF_PROG(hybic_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct hybic *ca = PRIVATE(sk, struct hybic);

	if (ev == CA_EVENT_TX_START)
		clock_skip(tcp_sk(sk), &ca->clock);
	if (ev == CA_EVENT_LOSS) {
		window_timeout(&ca->w);
		ca->w_max_q24 = 0;
	}
}

SEC("struct_ops")
u32 BPF_PROG(hybic_undo_cwnd, struct sock *sk)
{
	struct hybic *ca = PRIVATE(sk, struct hybic);

	ca->w_max_q24 = ca->prior_w_max_q24;
	ca->stage.start_us = 0;
	return window_undo(tcp_sk(sk), &ca->w);
}

PLAIN_STATE(hybic)
CONTROLLER_OPS(hybic);
