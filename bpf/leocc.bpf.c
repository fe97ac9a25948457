/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * LeoCC (Z. Lai et al., SIGCOMM 2025): BBRv1 that restarts when the satellite path is reconfigured. The twin of
 * crates/control/src/leocc.rs, with the machine of crates/control/src/bbr1.
 *
 *   B = max of delivered/interval over 10 rounds, R = min RTT over 20 s, pacing rate = 0.99 g B
 *   W += delivered, up to G B R + 3 quanta + min(extra acked, 0.1 s B); at least 4
 *   STARTUP g = G = 2.885 until B grew by less than 25 % in 3 rounds
 *   DRAIN g = 1/2.885 until in flight <= B R + 3 quanta
 *   cruise (PROBE_BW) g = 5/4, 3/4, 1 (six), for R each, G = 2
 *   PROBE_RTT W = max(4, B R/2) for 200 ms and a round: R is 20 s old, or before a reconfiguration; then R = newest RTT
 *   reconfigured: after PROBE_RTT follows STARTUP, B = newest sample while r - RTT > 45 ms, or unknown
 *   cruise with r >= R + 10 ms: bandwidth b and g = 21/20; else B and 5/4
 *   b, r: Kalman estimates of the largest sample of each round of the cruise, and of the RTT
 *   recovery: W = in flight + 1, then packet conservation for a round; at the end, and after a timeout, W of before
 *
 * Domain: as bbr.h; variances from 0.01 to 1e6, with which K has a relative error below 1e-3.
 *
 * Differences from the Rust twin, in addition to 2, 3 and 6 of window.h (an ECN mark has no effect):
 *  1. Reconfigurations are those of the map `hints`, which contains one change. A hint that another one replaces before
 *     an ACK arrives is missed. A change that is announced again, for the same time, counts once.
 *  2. With trigger = "schedule", `offset` counts on the clock of bpf_ktime_get_ns (since boot). Times of the trigger
 *     have a resolution of 1 ms.
 *  3. A recovery ends before the ACK that ends it is processed.
 *  4. After a timeout, Linux sets the window to one segment more than is in flight.
 *  5. Linux chooses the send quantum: 1 ms of the pacing rate, at least two segments, and more below 10 ms of RTT
 *     (tcp_tso_autosize). The quantum of the model has no such addition.
 *  6. Sending resumes after an idle period if the application limited it. A limit by the receiver does not count.
 *  7. The seed of the random phases is from the kernel.
 */
#include "include/bbr.h"
#include "include/hints.h"
#include "include/windowed.h"

enum { ANNOUNCED, SCHEDULE };

CHOICE(trigger, "trigger", ANNOUNCED, "announced schedule");
PARAMETER(period_ms, "period", 15, 1000, 0.1, 86400, "s");
PARAMETER(offset_ms, "offset", 12, 1000, 0, 86400, "s");
PARAMETER(lead_ms, "lead", 0.1, 1000, 0, 10, "s");
PARAMETER(min_rtt_fluctuation_us, "min_rtt_fluctuation", 0.01, 1000000, 0, 10, "s");
PARAMETER(queue_gain_q24, "queue_gain", 1.05, 16777216, 1, 3, "none");
PARAMETER(rtt_drop_us, "rtt_drop", 0.045, 1000000, 0, 10, "s");
PARAMETER(process_variance_q12, "process_variance", 4, 4096, 0.01, 1e6, "none");
PARAMETER(measurement_variance_q12, "measurement_variance", 4, 4096, 0.01, 1e6, "none");
PARAMETER(initial_variance_q12, "initial_variance", 25, 4096, 0.01, 1e6, "none");
PARAMETER(bandwidth_window, "bandwidth_window", 10, 1, 1, 1e6, "round trips");
PARAMETER(min_rtt_window_ms, "min_rtt_window", 20, 1000, 0.1, 86400, "s");
FLAG(renew_on_equal, "renew_on_equal", false);
FLAG(aggregation, "aggregation", true);
PARAMETER(cwnd_gain_q24, "cwnd_gain", 2, 16777216, 1, 10, "BDP");
PARAMETER(up_gain_q24, "up_gain", 1.25, 16777216, 1, 3, "none");
PARAMETER(down_gain_q24, "down_gain", 0.75, 16777216, 0.1, 1, "none");
PARAMETER(pacing_margin_q24, "pacing_margin", 0.01, 16777216, 0, 0.5, "none");
PARAMETER(probe_rtt_duration_us, "probe_rtt_duration", 0.2, 1000000, 0, 10, "s");
PARAMETER(probe_rtt_gain_q24, "probe_rtt_gain", 0.5, 16777216, 0, 1, "BDP");

