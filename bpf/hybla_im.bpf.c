/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Hybla-IM (L. Yang, K. Li, D. Wei, "An Improved Hybla Algorithm in Satellite Networks"). The twin of
 * crates/control/src/hybla_im.rs and loss_verdict/queueing.rs.
 *
 *   rho = max(1, RTT/RTT0), rho_new = max(rho_floor, rho (1 - r))                                            (10)
 *   r = min(D)/D_k (raw), or acked in the last SRTT / SRTT * min(D) (win), or smoothed rate * min(D) (ewma)
 *   slow start: W += acked (2^rho_new - 1), up to ssthresh; avoidance: W += acked rho_new^2 / W
 *   T_NPD = RTT - T_PD, T_QD = T_NPD - min(T_NPD), T'_QD += qd_gain (T_QD - T'_QD)
 *   loss: congestion iff mean of the last three T_QD before the hole > T'_QD; then W/2; else W is unchanged
 *
 * T_PD is the member base_rtt_ns of the map `hints`; without it, T_QD is RTT - min(RTT).
 *
 * Domain: rho < 65536; spacings from 1 ns to 4.2 s per segment; SRTT below 67 s.
 *
 * Differences from the Rust twin, in addition to those of window.h, rho.h and hoe.h:
 *  1. The packets before the hole are those of the three newest ACKs that advanced.
 *  2. T_PD is that of the ACK, and not of the sending.
 */
#include "include/hints.h"
#include "include/ops.h"
#include "include/rho.h"
#include "include/storage.h"
#include "include/windowed.h"

enum { RAW, WIN, EWMA };
enum { VERDICT_QUEUEING, VERDICT_CONGESTION };

PARAMETER(rtt0_us, "rtt0", 0.025, 1000000, 0.001, 10, "s");
CHOICE(rho_rtt, "rho_rtt", RHO_SRTT, "srtt min");
CHOICE(ratio_mode, "ratio_mode", WIN, "raw win ewma");
PARAMETER(rho_floor_q16, "rho_floor", 1, 65536, 0, 1, "none");
PARAMETER(ack_spacing_window_ms, "ack_spacing_window", 10, 1000, 0.1, 86400, "s");
CHOICE(loss_verdict, "loss_verdict", VERDICT_QUEUEING, "queueing-delay congestion");
FLAG(oracle, "oracle", true);
PARAMETER(qd_gain_q24, "qd_gain", 0.0078125, 16777216, 0.000001, 1, "none");
PARAMETER(min_npd_window_ms, "min_npd_window", 30, 1000, 0.1, 86400, "s");
CHOICE(initial_ssthresh, "initial_ssthresh", THRESHOLD_HOE, "rho_gamma unset hoe");
PARAMETER(gamma_q8, "gamma", 32, 256, 2, 1000000, "segments");
FLAG(pacing, "pacing", true);

#define SLOTS 32
/* Smallest step of the propagation delay that restarts min(T_NPD). */
#define PATH_STEP_US 1000

struct hybla_im {
	struct window w;
	struct rho rho;
	struct hoe hoe;
	u32 rho_new;
};
FITS_PRIVATE(struct hybla_im);

struct memory {
	/* Spacing of ACKs: min(D), ns per segment; the newest batch; segments of the last SRTT, in slots. */
	struct windowed_min spacing;
	u32 waiting;
	u64 last_us;
	u64 begun_us;
	u32 counts[SLOTS];
	u32 current;
	u32 total;
	/* Smoothed rate, 1/65536 segments/s, and r, q24. */
	u64 rate_q16;
	u32 ratio_q24;
	/* Delays, us; T'_QD in 1/65536 us. The newest three T_QD, newest first. */
	struct windowed_min npd;
	u32 propagation_us;
	u32 queueing_us[3];
	u32 taken;
	u64 smoothed_q16;
	u32 una;
	u32 delivered;
};
STORAGE(struct memory)

