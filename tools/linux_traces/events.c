// SPDX-License-Identifier: MIT OR Apache-2.0
// The only process of another guest: what happens to connections when the path changes, falls silent or stands still,
// and when an application pauses; flows with controllers and round trips of their own.
//
// Hosts, clock and waiting are those of guest.c, which this file includes without its cases and its path. What it has
// of its own: packets may overtake each other, either way may lose everything, the link may stand still, each packet
// may have a delay of its own, and every retransmission is logged.
//
// The file /runs says what to do, a line each: words `name=value`. Booting takes longer than most runs, so one boot has
// many: each is a process of its own, with namespaces of its own, and the next one begins when that is gone. The log
// goes to I/O port 0xe9. Times in it are since the run's first flow was established.
#define EVENTS
#include "guest.c"

#include <sys/wait.h>

#define FIRST_PORT 6000  // of the first flow, at the sender
#define SEGMENT 1448

// ---- the case ---------------------------------------------------------------------------------------------------

static struct {
    char controllers[FLOWS][16];
    int64_t starts[FLOWS], rtts[FLOWS];  // rtts: there and back, without serialisation
    int flows;
    int64_t rate, length, buffer;  // buffer: of the receiver, bytes
    int queue;
    struct step delays[SPANS];  // from when on, how much more on the way there
    int delays_count, overtake;
    struct step silent[SPANS];  // spans in which everything is lost that comes to a way
    int silent_count, silent_both;
    struct step holds[SPANS];  // spans in which the link stands still
    int holds_count;
    struct step sends[SPANS];  // at a time since establishment, bytes; then the connection is closed
    int sends_count;
    int64_t jitter;  // each packet on the way there is later by less than this
    uint64_t stream;
    int no_timestamps, keep_window;
} the_case;

// A list of words, each of them into a place of its own.
static int list(const char *text, char (*into)[16]) {
    int count = 0;
    while (*text && count < FLOWS) {
        size_t length = strcspn(text, ",");
        snprintf(into[count++], sizeof *into, "%.*s", (int)length, text);
        text += length + (text[length] == ',');
    }
    return count;
}

static void numbers(const char *text, int64_t *into, double unit) {
    int count = 0;
    for (char *at = (char *)text; *at && count < FLOWS; at += *at == ',')
        into[count++] = (int64_t)(strtod(at, &at) * unit + 0.5);
}

static void argument(const char *word) {
    const char *value = strchr(word, '=');
    if (!value) fail("argument %s has no value", word);
    size_t name = (size_t)(value++ - word);
    if (IS("controllers")) the_case.flows = list(value, the_case.controllers);
    else if (IS("starts")) numbers(value, the_case.starts, SECOND);
    else if (IS("rtts")) numbers(value, the_case.rtts, MILLISECOND);
    else if (IS("rate")) the_case.rate = atoll(value);
    else if (IS("seconds")) the_case.length = (int64_t)(atof(value) * SECOND + 0.5);
    else if (IS("buffer")) the_case.buffer = atoll(value);
    else if (IS("queue")) the_case.queue = atoi(value);
    else if (IS("delays")) the_case.delays_count = pairs(value, the_case.delays, SECOND, MILLISECOND);
    else if (IS("overtake")) the_case.overtake = atoi(value);
    else if (IS("silent")) the_case.silent_count = pairs(value, the_case.silent, SECOND, SECOND);
    else if (IS("both")) the_case.silent_both = atoi(value);
    else if (IS("holds")) the_case.holds_count = pairs(value, the_case.holds, SECOND, SECOND);
    else if (IS("send")) the_case.sends_count = pairs(value, the_case.sends, SECOND, 1);
    else if (IS("jitter")) the_case.jitter = (int64_t)(atof(value) * MILLISECOND + 0.5);
    else if (IS("stream")) the_case.stream = strtoull(value, 0, 10);
    else if (IS("plain")) the_case.no_timestamps = atoi(value);
    else if (IS("keep")) the_case.keep_window = atoi(value);
    else fail("argument %s is not known", word);
}

// ---- two hosts --------------------------------------------------------------------------------------------------

