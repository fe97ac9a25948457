/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Runs one case of vectors/ with a controller that the host's compiler built.
 *
 *   cc -DBENTPIPE_NATIVE -DCONTROLLER=hybic -I bpf bpf/native/runner.c -x c bpf/hybic.bpf.c -o runner
 *   ./runner < case.csv [variable=value ...]      prints each difference; exit code 1 if there is one
 *   ./runner --parameters                         prints variable, value and tag of each parameter
 *
 * The case is a table of integers (tests/support/kernel_vectors.py writes it). The columns stand in COLUMNS below, with
 * their units; -1 means "not given".
 *
 * The fake kernel calls the controller in the order of Linux (net/ipv4/tcp_input.c): tcp_ack, tcp_enter_recovery,
 * tcp_enter_loss, tcp_undo_cwnd_reduction, tcp_update_pacing_rate. It differs from Linux in these points:
 *
 *  1. The window is reduced to ssthresh at once. Linux reduces it during the repair.
 *  2. An ACK outside a recovery finds the recovery ended.
 *  3. A repair that leaves the window unchanged ends at once, so that the threshold can be compared.
 *  4. A timeout finds nothing in flight, so the window is one segment.
 *  5. A controller with cong_control sees losses at ACKs that acknowledge nothing (reveal_losses).
 *
 * Tolerances. A window is compared with the fraction that the controller keeps: to 2e-6 of the window, as on the
 * profile "float"; plus 0.0001 segments, which allows for rounded parameters and the resolution of a curve; plus one
 * segment for each of the case's roundings where a controller keeps no fraction (CONTROLLER_WHOLE). A pacing rate is compared to 0.1 % and
 * to one segment of the window, because Linux computes the rate from whole segments; without this segment if the
 * controller sets the rate.
 */
#include "include/hints.h"
#include "include/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                                                \
	COLUMN(event)               /* enum event */                                                            \
	COLUMN(at_us)                                                                                            \
	COLUMN(segments)            /* of the ACK; at the start the initial window */                           \
	COLUMN(rtt_us)                                                                                           \
	COLUMN(srtt_us)                                                                                          \
	COLUMN(limited)                                                                                          \
	COLUMN(recovery)                                                                                         \
	COLUMN(round_start)                                                                                      \
	COLUMN(duplicate)                                                                                        \
	COLUMN(app_limited)                                                                                      \
	COLUMN(in_flight_segments)                                                                               \
	COLUMN(delivered_segments)  /* total */                                                                  \
	COLUMN(lost_segments)       /* total */                                                                  \
	COLUMN(rate_segments)       /* of a rate sample */                                                       \
	COLUMN(rate_interval_us)                                                                                 \
	COLUMN(rate_prior_segments)                                                                              \
	COLUMN(rate_in_flight)      /* when the segment was sent; of a loss, when the lost segment was sent */     \
	COLUMN(rate_lost)                                                                                        \
	COLUMN(rate_app_limited)                                                                                 \
	COLUMN(ranges)              /* lost; each is revealed by an ACK of its own */                            \
	COLUMN(episode)                                                                                          \
	COLUMN(new_episode)                                                                                      \
	COLUMN(ecn)                                                                                              \
	COLUMN(consecutive)                                                                                      \
	COLUMN(happens_us)                                                                                       \
	COLUMN(lasts_us)                                                                                         \
	COLUMN(kind)                /* enum hint_kind */                                                         \
	COLUMN(propagation_us)                                                                                   \
	COLUMN(distance_m)                                                                                       \
	COLUMN(seed)                                                                                             \
	COLUMN(mss)                                                                                              \
	COLUMN(roundings)                                                                                        \
	COLUMN(cwnd_u)              /* expectations: millionths of a segment */                                  \
	COLUMN(ssthresh_u)                                                                                       \
	COLUMN(ssthresh_unset)                                                                                   \
	COLUMN(pacing_bit_s)                                                                                     \
	COLUMN(pacing_unset)                                                                                     \
	COLUMN(link_error)          /* 1 link error, 0 congestion */

struct row {
#define COLUMN(name) s64 name;
	COLUMNS
#undef COLUMN
};

enum event { START, ACK, LOSS, TIMEOUT, SPURIOUS, RECOVERED, IDLE, PATH, NOTHING };

extern struct tcp_congestion_ops CONTROLLER;
extern const struct parameter __start_parameters[] __attribute__((weak));
extern const struct parameter __stop_parameters[] __attribute__((weak));

struct hint hints[1];
static struct tcp_sock tp;
static struct sock *const sk = &tp.inet_conn.icsk_inet.sk;
static u64 now_us;
static u32 seed;
static s64 undo_episode = -1;
static s64 verdict = -1;
static u32 roundings = 1;