/* Counts `segments` in the slots of the last SRTT. */
static __always_inline void count_slots(struct memory *m, u64 now_us, u32 segments, u32 srtt_us)
{
	u64 length_us = max_u64(srtt_us / SLOTS, 1), passed = minus(now_us, m->begun_us) / length_us;

	for (u32 i = 0; i < SLOTS; i++) {
		if (i < passed) {
			m->current = (m->current + 1) & (SLOTS - 1);
			m->total -= m->counts[m->current & (SLOTS - 1)];
			m->counts[m->current & (SLOTS - 1)] = 0;
		}
	}
	m->begun_us += length_us * passed;
	m->counts[m->current & (SLOTS - 1)] += segments;
	m->total += segments;
}

/* r after an ACK of `segments`, q24: (8) to (10). */
static __always_inline void measure(struct memory *m, u64 now_us, u32 segments, u32 srtt_us)
{
	u64 gap_us = minus(now_us, m->last_us), all = segments + m->waiting, spacing_ns, rate, gain;
	bool first = m->last_us == 0;
	u32 min_ns;

	if (segments == 0)
		return;
	if (ratio_mode == WIN && srtt_us)
		count_slots(m, now_us, segments, srtt_us);
	if (!first && gap_us == 0) {
		m->waiting += segments;
		return;
	}
	m->last_us = now_us;
	m->waiting = 0;
	if (first)
		return;
	spacing_ns = clamp_u64(min_u64(gap_us, 1 << 30) * 1000 / all, 1, 0xffffffffU);
	min_ns = windowed_min(&m->spacing, ack_spacing_window_ms, now_us / 1000, spacing_ns);
	if (ratio_mode == RAW || srtt_us == 0) {
		m->ratio_q24 = min_u64(ratio_q24(min_ns, spacing_ns), Q24);
	} else if (ratio_mode == WIN) {
		m->ratio_q24 = min_u64(ratio_q24(min_u64((u64)m->total * min_ns / 1000, MAX_WINDOW_Q24 - 1), srtt_us), Q24);
	} else {
		gain = ratio_q24(gap_us, gap_us + srtt_us);
		rate = (1000000000ULL << 16) / spacing_ns;
		m->rate_q16 = mul_q24(m->rate_q16, Q24 - min_u64(gain, Q24)) + mul_q24(rate, gain);
		/* rate_q16 * min_ns / 1e9 in q24, for rate * min <= 1 */
		m->ratio_q24 = min_u64(min_u64(m->rate_q16, (1000000000ULL << 16) / min_ns) * min_ns / 1000000000 << 8, Q24);
	}
}

/* Takes T_QD of the newest packet in sequence. */
static __always_inline void take_delay(const struct tcp_sock *tp, struct memory *m, u32 rtt_us)
{
	const struct hint *hint = hint_of_path();
	u32 propagation_us = oracle && hint ? hint->base_rtt_ns / 1000 : 0, queueing_us = 0;
	u32 step = propagation_us > m->propagation_us ? propagation_us - m->propagation_us
						      : m->propagation_us - propagation_us;
	u64 new_q16;

	if (rtt_us == 0 || !before(m->una, tp->snd_una))
		return;
	m->una = tp->snd_una;
	if (step > PATH_STEP_US)
		m->npd.known = 0;
	m->propagation_us = propagation_us;
	if (rtt_us >= propagation_us)
		queueing_us = rtt_us - propagation_us -
			      windowed_min(&m->npd, min_npd_window_ms, tp->tcp_mstamp / 1000, rtt_us - propagation_us);
	new_q16 = (u64)queueing_us << 16;
	if (m->taken == 0)
		m->smoothed_q16 = new_q16;
	else if (new_q16 > m->smoothed_q16)
		m->smoothed_q16 += mul_q24(new_q16 - m->smoothed_q16, qd_gain_q24);
	else
		m->smoothed_q16 -= mul_q24(m->smoothed_q16 - new_q16, qd_gain_q24);
	m->queueing_us[2] = m->queueing_us[1];
	m->queueing_us[1] = m->queueing_us[0];
	m->queueing_us[0] = queueing_us;
	m->taken = min_u64(m->taken + 1, 3);
}