// A namespace with one TUN device of that address. Leaves this process in it.
static int host(const char *device, const char *address) {
    char buffer[64];
    if (unshare(CLONE_NEWNET)) fail("a network namespace");
    write_file("/proc/sys/net/ipv4/tcp_no_metrics_save", "1");
    write_file("/proc/sys/net/ipv4/tcp_wmem", "4096 268435456 268435456");
    write_file("/proc/sys/net/ipv4/tcp_ecn", "0");
    snprintf(buffer, sizeof buffer, "4096 %lld %lld", (long long)the_case.buffer, (long long)the_case.buffer);
    write_file("/proc/sys/net/ipv4/tcp_rmem", buffer);
    if (the_case.no_timestamps) write_file("/proc/sys/net/ipv4/tcp_timestamps", "0");
    if (the_case.keep_window) write_file("/proc/sys/net/ipv4/tcp_slow_start_after_idle", "0");
    int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    snprintf(request.ifr_name, IFNAMSIZ, "%s", device);
    if (tun < 0 || ioctl(tun, TUNSETIFF, &request)) fail("TUN device %s", device);
    int control = socket(AF_INET, SOCK_DGRAM, 0);
    request.ifr_qlen = QUEUE_OF_HOST;
    if (ioctl(control, SIOCSIFTXQLEN, &request)) fail("queue of %s", device);
    request.ifr_mtu = MTU;
    if (ioctl(control, SIOCSIFMTU, &request)) fail("MTU of %s", device);
    struct sockaddr_in *own = (struct sockaddr_in *)&request.ifr_addr;
    *own = (struct sockaddr_in){.sin_family = AF_INET};
    inet_pton(AF_INET, address, &own->sin_addr);
    if (ioctl(control, SIOCSIFADDR, &request)) fail("address of %s", device);
    inet_pton(AF_INET, "255.255.255.0", &own->sin_addr);
    if (ioctl(control, SIOCSIFNETMASK, &request)) fail("netmask of %s", device);
    one_segment_each(device);
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    if (ioctl(control, SIOCSIFFLAGS, &request)) fail("%s up", device);
    close(control);
    return tun;
}

static void build(void) {
    for (int i = 0; i < the_case.flows; i++) {
        char name[32];
        snprintf(name, sizeof name, "tcp_%s", the_case.controllers[i]);
        module(name, 0);
    }
    tun_a = host("a", "10.0.0.1");
    in_a = open("/proc/self/ns/net", O_RDONLY);
    tun_b = host("b", "10.0.0.2");
    in_b = open("/proc/self/ns/net", O_RDONLY);
    announce(tun_a, SIGUSR1);
    announce(tun_b, SIGUSR2);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = receiver_address();
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, FLOWS)) fail("listening");
    if (setns(in_a, CLONE_NEWNET)) fail("back to host a");
}

// ---- the path ---------------------------------------------------------------------------------------------------

struct packet {
    int64_t at;
    int length, flow;
    unsigned char data[MTU];
};

struct way {
    struct packet *line[RING];  // those under way in the order of arrival
    unsigned head, tail;
    int64_t last[FLOWS];  // when the newest packet of a flow arrives
};

static struct way forth, back;
static struct packet *spare[2 * RING];
static int spares;
static int64_t begin = NO_TIME;          // when the first flow was established
static int64_t idle_at;                  // when the bottleneck has sent all it holds
static int64_t starts_of_waiting[RING];  // of serialisation, oldest first
static unsigned waiting_head, waiting_tail;
static long data_packets, dropped_queue, dropped_silent, dropped_of[FLOWS], carried;
static int max_queue;
static int64_t late_sum, late_max, deliveries;

static int64_t since_begin(int64_t time) { return begin == NO_TIME ? -1 : time - begin; }