/* 2.885 and 1/2.885 */
#define HIGH_GAIN_Q24 48402268
#define DRAIN_GAIN_Q24 5815326
#define GROWTH_ROUNDS 3
#define PHASES 8
#define FIRST_PHASES 7
#define QUANTA_IN_HOSTS 3
/* Below this rate, bytes/s, a quantum is one segment. */
#define SINGLE_SEGMENT_RATE 150000
#define MAX_AGGREGATION_US 100000
#define AGGREGATION_ROUNDS 5

enum state { STARTUP, DRAIN, PROBE_BW, PROBE_RTT };

struct kalman {
	u64 estimate;
	/* P, in 1/2^20. */
	u64 variance_q20;
	u64 known;
};

struct leocc {
	u64 random;
	u64 initial_q24;
	u64 prior_cwnd_q24;
	/* The window before a timeout. */
	u64 at_timeout_q24;
	u64 pacing_q16;
	/* Ticks are rounds, values are complements of rates in 1/65536 segments/s. */
	struct windowed_min bandwidth;
	/* R; UNKNOWN_US before the first sample. */
	u32 min_rtt_us;
	u32 full_rounds;
	u64 min_rtt_at_us;
	struct rounds rounds;
	struct mark mark;
	struct excess excess;
	/* The largest excess of the current rounds and of the rounds before. */
	u64 extra_q24[2];
	u32 extra_rounds;
	u32 phase;
	u64 phase_began_us;
	u64 full_bandwidth_q16;
	u64 probe_rtt_until_us;
	/* When to prepare for a reconfiguration, ns (0: none is known), and the change of the newest hint. */
	u64 pending_ns;
	u64 seen_ns;
	/* Rates, q16; 0: none. */
	u64 new_bandwidth_q16;
	u64 round_bandwidth_q16;
	/* b in 1/65536 segments/s, r in 1/256 us. */
	struct kalman smoothed;
	struct kalman rtt;
	/* enum state */
	u8 state;
	u8 full_pipe;
	u8 round_start;
	u8 has_seen_rtt;
	/* Whether a segment was lost since the last ACK. */
	u8 lost;
	u8 idle_restart;
	u8 reconfiguring;
	/* Whether the amount in flight has fallen to the window of PROBE_RTT, and whether its round is over. */
	u8 probe_rtt_began;
	u8 probe_rtt_round_done;
	/* Linux has entered a fast recovery, whose first ACK is not processed yet. */
	u8 entering;
	u8 recovering;
	/* Whether the recovery began with a timeout. */
	u8 collapsed;
	/* Packet conservation, in the first round of a recovery. */
	u8 conserving;
	/* The end of the newest fast recovery. */
	u8 ended_conserving;
	u64 ended_us;
	u64 ended_cwnd_q24;
};
STORAGE(struct leocc)

/* What an ACK reports. `rate_q16` is 0 without a sample. */
struct ack {
	u64 now_us;
	u64 rate_q16;
	u32 rtt_us;
	u32 acked;
	u32 in_flight;
	u32 in_flight_before;
	bool held_back;
	bool counts;
};

/* ---- estimates ---- */

/* P' = P + Q, K = P'/(P' + R), x += K (z - x), P = (1 - K) P' = K R. The first measurement is the first estimate. */
static __always_inline void kalman_update(struct kalman *k, u64 measured)
{
	u64 noise_q20 = (u64)measurement_variance_q12 << 8, predicted, gain;

	predicted = (k->known ? k->variance_q20 : (u64)initial_variance_q12 << 8) + ((u64)process_variance_q12 << 8);
	gain = ratio_q24(predicted, predicted + noise_q20);
	k->variance_q20 = mul_q24(noise_q20, gain);
	if (!k->known)
		k->estimate = measured;
	else if (measured > k->estimate)
		k->estimate += mul_q24(measured - k->estimate, gain);
	else
		k->estimate -= mul_q24(k->estimate - measured, gain);
	k->known = 1;
}

/* B, q16; 0 if it is unknown. */
static __always_inline u64 max_bandwidth_q16(const struct leocc *l)
{
	return l->bandwidth.known ? ~l->bandwidth.s[0].value : 0;
}

