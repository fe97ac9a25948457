/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * BBRv3 (draft-ietf-ccwg-bbr-06). The twin of crates/control/src/bbr3.rs, whose comment has the draft's open points.
 *
 *   max_bw = max delivery rate of this and the previous ProbeBW cycle, min_rtt = min RTT over 10 s
 *   bw = min(max_bw, bw_shortterm)
 *   pacing_rate = pacing_gain bw 0.99
 *   max_inflight = max(cwnd_gain bw min_rtt + extra_acked, 3 quanta, 4 segments), + 2 segments in UP
 *   W = min(W + acked, max_inflight, inflight_longterm, inflight_shortterm)
 *
 *                  Startup  Drain  DOWN  CRUISE  REFILL  UP    ProbeRTT
 *   pacing_gain    2.77     0.5    0.9   1       1       1.25  1
 *   cwnd_gain      2        2      2     2       2       2.25  0.5
 *
 * Domain: as bbr.h.
 *
 * Differences from the Rust twin, in addition to 2, 3 and 6 of window.h (an ECN mark has no effect):
 *  1. No callback names the lost segments. The newest rate sample has the losses and the flight of a lost segment: when
 *     Linux detects a loss, a segment that was sent later has been delivered.
 *  2. The flight at the time of sending is the amount that was delivered or lost since then.
 *  3. Each ACK that reveals losses counts as one lost range (BBR.ranges_lost_in_round), as in Linux's BBRv3.
 *  4. A recovery ends before the ACK that ends it is processed.
 *  5. After a timeout, Linux sets the window to one segment more than is in flight.
 *  6. Linux chooses the send quantum: 1 ms of the pacing rate, at least two segments, and more below 10 ms of RTT
 *     (tcp_tso_autosize). The quantum of the model has no such addition.
 *  7. Sending resumes after an idle period if the application limited it. A limit by the receiver does not count.
 *  8. The seed of the random waits is from the kernel.
 */
#include "include/bbr.h"
#include "include/windowed.h"

PARAMETER(startup_pacing_gain_q16, "startup_pacing_gain", 2.77, 65536, 1.25, 4.0, "none");
PARAMETER(drain_pacing_gain_q16, "drain_pacing_gain", 0.5, 65536, 0.1, 0.95, "none");
PARAMETER(cwnd_gain_q16, "cwnd_gain", 2, 65536, 1, 8, "BDP");
PARAMETER(pacing_margin_q16, "pacing_margin", 0.01, 65536, 0, 0.2, "none");
PARAMETER(loss_threshold_q24, "loss_threshold", 0.02, 16777216, 0, 0.5, "none");
PARAMETER(beta_q24, "beta", 0.7, 16777216, 0.1, 1, "none");
PARAMETER(headroom_q24, "headroom", 0.15, 16777216, 0, 0.9, "none");
PARAMETER(probe_wait_us, "probe_wait", 2, 1000000, 0.001, 600, "s");
PARAMETER(min_rtt_window_us, "min_rtt_window", 10, 1000000, 0.1, 3600, "s");
PARAMETER(probe_rtt_interval_us, "probe_rtt_interval", 5, 1000000, 0.1, 3600, "s");
PARAMETER(probe_rtt_duration_us, "probe_rtt_duration", 0.2, 1000000, 0.001, 10, "s");
PARAMETER(probe_rtt_cwnd_gain_q16, "probe_rtt_cwnd_gain", 0.5, 65536, 0, 1, "BDP");
PARAMETER(offload_quanta_q16, "offload_quanta", 3, 65536, 0, 64, "quanta");
FLAG(selective_acks, "selective_acks", true);

/* 0.9 and 1.25: pacing gains of DOWN and UP. 0.25: what UP adds to cwnd_gain. */
#define DOWN_PACING_GAIN_Q16 58982
#define UP_PACING_GAIN_Q16 81920
#define UP_CWND_GAIN_EXTRA_Q16 16384
/* Segments that UP adds to max_inflight. */
#define UP_EXTRA_Q24 (2 * Q24)
#define FULL_BW_COUNT 3
#define STARTUP_FULL_LOSS_COUNT 6
#define MAX_DRAIN_ROUNDS 3
#define MAX_RENO_ROUNDS 63
#define MAX_UP_ROUNDS 30
#define EXTRA_ACKED_ROUNDS 10
#define NO_BOUND (~0ULL)
/* Number of reports of losses that are kept. Two reports within 1/16 of a flight count as one. */
#define LOSS_REPORTS 32

enum state { STARTUP, DRAIN, DOWN, CRUISE, REFILL, UP, PROBE_RTT };
enum ack_phase { ACKS_INIT, ACKS_REFILLING, ACKS_PROBE_STARTING, ACKS_PROBE_FEEDBACK, ACKS_PROBE_STOPPING };

struct loss_report {
	u64 at_us;
	u64 segments;
};