/* Without a sample, the verdict is congestion. Delays count as equal within 1 us. */
static __always_inline bool is_link_error(const struct memory *m)
{
	u64 sum_us = m->queueing_us[0];

	if (loss_verdict == VERDICT_CONGESTION || m->taken == 0)
		return false;
	if (m->taken > 1)
		sum_us += m->queueing_us[1];
	if (m->taken > 2)
		sum_us += m->queueing_us[2];
	return sum_us << 16 <= m->taken * (m->smoothed_q16 + Q16);
}

SEC("struct_ops")
void BPF_PROG(hybla_im_init, struct sock *sk)
{
	struct hybla_im *ca = PRIVATE(sk, struct hybla_im);
	struct memory *m = storage_of(sk, true);

	window_init(sk, &ca->w, pacing);
	rho_init(sk, &ca->rho, initial_ssthresh);
	ca->hoe = (struct hoe){ 0 };
	ca->rho_new = Q16;
	if (m) {
		__builtin_memset(m, 0, sizeof(*m));
		m->una = tcp_sk(sk)->snd_una;
		m->delivered = tcp_sk(sk)->delivered;
		m->begun_us = tcp_sk(sk)->tcp_mstamp;
	}
}

SEC("struct_ops")
void BPF_PROG(hybla_im_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct hybla_im *ca = PRIVATE(sk, struct hybla_im);
	struct tcp_sock *tp = tcp_sk(sk);
	struct memory *m = storage_of(sk, false);
	u32 rtt_us = window_observe(tp, &ca->w, sample), acked = sample->pkts_acked;

	rho_observe(sk, &ca->w, &ca->rho, &ca->hoe, acked, rtt_us, rho_rtt, rtt0_us, gamma_q8, pacing);
	if (!m)
		return;
	/* pkts_acked also counts segments that SACK has reported before, so the ACK that ends a repair has a spacing of almost
	 * nothing per segment.
	 */
	measure(m, tp->tcp_mstamp, tp->delivered - m->delivered, tp->srtt_us >> 3);
	m->delivered = tp->delivered;
	ca->rho_new = max_u64(mul_q24(ca->rho.value, Q24 - m->ratio_q24), rho_floor_q16);
	take_delay(tp, m, rtt_us);
}

SEC("struct_ops")
void BPF_PROG(hybla_im_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	struct hybla_im *ca = PRIVATE(sk, struct hybla_im);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w))
		grow(tp, &ca->w, slow_start_growth(tp, &ca->w, &ca->rho, ca->rho_new, acked), ssthresh_q24(tp, &ca->w));
	else
		grow(tp, &ca->w, avoidance_growth(ca->rho_new, acked, cwnd_q24(tp, &ca->w)), MAX_WINDOW_Q24);
}

SEC("struct_ops")
u32 BPF_PROG(hybla_im_ssthresh, struct sock *sk)
{
	struct hybla_im *ca = PRIVATE(sk, struct hybla_im);
	struct tcp_sock *tp = tcp_sk(sk);
	struct memory *m = storage_of(sk, false);

	if (m && is_link_error(m))
		return ignore_loss(tp, &ca->w);
	return reduce(tp, &ca->w, flight_q24(tp, &ca->w) / 2);
}

SEC("struct_ops")
void BPF_PROG(hybla_im_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct hybla_im *ca = PRIVATE(sk, struct hybla_im);

	if (ev == CA_EVENT_COMPLETE_CWR)
		window_now(tcp_sk(sk), &ca->w);
	if (ev == CA_EVENT_LOSS) {
		halve_at_timeout(tcp_sk(sk), &ca->w);
		ca->w.later_ssthresh = 0;
		window_timeout(&ca->w);
	}
}

PLAIN_STATE(hybla_im)
PLAIN_UNDO(hybla_im)
CONTROLLER_OPS(hybla_im);
