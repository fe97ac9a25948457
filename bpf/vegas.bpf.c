/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Vegas (L. Brakmo, L. Peterson, IEEE JSAC 13(8), 1995), read with ns-2. vegas.h has the equations, their domain and the
 * differences from the Rust twin, crates/control/src/vegas.rs. At the end of slow start, W/8 is given up.
 */
#include "include/vegas.h"

FITS_PRIVATE(struct vegas);

SEC("struct_ops")
void BPF_PROG(vegas_start, struct sock *sk)
{
	vegas_init(sk, PRIVATE(sk, struct vegas));
}

SEC("struct_ops")
void BPF_PROG(vegas_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct vegas *ca = PRIVATE(sk, struct vegas);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 rtt_us = window_observe(tp, &ca->w, sample);

	follow(sk, ca, round_starts(tp, &ca->round_end), Q24 - Q24 / 8, 0);
	ca->base_us = ca->w.min_rtt_us;
	if (rtt_us)
		take_sample(ca, rtt_us);
}

SEC("struct_ops")
void BPF_PROG(vegas_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	vegas_cong_avoid_in(tcp_sk(sk), PRIVATE(sk, struct vegas), acked);
}

SEC("struct_ops")
u32 BPF_PROG(vegas_ssthresh, struct sock *sk)
{
	struct vegas *ca = PRIVATE(sk, struct vegas);

	return reduce(tcp_sk(sk), &ca->w, mul_q24(flight_q24(tcp_sk(sk), &ca->w), kept_at_loss_q24));
}

SEC("struct_ops")
void BPF_PROG(vegas_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct vegas *ca = PRIVATE(sk, struct vegas);

	vegas_event(ca, ev);
	if (ev == CA_EVENT_LOSS)
		halve_at_timeout(tcp_sk(sk), &ca->w);
}

SEC("struct_ops")
void BPF_PROG(vegas_set_state, struct sock *sk, u8 state)
{
	vegas_state(tcp_sk(sk), PRIVATE(sk, struct vegas), state);
}

PLAIN_UNDO(vegas)

SEC(".struct_ops.link")
struct tcp_congestion_ops vegas = {
	.init = (void *)vegas_start,
	.pkts_acked = (void *)vegas_pkts_acked,
	.cong_avoid = (void *)vegas_cong_avoid,
	.ssthresh = (void *)vegas_ssthresh,
	.set_state = (void *)vegas_set_state,
	.cwnd_event = (void *)vegas_cwnd_event,
	.undo_cwnd = (void *)vegas_undo_cwnd,
	.flags = TCP_CONG_NON_RESTRICTED,
	.name = "vegas",
};