static __always_inline void add_bandwidth(struct leocc *l, u64 rate_q16)
{
	windowed_min(&l->bandwidth, bandwidth_window, l->rounds.count, ~rate_q16);
}

/* Whether the RTT exceeds R by more than its usual fluctuation. */
static __always_inline bool sees_queue(const struct leocc *l)
{
	return l->state == PROBE_BW && !l->reconfiguring && l->rtt.known && l->min_rtt_us != UNKNOWN_US &&
	       l->rtt.estimate >= ((u64)l->min_rtt_us + min_rtt_fluctuation_us) << 8;
}

/* The bandwidth from which pacing rate and window are computed. */
static __always_inline u64 bandwidth_in_use_q16(const struct leocc *l)
{
	return sees_queue(l) && l->smoothed.known ? l->smoothed.estimate : max_bandwidth_q16(l);
}

/* ---- gains and targets ---- */

static __always_inline u32 pacing_gain_q24(const struct leocc *l, bool queue)
{
	switch (l->state) {
	case STARTUP: return HIGH_GAIN_Q24;
	case DRAIN: return DRAIN_GAIN_Q24;
	case PROBE_RTT: return Q24;
	}
	if (l->phase == 0)
		return queue ? queue_gain_q24 : up_gain_q24;
	return l->phase == 1 ? down_gain_q24 : Q24;
}

static __always_inline u32 cwnd_gain(const struct leocc *l)
{
	if (l->state == PROBE_RTT)
		return Q24;
	return l->state == PROBE_BW ? cwnd_gain_q24 : HIGH_GAIN_Q24;
}

/* In whole segments, as in Linux. */
static __always_inline u64 quantum_q24(const struct tcp_sock *tp, const struct leocc *l)
{
	u64 mss = max_u64(tp->mss_cache, 1), rate = (l->pacing_q16 * min_u64(mss, 1 << 16)) >> 16;
	u64 segments = min_u64(rate / 1000, MAX_QUANTUM_BYTES) / mss;

	return max_u64(segments, rate < SINGLE_SEGMENT_RATE ? 1 : 2) << 24;
}

/* The amount in flight for `gain` BDP, plus what the end systems hold. */
static __always_inline u64 in_flight_target_q24(const struct tcp_sock *tp, const struct leocc *l, u64 bandwidth_q16,
						u32 gain_q24)
{
	if (l->min_rtt_us == UNKNOWN_US)
		return l->initial_q24;
	return mul_q24(pipe_q24(bandwidth_q16, l->min_rtt_us), gain_q24) + QUANTA_IN_HOSTS * quantum_q24(tp, l);
}

/* The target of the window. */
static __always_inline u64 target_q24(const struct tcp_sock *tp, const struct leocc *l, u64 bandwidth_q16)
{
	u64 extra = 0;

	if (l->full_pipe && aggregation)
		extra = min_u64(max_u64(l->extra_q24[0], l->extra_q24[1]), pipe_q24(bandwidth_q16, MAX_AGGREGATION_US));
	return in_flight_target_q24(tp, l, bandwidth_q16, cwnd_gain(l)) + extra;
}

static __always_inline u64 probe_rtt_window_q24(const struct leocc *l)
{
	if (l->min_rtt_us == UNKNOWN_US)
		return MIN_PIPE_Q24;
	return max_u64(mul_q24(pipe_q24(max_bandwidth_q16(l), l->min_rtt_us), probe_rtt_gain_q24), MIN_PIPE_Q24);
}

static __always_inline u64 paced_q16(u64 bandwidth_q16, u32 gain_q24)
{
	return mul_q24(mul_q24(bandwidth_q16, gain_q24), Q24 - pacing_margin_q24);
}

/* The rate never falls before the pipe is full. */
static __always_inline void update_pacing(struct sock *sk, struct leocc *l, u64 bandwidth_q16, u64 cwnd)
{
	u32 srtt_us = tcp_sk(sk)->srtt_us >> 3;
	u64 rate;

	if (!l->has_seen_rtt && srtt_us) {
		l->has_seen_rtt = 1;
		l->pacing_q16 = paced_q16(rate_per_rtt_q16(cwnd, srtt_us), HIGH_GAIN_Q24);
	}
	rate = paced_q16(bandwidth_q16, pacing_gain_q24(l, sees_queue(l)));
	if (rate > l->pacing_q16 || (l->full_pipe && rate))
		l->pacing_q16 = rate;
	set_pacing(sk, l->pacing_q16);
}