/* Amounts are in segments where the draft has bytes. */
struct bbr3 {
	u64 random;
	u64 initial_q24;
	u64 prior_cwnd_q24;
	/* The window before a timeout. */
	u64 at_timeout_q24;
	u64 pacing_q16;
	u64 quantum_q24;
	u64 bw_q16;
	/* max_bw of the previous cycle and of this one. */
	u64 max_bw_q16[2];
	/* UNKNOWN_US before the first sample. */
	u32 min_rtt_us;
	u32 probe_rtt_min_us;
	u64 min_rtt_stamp_us;
	u64 probe_rtt_min_stamp_us;
	struct rounds rounds;
	/* Ticks are rounds, values are complements. */
	struct windowed_min extra_acked;
	struct excess excess;
	u64 full_bw_q16;
	u32 full_bw_count;
	u32 drain_start_round;
	u64 bw_latest_q16;
	u64 bw_shortterm_q16;
	u64 inflight_latest_q24;
	u64 inflight_shortterm_q24;
	u64 inflight_longterm_q24;
	u32 loss_round_delivered;
	u32 ranges_lost_in_round;
	u64 probe_up_acked_q24;
	u64 probe_up_acked_per_inc_q24;
	u32 probe_up_rounds;
	u32 rounds_since_probe_up;
	u64 cycle_stamp_us;
	u32 probe_wait_us;
	/* Segments delivered since the newest one was sent; RS.tx_in_flight and RS.lost of the newest sample. */
	u32 delivered_since;
	u32 tx_in_flight;
	u32 tx_lost;
	/* `lost` of the socket at the newest report. */
	u32 lost;
	u64 probe_rtt_done_us;
	struct mark mark;
	/* enum state */
	u8 state;
	u8 ack_phase;
	u8 round_start;
	u8 has_seen_rtt;
	u8 full_bw_now;
	u8 full_bw_reached;
	u8 is_app_limited;
	u8 idle_restart;
	u8 is_loss_in_round;
	u8 loss_round_start;
	u8 is_bw_probe_sample;
	u8 prev_probe_too_high;
	u8 prev_probe_precautionary;
	u8 probe_rtt_expired;
	u8 has_probe_rtt_done;
	u8 probe_rtt_round_done;
	/* Linux has entered a recovery, whose losses are not processed yet; they are processed. */
	u8 entering_recovery;
	u8 in_recovery;
	/* State of section 2.15, if `has_undo`. `undo_state` is STARTUP, UP, or another state for neither. */
	u8 has_undo;
	u8 undo_state;
	u64 undo_bw_shortterm_q16;
	u64 undo_inflight_shortterm_q24;
	u64 undo_inflight_longterm_q24;
	u32 newest_report;
	struct loss_report reports[LOSS_REPORTS];
};
STORAGE(struct bbr3)

/* The draft's RS, and what else an ACK says. */
struct ack {
	u64 now_us;
	u64 rate_q16;
	u32 rtt_us;
	u32 acked;
	u32 delivered;
	u32 in_flight;
	u32 in_flight_before;
	bool is_cwnd_limited;
};

static __always_inline bool is_probe_bw(const struct bbr3 *b)
{
	return b->state >= DOWN && b->state <= UP;
}

static __always_inline bool is_probing(const struct bbr3 *b)
{
	return b->state == STARTUP || b->state == REFILL || b->state == UP;
}

static __always_inline u64 max_bw_q16(const struct bbr3 *b)
{
	return max_u64(b->max_bw_q16[0], b->max_bw_q16[1]);
}

/* ---- output of the model (section 5.6) ---- */

static __always_inline u32 pacing_gain_q16(const struct bbr3 *b)
{
	switch (b->state) {
	case STARTUP: return startup_pacing_gain_q16;
	case DRAIN: return drain_pacing_gain_q16;
	case DOWN: return DOWN_PACING_GAIN_Q16;
	case UP: return UP_PACING_GAIN_Q16;
	default: return Q16;
	}
}

static __always_inline u32 cwnd_gain(const struct bbr3 *b)
{
	if (b->state == UP)
		return cwnd_gain_q16 + UP_CWND_GAIN_EXTRA_Q16;
	return b->state == PROBE_RTT ? probe_rtt_cwnd_gain_q16 : cwnd_gain_q16;
}

static __always_inline u64 bdp_multiple_q24(const struct bbr3 *b, u64 bw_q16, u32 gain_q16)
{
	if (b->min_rtt_us == UNKNOWN_US)
		return b->initial_q24;
	return mul_q16(pipe_q24(bw_q16, b->min_rtt_us), gain_q16);
}

static __always_inline u64 quantization_budget(const struct bbr3 *b, u64 inflight_cap_q24)
{
	u64 cap = max_u64(max_u64(inflight_cap_q24, mul_q16(b->quantum_q24, offload_quanta_q16)), MIN_PIPE_Q24);

	return b->state == UP ? cap + UP_EXTRA_Q24 : cap;
}

static __always_inline u64 inflight_q24(const struct bbr3 *b, u64 bw_q16)
{
	return quantization_budget(b, bdp_multiple_q24(b, bw_q16, Q16));
}

static __always_inline u64 target_inflight_q24(const struct bbr3 *b, u64 cwnd_q24)
{
	return min_u64(bdp_multiple_q24(b, b->bw_q16, Q16), cwnd_q24);
}

static __always_inline void init_pacing_rate(struct bbr3 *b, u32 srtt_us)
{
	b->pacing_q16 = mul_q16(rate_per_rtt_q16(b->initial_q24, srtt_us), startup_pacing_gain_q16);
}