/* Sequence numbers of a round: far more than the ACKs of a case. */
#define ROUND (1U << 24)

u64 bpf_ktime_get_ns(void)
{
	return now_us * 1000;
}

u32 bpf_get_prandom_u32(void)
{
	return seed;
}

static void set_state(u8 state)
{
	if (CONTROLLER.set_state)
		CONTROLLER.set_state(sk, state);
	tp.inet_conn.icsk_ca_state = state;
}

static void event(enum tcp_ca_event ev)
{
	if (CONTROLLER.cwnd_event)
		CONTROLLER.cwnd_event(sk, ev);
}

/* tcp_fastretrans_alert: a recovery ends with the state, and then with tcp_end_cwnd_reduction; CWR in the other order. */
static void end_repair(void)
{
	u8 state = tp.inet_conn.icsk_ca_state;

	if (state == TCP_CA_Open)
		return;
	if (state == TCP_CA_Recovery)
		set_state(TCP_CA_Open);
	if (state != TCP_CA_Loss && !CONTROLLER.cong_control) {
		if (tp.snd_ssthresh < TCP_INFINITE_SSTHRESH)
			tp.snd_cwnd = tp.snd_ssthresh;
		event(CA_EVENT_COMPLETE_CWR);
	}
	if (state != TCP_CA_Recovery)
		set_state(TCP_CA_Open);
}

static void update_pacing_rate(void)
{
	u64 rate;

	if (CONTROLLER.cong_control || tp.srtt_us == 0)
		return;
	rate = (u64)tp.mss_cache * (USEC_PER_SEC << 3) / 100;
	rate *= tp.snd_cwnd < tp.snd_ssthresh / 2 ? 200 : 120;
	sk->sk_pacing_rate = rate * tp.snd_cwnd / tp.srtt_us;
}

static void on_ack(const struct row *row)
{
	struct ack_sample sample = { .pkts_acked = row->segments, .rtt_us = row->rtt_us > 0 ? row->rtt_us : -1 };
	u8 state;

	if (row->srtt_us > 0 || row->rtt_us > 0)
		tp.srtt_us = 8 * (row->srtt_us > 0 ? row->srtt_us : row->rtt_us);
	tp.is_cwnd_limited = row->limited;
	tp.delivered = row->delivered_segments >= 0 ? row->delivered_segments : tp.delivered + row->segments;
	tp.lost = row->lost_segments > 0 ? row->lost_segments : tp.lost;
	tp.app_limited = row->app_limited;
	tp.packets_out = row->in_flight_segments >= 0 ? row->in_flight_segments : tp.snd_cwnd;
	tp.lost_out = 0;
	if (!row->duplicate && row->segments > 0) {
		tp.snd_una += row->segments;
		if (row->round_start) {
			tp.snd_una = tp.snd_nxt;
			tp.snd_nxt += ROUND;
		}
	}
	if (row->propagation_us >= 0)
		hints[0].base_rtt_ns = row->propagation_us * 1000;
	/* What was delivered since the newest segment was sent: losses are not (tcp_clean_rtx_queue). */
	sample.in_flight = tp.packets_out + row->segments;
	if (row->rate_in_flight >= 0)
		sample.in_flight = row->rate_in_flight - (row->rate_lost > 0 ? row->rate_lost : 0);
	sample.in_flight *= tp.mss_cache;
	if (!row->recovery && tp.inet_conn.icsk_ca_state != TCP_CA_Loss)
		end_repair();
	if (CONTROLLER.pkts_acked)
		CONTROLLER.pkts_acked(sk, &sample);
	state = tp.inet_conn.icsk_ca_state;
	if (CONTROLLER.cong_control) {
		struct rate_sample rs = {
			.delivered = row->rate_segments >= 0 ? row->rate_segments : -1,
			.interval_us = row->rate_interval_us,
			/* 0: no sample. */
			.prior_mstamp = row->rate_segments >= 0 ? max_u64(row->at_us - row->rate_interval_us, 1) : 0,
			.prior_delivered = row->rate_prior_segments >= 0 ? row->rate_prior_segments : 0,
			.prior_in_flight = tp.packets_out + row->segments,
			.losses = row->rate_lost > 0 ? row->rate_lost : 0,
			.rtt_us = row->rtt_us > 0 ? row->rtt_us : -1,
			.acked_sacked = row->segments,
			.is_app_limited = row->rate_app_limited > 0,
		};
		CONTROLLER.cong_control(sk, tp.snd_una, 0, &rs);
	} else if (state != TCP_CA_CWR && state != TCP_CA_Recovery && row->segments > 0 && !row->duplicate) {
		CONTROLLER.cong_avoid(sk, tp.snd_una, row->segments);
	}
	update_pacing_rate();
}