static uint64_t rotated(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

// The delay of the n-th packet that the bottleneck has carried, from 0: `jitter` times the first number of
// xoshiro256++ (Blackman and Vigna) whose four words are those of SplitMix64 from `stream` + n, of 53 bits.
static int64_t own_delay(uint64_t number) {
    uint64_t state = the_case.stream + number, word[4];
    for (int i = 0; i < 4; i++) {
        uint64_t mixed = state += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
        word[i] = mixed ^ mixed >> 31;
    }
    uint64_t drawn = rotated(word[0] + word[3], 23) + word[0];
    return (int64_t)((double)the_case.jitter * (double)(drawn >> 11) / 9007199254740992.0 + 0.5);
}

static int is_in(const struct step *spans, int count, int64_t time) {
    for (int i = 0; i < count; i++)
        if (since_begin(time) >= spans[i].at && since_begin(time) < spans[i].to) return 1;
    return 0;
}

// When a transmission ends that may begin at `start`, and when it begins: during a hold nothing moves.
static int64_t transmitted(int64_t *start, int length) {
    int64_t end = *start + length * 8 * SECOND / the_case.rate;
    for (int i = 0; i < the_case.holds_count && begin != NO_TIME; i++) {
        int64_t from = begin + the_case.holds[i].at, to = begin + the_case.holds[i].to;
        if (from >= end || to <= *start) continue;
        end += to - (*start > from ? *start : from);
        if (*start >= from) *start = to;
    }
    return end;
}

static void send_off(struct way *way, struct packet *packet, int64_t time) {
    packet->at = time + the_case.rtts[packet->flow] / 2;
    if (way == &forth) {
        int64_t more = 0;
        for (int i = 0; i < the_case.delays_count; i++)
            if (since_begin(time) >= the_case.delays[i].at) more = the_case.delays[i].to;
        packet->at += more + (the_case.jitter ? own_delay((uint64_t)carried++) : 0);
    }
    if (!the_case.overtake && packet->at < way->last[packet->flow]) packet->at = way->last[packet->flow];
    way->last[packet->flow] = packet->at;
    if (way->tail - way->head == RING) errno = ENOBUFS, fail("more than %u packets on one way", RING);
    unsigned at = way->tail++;
    for (; at != way->head && way->line[(at - 1) % RING]->at > packet->at; at--)
        way->line[at % RING] = way->line[(at - 1) % RING];
    way->line[at % RING] = packet;
}

static int queue_length(int64_t time) {
    while (waiting_head != waiting_tail && starts_of_waiting[waiting_head % RING] <= time) waiting_head++;
    return (int)(waiting_tail - waiting_head);
}

// ---- the flows, and what the kernel says of them ----------------------------------------------------------------

struct transfer {
    int64_t begun, arrived, acked;  // first written; all read by the receiver; all acknowledged
    int first_round;                // segments sent before the first ACK came
};

static struct flow {
    int socket, peer, established;
    unsigned unsent;       // bytes in the socket that wait for their first transmission
    int64_t connect_at, established_at;
    struct tcp_info last;  // as it was one ACK or one timer ago
    int state;             // of the episode that goes on; OPEN if none
    struct tcp_info before, at_begin;
    int64_t episode_at;
    uint32_t first, highest;  // initial sequence number; the newest byte that was sent, since then
    int64_t written, arrived;  // bytes that the application has handed over, that the other one has read
    struct transfer transfers[SPANS];
    int transfers_begun, answered, ended;  // answered: an ACK has come since the newest transfer began
} flows[FLOWS];

static struct tcp_info ask(struct flow *flow) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(flow->socket, IPPROTO_TCP, TCP_INFO, &info, &length)) fail("TCP_INFO");
    return info;
}

static int in_flight(const struct tcp_info *info) {
    return (int)(info->tcpi_unacked - info->tcpi_sacked - info->tcpi_lost + info->tcpi_retrans);
}

// Bytes up to the end of a flow's n-th transfer.
static int64_t up_to(int number) {
    int64_t bytes = 0;
    for (int i = 0; i <= number; i++) bytes += the_case.sends[i].to;
    return bytes;
}

static long long micro(int64_t time) { return time == NO_TIME ? -1 : (long long)(time - begin) / 1000; }

// A packet of the sender: what is sent again is logged.
static void seen_leaving(struct flow *flow, const unsigned char *tcp, int payload, int64_t time) {
    uint32_t sequence = (uint32_t)tcp[4] << 24 | (uint32_t)tcp[5] << 16 | (uint32_t)tcp[6] << 8 | tcp[7];
    if (tcp[13] & 2) flow->first = sequence;
    if (!payload) return;
    uint32_t from = sequence - flow->first - 1, end = from + (uint32_t)payload;
    data_packets++;
    if (end <= flow->highest) say("again,%d,%lld,%u\n", (int)(flow - flows), micro(time), from / SEGMENT);
    else flow->highest = end;
    if (flow->transfers_begun && !flow->answered) flow->transfers[flow->transfers_begun - 1].first_round++;
}