static __always_inline void set_pacing_rate_with_gain(struct sock *sk, struct bbr3 *b, u32 gain_q16)
{
	u64 rate = mul_q16(mul_q16(b->bw_q16, gain_q16), Q16 - pacing_margin_q16);

	if (b->bw_q16 && (b->full_bw_reached || rate > b->pacing_q16))
		b->pacing_q16 = rate;
	set_pacing(sk, b->pacing_q16);
}

static __always_inline void set_pacing_rate_and_quantum(struct sock *sk, struct bbr3 *b)
{
	u64 largest = (u64)MAX_QUANTUM_BYTES * Q24 / max_u64(tcp_sk(sk)->mss_cache, 1);

	set_pacing_rate_with_gain(sk, b, pacing_gain_q16(b));
	/* 1 ms of the rate. */
	b->quantum_q24 = max_u64(min_u64(b->pacing_q16 * 256 / 1000, largest), 2 * Q24);
}

static __always_inline u64 probe_rtt_cwnd_q24(const struct bbr3 *b)
{
	return max_u64(bdp_multiple_q24(b, b->bw_q16, probe_rtt_cwnd_gain_q16), MIN_PIPE_Q24);
}

static __always_inline u64 inflight_with_headroom_q24(const struct bbr3 *b)
{
	u64 headroom;

	if (b->inflight_longterm_q24 == NO_BOUND)
		return NO_BOUND;
	headroom = max_u64(mul_q24(b->inflight_longterm_q24, headroom_q24), Q24);
	return max_u64(minus(b->inflight_longterm_q24, headroom), MIN_PIPE_Q24);
}

/* BoundCwndForProbeRTT() and BoundCwndForModel(): the window after the bounds. */
static __always_inline u64 bounded_q24(const struct bbr3 *b, u64 cwnd)
{
	u64 cap = NO_BOUND;

	if (b->state == PROBE_RTT)
		cwnd = min_u64(cwnd, probe_rtt_cwnd_q24(b));
	if (b->state == PROBE_RTT || b->state == CRUISE)
		cap = inflight_with_headroom_q24(b);
	else if (is_probe_bw(b))
		cap = b->inflight_longterm_q24;
	return min_u64(cwnd, max_u64(min_u64(cap, b->inflight_shortterm_q24), MIN_PIPE_Q24));
}

static __always_inline void bound_bw_for_model(struct bbr3 *b)
{
	b->bw_q16 = min_u64(max_bw_q16(b), b->bw_shortterm_q16);
}

/* Applies only the bounds, after an event that does not acknowledge data. */
static __always_inline u64 apply_bounds(struct sock *sk, struct bbr3 *b, u64 cwnd)
{
	bound_bw_for_model(b);
	set_pacing_rate_and_quantum(sk, b);
	return bounded_q24(b, cwnd);
}

static __always_inline void save_cwnd(struct bbr3 *b, u64 cwnd)
{
	if (b->in_recovery || b->state == PROBE_RTT)
		cwnd = max_u64(cwnd, b->prior_cwnd_q24);
	b->prior_cwnd_q24 = cwnd;
}

/* ---- rounds, the estimator of a full pipe, ProbeBW (sections 5.3.1, 5.3.3) ---- */

static __always_inline void start_round(const struct tcp_sock *tp, struct bbr3 *b)
{
	b->rounds.delivered = tp->delivered;
}

static __always_inline void reset_full_bw(struct bbr3 *b, u64 baseline_q16)
{
	b->full_bw_q16 = baseline_q16;
	b->full_bw_count = 0;
	b->full_bw_now = 0;
}

static __always_inline void reset_short_term_model(struct bbr3 *b)
{
	b->bw_shortterm_q16 = NO_BOUND;
	b->inflight_shortterm_q24 = NO_BOUND;
}

static __always_inline void start_down(const struct tcp_sock *tp, struct bbr3 *b)
{
	/* ResetCongestionSignals() */
	b->is_loss_in_round = 0;
	b->bw_latest_q16 = 0;
	b->inflight_latest_q24 = 0;
	b->probe_up_acked_per_inc_q24 = NO_BOUND;
	/* PickProbeWait() */
	b->rounds_since_probe_up = random_word(&b->random) & 1;
	b->probe_wait_us = probe_wait_us + random_below(&b->random, USEC_PER_SEC);
	b->cycle_stamp_us = tp->tcp_mstamp;
	b->ack_phase = ACKS_PROBE_STOPPING;
	start_round(tp, b);
	b->state = DOWN;
}

static __always_inline void start_refill(const struct tcp_sock *tp, struct bbr3 *b)
{
	reset_short_term_model(b);
	b->probe_up_rounds = 0;
	b->probe_up_acked_q24 = 0;
	b->prev_probe_precautionary = 0;
	b->ack_phase = ACKS_REFILLING;
	start_round(tp, b);
	b->state = REFILL;
}

/* RaiseInflightLongtermSlope() */
static __always_inline void raise_slope(struct bbr3 *b, u64 cwnd)
{
	u32 rounds = min_u64(b->probe_up_rounds, MAX_UP_ROUNDS);

	b->probe_up_rounds = min_u64(rounds + 1, MAX_UP_ROUNDS);
	b->probe_up_acked_per_inc_q24 = max_u64(cwnd >> rounds, Q24);
}

