/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Geo-Reno (S. Muppalaneni, E. Gupta, M. K. Vaddiraju, "Congestion Control on LEO Satellite Networks using Hypatia",
 * slides): Reno whose growth is proportional to the distance. The twin of crates/control/src/geo_reno.rs.
 *
 *   gain g = d/d_min, (RTT per km) d/RTT_ref or d/d_ref; or RTTmin/RTT_ref;      0.1 <= g <= gain_max
 *   avoidance: W += acked min(g/W, 1); without byte_counting min(g/W, acked) per ACK
 *   slow start, loss and timeout as Reno
 *
 * d is the member distance_m of the map `hints`.
 *
 * Domain: distances from 1 m to 42,000 km.
 *
 * Differences from the Rust twin, in addition to those of window.h:
 *  1. A distance of 0 is not known. Rust has the smallest gain.
 */
#include "include/hints.h"
#include "include/ops.h"
#include "include/reno.h"

enum { GEODESIC, RTT };
enum { MIN_DISTANCE, MIN_RTT, REFERENCE_DISTANCE };

CHOICE(gain_source, "gain_source", GEODESIC, "geodesic rtt");
CHOICE(alpha_mode, "alpha_mode", MIN_DISTANCE, "min-distance min-rtt reference-distance");
PARAMETER(d_min_m, "d_min_km", 0, 1000, 0, 21000, "km");
PARAMETER(d_ref_m, "d_ref_km", 1000, 1000, 1, 21000, "km");
PARAMETER(rtt_per_km_ns, "rtt_per_km", 8606e-9, 1000000000, 0.000001, 0.001, "s");
PARAMETER(rtt_ref_us, "rtt_ref", 0.011, 1000000, 0.001, 10, "s");
FLAG(byte_counting, "byte_counting", true);
PARAMETER(gain_max_q16, "gain_max", 25, 65536, 1, 1000, "none");
FLAG(pacing, "pacing", false);

/* The smallest gain: 0.1 */
#define MIN_GAIN_Q16 6554

struct geo_reno {
	struct window w;
	/* The flow's own first distance, m. */
	u32 first_m;
};
FITS_PRIVATE(struct geo_reno);

static __always_inline u32 bounded_q16(u64 value, u64 reference)
{
	return reference ? clamp_u64(divide(value << 16, reference), MIN_GAIN_Q16, gain_max_q16) : Q16;
}

/* alpha d; 1 before the distance or the RTT is known. */
static __always_inline u32 gain_q16(struct geo_reno *ca)
{
	const struct hint *hint = hint_of_path();
	u32 distance_m = hint ? hint->distance_m : 0;

	if (gain_source == RTT)
		return ca->w.min_rtt_us == UNKNOWN_US ? Q16 : bounded_q16(ca->w.min_rtt_us, rtt_ref_us);
	if (distance_m == 0)
		return Q16;
	if (ca->first_m == 0)
		ca->first_m = distance_m;
	if (alpha_mode == MIN_RTT)
		return bounded_q16((u64)rtt_per_km_ns * distance_m / 1000, 1000ULL * rtt_ref_us);
	if (alpha_mode == REFERENCE_DISTANCE)
		return bounded_q16(distance_m, d_ref_m);
	return bounded_q16(distance_m, d_min_m ? d_min_m : ca->first_m);
}

SEC("struct_ops")
void BPF_PROG(geo_reno_init, struct sock *sk)
{
	struct geo_reno *ca = PRIVATE(sk, struct geo_reno);

	window_init(sk, &ca->w, pacing);
	ca->first_m = 0;
	gain_q16(ca);
}

SEC("struct_ops")
void BPF_PROG(geo_reno_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	window_observe(tcp_sk(sk), PRIVATE(sk, struct window), sample);
}

SEC("struct_ops")
void BPF_PROG(geo_reno_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	struct geo_reno *ca = PRIVATE(sk, struct geo_reno);
	struct tcp_sock *tp = tcp_sk(sk);
	u64 gain_q24 = (u64)gain_q16(ca) << 8;

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w))
		grow(tp, &ca->w, reno_slow_start(acked), ssthresh_q24(tp, &ca->w));
	else
		grow(tp, &ca->w,
		     min_u64(avoid(gain_q24, byte_counting ? acked : 1, cwnd_q24(tp, &ca->w)), (u64)acked << 24),
		     MAX_WINDOW_Q24);
}

SEC("struct_ops")
u32 BPF_PROG(geo_reno_ssthresh, struct sock *sk)
{
	struct geo_reno *ca = PRIVATE(sk, struct geo_reno);
	struct tcp_sock *tp = tcp_sk(sk);

	return reduce(tp, &ca->w, flight_q24(tp, &ca->w) / 2);
}

SEC("struct_ops")
void BPF_PROG(geo_reno_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	if (ev == CA_EVENT_LOSS)
		window_timeout(PRIVATE(sk, struct window));
}

PLAIN_STATE(geo_reno)
PLAIN_UNDO(geo_reno)
CONTROLLER_OPS(geo_reno);