/* ---- the trigger ---- */

/* The next time after `now_ns` that is `lead` earlier than a scheduled reconfiguration. */
static __always_inline u64 next_scheduled_ns(u64 now_ns)
{
	u64 period = max_u64(period_ms, 1), now = now_ns / 1000000;
	u64 first = (offset_ms % period + period - lead_ms % period) % period;

	if (now_ns < first * 1000000)
		return max_u64(first * 1000000, 1);
	return (first + ((now - first) / period + 1) * period) * 1000000;
}

/* Whether a reconfiguration is due. */
static __always_inline bool trigger_fires(struct leocc *l, u64 now_ns)
{
	const struct hint *hint = hint_of_path();

	if (trigger == ANNOUNCED && hint && hint->boundary_ns && hint->boundary_ns != l->seen_ns &&
	    (hint->kind == HINT_HANDOVER || hint->kind == HINT_REROUTE)) {
		u64 at = max_u64(minus(hint->boundary_ns, lead_ms * 1000000ULL), hint->announced_ns);

		if (!l->pending_ns || at < l->pending_ns) {
			l->pending_ns = at;
			l->seen_ns = hint->boundary_ns;
		}
	}
	if (!l->pending_ns || now_ns < l->pending_ns)
		return false;
	l->pending_ns = trigger == SCHEDULE ? next_scheduled_ns(now_ns) : 0;
	return true;
}

/* ---- the machine ---- */

static __always_inline void enter_probe_bw(struct leocc *l, u64 now_us)
{
	l->state = PROBE_BW;
	/* Any phase but the slow one. */
	l->phase = (PHASES - random_below(&l->random, FIRST_PHASES)) % PHASES;
	l->phase_began_us = now_us;
}

/* SaveCwnd(): PROBE_RTT and recovery have reduced the window. */
static __always_inline void save_cwnd(struct leocc *l, u64 cwnd)
{
	if (l->recovering || l->state == PROBE_RTT)
		cwnd = max_u64(cwnd, l->prior_cwnd_q24);
	l->prior_cwnd_q24 = cwnd;
}

static __always_inline void forget_full_bandwidth(struct leocc *l)
{
	l->full_bandwidth_q16 = 0;
	l->full_rounds = 0;
}

/* The model: bandwidth, round and aggregation. */
static __always_inline void update_model(const struct tcp_sock *tp, struct leocc *l, struct ack *a,
					 const struct rate_sample *rs, u64 cwnd)
{
	u64 extra;

	l->round_start = 0;
	if (!a->rate_q16)
		return;
	if (round_ends(rs, l->rounds.delivered)) {
		l->rounds.delivered = tp->delivered;
		l->rounds.count++;
		l->round_start = 1;
	}
	a->held_back = rs->is_app_limited || is_marked(&l->mark, rs);
	a->counts = !a->held_back || a->rate_q16 >= max_bandwidth_q16(l);
	if (a->counts)
		add_bandwidth(l, a->rate_q16);
	if (!aggregation)
		return;
	if (l->round_start) {
		l->extra_rounds++;
		if (l->extra_rounds >= AGGREGATION_ROUNDS) {
			l->extra_rounds = 0;
			l->extra_q24[1] = l->extra_q24[0];
			l->extra_q24[0] = 0;
		}
	}
	extra = min_u64(excess_q24(&l->excess, a->now_us, a->acked, max_bandwidth_q16(l)), cwnd);
	l->extra_q24[0] = max_u64(l->extra_q24[0], extra);
}

static __always_inline bool is_phase_over(const struct tcp_sock *tp, const struct leocc *l, const struct ack *a,
					  bool lost, bool queue)
{
	bool lasted = l->min_rtt_us != UNKNOWN_US && minus(a->now_us, l->phase_began_us) > l->min_rtt_us;
	u32 gain = pacing_gain_q24(l, queue);
	u64 flight = segments_q24(a->in_flight_before);

	if (gain > Q24)
		return lasted && (lost || flight >= in_flight_target_q24(tp, l, max_bandwidth_q16(l), gain));
	if (gain < Q24)
		return lasted || flight <= in_flight_target_q24(tp, l, max_bandwidth_q16(l), Q24);
	return lasted;
}

