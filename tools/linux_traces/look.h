// SPDX-License-Identifier: MIT OR Apache-2.0
// What guest.c and events.c see of a flow: its state after each ACK and timer, and a row of the trace. Each includes this
// file once and defines before it
// - LOOK_ALSO(flow, info, time): what else is looked at after an ACK;
// - ROW_FORMAT, ROW_VALUES(info, number): the last columns of a row.

// After each ACK and each timer: establishment, LOOK_ALSO, and changes of the kernel's congestion state.
static void look(struct flow *flow) {
    if (flow->socket < 0) return;
    struct tcp_info info = ask(flow);
    int64_t time = now();
    if (!flow->established) {
        if (info.tcpi_state != 1 /* TCP_ESTABLISHED */) return;
        flow->established = 1;
        flow->established_at = time;
        if (begin == NO_TIME) begin = time;
    }
    LOOK_ALSO(flow, info, time);
    int state = info.tcpi_ca_state >= CWR ? info.tcpi_ca_state : OPEN;
    // a second reduction within one state is an episode of its own
    if (state != flow->state || (state != OPEN && info.tcpi_snd_ssthresh < flow->last.tcpi_snd_ssthresh)) {
        if (flow->state != OPEN) end_episode(flow, time, &info);
        if (state != OPEN) {
            flow->state = state;
            flow->episode_at = time;
            flow->before = flow->last;
            flow->at_begin = info;
        }
    }
    flow->last = info;
    flow->unsent = info.tcpi_notsent_bytes;
}

static void sample(int64_t time_ms) {
    for (int i = 0; i < the_case.flows; i++) {
        if (!flows[i].established) continue;
        struct tcp_info info = ask(&flows[i]);
        say("row,%d,%lld,%u,%u,%u,%u,%llu,%u,%d,%u,%lld,%u,%d,%llu,%llu" ROW_FORMAT "\n", i, (long long)time_ms,
            info.tcpi_snd_cwnd, info.tcpi_snd_ssthresh, info.tcpi_rtt, info.tcpi_min_rtt,
            (unsigned long long)info.tcpi_bytes_acked, info.tcpi_total_retrans, in_flight(&info), info.tcpi_lost,
            (long long)info.tcpi_pacing_rate, info.tcpi_ca_state, info.tcpi_delivery_rate_app_limited,
            (unsigned long long)info.tcpi_rwnd_limited / 1000, (unsigned long long)info.tcpi_sndbuf_limited / 1000,
            ROW_VALUES(info, i));
    }
}
