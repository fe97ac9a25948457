/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Vegas-W (J. Qu, "An enhanced TCP Vegas algorithm based on route surveillance and bandwidth estimation over GEO
 * satellite networks"): the twin of crates/control/src/vegas_w.rs, as corrected (vegas_w) and as printed
 * (vegas_w_paper, with VEGAS_W_PAPER).
 *
 *   B: Westwood's filter per ACK (bandwidth.h); as Vegas (vegas.h), except that
 *   slow start ends if diff > gamma and W >= B RTTmin, with W unchanged
 *   avoidance: BaseRTT = RTT if RTT > refresh_factor mean(refresh_samples RTTs before)
 *   loss: congestion iff sent(s-1) - sent(s-2) < acked(s-1) - acked(s-2), s the lost packet; else nothing changes
 *         then ssthresh = max(B RTTmin, 2), W = min(W, ssthresh) (jump: ssthresh)      timeout: W = 2
 *
 * Domain: as bandwidth.h; RTTs of the surveillance below 2^32/64 us = 67 s.
 *
 * Differences from the Rust twin, in addition to those of window.h and vegas.h:
 *  1. The packets before the hole are those of the two newest ACKs that advanced. If the newest of the two covered
 *     several segments, the verdict is congestion.
 *  2. `refresh` cannot be "min-of-next".
 *  3. Segments count when Linux counts them as delivered.
 */
#ifndef BENTPIPE_VEGAS_W_H
#define BENTPIPE_VEGAS_W_H

#include "bandwidth.h"
#include "storage.h"
#include "vegas.h"

enum { NEWEST, TWO_ROUNDS };
enum { REFRESH_NEWEST, REFRESH_OFF };
enum { VERDICT_GAP, VERDICT_CONGESTION };

PARAMETER(tau_us, "tau", 0.05, 1000000, 0.001, 10, "s");
#ifdef VEGAS_W_PAPER
CHOICE(bandwidth_memory, "bandwidth_memory", NEWEST, "newest two-rounds");
FLAG(estimate_in_avoidance, "estimate_in_avoidance", false);
FLAG(jump, "jump", true);
#else
CHOICE(bandwidth_memory, "bandwidth_memory", TWO_ROUNDS, "newest two-rounds");
FLAG(estimate_in_avoidance, "estimate_in_avoidance", true);
FLAG(jump, "jump", false);
#endif
CHOICE(refresh, "refresh", REFRESH_NEWEST, "newest off");
PARAMETER(refresh_factor_q16, "refresh_factor", 2, 65536, 1, 100, "none");
PARAMETER(refresh_samples, "refresh_samples", 20, 1, 1, 64, "samples");
CHOICE(loss_verdict, "loss_verdict", VERDICT_GAP, "gap congestion");

#define MAX_REFRESH_SAMPLES 64
#define MAX_REFRESH_US (0xffffffffU / MAX_REFRESH_SAMPLES)

FITS_PRIVATE(struct vegas);

struct memory {
	struct bandwidth bandwidth;
	/* Whether the filter processed the newest ACK. */
	u32 estimating;
	u32 delivered;
	/* The newest B; the largest of this round and of the one before, 1/65536 segments/s. */
	u64 newest;
	u64 largest[2];
	/* Sending and arrival of the two newest packets in sequence, newest first; segments of the newest ACK. */
	u32 sent_us[2];
	u32 acked_us[2];
	u32 known;
	u32 covered;
	u32 una;
	/* RTT samples before, and their sum. */
	u32 ring_us[MAX_REFRESH_SAMPLES];
	u32 next;
	u32 filled;
	u64 sum_us;
};
STORAGE(struct memory)

static __always_inline u64 capacity_q24(const struct memory *m, const struct vegas *v)
{
	u64 rate = m->newest;

	if (rate == 0 || v->base_us == UNKNOWN_US)
		return 0;
	if (bandwidth_memory == TWO_ROUNDS)
		rate = max_u64(m->largest[0], m->largest[1]);
	return pipe_q24(rate, v->base_us);
}

static __always_inline void estimate(const struct tcp_sock *tp, struct memory *m, const struct vegas *v)
{
	bool estimating = estimate_in_avoidance || in_slow_start(tp, &v->w);
	u32 segments = tp->delivered - m->delivered;

	m->delivered = tp->delivered;
	if (estimating && !m->estimating)
		m->bandwidth = (struct bandwidth){ 0 };
	m->estimating = estimating;
	if (estimating && segments && bandwidth_ack(&m->bandwidth, tp->tcp_mstamp, segments, tau_us)) {
		m->newest = m->bandwidth.rate_q16;
		m->largest[0] = max_u64(m->largest[0], m->newest);
	}
}

/* BaseRTT follows the route (section IV.B). */
static __always_inline void survey(struct memory *m, struct vegas *v, u32 rtt_us, bool watch)
{
	u32 at = m->next & (MAX_REFRESH_SAMPLES - 1);

	if (rtt_us < v->base_us)
		v->base_us = rtt_us;
	if (watch && refresh == REFRESH_NEWEST && m->filled && m->filled == refresh_samples &&
	    (u64)rtt_us * m->filled > (m->sum_us * refresh_factor_q16) >> 16)
		v->base_us = rtt_us;
	rtt_us = min_u64(rtt_us, MAX_REFRESH_US);
	if (m->filled == refresh_samples)
		m->sum_us -= m->ring_us[at];
	else
		m->filled++;
	m->ring_us[at] = rtt_us;
	m->sum_us += rtt_us;
	m->next = at + 1 >= refresh_samples ? 0 : at + 1;
}

/* Stores the newest packet in sequence. */
static __always_inline void store_packet(const struct tcp_sock *tp, struct memory *m, u32 acked, u32 rtt_us)
{
	u32 now_us = tp->tcp_mstamp;

	if (acked == 0 || !before(m->una, tp->snd_una))
		return;
	m->una = tp->snd_una;
	m->sent_us[1] = m->sent_us[0];
	m->acked_us[1] = m->acked_us[0];
	m->sent_us[0] = now_us - rtt_us;
	m->acked_us[0] = now_us;
	m->covered = acked;
	/* Without a sample, the packet was retransmitted. */
	m->known = rtt_us ? min_u64(m->known + 1, 2) : 0;
}

/* Section IV.C: two gaps count as equal within 1 us. */
static __always_inline bool is_link_error(const struct memory *m)
{
	if (loss_verdict == VERDICT_CONGESTION || m->known < 2 || m->covered != 1)
		return false;
	return m->sent_us[0] - m->sent_us[1] + 1 >= m->acked_us[0] - m->acked_us[1];
}

SEC("struct_ops")
void BPF_PROG(vegas_w_init, struct sock *sk)
{
	struct memory *m = storage_of(sk, true);

	vegas_init(sk, PRIVATE(sk, struct vegas));
	if (m) {
		*m = (struct memory){ 0 };
		m->delivered = tcp_sk(sk)->delivered;
		m->una = tcp_sk(sk)->snd_una;
	}
}

SEC("struct_ops")
void BPF_PROG(vegas_w_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct vegas *v = PRIVATE(sk, struct vegas);
	struct tcp_sock *tp = tcp_sk(sk);
	struct memory *m = storage_of(sk, false);
	u32 rtt_us = window_observe(tp, &v->w, sample);
	bool round_start;

	if (!m)
		return;
	round_start = round_starts(tp, &v->round_end);
	estimate(tp, m, v);
	follow(sk, v, round_start, Q24, capacity_q24(m, v));
	if (rtt_us) {
		survey(m, v, rtt_us, !in_slow_start(tp, &v->w));
		take_sample(v, rtt_us);
	}
	if (round_start && m->estimating) {
		m->largest[1] = m->largest[0];
		m->largest[0] = 0;
	}
	store_packet(tp, m, sample->pkts_acked, rtt_us);
}

SEC("struct_ops")
void BPF_PROG(vegas_w_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	vegas_cong_avoid_in(tcp_sk(sk), PRIVATE(sk, struct vegas), acked);
}

SEC("struct_ops")
u32 BPF_PROG(vegas_w_ssthresh, struct sock *sk)
{
	struct vegas *v = PRIVATE(sk, struct vegas);
	struct tcp_sock *tp = tcp_sk(sk);
	struct memory *m = storage_of(sk, false);
	u64 capacity = m ? capacity_q24(m, v) : 0;

	if (m && is_link_error(m))
		return ignore_loss(tp, &v->w);
	if (capacity == 0)
		return reduce(tp, &v->w, mul_q24(flight_q24(tp, &v->w), kept_at_loss_q24));
	return jump ? reduce(tp, &v->w, capacity) : reduce_to(tp, &v->w, capacity);
}

SEC("struct_ops")
void BPF_PROG(vegas_w_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct vegas *v = PRIVATE(sk, struct vegas);
	struct memory *m = storage_of(sk, false);
	u64 capacity = m ? capacity_q24(m, v) : 0;

	vegas_event(v, ev);
	if (ev == CA_EVENT_COMPLETE_CWR)
		window_now(tcp_sk(sk), &v->w);
	if (ev == CA_EVENT_TX_START && m)
		m->estimating = 0;
	if (ev == CA_EVENT_LOSS) {
		halve_at_timeout(tcp_sk(sk), &v->w);
		if (capacity)
			set_ssthresh(tcp_sk(sk), &v->w, capacity);
		v->w.later_ssthresh = 0;
	}
}

SEC("struct_ops")
void BPF_PROG(vegas_w_set_state, struct sock *sk, u8 state)
{
	vegas_state(tcp_sk(sk), PRIVATE(sk, struct vegas), state);
}

PLAIN_UNDO(vegas_w)

#define VEGAS_W_OPS(name_)                                                    \
	SEC(".struct_ops.link")                                               \
	struct tcp_congestion_ops name_ = {                                   \
		.init = (void *)vegas_w_init,                                 \
		.pkts_acked = (void *)vegas_w_pkts_acked,                     \
		.cong_avoid = (void *)vegas_w_cong_avoid,                     \
		.ssthresh = (void *)vegas_w_ssthresh,                         \
		.set_state = (void *)vegas_w_set_state,                       \
		.cwnd_event = (void *)vegas_w_cwnd_event,                     \
		.undo_cwnd = (void *)vegas_w_undo_cwnd,                       \
		.flags = TCP_CONG_NON_RESTRICTED,                             \
		.name = #name_,                                               \
	}

#endif