/* Updates the model and the state, except for changes to and from PROBE_RTT. `queue` is as of the last ACK. */
static __always_inline void observe(const struct tcp_sock *tp, struct leocc *l, struct ack *a,
				    const struct rate_sample *rs, u64 cwnd, bool queue)
{
	bool lost = l->lost;
	u64 bandwidth;

	l->lost = 0;
	update_model(tp, l, a, rs, cwnd);
	bandwidth = max_bandwidth_q16(l);
	if (l->round_start)
		l->conserving = 0;
	if (l->state == PROBE_BW && is_phase_over(tp, l, a, lost, queue)) {
		l->phase = (l->phase + 1) % PHASES;
		l->phase_began_us = a->now_us;
	}
	if (l->round_start && a->rate_q16 && !a->held_back && !l->full_pipe) {
		if (4 * bandwidth >= 5 * l->full_bandwidth_q16) {
			l->full_bandwidth_q16 = bandwidth;
			l->full_rounds = 0;
		} else {
			l->full_rounds++;
			l->full_pipe = l->full_rounds >= GROWTH_ROUNDS;
		}
	}
	if (l->state == STARTUP && l->full_pipe)
		l->state = DRAIN;
	if (l->state == DRAIN && segments_q24(a->in_flight) <= in_flight_target_q24(tp, l, bandwidth, Q24))
		enter_probe_bw(l, a->now_us);
}

/* The estimates of the cruise and of the new path. `state` is the state before the ACK. */
static __always_inline void observe_bandwidth(struct leocc *l, const struct ack *a, u8 state)
{
	if (l->round_start && l->round_bandwidth_q16) {
		if (state == PROBE_BW)
			kalman_update(&l->smoothed, l->round_bandwidth_q16);
		l->round_bandwidth_q16 = 0;
	}
	if (a->rate_q16 && a->counts)
		l->round_bandwidth_q16 = max_u64(l->round_bandwidth_q16, a->rate_q16);
	if (a->rate_q16 && state == PROBE_RTT && a->rtt_us && l->rtt.known &&
	    l->rtt.estimate > ((u64)a->rtt_us + rtt_drop_us) << 8)
		l->new_bandwidth_q16 = a->rate_q16;
	if (state == STARTUP && l->state != STARTUP) {
		l->reconfiguring = 0;
		l->new_bandwidth_q16 = 0;
	}
}

/* Returns whether R had expired. */
static __always_inline bool update_min_rtt(struct leocc *l, const struct ack *a)
{
	bool expired = minus(a->now_us, l->min_rtt_at_us) > min_rtt_window_ms * 1000ULL;

	if (a->rtt_us &&
	    (expired || a->rtt_us < l->min_rtt_us || (renew_on_equal && a->rtt_us == l->min_rtt_us))) {
		l->min_rtt_us = a->rtt_us;
		l->min_rtt_at_us = a->now_us;
	}
	return expired;
}

/* PROBE_RTT ends. `rtt_us` becomes R, unless it is 0. Returns the window. */
static __always_inline u64 leave_probe_rtt(struct leocc *l, u64 now_us, u32 rtt_us, u64 cwnd)
{
	if (l->reconfiguring) {
		l->full_pipe = 0;
		forget_full_bandwidth(l);
		l->bandwidth.known = 0;
		if (l->new_bandwidth_q16)
			add_bandwidth(l, l->new_bandwidth_q16);
	}
	l->min_rtt_at_us = now_us;
	if (rtt_us)
		l->min_rtt_us = rtt_us;
	l->state = STARTUP;
	if (l->full_pipe)
		enter_probe_bw(l, now_us);
	return max_u64(cwnd, l->prior_cwnd_q24);
}

/* Enters, continues and ends PROBE_RTT. Returns the window. */
static __always_inline u64 probe_rtt(const struct tcp_sock *tp, struct leocc *l, const struct ack *a, bool due,
				     u64 cwnd)
{
	bool begin = due && !l->idle_restart && l->state != PROBE_RTT;

	if (begin) {
		save_cwnd(l, cwnd);
		l->state = PROBE_RTT;
		l->probe_rtt_began = 0;
		l->probe_rtt_round_done = 0;
	}
	if (l->state != PROBE_RTT)
		return cwnd;
	mark_app_limited(&l->mark, tp, begin);
	if (l->probe_rtt_began) {
		l->probe_rtt_round_done |= l->round_start;
		if (l->probe_rtt_round_done && a->now_us > l->probe_rtt_until_us)
			return leave_probe_rtt(l, a->now_us, a->rtt_us, cwnd);
	} else if (segments_q24(a->in_flight) <= probe_rtt_window_q24(l)) {
		l->probe_rtt_began = 1;
		l->probe_rtt_until_us = a->now_us + probe_rtt_duration_us;
		l->rounds.delivered = tp->delivered;
	}
	return cwnd;
}

