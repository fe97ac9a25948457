/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Reports the state of TCP connections that use one congestion controller, at every ACK: `bentpipe kernel trace`.
 *
 * The three tracepoints exist in every kernel that can load controllers, so the trace works for controllers of the
 * kernel as well. A record is read by `crates/kernel/src/record.rs`.
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef u8 __u8;
typedef u16 __u16;
typedef u32 __u32;
typedef u64 __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef u16 __be16;
typedef u32 __be32;
typedef u32 __wsum;

#define BPF_MAP_TYPE_ARRAY 2
#define BPF_MAP_TYPE_RINGBUF 27
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_endian.h>

#define CORE __attribute__((preserve_access_index))
#define AF_INET 2
enum { TCP_ESTABLISHED = 1, TCP_CLOSE = 7 };

struct in6_addr {
	u8 bytes[16];
};

struct sock_common {
	__be32 skc_daddr;
	__be32 skc_rcv_saddr;
	__be16 skc_dport;
	u16 skc_num;
	u16 skc_family;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
} CORE;

struct sock {
	struct sock_common __sk_common;
	u32 sk_pacing_status;
	unsigned long sk_pacing_rate;
} CORE;

struct inet_sock {
	struct sock sk;
} CORE;

struct tcp_congestion_ops {
	char name[16];
} CORE;

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	const struct tcp_congestion_ops *icsk_ca_ops;
} CORE;

struct tcp_rack {
	u32 rtt_us;
} CORE;

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	u16 tcp_header_len;
	u32 data_segs_out;
	u64 bytes_sent;
	u64 bytes_acked;
	u32 mss_cache;
	u32 packets_out;
	u32 sacked_out;
	u32 lost_out;
	u32 retrans_out;
	u32 snd_cwnd;
	u32 snd_ssthresh;
	u32 delivered;
	u32 delivered_ce;
	u32 lost;
	u32 total_retrans;
	u32 srtt_us;
	struct tcp_rack rack;
} CORE;

enum kind { OPENED, ACKED, STATE, CLOSED };

struct record {
	u64 time_ns;
	u64 connection;
	u64 bytes_acked;
	u64 bytes_sent;
	/* Bytes per second; 0 without pacing. */
	u64 pacing_rate;
	u32 kind;
	/* For STATE: the new enum tcp_ca_state. */
	u32 state;
	u32 cwnd;
	u32 ssthresh;
	u32 in_flight;
	u32 srtt_us;
	u32 rtt_us;
	u32 delivered;
	u32 delivered_ce;
	u32 lost;
	u32 data_segs_out;
	u32 total_retrans;
	u32 header_bytes;
	u16 family;
	u16 local_port;
	u16 remote_port;
	u16 unused;
	u8 local[16];
	u8 remote[16];
	u32 unused_too;
};

/* Set by the loader: the name of the controller in the kernel. */
const volatile u64 controller[2];

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} records SEC(".maps");

/* Number of records for which the buffer had no space. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} missed SEC(".maps");

static __always_inline int is_traced(const struct tcp_sock *tp)
{
	u64 name[2] = {};

	bpf_probe_read_kernel(name, sizeof(name), &tp->inet_conn.icsk_ca_ops->name);
	return name[0] == controller[0] && name[1] == controller[1];
}

static __always_inline void report(const struct tcp_sock *tp, struct sock *sk, u32 kind, u32 state)
{
	struct record *record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);
	const struct sock_common *common = &sk->__sk_common;
	u32 key = 0;

	if (!record) {
		u64 *count = bpf_map_lookup_elem(&missed, &key);

		if (count)
			__sync_fetch_and_add(count, 1);
		return;
	}
	__builtin_memset(record, 0, sizeof(*record));
	record->time_ns = bpf_ktime_get_ns();
	record->connection = bpf_get_socket_cookie(sk);
	record->bytes_acked = tp->bytes_acked;
	record->bytes_sent = tp->bytes_sent;
	record->pacing_rate = sk->sk_pacing_status ? sk->sk_pacing_rate : 0;
	record->kind = kind;
	record->state = state;
	record->cwnd = tp->snd_cwnd;
	record->ssthresh = tp->snd_ssthresh;
	/* tcp_packets_in_flight of include/net/tcp.h */
	record->in_flight = tp->packets_out - (tp->sacked_out + tp->lost_out) + tp->retrans_out;
	record->srtt_us = tp->srtt_us >> 3;
	record->rtt_us = tp->rack.rtt_us;
	record->delivered = tp->delivered;
	record->delivered_ce = tp->delivered_ce;
	record->lost = tp->lost;
	record->data_segs_out = tp->data_segs_out;
	record->total_retrans = tp->total_retrans;
	record->header_bytes = tp->tcp_header_len;
	record->family = common->skc_family;
	record->local_port = common->skc_num;
	record->remote_port = bpf_ntohs(common->skc_dport);
	if (common->skc_family == AF_INET) {
		*(u32 *)record->local = common->skc_rcv_saddr;
		*(u32 *)record->remote = common->skc_daddr;
	} else {
		bpf_probe_read_kernel(record->local, 16, &common->skc_v6_rcv_saddr);
		bpf_probe_read_kernel(record->remote, 16, &common->skc_v6_daddr);
	}
	bpf_ringbuf_submit(record, 0);
}

/* At the arrival of a segment, before TCP handles it: the state shows the effects of all earlier ACKs. */
SEC("tp_btf/tcp_probe")
int BPF_PROG(arrived, struct sock *sk, void *skb)
{
	struct tcp_sock *tp = bpf_skc_to_tcp_sock(sk);

	/* A connection without data in flight receives no ACKs of interest. */
	if (tp && tp->packets_out && is_traced(tp))
		report(tp, sk, ACKED, 0);
	return 0;
}

SEC("tp_btf/tcp_cong_state_set")
int BPF_PROG(state_set, struct sock *sk, u8 state)
{
	struct tcp_sock *tp = bpf_skc_to_tcp_sock(sk);

	if (tp && is_traced(tp))
		report(tp, sk, STATE, state);
	return 0;
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(set_state, struct sock *sk, int before, int after)
{
	struct tcp_sock *tp;

	if (after != TCP_ESTABLISHED && after != TCP_CLOSE)
		return 0;
	tp = bpf_skc_to_tcp_sock(sk);
	if (tp && is_traced(tp))
		report(tp, sk, after == TCP_CLOSE ? CLOSED : OPENED, 0);
	return 0;
}

char _license[] SEC("license") = "Dual MIT/GPL";