static __always_inline void start_up(const struct tcp_sock *tp, struct bbr3 *b, const struct ack *s, u64 cwnd)
{
	b->ack_phase = ACKS_PROBE_STARTING;
	start_round(tp, b);
	reset_full_bw(b, s->rate_q16);
	b->state = UP;
	raise_slope(b, cwnd);
}

static __always_inline bool is_inflight_too_high(u32 lost, u32 tx_in_flight)
{
	return ((u64)lost << 24) > (u64)tx_in_flight * loss_threshold_q24 || (lost && !selective_acks);
}

static __always_inline bool is_time_to_probe(const struct tcp_sock *tp, const struct bbr3 *b, u64 cwnd)
{
	u64 rounds_q24 = min_u64(target_inflight_q24(b, cwnd), MAX_RENO_ROUNDS * Q24);

	return tp->tcp_mstamp > b->cycle_stamp_us + b->probe_wait_us ||
	       (u64)b->rounds_since_probe_up << 24 >= rounds_q24;
}

static __always_inline bool is_time_to_cruise(const struct bbr3 *b, const struct ack *s)
{
	u64 now = segments_q24(s->in_flight);

	return now <= inflight_with_headroom_q24(b) && now <= inflight_q24(b, max_bw_q16(b));
}

static __always_inline bool is_time_to_go_down(struct bbr3 *b, const struct ack *s, u64 cwnd)
{
	/* Precautionary probing: one more segment would exceed the amount that was too high before. */
	if (b->prev_probe_too_high && segments_q24(s->in_flight_before) + Q24 > b->inflight_longterm_q24) {
		b->prev_probe_precautionary = 1;
		return true;
	}
	if (s->is_cwnd_limited && cwnd >= b->inflight_longterm_q24) {
		reset_full_bw(b, s->rate_q16);
		return false;
	}
	return b->full_bw_now;
}

/* ProbeInflightLongtermUpward() */
static __always_inline void probe_upward(struct bbr3 *b, const struct ack *s, u64 cwnd)
{
	u64 acked, delta;

	if (!s->is_cwnd_limited || cwnd < b->inflight_longterm_q24)
		return;
	acked = b->probe_up_acked_q24 + segments_q24(s->acked);
	if (acked >= b->probe_up_acked_per_inc_q24) {
		delta = acked / max_u64(b->probe_up_acked_per_inc_q24, 1);
		acked -= delta * b->probe_up_acked_per_inc_q24;
		b->inflight_longterm_q24 += segments_q24(delta);
	}
	b->probe_up_acked_q24 = acked;
	if (b->round_start)
		raise_slope(b, cwnd);
}

/* AdaptLongTermModel(). Returns true if the state has changed. */
static __always_inline bool adapt_long_term_model(const struct tcp_sock *tp, struct bbr3 *b, const struct ack *s,
						  u64 cwnd)
{
	if (b->round_start && b->ack_phase == ACKS_PROBE_STARTING) {
		b->ack_phase = ACKS_PROBE_FEEDBACK;
	} else if (b->round_start && b->ack_phase == ACKS_PROBE_STOPPING) {
		b->is_bw_probe_sample = 0;
		b->ack_phase = ACKS_INIT;
		if (is_probe_bw(b) && !b->is_app_limited && b->max_bw_q16[1]) {
			b->max_bw_q16[0] = b->max_bw_q16[1];
			b->max_bw_q16[1] = 0;
		}
		/* If the precautionary probe caused no harmful loss, the next probe begins at once. */
		if (is_probe_bw(b) && b->prev_probe_precautionary && !b->prev_probe_too_high) {
			start_refill(tp, b);
			return true;
		}
	}
	if (b->inflight_longterm_q24 != NO_BOUND && !is_inflight_too_high(b->tx_lost, b->tx_in_flight)) {
		b->inflight_longterm_q24 = max_u64(b->inflight_longterm_q24, segments_q24(b->tx_in_flight));
		if (b->state == UP)
			probe_upward(b, s, cwnd);
	}
	return false;
}

static __always_inline void update_probe_bw_cycle_phase(const struct tcp_sock *tp, struct bbr3 *b, const struct ack *s,
							u64 cwnd)
{
	if (!b->full_bw_reached || adapt_long_term_model(tp, b, s, cwnd))
		return;
	if (b->state == DOWN || b->state == CRUISE) {
		if (is_time_to_probe(tp, b, cwnd))
			start_refill(tp, b);
		else if (b->state == DOWN && is_time_to_cruise(b, s))
			b->state = CRUISE;
	} else if (b->state == REFILL) {
		if (b->round_start) {
			b->is_bw_probe_sample = 1;
			start_up(tp, b, s, cwnd);
		}
	} else if (b->state == UP) {
		if (is_time_to_go_down(b, s, cwnd)) {
			b->prev_probe_too_high = 0;
			start_down(tp, b);
		}
	}
}

/* ---- reactions to losses (sections 5.5.10, 5.5.11) ---- */

