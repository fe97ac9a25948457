/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * TCP Westwood (S. Mascolo et al., MobiCom 2001): after a loss, the window is the estimated bandwidth times the smallest
 * RTT. The twin of crates/control/src/westwood.rs (`westwood`).
 *
 *   B: bandwidth.h      slow start and avoidance as Reno
 *   loss: ssthresh = max(2, B RTTmin), W = min(W, ssthresh); timeout: ssthresh likewise, W = 1
 *
 * Domain: as bandwidth.h; RTTmin below 16 s.
 *
 * Differences from the Rust twin, in addition to those of window.h:
 *  1. `silence` is "clamp".
 *  2. SACK tells Linux which segments an ACK acknowledges, so duplicate ACKs are not counted.
 *  3. Linux's module tcp_westwood is Westwood+ and cannot be loaded at the same time under this name.
 */
#include "include/bandwidth.h"
#include "include/ops.h"
#include "include/reno.h"

PARAMETER(tau_us, "tau", 0.5, 1000000, 0.001, 60, "s");
FLAG(pacing, "pacing", false);

struct westwood {
	struct window w;
	u32 delivered;
	struct bandwidth bandwidth;
};
FITS_PRIVATE(struct westwood);

SEC("struct_ops")
void BPF_PROG(westwood_init, struct sock *sk)
{
	struct westwood *ca = PRIVATE(sk, struct westwood);

	window_init(sk, &ca->w, pacing);
	ca->delivered = tcp_sk(sk)->delivered;
	ca->bandwidth = (struct bandwidth){ 0 };
}

SEC("struct_ops")
void BPF_PROG(westwood_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct westwood *ca = PRIVATE(sk, struct westwood);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 segments = tp->delivered - ca->delivered;

	window_observe(tp, &ca->w, sample);
	ca->delivered = tp->delivered;
	if (segments)
		bandwidth_ack(&ca->bandwidth, tp->tcp_mstamp, segments, tau_us);
}

SEC("struct_ops")
void BPF_PROG(westwood_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	struct westwood *ca = PRIVATE(sk, struct westwood);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w))
		grow(tp, &ca->w, reno_slow_start(acked), ssthresh_q24(tp, &ca->w));
	else
		grow(tp, &ca->w, avoid(Q24, acked, cwnd_q24(tp, &ca->w)), MAX_WINDOW_Q24);
}

SEC("struct_ops")
u32 BPF_PROG(westwood_ssthresh, struct sock *sk)
{
	struct westwood *ca = PRIVATE(sk, struct westwood);
	struct tcp_sock *tp = tcp_sk(sk);

	if (ca->bandwidth.rate_q16 == 0 || ca->w.min_rtt_us == UNKNOWN_US)
		return reduce(tp, &ca->w, flight_q24(tp, &ca->w) / 2);
	return reduce_to(tp, &ca->w, pipe_q24(ca->bandwidth.rate_q16, ca->w.min_rtt_us));
}

SEC("struct_ops")
void BPF_PROG(westwood_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct westwood *ca = PRIVATE(sk, struct westwood);

	if (ev == CA_EVENT_LOSS)
		window_timeout(&ca->w);
	if (ev == CA_EVENT_LOSS || ev == CA_EVENT_COMPLETE_CWR)
		window_now(tcp_sk(sk), &ca->w);
}

PLAIN_STATE(westwood)
PLAIN_UNDO(westwood)
CONTROLLER_OPS(westwood);