static void bottleneck(struct packet *packet, int64_t time) {
    int queue = queue_length(time);
    if (is_in(the_case.silent, the_case.silent_count, time)) dropped_silent++;
    else if (idle_at > time && queue >= the_case.queue) dropped_queue++, dropped_of[packet->flow]++;
    else {
        int64_t start = idle_at > time ? idle_at : time;
        idle_at = transmitted(&start, packet->length);
        starts_of_waiting[waiting_tail++ % RING] = start;
        queue = queue_length(time);
        if (queue > max_queue) max_queue = queue;
        send_off(&forth, packet, idle_at);
        return;
    }
    spare[spares++] = packet;
}

// Takes what a host has sent.
static void take(int tun, struct way *way) {
    if (way == &forth) any_at_a = 0;
    else any_at_b = 0;
    for (;;) {
        if (!spares) errno = ENOBUFS, fail("more than %u packets", 2 * RING);
        struct packet *packet = spare[spares - 1];
        ssize_t length = read(tun, packet->data, MTU);
        if (length < 0 && errno == EAGAIN) return;
        if (length < 0) fail("reading a device");
        const unsigned char *ip = packet->data, *tcp = ip + (ip[0] & 15) * 4;
        if (length < 40 || ip[0] >> 4 != 4 || ip[9] != IPPROTO_TCP) continue;
        int64_t time = now();
        const unsigned char *port = tcp + (way == &forth ? 0 : 2);
        packet->flow = (port[0] << 8 | port[1]) - FIRST_PORT;
        if (packet->flow < 0 || packet->flow >= the_case.flows) continue;
        packet->length = (int)length;
        spares--;
        if (way == &forth) {
            seen_leaving(&flows[packet->flow], tcp, (int)(length - (tcp - ip)) - (tcp[12] >> 4) * 4, time);
            bottleneck(packet, time);
        } else if (the_case.silent_both && is_in(the_case.silent, the_case.silent_count, time)) {
            spare[spares++] = packet;
        } else send_off(way, packet, time);
    }
}

static int deliver(struct way *way, int tun, int64_t time) {
    struct packet *packet = way->line[way->head++ % RING];
    late_sum += time - packet->at, deliveries++;
    if (time - packet->at > late_max) late_max = time - packet->at;
    if (write(tun, packet->data, (size_t)packet->length) != packet->length) fail("writing into a device");
    spare[spares++] = packet;
    return packet->flow;
}

static void end_episode(struct flow *flow, int64_t time, const struct tcp_info *after) {
    const struct tcp_info *before = &flow->before;
    say("episode,%d,%d,%lld,%lld,%u,%u,%u,%u,%u,%u,%d\n", (int)(flow - flows), flow->state, micro(flow->episode_at),
        micro(time), before->tcpi_snd_cwnd, before->tcpi_snd_ssthresh, flow->at_begin.tcpi_snd_ssthresh,
        after->tcpi_snd_cwnd, after->tcpi_total_retrans - before->tcpi_total_retrans, flow->at_begin.tcpi_rtt,
        in_flight(before));
    flow->state = OPEN;
}

// Of transfers: when the last byte is acknowledged. (A macro, as a function would change the compiled guest.)
#define LOOK_ALSO(flow, info, time)                                                                      \
    for (int i = 0; i < (flow)->transfers_begun; i++)                                                    \
        if ((flow)->transfers[i].acked == NO_TIME && (int64_t)(info).tcpi_bytes_acked > up_to(i))        \
            (flow)->transfers[i].acked = time
#define ROW_FORMAT ",%u,%d,%u,%ld"
#define ROW_VALUES(info, number) (info).tcpi_rto, queue_length(now()), (info).tcpi_data_segs_out, dropped_of[number]
#include "look.h"

static void start(struct flow *flow) {
    int number = (int)(flow - flows);
    const char *controller = the_case.controllers[number];
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(FIRST_PORT + number))};
    inet_pton(AF_INET, "10.0.0.1", &own.sin_addr);
    flow->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (flow->socket < 0 || bind(flow->socket, (struct sockaddr *)&own, sizeof own)) fail("a socket");
    if (setsockopt(flow->socket, IPPROTO_TCP, TCP_CONGESTION, controller, (socklen_t)strlen(controller)))
        fail("controller %s", controller);
    struct sockaddr_in address = receiver_address();
    if (connect(flow->socket, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS) fail("connect");
    take(tun_a, &forth);
}