/* AdaptLowerBoundsFromCongestion() */
static __always_inline void adapt_lower_bounds(struct bbr3 *b, u64 cwnd)
{
	u64 bw = b->bw_shortterm_q16, inflight = b->inflight_shortterm_q24;

	if (is_probing(b) || !b->is_loss_in_round)
		return;
	if (bw == NO_BOUND)
		bw = max_bw_q16(b);
	if (inflight == NO_BOUND)
		inflight = cwnd;
	b->bw_shortterm_q16 = max_u64(b->bw_latest_q16, mul_q24(bw, beta_q24));
	b->inflight_shortterm_q24 = max_u64(b->inflight_latest_q24, mul_q24(inflight, beta_q24));
}

/* SaveStateUponLoss(), once per episode. */
static __always_inline void enter_recovery(struct bbr3 *b, u64 cwnd)
{
	if (!b->in_recovery) {
		save_cwnd(b, cwnd);
		b->has_undo = 1;
		b->undo_state = PROBE_RTT;
		b->undo_bw_shortterm_q16 = b->bw_shortterm_q16;
		b->undo_inflight_shortterm_q24 = b->inflight_shortterm_q24;
		b->undo_inflight_longterm_q24 = b->inflight_longterm_q24;
	}
	b->in_recovery = 1;
}

static __always_inline void note_loss(const struct tcp_sock *tp, struct bbr3 *b)
{
	if (!b->is_loss_in_round)
		b->loss_round_delivered = tp->delivered;
	b->is_loss_in_round = 1;
}

static __always_inline void handle_inflight_too_high(const struct tcp_sock *tp, struct bbr3 *b, u64 tx_in_flight_q24,
						     u64 cwnd)
{
	b->prev_probe_too_high = 1;
	b->is_bw_probe_sample = 0;
	if (!b->is_app_limited)
		b->inflight_longterm_q24 =
			max_u64(tx_in_flight_q24, mul_q24(target_inflight_q24(b, cwnd), beta_q24));
	if (b->state == UP) {
		b->undo_state = UP;
		start_down(tp, b);
	}
}

/* InflightAtLoss(): the flight at which the loss rate exceeded the threshold, within the newest lost segment. */
static __always_inline u64 inflight_at_loss_q24(u32 lost, u32 tx_in_flight)
{
	u64 threshold = loss_threshold_q24, inflight_prev = minus(tx_in_flight, 1), lost_prev = minus(lost, 1) << 24;
	u64 allowed = inflight_prev * threshold;
	/* lost_prefix = (LossThresh inflight_prev - lost_prev) / (1 - LossThresh) */
	u64 below = ratio_q24(min_u64(minus(allowed, lost_prev), MAX_WINDOW_Q24 - 1), Q24 - threshold);
	u64 above = ratio_q24(min_u64(minus(lost_prev, allowed), MAX_WINDOW_Q24 - 1), Q24 - threshold);

	return minus((inflight_prev << 24) + below, above);
}

/* HandleLostPacket() for the segments of one report. The bounds react to the first that exceeds the threshold. */
static __always_inline void handle_losses(const struct tcp_sock *tp, struct bbr3 *b, u32 losses, u64 cwnd)
{
	u32 tx_in_flight = b->tx_in_flight, allowed, first;

	note_loss(tp, b);
	b->ranges_lost_in_round++;
	if (!b->is_bw_probe_sample)
		return;
	/* `tx_lost` includes the report. */
	allowed = selective_acks ? ((u64)tx_in_flight * loss_threshold_q24) >> 24 : 0;
	first = max_u64(allowed, minus(b->tx_lost, losses)) + 1;
	if (first <= b->tx_lost)
		handle_inflight_too_high(tp, b, inflight_at_loss_q24(first, tx_in_flight), cwnd);
}

/* A timeout: all data in flight are presumed lost. */
static __always_inline void handle_timeout(const struct tcp_sock *tp, struct bbr3 *b, u64 cwnd)
{
	note_loss(tp, b);
	if (b->is_bw_probe_sample)
		handle_inflight_too_high(tp, b, segments_q24(tp->packets_out - tp->sacked_out), cwnd);
	if (!is_probing(b) && b->inflight_shortterm_q24 == NO_BOUND)
		b->inflight_shortterm_q24 = max_u64(cwnd, b->prior_cwnd_q24);
}

/* Stores the losses since the newest report. Returns their number. */
static __always_inline u32 report_losses(const struct tcp_sock *tp, struct bbr3 *b)
{
	u32 losses = tp->lost - b->lost;
	struct loss_report *report = &b->reports[b->newest_report % LOSS_REPORTS];
	u64 gap_us = (tp->srtt_us >> 3) / 16;

	if (!losses)
		return 0;
	b->lost = tp->lost;
	if (report->at_us + gap_us <= tp->tcp_mstamp) {
		b->newest_report++;
		report = &b->reports[b->newest_report % LOSS_REPORTS];
		report->at_us = tp->tcp_mstamp;
		report->segments = losses;
	} else {
		report->segments += losses;
	}
	return losses;
}

/* The losses since `since_us`. A loop without branches (README.md). */
static __always_inline u32 lost_since(const struct bbr3 *b, u64 since_us)
{
	u64 lost = 0;

	for (int i = 0; i < LOSS_REPORTS; i++)
		lost += b->reports[i].segments & (u64)((s64)(since_us - b->reports[i].at_us) >> 63);
	return lost;
}