/* SetCwnd(). Returns the window. */
static __always_inline u64 next_cwnd(const struct tcp_sock *tp, const struct leocc *l, const struct ack *a,
				     u64 bandwidth_q16, u64 cwnd)
{
	u64 target = target_q24(tp, l, bandwidth_q16), acked = segments_q24(a->acked);

	if (!a->acked)
		return cwnd;
	if (l->conserving)
		return max_u64(cwnd, segments_q24(a->in_flight) + acked);
	if (l->full_pipe)
		cwnd = min_u64(cwnd + acked, target);
	else if (cwnd < target || segments_q24(tp->delivered) < l->initial_q24)
		cwnd += acked;
	return max_u64(cwnd, MIN_PIPE_Q24);
}

/* Sets the window, which PROBE_RTT limits. */
static __always_inline void write(struct tcp_sock *tp, struct window *w, const struct leocc *l, u64 cwnd)
{
	if (l->state == PROBE_RTT)
		cwnd = min_u64(cwnd, probe_rtt_window_q24(l));
	set_cwnd(tp, w, cwnd);
}

/* The losses that an ACK reveals. Returns the window. */
static __always_inline u64 lose(const struct tcp_sock *tp, struct leocc *l, u32 losses, u64 cwnd)
{
	if (losses)
		l->lost = 1;
	if (!l->entering)
		return losses ? max_u64(minus(cwnd, segments_q24(losses)), Q24) : cwnd;
	save_cwnd(l, cwnd);
	l->entering = 0;
	l->recovering = 1;
	l->collapsed = 0;
	l->conserving = 1;
	l->rounds.delivered = tp->delivered;
	return segments_q24(in_flight(tp) + 1);
}

/* A recovery begins. If another one ended with the same ACK, it continues. Returns the window. */
static __always_inline u64 begin_recovery(const struct tcp_sock *tp, struct leocc *l, u64 cwnd)
{
	if (l->ended_us && l->ended_us == tp->tcp_mstamp) {
		l->recovering = 1;
		l->conserving = l->ended_conserving;
		return l->ended_cwnd_q24;
	}
	l->entering = !l->recovering || l->collapsed;
	return cwnd;
}

/* Returns the window. */
static __always_inline u64 end_recovery(const struct tcp_sock *tp, struct leocc *l, u64 cwnd)
{
	u64 limit = l->full_pipe ? target_q24(tp, l, max_bandwidth_q16(l)) : MAX_WINDOW_Q24;

	l->ended_us = 0;
	if (l->recovering && !l->collapsed) {
		l->ended_us = tp->tcp_mstamp;
		l->ended_cwnd_q24 = cwnd;
		l->ended_conserving = l->conserving;
	}
	l->entering = 0;
	l->recovering = 0;
	l->collapsed = 0;
	l->conserving = 0;
	return max_u64(cwnd, min_u64(l->prior_cwnd_q24, limit));
}

SEC("struct_ops")
void BPF_PROG(leocc_init, struct sock *sk)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);
	struct leocc *l = storage_of(sk, true);
	const struct hint *hint = hint_of_path();
	u64 now_ns = bpf_ktime_get_ns();
	u32 srtt_us = tp->srtt_us >> 3;

	window_init(sk, w, true);
	if (!l)
		return;
	__builtin_memset(l, 0, sizeof(*l));
	l->random = bpf_get_prandom_u32();
	l->initial_q24 = cwnd_q24(tp, w);
	l->min_rtt_us = srtt_us ? srtt_us : UNKNOWN_US;
	l->min_rtt_at_us = tp->tcp_mstamp;
	excess_restart(&l->excess, tp->tcp_mstamp);
	if (trigger == SCHEDULE)
		l->pending_ns = next_scheduled_ns(now_ns);
	/* A writer leaves a past change in place. */
	else if (hint && hint->boundary_ns <= now_ns)
		l->seen_ns = hint->boundary_ns;
	l->pacing_q16 = paced_q16(rate_per_rtt_q16(l->initial_q24, FIRST_RTT_US), HIGH_GAIN_Q24);
	update_pacing(sk, l, 0, l->initial_q24);
}

