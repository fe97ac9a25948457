/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * TCP Hybla (C. Caini and R. Firrincieli, Int. J. Satellite Communications and Networking 22, 2004). The twin of
 * crates/control/src/hybla.rs.
 *
 *   rho = max(1, RTT / RTT0)
 *   slow start: W += 2^rho - 1      avoidance: W += rho^2 / W      per acknowledged segment
 *   first ssthresh: Hoe's estimate, at least 4; rho gamma without one      loss: ssthresh = W/2
 *
 * Domain: rho < 65536.
 *
 * Differences from the Rust twin, in addition to those of window.h, rho.h and hoe.h: none.
 */
#include "include/ops.h"
#include "include/rho.h"

PARAMETER(rtt0_us, "rtt0", 0.025, 1000000, 0.001, 10, "s");
CHOICE(rho_rtt, "rho_rtt", RHO_SRTT, "srtt min");
CHOICE(initial_ssthresh, "initial_ssthresh", THRESHOLD_HOE, "rho_gamma unset hoe");
PARAMETER(gamma_q8, "gamma", 32, 256, 2, 1000000, "segments");
FLAG(pacing, "pacing", true);

struct hybla {
	struct window w;
	struct rho rho;
	struct hoe hoe;
};
FITS_PRIVATE(struct hybla);

SEC("struct_ops")
void BPF_PROG(hybla_init, struct sock *sk)
{
	struct hybla *ca = PRIVATE(sk, struct hybla);

	window_init(sk, &ca->w, pacing);
	rho_init(sk, &ca->rho, initial_ssthresh);
	ca->hoe = (struct hoe){ 0 };
}

SEC("struct_ops")
void BPF_PROG(hybla_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct hybla *ca = PRIVATE(sk, struct hybla);
	u32 rtt_us = window_observe(tcp_sk(sk), &ca->w, sample);

	rho_observe(sk, &ca->w, &ca->rho, &ca->hoe, sample->pkts_acked, rtt_us, rho_rtt, rtt0_us, gamma_q8, pacing);
}

SEC("struct_ops")
void BPF_PROG(hybla_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	struct hybla *ca = PRIVATE(sk, struct hybla);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w))
		grow(tp, &ca->w, slow_start_growth(tp, &ca->w, &ca->rho, ca->rho.value, acked), ssthresh_q24(tp, &ca->w));
	else
		grow(tp, &ca->w, avoidance_growth(ca->rho.value, acked, cwnd_q24(tp, &ca->w)), MAX_WINDOW_Q24);
}

SEC("struct_ops")
u32 BPF_PROG(hybla_ssthresh, struct sock *sk)
{
	struct hybla *ca = PRIVATE(sk, struct hybla);
	struct tcp_sock *tp = tcp_sk(sk);

	return reduce(tp, &ca->w, flight_q24(tp, &ca->w) / 2);
}

SEC("struct_ops")
void BPF_PROG(hybla_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	if (ev == CA_EVENT_LOSS)
		window_timeout(&PRIVATE(sk, struct hybla)->w);
}

PLAIN_STATE(hybla)
PLAIN_UNDO(hybla)
CONTROLLER_OPS(hybla);