/* ---- the ACK ---- */

static __always_inline void update_round(const struct tcp_sock *tp, struct bbr3 *b, const struct rate_sample *rs)
{
	b->round_start = round_ends(rs, b->rounds.delivered);
	if (b->round_start) {
		start_round(tp, b);
		b->rounds.count++;
		b->rounds_since_probe_up++;
	}
}

/* UpdateCongestionSignals() */
static __always_inline void update_congestion_signals(const struct tcp_sock *tp, struct bbr3 *b, const struct ack *s,
						      const struct rate_sample *rs, u64 cwnd)
{
	update_round(tp, b, rs);
	if (s->rate_q16 && (s->rate_q16 >= max_bw_q16(b) || !b->is_app_limited))
		b->max_bw_q16[1] = max_u64(b->max_bw_q16[1], s->rate_q16);
	if (b->loss_round_start) {
		adapt_lower_bounds(b, cwnd);
		b->is_loss_in_round = 0;
	}
}

static __always_inline void update_ack_aggregation(struct bbr3 *b, const struct ack *s, u64 cwnd)
{
	u64 extra = min_u64(excess_q24(&b->excess, s->now_us, s->acked, b->bw_q16), cwnd);

	/* "In Startup, just remember 1 round." */
	if (b->round_start && !b->full_bw_reached)
		b->extra_acked.known = 0;
	windowed_min(&b->extra_acked, EXTRA_ACKED_ROUNDS, b->rounds.count, ~extra);
}

static __always_inline u64 extra_acked_q24(const struct bbr3 *b)
{
	return b->extra_acked.known ? ~b->extra_acked.s[0].value : 0;
}

static __always_inline void check_full_bw_reached(struct bbr3 *b, const struct ack *s)
{
	if (b->full_bw_now || !b->round_start || b->is_app_limited)
		return;
	if (4 * s->rate_q16 >= 5 * b->full_bw_q16) {
		reset_full_bw(b, s->rate_q16);
		return;
	}
	b->full_bw_count++;
	if (b->full_bw_count >= FULL_BW_COUNT)
		b->full_bw_now = b->full_bw_reached = 1;
}

/* CheckStartupHighLoss(), section 5.3.1.3: acts in fast recovery, at the end of a round that began with a loss. */
static __always_inline void check_startup_high_loss(const struct tcp_sock *tp, struct bbr3 *b)
{
	bool enough;

	if (b->state == STARTUP && !b->full_bw_reached && b->in_recovery &&
	    BITFIELD(&tp->inet_conn, icsk_ca_state) == TCP_CA_Recovery) {
		if (selective_acks)
			enough = b->loss_round_start && b->ranges_lost_in_round >= STARTUP_FULL_LOSS_COUNT &&
				 is_inflight_too_high(b->tx_lost, b->tx_in_flight);
		else
			enough = b->ranges_lost_in_round > 0;
		if (enough) {
			b->undo_state = STARTUP;
			b->full_bw_now = b->full_bw_reached = 1;
			b->inflight_longterm_q24 =
				max_u64(bdp_multiple_q24(b, b->bw_q16, Q16), b->inflight_latest_q24);
		}
	}
	if (b->loss_round_start)
		b->ranges_lost_in_round = 0;
}

static __always_inline void check_startup_and_drain_done(const struct tcp_sock *tp, struct bbr3 *b,
							 const struct ack *s)
{
	check_startup_high_loss(tp, b);
	if (b->state == STARTUP && b->full_bw_reached) {
		b->state = DRAIN;
		b->drain_start_round = b->rounds.count;
	}
	if (b->state == DRAIN && (segments_q24(s->in_flight) <= inflight_q24(b, b->bw_q16) ||
				  b->rounds.count - b->drain_start_round > MAX_DRAIN_ROUNDS))
		start_down(tp, b);
}

static __always_inline void update_min_rtt(struct bbr3 *b, const struct ack *s)
{
	b->probe_rtt_expired = s->now_us > b->probe_rtt_min_stamp_us + probe_rtt_interval_us;
	if (s->rtt_us && (b->probe_rtt_expired || s->rtt_us < b->probe_rtt_min_us)) {
		b->probe_rtt_min_us = s->rtt_us;
		b->probe_rtt_min_stamp_us = s->now_us;
	}
	if (b->probe_rtt_min_us != UNKNOWN_US &&
	    (s->now_us > b->min_rtt_stamp_us + min_rtt_window_us || b->probe_rtt_min_us < b->min_rtt_us)) {
		b->min_rtt_us = b->probe_rtt_min_us;
		b->min_rtt_stamp_us = b->probe_rtt_min_stamp_us;
	}
}

/* CheckProbeRTTDone(). Returns the window. */
static __always_inline u64 check_probe_rtt_done(const struct tcp_sock *tp, struct bbr3 *b, u64 cwnd)
{
	if (!b->has_probe_rtt_done || tp->tcp_mstamp <= b->probe_rtt_done_us)
		return cwnd;
	b->probe_rtt_min_stamp_us = tp->tcp_mstamp;
	/* ExitProbeRTT() */
	reset_short_term_model(b);
	b->state = STARTUP;
	if (b->full_bw_reached) {
		start_down(tp, b);
		b->state = CRUISE;
	}
	return max_u64(cwnd, b->prior_cwnd_q24);
}

