/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Hoe's estimate of the capacity from the ACKs of a train (SIGCOMM 1996): the twin of
 * crates/control/src/slow_start/hoe.rs, whose first lines derive the test.
 *
 *   C = segments after the first ACK / (t_k - t_1), from three ACKs on;      threshold = max(C RTTmin, 4)
 *   segment i belongs to the train iff (t_i - t_1) - (s_i - s_1) >= half a spacing      s: sent, t: acknowledged
 *
 * Differences from the Rust twin:
 *  1. With several trains in a round, C is all segments over the sum of their times. Rust takes the median.
 *  2. A delayed ACK gives one sending time, that of its newest segment. Rust knows each segment's.
 *
 * Domain: trains below 2^14 segments and 2^31 us.
 */
#ifndef BENTPIPE_HOE_H
#define BENTPIPE_HOE_H

#include "round.h"
#include "window.h"

/* Segments that three ACKs acknowledge, if the receiver acknowledges at least every second one. */
#define TRAIN_SEGMENTS 6

struct hoe {
	/* Of the train's first ACK: when its newest segment was sent and when it arrived; and the newest ACK's arrival. */
	u32 sent_us;
	u32 first_us;
	u32 last_us;
	/* ACKs of the train, segments after the first, and the most that one ACK covered. */
	u16 acks;
	u16 segments;
	u16 most;
	/* Whether a train gave an estimate in this round; whether its round has ended. */
	u8 found;
	u8 over;
	/* Of the finished trains. */
	u32 done_segments;
	u32 done_us;
};

static __always_inline void hoe_finish_train(struct hoe *h)
{
	if (h->acks >= 3 && h->last_us != h->first_us) {
		h->done_segments += h->segments;
		h->done_us += h->last_us - h->first_us;
	}
	h->acks = 0;
	h->segments = 0;
	h->most = 0;
}

/* Whether each segment of the ACK queued behind the one before it. */
static __always_inline bool hoe_follows(const struct hoe *h, u32 now_us, u32 sent_us, u32 covered)
{
	u64 span = now_us - h->first_us, gap = now_us - h->last_us;
	/* Of the oldest segment: span - gap (covered - 1)/covered - (s_i - s_1), and half a spacing */
	u64 apart = (s32)(sent_us - h->sent_us) > 0 ? sent_us - h->sent_us : 0;
	u64 needed = divide(span, 2ULL * (h->segments + covered)) + gap - gap / covered + apart;

	/* The receiver's timer may have held a single segment back after ACKs that covered several. */
	return h->acks && !(covered == 1 && h->most > 1) && span >= needed;
}

/* Processes an ACK of `acked` segments with the RTT sample `rtt_us` (0: none). Returns the threshold, q24; 0 without an
 * estimate in this round.
 */
static __always_inline u64 hoe_threshold(const struct tcp_sock *tp, const struct window *w, struct hoe *h,
					 bool round_start, u32 acked, u32 rtt_us)
{
	u32 now_us = tp->tcp_mstamp, sent_us = now_us - rtt_us;
	u64 segments, span_us;

	if (h->over || acked == 0)
		return 0;
	if (round_start && h->found) {
		h->over = 1;
		return 0;
	}
	if (rtt_us == 0) {
		hoe_finish_train(h);
	} else if (acked < 1 << 12 && hoe_follows(h, now_us, sent_us, acked)) {
		h->segments += acked;
		h->acks++;
		h->last_us = now_us;
	} else {
		bool held = h->acks && acked == 1 && h->most > 1;

		hoe_finish_train(h);
		h->acks = !held;
		h->sent_us = sent_us;
		h->first_us = now_us;
		h->last_us = now_us;
	}
	if (h->acks && acked > h->most)
		h->most = min_u64(acked, 0xffff);
	segments = h->done_segments;
	span_us = h->done_us;
	if (h->acks >= 3) {
		segments += h->segments;
		span_us += h->last_us - h->first_us;
	}
	if (segments == 0 || span_us == 0 || span_us >> 31 || h->segments > 1 << 14)
		return 0;
	h->found = 1;
	return max_u64(ratio_q24(min_u64(segments, 1 << 14) * w->min_rtt_us, span_us), 4 * Q24);
}

#endif
