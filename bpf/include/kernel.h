/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The structures, constants and functions of Linux (6.9 or newer) that the controllers use.
 *
 * Only the members that are used are declared. CO-RE (preserve_access_index) finds their offsets when a program is
 * loaded. With BENTPIPE_NATIVE, the same declarations compile with the host's C compiler (native/runner.c).
 */
#ifndef BENTPIPE_KERNEL_H
#define BENTPIPE_KERNEL_H

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
#ifndef __cplusplus
typedef _Bool bool;
#define true 1
#define false 0
#endif
#define NULL ((void *)0)

#ifdef BENTPIPE_NATIVE
#define CORE
#define SEC(name)
#define __always_inline inline __attribute__((always_inline))
#define BPF_PROG(name, ...) name(__VA_ARGS__)
#define __ksym
#define BITFIELD(pointer, member) ((pointer)->member)
/* The clock of the fake kernel, and the seed of the case. */
u64 bpf_ktime_get_ns(void);
u32 bpf_get_prandom_u32(void);
#else
#define BPF_MAP_TYPE_ARRAY 2
#define BPF_MAP_TYPE_SK_STORAGE 24
#define BPF_F_NO_PREALLOC 1
#define BPF_SK_STORAGE_GET_F_CREATE 1
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#define CORE __attribute__((preserve_access_index))
#define BITFIELD(pointer, member) BPF_CORE_READ_BITFIELD(pointer, member)
char _license[] SEC("license") = "Dual MIT/GPL";
#endif

/* enum tcp_ca_state */
enum { TCP_CA_Open, TCP_CA_Disorder, TCP_CA_CWR, TCP_CA_Recovery, TCP_CA_Loss };

enum tcp_ca_event {
	CA_EVENT_TX_START,
	CA_EVENT_CWND_RESTART,
	CA_EVENT_COMPLETE_CWR,
	CA_EVENT_LOSS,
	CA_EVENT_ECN_NO_CE,
	CA_EVENT_ECN_IS_CE,
};

#define TCP_CONG_NON_RESTRICTED 1
#define TCP_INFINITE_SSTHRESH 0x7fffffff
/* enum sk_pacing */
enum { SK_PACING_NONE, SK_PACING_NEEDED, SK_PACING_FQ };
#define USEC_PER_SEC 1000000ULL

struct sock {
	u32 sk_pacing_status;
	unsigned long sk_pacing_rate;
} CORE;

struct inet_sock {
	struct sock sk;
} CORE;

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	u8 icsk_ca_state : 5;
	u8 icsk_retransmits;
	u64 icsk_ca_priv[13];
} CORE;

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	u32 mss_cache;
	u32 snd_cwnd;
	u32 snd_cwnd_cnt;
	u32 snd_ssthresh;
	u32 prior_cwnd;
	u32 prior_ssthresh;
	u8 is_cwnd_limited : 1;
	u32 max_packets_out;
	u32 packets_out;
	u32 sacked_out;
	u32 lost_out;
	u32 retrans_out;
	u32 lost;
	u32 delivered;
	u32 app_limited;
	u32 snd_una;
	u32 snd_nxt;
	u32 high_seq;
	u32 srtt_us;
	u64 tcp_mstamp;
} CORE;

struct ack_sample {
	u32 pkts_acked;
	s32 rtt_us;
	u32 in_flight;
} CORE;

struct rate_sample {
	u64 prior_mstamp;
	u32 prior_delivered;
	s32 delivered;
	long interval_us;
	long rtt_us;
	int losses;
	u32 acked_sacked;
	u32 prior_in_flight;
	bool is_app_limited;
} CORE;

struct tcp_congestion_ops {
	u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, u32 ack, u32 acked);
	void (*set_state)(struct sock *sk, u8 new_state);
	void (*cwnd_event)(struct sock *sk, enum tcp_ca_event ev);
	void (*pkts_acked)(struct sock *sk, const struct ack_sample *sample);
	u32 (*min_tso_segs)(struct sock *sk);
	void (*cong_control)(struct sock *sk, u32 ack, int flag, const struct rate_sample *rs);
	u32 (*undo_cwnd)(struct sock *sk);
	u32 (*sndbuf_expand)(struct sock *sk);
	char name[16];
	u32 flags;
	void (*init)(struct sock *sk);
	void (*release)(struct sock *sk);
} CORE;

static __always_inline struct tcp_sock *tcp_sk(const struct sock *sk)
{
	return (struct tcp_sock *)sk;
}

/* The private memory of a controller. */
#define PRIVATE(sk, type) ((type *)((struct inet_connection_sock *)(sk))->icsk_ca_priv)
#define FITS_PRIVATE(type) _Static_assert(sizeof(type) <= 104, #type " is larger than icsk_ca_priv")

/* tcp_is_cwnd_limited of include/net/tcp.h. */
static __always_inline bool is_cwnd_limited(const struct tcp_sock *tp)
{
	if (BITFIELD(tp, is_cwnd_limited))
		return true;
	return tp->snd_cwnd < tp->snd_ssthresh && tp->snd_cwnd < 2 * tp->max_packets_out;
}

#endif