/* CheckProbeRTT(). Returns the window. */
static __always_inline u64 check_probe_rtt(const struct tcp_sock *tp, struct bbr3 *b, const struct ack *s, u64 cwnd)
{
	bool begin = b->state != PROBE_RTT && b->probe_rtt_expired && !b->idle_restart;

	if (begin) {
		save_cwnd(b, cwnd);
		b->state = PROBE_RTT;
		b->has_probe_rtt_done = 0;
		b->probe_rtt_round_done = 0;
		b->ack_phase = ACKS_PROBE_STOPPING;
		start_round(tp, b);
	}
	if (b->state == PROBE_RTT) {
		mark_app_limited(&b->mark, tp, begin);
		if (b->has_probe_rtt_done) {
			b->probe_rtt_round_done |= b->round_start;
			if (b->probe_rtt_round_done)
				cwnd = check_probe_rtt_done(tp, b, cwnd);
		} else if (segments_q24(s->in_flight) <= probe_rtt_cwnd_q24(b)) {
			b->has_probe_rtt_done = 1;
			b->probe_rtt_done_us = s->now_us + probe_rtt_duration_us;
			b->probe_rtt_round_done = 0;
			start_round(tp, b);
		}
	}
	if (s->delivered)
		b->idle_restart = 0;
	return cwnd;
}

/* SetCwnd(). Returns the window. */
static __always_inline u64 next_cwnd(const struct tcp_sock *tp, const struct bbr3 *b, const struct ack *s, u64 cwnd)
{
	u64 cap = bdp_multiple_q24(b, b->bw_q16, cwnd_gain(b)) + extra_acked_q24(b);
	u64 max_inflight = quantization_budget(b, cap), grown = cwnd + segments_q24(s->acked);

	if (b->full_bw_reached)
		cwnd = min_u64(grown, max_inflight);
	else if (cwnd < max_inflight || segments_q24(tp->delivered) < b->initial_q24)
		cwnd = grown;
	return bounded_q24(b, clamp_u64(cwnd, MIN_PIPE_Q24, MAX_WINDOW_Q24));
}

static __always_inline u64 acknowledge(struct sock *sk, struct bbr3 *b, const struct rate_sample *rs, u64 cwnd)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct ack s = {
		.now_us = tp->tcp_mstamp,
		.rate_q16 = rate_q16(rs),
		.rtt_us = rs->rtt_us > 0 ? rs->rtt_us : 0,
		.acked = rs->acked_sacked,
		.delivered = rs->delivered > 0 ? rs->delivered : 0,
		.in_flight = in_flight(tp),
		.in_flight_before = rs->prior_in_flight,
		.is_cwnd_limited = BITFIELD(tp, is_cwnd_limited),
	};

	b->is_app_limited = rs->prior_mstamp ? rs->is_app_limited || is_marked(&b->mark, rs) : tp->app_limited != 0;
	if (!b->has_seen_rtt && tp->srtt_us) {
		b->has_seen_rtt = 1;
		init_pacing_rate(b, tp->srtt_us >> 3);
	}
	/* UpdateLatestDeliverySignals() */
	b->bw_latest_q16 = max_u64(b->bw_latest_q16, s.rate_q16);
	b->inflight_latest_q24 = max_u64(b->inflight_latest_q24, segments_q24(s.delivered));
	b->loss_round_start = round_ends(rs, b->loss_round_delivered);
	if (b->loss_round_start)
		b->loss_round_delivered = tp->delivered;
	update_congestion_signals(tp, b, &s, rs, cwnd);
	update_ack_aggregation(b, &s, cwnd);
	check_full_bw_reached(b, &s);
	check_startup_and_drain_done(tp, b, &s);
	update_probe_bw_cycle_phase(tp, b, &s, cwnd);
	update_min_rtt(b, &s);
	cwnd = check_probe_rtt(tp, b, &s, cwnd);
	/* AdvanceLatestDeliverySignals() */
	if (b->loss_round_start) {
		b->bw_latest_q16 = s.rate_q16;
		b->inflight_latest_q24 = segments_q24(s.delivered);
	}
	bound_bw_for_model(b);
	set_pacing_rate_and_quantum(sk, b);
	return next_cwnd(tp, b, &s, cwnd);
}

SEC("struct_ops")
void BPF_PROG(bbr3_init, struct sock *sk)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);
	struct bbr3 *b = storage_of(sk, true);
	u32 srtt_us = tp->srtt_us >> 3;

	window_init(sk, w, true);
	if (!b)
		return;
	__builtin_memset(b, 0, sizeof(*b));
	b->random = bpf_get_prandom_u32();
	b->initial_q24 = cwnd_q24(tp, w);
	b->min_rtt_us = srtt_us ? srtt_us : UNKNOWN_US;
	b->probe_rtt_min_us = UNKNOWN_US;
	b->min_rtt_stamp_us = b->probe_rtt_min_stamp_us = tp->tcp_mstamp;
	excess_restart(&b->excess, tp->tcp_mstamp);
	reset_short_term_model(b);
	b->inflight_longterm_q24 = NO_BOUND;
	b->probe_up_acked_per_inc_q24 = NO_BOUND;
	b->lost = tp->lost;
	b->has_seen_rtt = srtt_us != 0;
	init_pacing_rate(b, srtt_us ? srtt_us : FIRST_RTT_US);
	set_pacing_rate_and_quantum(sk, b);
}

