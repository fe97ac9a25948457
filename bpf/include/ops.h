/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The callbacks that are the same for most window rules, and the struct tcp_congestion_ops.
 */
#ifndef BENTPIPE_OPS_H
#define BENTPIPE_OPS_H

#include "window.h"

/* undo_cwnd and set_state of a controller whose state begins with `struct window` and needs nothing else. */
#define PLAIN_UNDO(name)                                                              \
	SEC("struct_ops")                                                              \
	u32 BPF_PROG(name##_undo_cwnd, struct sock *sk)                                \
	{                                                                              \
		return window_undo(tcp_sk(sk), PRIVATE(sk, struct window));            \
	}
#define PLAIN_STATE(name)                                                             \
	SEC("struct_ops")                                                              \
	void BPF_PROG(name##_set_state, struct sock *sk, u8 state)                     \
	{                                                                              \
		window_state(PRIVATE(sk, struct window), state);                       \
	}

/* A controller with these callbacks: NAME_init, NAME_pkts_acked and so on. */
#define CONTROLLER_OPS(name_)                                                         \
	SEC(".struct_ops.link")                                                        \
	struct tcp_congestion_ops name_ = {                                            \
		.init = (void *)name_##_init,                                          \
		.pkts_acked = (void *)name_##_pkts_acked,                              \
		.cong_avoid = (void *)name_##_cong_avoid,                              \
		.ssthresh = (void *)name_##_ssthresh,                                  \
		.set_state = (void *)name_##_set_state,                                \
		.cwnd_event = (void *)name_##_cwnd_event,                              \
		.undo_cwnd = (void *)name_##_undo_cwnd,                                \
		.flags = TCP_CONG_NON_RESTRICTED,                                      \
		.name = #name_,                                                        \
	}

#endif