/* The common part of tcp_enter_recovery, tcp_enter_cwr and tcp_enter_loss. */
static void cut(const struct row *row)
{
	if (row->in_flight_segments >= 0)
		tp.packets_out = row->in_flight_segments;
	/* tcp_enter_cwr: a reduction because of a mark is not undone. */
	tp.prior_ssthresh = row->ecn > 0 ? 0 : tp.snd_ssthresh;
	tp.prior_cwnd = tp.snd_cwnd;
	tp.high_seq = tp.snd_nxt;
	tp.snd_ssthresh = CONTROLLER.ssthresh(sk);
	undo_episode = row->episode;
}

/* What the controller said about the newest loss. */
static bool is_link_error(void)
{
#ifdef CONTROLLER_WHOLE
	return tp.snd_ssthresh >= tp.snd_cwnd;
#else
	return PRIVATE(sk, struct window)->link_error;
#endif
}

static bool keeps_window(void)
{
#ifdef CONTROLLER_WHOLE
	return tp.snd_ssthresh >= tp.snd_cwnd;
#else
	return PRIVATE(sk, struct window)->later_ssthresh;
#endif
}

/* ACKs that acknowledge nothing and reveal losses, for a controller with cong_control. No loss is earlier than the
 * sending of the lost segments.
 */
static void reveal_losses(const struct row *row)
{
	s64 ranges = row->ecn > 0 ? 0 : row->ranges, left = row->segments;

	/* The flight of the row is the flight before the losses. */
	if (row->in_flight_segments >= 0)
		tp.packets_out = row->in_flight_segments;
	tp.lost_out = 0;
	for (; ranges > 0; ranges--) {
		u32 losses = left / ranges, tx_in_flight = row->rate_in_flight > 0 ? row->rate_in_flight : 0;
		struct ack_sample sample = { .rtt_us = -1 };
		struct rate_sample rs = {
			.prior_mstamp = 1, .delivered = -1, .interval_us = -1, .rtt_us = -1, .losses = losses,
			.prior_in_flight = tp.packets_out,
		};

		left -= losses;
		tp.lost += losses;
		tp.lost_out += losses;
		sample.in_flight = (tx_in_flight > tp.lost ? tx_in_flight - tp.lost : 0) * tp.mss_cache;
		if (CONTROLLER.pkts_acked)
			CONTROLLER.pkts_acked(sk, &sample);
		CONTROLLER.cong_control(sk, tp.snd_una, 0, &rs);
	}
}

static void on_loss(const struct row *row)
{
	if (row->new_episode) {
		end_repair();
		cut(row);
		verdict = is_link_error();
		set_state(row->ecn > 0 ? TCP_CA_CWR : TCP_CA_Recovery);
	}
	if (CONTROLLER.cong_control)
		reveal_losses(row);
	if (row->new_episode == 0)
		return;
	if (!CONTROLLER.cong_control && tp.snd_ssthresh < tp.snd_cwnd)
		tp.snd_cwnd = tp.snd_ssthresh;
	if (keeps_window())
		end_repair();
	update_pacing_rate();
}

static void on_timeout(const struct row *row)
{
	if (row->consecutive <= 1) {
		cut(row);
		event(CA_EVENT_LOSS);
	}
	tp.inet_conn.icsk_retransmits = row->consecutive;
	tp.snd_cwnd = 1;
	tp.snd_cwnd_cnt = 0;
	set_state(TCP_CA_Loss);
	update_pacing_rate();
}

static void on_spurious(const struct row *row)
{
	if (undo_episode != row->episode)
		return;
	undo_episode = -1;
	tp.snd_cwnd = CONTROLLER.undo_cwnd(sk);
	if (tp.prior_ssthresh > tp.snd_ssthresh)
		tp.snd_ssthresh = tp.prior_ssthresh;
	set_state(TCP_CA_Open);
	update_pacing_rate();
}

static void on_path(const struct row *row)
{
	hints[0].announced_ns = row->at_us * 1000;
	hints[0].boundary_ns = (row->happens_us >= 0 ? row->happens_us : row->at_us) * 1000;
	hints[0].lasts_ns = row->lasts_us > 0 ? row->lasts_us * 1000 : 0;
	hints[0].kind = row->kind;
	if (row->propagation_us >= 0)
		hints[0].base_rtt_ns = row->propagation_us * 1000;
	if (row->distance_m >= 0)
		hints[0].distance_m = row->distance_m;
}