SEC("struct_ops")
void BPF_PROG(bbr3_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct bbr3 *b = storage_of(sk, false);

	if (b)
		b->delivered_since = sample->in_flight / max_u64(tcp_sk(sk)->mss_cache, 1);
}

SEC("struct_ops")
void BPF_PROG(bbr3_cong_control, struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);
	struct bbr3 *b = storage_of(sk, false);
	u64 cwnd = cwnd_q24(tp, w);
	u32 losses;

	if (!b)
		return;
	if (rs->prior_mstamp) {
		b->tx_lost = lost_since(b, rs->prior_mstamp);
		b->tx_in_flight = b->delivered_since + b->tx_lost;
	}
	if (rs->acked_sacked)
		cwnd = acknowledge(sk, b, rs, cwnd);
	if (b->entering_recovery) {
		b->entering_recovery = 0;
		enter_recovery(b, cwnd);
	}
	losses = report_losses(tp, b);
	if (losses) {
		b->tx_lost += losses;
		b->tx_in_flight += losses;
		handle_losses(tp, b, losses, cwnd);
		cwnd = apply_bounds(sk, b, cwnd);
	}
	set_cwnd(tp, w, cwnd);
}

SEC("struct_ops")
u32 BPF_PROG(bbr3_ssthresh, struct sock *sk)
{
	struct bbr3 *b = storage_of(sk, false);

	if (b)
		b->at_timeout_q24 = cwnd_q24(tcp_sk(sk), PRIVATE(sk, struct window));
	return tcp_sk(sk)->snd_ssthresh;
}

SEC("struct_ops")
void BPF_PROG(bbr3_set_state, struct sock *sk, u8 state)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);
	struct bbr3 *b = storage_of(sk, false);
	u64 cwnd = cwnd_q24(tp, w);

	if (!b)
		return;
	if (state == TCP_CA_Recovery)
		b->entering_recovery = 1;
	if (state == TCP_CA_Loss) {
		enter_recovery(b, b->at_timeout_q24);
		b->entering_recovery = 0;
		report_losses(tp, b);
		handle_timeout(tp, b, b->at_timeout_q24);
		apply_bounds(sk, b, cwnd);
		window_timeout(w);
	}
	if (state < TCP_CA_Recovery && b->in_recovery) {
		b->in_recovery = 0;
		set_cwnd(tp, w, bounded_q24(b, max_u64(cwnd, b->prior_cwnd_q24)));
	}
}

/* HandleSpuriousLossDetection() */
SEC("struct_ops")
u32 BPF_PROG(bbr3_undo_cwnd, struct sock *sk)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);
	struct bbr3 *b = storage_of(sk, false);

	if (!b || !b->has_undo)
		return tp->snd_cwnd;
	b->has_undo = 0;
	b->in_recovery = 0;
	b->entering_recovery = 0;
	b->is_loss_in_round = 0;
	reset_full_bw(b, 0);
	b->bw_shortterm_q16 = max_u64(b->bw_shortterm_q16, b->undo_bw_shortterm_q16);
	b->inflight_shortterm_q24 = max_u64(b->inflight_shortterm_q24, b->undo_inflight_shortterm_q24);
	b->inflight_longterm_q24 = max_u64(b->inflight_longterm_q24, b->undo_inflight_longterm_q24);
	if (b->undo_state == STARTUP && b->state != STARTUP) {
		b->full_bw_reached = 0;
		if (b->state != PROBE_RTT)
			b->state = STARTUP;
	} else if (b->undo_state == UP && b->state != UP && b->state != PROBE_RTT) {
		start_refill(tp, b);
	}
	set_cwnd(tp, w, apply_bounds(sk, b, max_u64(cwnd_q24(tp, w), b->prior_cwnd_q24)));
	return tp->snd_cwnd;
}

/* HandleRestartFromIdle() */
SEC("struct_ops")
void BPF_PROG(bbr3_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);
	struct bbr3 *b = storage_of(sk, false);

	if (!b || ev != CA_EVENT_TX_START || !tp->app_limited)
		return;
	b->idle_restart = 1;
	excess_restart(&b->excess, tp->tcp_mstamp);
	if (is_probe_bw(b))
		set_pacing_rate_with_gain(sk, b, Q16);
	else if (b->state == PROBE_RTT)
		set_cwnd(tp, w, bounded_q24(b, check_probe_rtt_done(tp, b, cwnd_q24(tp, w))));
}

SEC(".struct_ops.link")
struct tcp_congestion_ops bbr3 = {
	.init = (void *)bbr3_init,
	.pkts_acked = (void *)bbr3_pkts_acked,
	.cong_control = (void *)bbr3_cong_control,
	.ssthresh = (void *)bbr3_ssthresh,
	.set_state = (void *)bbr3_set_state,
	.undo_cwnd = (void *)bbr3_undo_cwnd,
	.cwnd_event = (void *)bbr3_cwnd_event,
	.flags = TCP_CONG_NON_RESTRICTED,
	.name = "bbr3",
};
