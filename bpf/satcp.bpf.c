/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * SaTCP (X. Cao, X. Zhang, INFOCOM 2023): CUBIC that is informed of disruptions in advance. The twin of
 * crates/control/src/satcp.rs. include/cubic.h has the equations of CUBIC and their domain.
 *
 *   disruption: from T_earlier before the announced change (at the earliest, from the announcement) for the time D
 *   a stage that begins in it: K = cbrt((W_max - W_epoch)/C)/9        a timeout in it: W_max is kept
 *
 * The change is the one of the map `hints`; a change of the rate alone is not a disruption.
 *
 * Differences from the Rust twin, in addition to those of window.h and cubic.h:
 *  1. Only the newest announced change is known.
 *  2. CUBIC is the one of RFC 9438, as in Rust, and not the kernel's (functions `cubictcp_*`): the state of the kernel's
 *     CUBIC has no fractions of a segment, and its K cannot be divided from outside.
 */
#include "include/hints.h"
#include "include/cubic.h"

PARAMETER(earlier_us, "earlier", 0.5, 1000000, 0, 60, "s");
PARAMETER(duration_us, "duration", 2.3, 1000000, 0, 60, "s");

#define K_DIVISOR 9

static __always_inline bool is_disrupted(void)
{
	const struct hint *hint = hint_of_path();
	u64 now_ns = bpf_ktime_get_ns(), from_ns;

	if (!hint || hint->boundary_ns == 0 || hint->kind == HINT_RATE)
		return false;
	from_ns = max_u64(minus(hint->boundary_ns, 1000ULL * earlier_us), hint->announced_ns);
	return now_ns >= from_ns && now_ns - from_ns <= 1000ULL * duration_us;
}

SEC("struct_ops")
void BPF_PROG(satcp_init, struct sock *sk)
{
	cubic_init(sk);
}

SEC("struct_ops")
void BPF_PROG(satcp_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	cubic_pkts_acked(sk, sample);
}

SEC("struct_ops")
void BPF_PROG(satcp_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	cubic_cong_avoid(sk, acked, is_disrupted() ? K_DIVISOR : 1);
}

SEC("struct_ops")
u32 BPF_PROG(satcp_ssthresh, struct sock *sk)
{
	return cubic_ssthresh(sk);
}

SEC("struct_ops")
void BPF_PROG(satcp_set_state, struct sock *sk, u8 state)
{
	/* Each timeout, also of a retransmission. */
	if (state == TCP_CA_Loss && !is_disrupted())
		cubic_timeout(sk);
	window_state(PRIVATE(sk, struct window), state);
}

SEC("struct_ops")
void BPF_PROG(satcp_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	cubic_cwnd_event(sk, ev);
}

SEC("struct_ops")
u32 BPF_PROG(satcp_undo_cwnd, struct sock *sk)
{
	return cubic_undo_cwnd(sk);
}

CONTROLLER_OPS(satcp);
