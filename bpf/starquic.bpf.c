/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * StarQUIC (V. Kamel et al., LEO-NET 2024): CUBIC that ignores losses around handovers. The twin of
 * crates/control/src/starquic.rs. include/cubic.h has the equations of CUBIC and their domain.
 *
 *   a loss is a link error iff |t - handover| <= handover_window, t: detection; timeouts likewise
 *   handovers: the change of the map `hints` (a handover or an outage), or 12, 27, 42 and 57 s of every minute
 *   an ECN mark is congestion
 *
 * Differences from the Rust twin, in addition to those of window.h and cubic.h:
 *  1. `handover_by` is "detection": no callback has the time at which a lost segment was sent.
 *  2. Only the newest announced change is known.
 *  3. With handover_schedule = "starlink", minutes count on the clock of bpf_ktime_get_ns (since boot).
 */
#include "include/hints.h"
#include "include/cubic.h"

enum { ANNOUNCED, STARLINK };

PARAMETER(handover_window_us, "handover_window", 1, 1000000, 0, 60, "s");
CHOICE(handover_schedule, "handover_schedule", ANNOUNCED, "announced starlink");
CHOICE(handover_by, "handover_by", 0, "detection");

#define PERIOD_US (15 * USEC_PER_SEC)
#define OFFSET_US (12 * USEC_PER_SEC)

static __always_inline bool is_near_handover(void)
{
	const struct hint *hint = hint_of_path();
	u64 now_us = bpf_ktime_get_ns() / 1000, from_us, phase_us;

	if (handover_schedule == STARLINK) {
		phase_us = (now_us + PERIOD_US - OFFSET_US) % PERIOD_US;
		return min_u64(phase_us, PERIOD_US - phase_us) <= handover_window_us;
	}
	if (!hint || hint->boundary_ns == 0 || (hint->kind != HINT_HANDOVER && hint->kind != HINT_OUTAGE))
		return false;
	from_us = minus(hint->boundary_ns / 1000, handover_window_us);
	return now_us >= from_us && now_us <= (hint->boundary_ns + hint->lasts_ns) / 1000 + handover_window_us;
}

SEC("struct_ops")
void BPF_PROG(starquic_init, struct sock *sk)
{
	cubic_init(sk);
}

SEC("struct_ops")
void BPF_PROG(starquic_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	cubic_pkts_acked(sk, sample);
}

SEC("struct_ops")
void BPF_PROG(starquic_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	cubic_cong_avoid(sk, acked, 1);
}

SEC("struct_ops")
u32 BPF_PROG(starquic_ssthresh, struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);

	/* tcp_enter_cwr and tcp_enter_recovery: a reduction because of a mark cannot be undone. */
	if (tp->prior_ssthresh && is_near_handover())
		return ignore_loss(tp, PRIVATE(sk, struct window));
	return cubic_ssthresh(sk);
}

SEC("struct_ops")
void BPF_PROG(starquic_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct window *w = PRIVATE(sk, struct window);

	if (ev == CA_EVENT_COMPLETE_CWR || (ev == CA_EVENT_LOSS && w->link_error))
		window_now(tcp_sk(sk), w);
	else
		cubic_cwnd_event(sk, ev);
}

SEC("struct_ops")
void BPF_PROG(starquic_set_state, struct sock *sk, u8 state)
{
	struct window *w = PRIVATE(sk, struct window);
	struct tcp_sock *tp = tcp_sk(sk);

	if (state == TCP_CA_Loss) {
		/* Linux has set one segment more than is in flight. */
		if (w->link_error && tp->prior_cwnd > tp->snd_cwnd)
			tp->snd_cwnd = tp->prior_cwnd;
		else
			cubic_timeout(sk);
	}
	window_state(w, state);
}

SEC("struct_ops")
u32 BPF_PROG(starquic_undo_cwnd, struct sock *sk)
{
	return cubic_undo_cwnd(sk);
}

CONTROLLER_OPS(starquic);
