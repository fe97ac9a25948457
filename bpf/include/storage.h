/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Memory of a socket beyond the 104 bytes of icsk_ca_priv: a map BPF_MAP_TYPE_SK_STORAGE.
 *
 *   STORAGE(type) declares it; storage_of(sk, true) creates it (zeroed) in `init`; storage_of(sk, false) returns it, or
 *   NULL.
 */
#ifndef BENTPIPE_STORAGE_H
#define BENTPIPE_STORAGE_H

#include "kernel.h"

#ifdef BENTPIPE_NATIVE
#define STORAGE(value_type)                                                          \
	static value_type *storage_of(struct sock *sk, bool create)                  \
	{                                                                      \
		static value_type one;                                               \
		return &one;                                                   \
	}
#else
#define STORAGE(value_type)                                                          \
	struct {                                                               \
		__uint(type, BPF_MAP_TYPE_SK_STORAGE);                         \
		__uint(map_flags, BPF_F_NO_PREALLOC);                          \
		__type(key, int);                                              \
		__type(value, value_type);                                           \
	} storage SEC(".maps");                                                \
	static __always_inline value_type *storage_of(struct sock *sk, bool create)  \
	{                                                                      \
		return bpf_sk_storage_get(&storage, sk, 0,                     \
					  create ? BPF_SK_STORAGE_GET_F_CREATE : 0); \
	}
#endif

#endif