SEC("struct_ops")
void BPF_PROG(leocc_cong_control, struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);
	struct leocc *l = storage_of(sk, false);
	u64 cwnd = cwnd_q24(tp, w), bandwidth;
	struct ack a = {
		.now_us = tp->tcp_mstamp,
		.rate_q16 = rate_q16(rs),
		.rtt_us = rs->rtt_us > 0 ? rs->rtt_us : 0,
		.acked = rs->acked_sacked,
		.in_flight = in_flight(tp),
		.in_flight_before = rs->prior_in_flight,
	};
	bool queue, due;
	u8 state;

	if (!l)
		return;
	state = l->state;
	queue = sees_queue(l);
	l->reconfiguring |= trigger_fires(l, bpf_ktime_get_ns());
	observe(tp, l, &a, rs, cwnd, queue);
	observe_bandwidth(l, &a, state);
	due = update_min_rtt(l, &a);
	cwnd = probe_rtt(tp, l, &a, (due || l->reconfiguring) && l->state == PROBE_BW, cwnd);
	if (a.rtt_us)
		kalman_update(&l->rtt, (u64)a.rtt_us << 8);
	if (a.acked)
		l->idle_restart = 0;
	bandwidth = bandwidth_in_use_q16(l);
	update_pacing(sk, l, bandwidth, cwnd);
	cwnd = next_cwnd(tp, l, &a, bandwidth, cwnd);
	cwnd = lose(tp, l, rs->losses > 0 ? rs->losses : 0, cwnd);
	write(tp, w, l, cwnd);
}

SEC("struct_ops")
u32 BPF_PROG(leocc_ssthresh, struct sock *sk)
{
	struct leocc *l = storage_of(sk, false);

	if (l)
		l->at_timeout_q24 = cwnd_q24(tcp_sk(sk), PRIVATE(sk, struct window));
	return tcp_sk(sk)->snd_ssthresh;
}

SEC("struct_ops")
void BPF_PROG(leocc_set_state, struct sock *sk, u8 state)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);
	struct leocc *l = storage_of(sk, false);

	if (!l)
		return;
	if (state == TCP_CA_Loss) {
		save_cwnd(l, l->at_timeout_q24);
		l->entering = 0;
		l->recovering = 1;
		l->collapsed = 1;
		l->conserving = 0;
		forget_full_bandwidth(l);
		window_timeout(w);
	} else if (state == TCP_CA_Recovery) {
		write(tp, w, l, begin_recovery(tp, l, cwnd_q24(tp, w)));
	} else if (l->recovering) {
		write(tp, w, l, end_recovery(tp, l, cwnd_q24(tp, w)));
	}
}

SEC("struct_ops")
u32 BPF_PROG(leocc_undo_cwnd, struct sock *sk)
{
	struct leocc *l = storage_of(sk, false);

	/* The window returns when the recovery ends, with the same ACK. */
	if (l)
		forget_full_bandwidth(l);
	return tcp_sk(sk)->snd_cwnd;
}

/* Sending resumes after an idle period, at the estimated rate. */
SEC("struct_ops")
void BPF_PROG(leocc_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);
	struct leocc *l = storage_of(sk, false);
	u64 bandwidth;

	if (!l || ev != CA_EVENT_TX_START || !tp->app_limited)
		return;
	l->idle_restart = 1;
	excess_restart(&l->excess, tp->tcp_mstamp);
	bandwidth = bandwidth_in_use_q16(l);
	if (l->state == PROBE_BW && bandwidth) {
		l->pacing_q16 = paced_q16(bandwidth, Q24);
		set_pacing(sk, l->pacing_q16);
	}
	if (l->state == PROBE_RTT && l->probe_rtt_began && tp->tcp_mstamp > l->probe_rtt_until_us)
		write(tp, w, l, leave_probe_rtt(l, tp->tcp_mstamp, 0, cwnd_q24(tp, w)));
}

SEC(".struct_ops.link")
struct tcp_congestion_ops leocc = {
	.init = (void *)leocc_init,
	.cong_control = (void *)leocc_cong_control,
	.ssthresh = (void *)leocc_ssthresh,
	.set_state = (void *)leocc_set_state,
	.undo_cwnd = (void *)leocc_undo_cwnd,
	.cwnd_event = (void *)leocc_cwnd_event,
	.flags = TCP_CONG_NON_RESTRICTED,
	.name = "leocc",
};