// The receivers read until nothing is left; at the end of the stream they close too.
static void receive(void) {
    static char nowhere[1];
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    for (int peer; (peer = accept4(listener, (struct sockaddr *)&from, &length, SOCK_NONBLOCK)) >= 0;)
        flows[ntohs(from.sin_port) - FIRST_PORT].peer = peer;
    for (int i = 0; i < the_case.flows; i++) {
        struct flow *flow = &flows[i];
        if (flow->peer < 0) continue;
        ssize_t bytes;
        // TCP with MSG_TRUNC throws data away instead of copying them
        while ((bytes = recv(flow->peer, nowhere, 1 << 30, MSG_TRUNC | MSG_DONTWAIT)) > 0) flow->arrived += bytes;
        for (int j = 0; j < flow->transfers_begun; j++)
            if (flow->transfers[j].arrived == NO_TIME && flow->arrived >= up_to(j)) flow->transfers[j].arrived = now();
        if (bytes == 0) close(flow->peer), flow->peer = -1;
    }
}

// Writes what a flow has to write now; true if anything. `next` becomes the time of its next transfer, if earlier.
static int feed(struct flow *flow, int64_t time, int64_t *next) {
    static char data[CHUNK];
    if (!flow->established || flow->ended || flow->unsent + CHUNK > UNSENT) return 0;
    size_t bytes = CHUNK;
    if (the_case.sends_count) {
        int number = flow->transfers_begun;
        int64_t left = number ? up_to(number - 1) - flow->written : 0;
        if (!left && number == the_case.sends_count) {
            if (shutdown(flow->socket, SHUT_WR)) fail("shutdown");
            return flow->ended = 1;
        }
        if (!left) {
            int64_t at = flow->established_at + the_case.sends[number].at;
            if (at > time) {
                if (at < *next) *next = at;
                return 0;
            }
            flow->transfers[flow->transfers_begun++] = (struct transfer){.begun = time, .arrived = NO_TIME, .acked = NO_TIME};
            flow->answered = 0;
            left = the_case.sends[number].to;
        }
        if (left < CHUNK) bytes = (size_t)left;
    }
    if (send(flow->socket, data, bytes, MSG_DONTWAIT) != (ssize_t)bytes) fail("send");
    flow->written += (int64_t)bytes, flow->unsent += (unsigned)bytes;
    return 1;
}

static void run(void) {
    int64_t next_row = NO_TIME;
    long row = 0;
    for (int i = 0; i < the_case.flows; i++) {
        flows[i].socket = flows[i].peer = -1;
        flows[i].connect_at = NO_TIME;
    }
    start(&flows[0]);
    for (;;) {
        int64_t at_b = forth.head == forth.tail ? NO_TIME : forth.line[forth.head % RING]->at;
        int64_t at_a = back.head == back.tail ? NO_TIME : back.line[back.head % RING]->at;
        int64_t at_start = NO_TIME;
        for (int i = 1; i < the_case.flows; i++)
            if (flows[i].socket < 0 && flows[i].connect_at < at_start) at_start = flows[i].connect_at;
        int64_t next = at_b < at_a ? at_b : at_a;
        if (next_row < next) next = next_row;
        if (at_start < next) next = at_start;
        int64_t time = now();
        if (any_at_b) {
            take(tun_b, &back);
        } else if (any_at_a) {
            take(tun_a, &forth);
            for (int i = 0; i < the_case.flows; i++) look(&flows[i]);
        } else if (next > time) {
            int any = 0;
            for (int i = 0; i < the_case.flows && !any; i++) any = feed(&flows[i], time, &next);
            if (any) take(tun_a, &forth);
            else wait_until(next);
        } else if (next == next_row) {
            sample(row * 100);
            if (next_row >= begin + the_case.length) return;
            next_row = begin + ++row * 100 * MILLISECOND;
        } else if (next == at_start) {
            for (int i = 1; i < the_case.flows; i++)
                if (flows[i].socket < 0 && flows[i].connect_at == at_start) {
                    start(&flows[i]);
                    break;
                }
        } else if (next == at_b) {
            deliver(&forth, tun_b, time);
            receive();
            take(tun_b, &back);
        } else {
            flows[deliver(&back, tun_a, time)].answered = 1;
            take(tun_a, &forth);
            for (int i = 0; i < the_case.flows; i++) look(&flows[i]);
            if (begin != NO_TIME && next_row == NO_TIME) {
                next_row = begin;
                for (int i = 1; i < the_case.flows; i++)
                    flows[i].connect_at = begin + the_case.starts[i] - the_case.rtts[i];
            }
        }
    }
}