static void start(const struct row *row)
{
	tp.mss_cache = row->mss;
	tp.snd_cwnd = row->segments;
	tp.snd_ssthresh = TCP_INFINITE_SSTHRESH;
	tp.snd_una = 1;
	tp.snd_nxt = 1 + ROUND;
	tp.srtt_us = row->rtt_us > 0 ? 8 * row->rtt_us : 0;
	roundings = row->roundings;
	seed = row->seed;
	on_path(row);
	hints[0].boundary_ns = 0;
	if (CONTROLLER.init)
		CONTROLLER.init(sk);
}

static void step(const struct row *row)
{
	verdict = -1;
	tp.tcp_mstamp = now_us = row->at_us;
	switch ((enum event)row->event) {
	case START: start(row); break;
	case ACK: on_ack(row); break;
	case LOSS: on_loss(row); break;
	case TIMEOUT: on_timeout(row); break;
	case SPURIOUS: on_spurious(row); break;
	case RECOVERED: end_repair(); break;
	case IDLE:
		tp.app_limited = row->app_limited;
		event(CA_EVENT_TX_START);
		break;
	case PATH: on_path(row); break;
	case NOTHING: break;
	}
}

static int compare(const char *what, double got, double wanted, double tolerance)
{
	double difference = got > wanted ? got - wanted : wanted - got;

	if (difference <= tolerance)
		return 0;
	printf("%s: got %.6f, expected %.6f, tolerance %.6f\n", what, got, wanted, tolerance);
	return 1;
}

static int differences(const struct row *row, int number)
{
#ifdef CONTROLLER_WHOLE
	struct window w = { 0 };
	double slack = 0.0001 + 1.0 * roundings;
#else
	struct window w = *PRIVATE(sk, struct window);
	double slack = 0.0001;
#endif
	double cwnd = cwnd_q24(&tp, &w) / (double)Q24, ssthresh = ssthresh_q24(&tp, &w) / (double)Q24;
	int found = 0;
	char what[64];

#define WHAT(name) (snprintf(what, sizeof(what), "step %d: %s", number, name), what)
	if (row->cwnd_u >= 0)
		found |= compare(WHAT("cwnd_segments"), cwnd, row->cwnd_u / 1e6, slack + row->cwnd_u * 2e-12);
	if (row->ssthresh_u >= 0)
		found |= compare(WHAT("ssthresh_segments"), ssthresh, row->ssthresh_u / 1e6, slack + row->ssthresh_u * 2e-12);
	if (row->ssthresh_unset > 0)
		found |= compare(WHAT("ssthresh unset"), tp.snd_ssthresh >= TCP_INFINITE_SSTHRESH, 1, 0);
	if (row->link_error >= 0)
		found |= compare(WHAT("link error"), verdict, row->link_error, 0);
	if (row->pacing_bit_s >= 0) {
		double got = sk->sk_pacing_status == SK_PACING_NONE ? 0 : sk->sk_pacing_rate * 8.0;

		double share = CONTROLLER.cong_control ? 1e-3 : 1e-3 + 1 / cwnd;

		found |= compare(WHAT("pacing_bit_s"), got, row->pacing_bit_s, row->pacing_bit_s * share);
	}
	if (row->pacing_unset > 0)
		found |= compare(WHAT("pacing status"), sk->sk_pacing_status, SK_PACING_NONE, 0);
	return found;
}

static int set_parameter(const char *argument)
{
	const char *equals = strchr(argument, '=');

	for (const struct parameter *p = __start_parameters; equals && p && p < __stop_parameters; p++)
		if (strlen(p->variable) == (size_t)(equals - argument) && !strncmp(p->variable, argument, equals - argument)) {
			*p->value = strtoul(equals + 1, NULL, 10);
			return 0;
		}
	fprintf(stderr, "%s: no such parameter\n", argument);
	return 2;
}

int main(int argc, char **argv)
{
	char line[2048];
	int found = 0, number = 0;

	if (argc > 1 && !strcmp(argv[1], "--parameters")) {
		for (const struct parameter *p = __start_parameters; p && p < __stop_parameters; p++)
			printf("%s %u %s\n", p->variable, *p->value, p->tag);
		return 0;
	}
	for (int i = 1; i < argc; i++)
		if (set_parameter(argv[i]))
			return 2;
	if (!fgets(line, sizeof(line), stdin))
		return 2;
	/* The header names the columns, so that a table of another version is refused. */
#define COLUMN(name) #name ","
	if (strncmp(line, COLUMNS, strlen(COLUMNS) - 1)) {
		fprintf(stderr, "the columns must be %s\n", COLUMNS);
		return 2;
	}
#undef COLUMN
	while (fgets(line, sizeof(line), stdin)) {
		struct row row;
		char *at = line;

#define COLUMN(name) row.name = strtoll(at, &at, 10), at += *at == ',';
		COLUMNS
#undef COLUMN
		step(&row);
		found |= differences(&row, number++);
	}
	return found;
}