// What the sending host has counted of TCP since it exists: the counters of `TcpExt` that are not zero.
static void say_counters(void) {
    static char names[1 << 14], values[1 << 14];
    FILE *file = fopen("/proc/self/net/netstat", "r");
    if (!file || !fgets(names, sizeof names, file) || !fgets(values, sizeof values, file)) fail("the kernel's counters");
    char *name_at, *value_at, *name = strtok_r(names, " \n", &name_at), *value = strtok_r(values, " \n", &value_at);
    while ((name = strtok_r(0, " \n", &name_at)) && (value = strtok_r(0, " \n", &value_at)))
        if (atoll(value)) say("counter,%s,%s\n", name, value);
    fclose(file);
}

// One run, from its words to its log; never returns.
static _Noreturn void perform(char *words) {
    int64_t begun = now();
    say("run,%s\n", words);
    for (char *word = strtok(words, " \n"); word; word = strtok(0, " \n")) argument(word);
    if (!the_case.rate || !the_case.rtts[0] || !the_case.flows || !the_case.buffer)
        errno = EINVAL, fail("the case is not complete");
    size_t bytes = 2 * RING * sizeof(struct packet);
    struct packet *room = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) fail("memory for packets");
    while (spares < (int)(2 * RING)) spare[spares] = &room[2 * (int)RING - 1 - spares], spares++;
    build();
    run();
    for (int i = 0; i < the_case.flows; i++) {
        struct tcp_info info = ask(&flows[i]);
        if (flows[i].state != OPEN) end_episode(&flows[i], NO_TIME, &info);
        for (int j = 0; j < flows[i].transfers_begun; j++) {
            const struct transfer *one = &flows[i].transfers[j];
            say("transfer,%d,%d,%lld,%lld,%lld,%d\n", i, j, micro(one->begun), micro(one->arrived), micro(one->acked),
                one->first_round);
        }
        say("flow,%d,%llu,%u,%lld\n", i, (unsigned long long)info.tcpi_bytes_acked, info.tcpi_data_segs_out,
            flows[i].established ? micro(flows[i].established_at) : -1);
    }
    say_counters();
    say("totals,%ld,%ld,%ld,%d\n", data_packets, dropped_queue, dropped_silent, max_queue);
    say("guest,%lld,%lld,%lld,%lld\n", (long long)begun / 1000, (long long)now() / 1000,
        (long long)(late_sum / deliveries), (long long)late_max);
    // else what waits in the sockets would stay, and the next runs find the kernel's memory for TCP used up
    struct linger at_once = {.l_onoff = 1};
    for (int i = 0; i < the_case.flows; i++) setsockopt(flows[i].socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    const char *at = log_text;
    size_t left = log_length;
    __asm__ volatile("rep outsb" : "+S"(at), "+c"(left) : "d"(LOG_PORT) : "memory");
    _exit(0);
}

int main(void) {
    static char text[1 << 16];
    if (iopl(3)) return 1;
    mkdir("/proc", 0755), mkdir("/dev", 0755);
    if (mount("p", "/proc", "proc", 0, 0) || mount("d", "/dev", "devtmpfs", 0, 0)) fail("mount");
    module("tun", 1);
    int file = open("/runs", O_RDONLY);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0) fail("the list of runs");
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(0, "\n", &rest)) {
        pid_t child = fork();
        if (child < 0) fail("a process");
        if (!child) perform(line);
        if (waitpid(child, 0, 0) != child) fail("waiting for a run");
        // its devices and namespaces go away meanwhile
        nanosleep(&(struct timespec){.tv_nsec = 500 * MILLISECOND}, 0);
    }
    say("end\n");
    finish(0);
}
