// SPDX-License-Identifier: MIT OR Apache-2.0
// The only process of the guest: two hosts of the Linux kernel, the bottleneck between them, and the log.
//
// It is the guest's /init. Two network namespaces, `a` (sender) and `b` (receiver), each have one TUN device; whatever
// the kernel sends into one of them is read here, waits as the case says, and is written into the other. All of it is
// one loop: an ACK that is written into a's device is processed by the kernel within that write, so that the segments it
// releases are read in the same step. What the kernel's own timers send (retransmission, delayed ACK, pacing) is
// announced by a signal. Time is CLOCK_MONOTONIC, which under QEMU's -icount counts instructions.
//
// The loop never sleeps. QEMU translates 500 `nop` into almost nothing, so that waiting in them costs a hundredth of
// what halting the processor costs, and it is exact to half a microsecond.
//
// Compiled with -DOPENINGS it is another program: connections that send a list of transfers and are closed, losses of
// SYNs, and a log of packets (packets.h). Without, not a byte of it is there: the traces of the cases do not change.
// With -DACCURATE as well it is a third, for a newer kernel: AccECN, with each packet's whole TCP header in the log.
// events.c includes this file with EVENTS defined and takes its log, its hosts' devices and its waiting: no case, no path.
//
// Arguments (the words after `--` on the kernel's command line) are `name=value`, as the driver writes them; the log
// goes to I/O port 0xe9, a byte at a time, and 0xf4 ends the machine.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <linux/tcp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MTU 1500
#define PORT 5001
#define FLOWS 2
#define LISTED 64
#define SPANS 16
#define RING (1u << 14)          // packets on the way, in each direction
#define QUEUE_OF_HOST 20000      // packets: the sending host never loses any itself
#define CHUNK (10 * 1448)        // bytes handed to a socket at a time: a few microseconds of copying
#define UNSENT (4u << 20)        // bytes that wait in the socket: no ACK ever finds it empty
#define NO_TIME INT64_MAX
#define MILLISECOND 1000000LL
#define SECOND 1000000000LL

enum { LOG_PORT = 0xe9, EXIT_PORT = 0xf4 };
enum { OPEN, DISORDER, CWR, RECOVERY, LOSS };

// ---- the log ----------------------------------------------------------------------------------------------------

static char log_text[64 << 20];
static size_t log_length;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(log_text + log_length, sizeof log_text - log_length, format, arguments);
    va_end(arguments);
    if (written > 0 && log_length + (size_t)written < sizeof log_text) log_length += (size_t)written;
}

static _Noreturn void finish(int code) {
    const char *at = log_text;
    size_t left = log_length;
    __asm__ volatile("rep outsb" : "+S"(at), "+c"(left) : "d"(LOG_PORT) : "memory");
    for (;;) outl((unsigned)code, EXIT_PORT);
}

__attribute__((format(printf, 1, 2))) static _Noreturn void fail(const char *format, ...) {
    char text[512];
    int because = errno;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say("error,%s: %s\n", text, strerror(because));
    finish(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

// ---- the case ---------------------------------------------------------------------------------------------------

struct step {
    int64_t at, to;
};

#ifndef EVENTS
static struct {
    char controller[16];
    int64_t rate;        // bit/s
    int64_t length;      // ns
    int64_t window;      // bytes that the receiver grants in the end
    int queue, mark;     // packets; mark < 0: never
    int super_packets, paced;
    struct step rtt[SPANS], spans[SPANS];
    int rtts, spans_count;
    long lost[LISTED];
    int losts;
    long period;
    int64_t starts[FLOWS];
    int flows;
#ifdef OPENINGS
    struct step sends[SPANS];  // at a time since establishment, bytes; then the connection is closed
    int sends_count;
    long lost_syns[2];         // the first SYNs, the first SYN-ACKs
    int records;               // packets in the log, at most
    int64_t every;             // ns: only ACKs are logged, and one in so long
    int fast_open, default_buffer, keep_window;
#endif
#ifdef ACCURATE
    struct step ecn;  // tcp_ecn of the sender, of the receiver
#endif
} the_case = {.mark = -1};
#endif

// "0:60,15:120" into pairs, each number times its unit.
static int pairs(const char *text, struct step *into, double unit_at, double unit_to) {
    int count = 0;
    for (const char *at = text; *at && count < SPANS; count++) {
        char *end;
        into[count].at = (int64_t)(strtod(at, &end) * unit_at + 0.5);
        into[count].to = (int64_t)(strtod(end + 1, &end) * unit_to + 0.5);
        at = *end ? end + 1 : end;
    }
    return count;
}

// Whether a word of the form name=value has that name.
#define IS(text) (name == sizeof text - 1 && !memcmp(word, text, name))
#ifndef EVENTS
static void argument(const char *word) {
    const char *value = strchr(word, '=');
    if (!value) fail("argument %s has no value", word);
    size_t name = (size_t)(value++ - word);
    if (IS("controller")) snprintf(the_case.controller, sizeof the_case.controller, "%s", value);
    else if (IS("rate")) the_case.rate = atoll(value);
    else if (IS("seconds")) the_case.length = (int64_t)(atof(value) * SECOND + 0.5);
    else if (IS("window")) the_case.window = atoll(value);
    else if (IS("queue")) the_case.queue = atoi(value);
    else if (IS("mark")) the_case.mark = atoi(value);
    else if (IS("super")) the_case.super_packets = atoi(value);
    else if (IS("paced")) the_case.paced = atoi(value);
    else if (IS("rtt")) the_case.rtts = pairs(value, the_case.rtt, SECOND, MILLISECOND);
    else if (IS("spans")) the_case.spans_count = pairs(value, the_case.spans, SECOND, SECOND);
    else if (IS("period")) the_case.period = atol(value);
    else if (IS("lost"))
        for (char *at = (char *)value; *at && the_case.losts < LISTED; at += *at == ',')
            the_case.lost[the_case.losts++] = strtol(at, &at, 10);
    else if (IS("starts"))
        for (char *at = (char *)value; *at && the_case.flows < FLOWS; at += *at == ',')
            the_case.starts[the_case.flows++] = (int64_t)(strtod(at, &at) * SECOND + 0.5);
#ifdef OPENINGS
    else if (IS("send")) the_case.sends_count = pairs(value, the_case.sends, SECOND, 1);
    else if (IS("syns")) the_case.lost_syns[0] = atol(value);
    else if (IS("synacks")) the_case.lost_syns[1] = atol(value);
    else if (IS("records")) the_case.records = atoi(value);
    else if (IS("every")) the_case.every = (int64_t)(atof(value) * MILLISECOND + 0.5);
    else if (IS("fastopen")) the_case.fast_open = atoi(value);
    else if (IS("buffer")) the_case.default_buffer = atoi(value);
    else if (IS("keep")) the_case.keep_window = atoi(value);
#endif
#ifdef ACCURATE
    else if (IS("ecn")) pairs(value, &the_case.ecn, 1, 1);
#endif
    else fail("argument %s is not known", word);
}
#endif

// ---- two hosts --------------------------------------------------------------------------------------------------

static void write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY);
    if (file < 0 || write(file, text, strlen(text)) < 0) fail("writing %s to %s", text, path);
    close(file);
}

static void module(const char *name, int needed) {
    char path[64];
    snprintf(path, sizeof path, "/lib/%s.ko", name);
    int file = open(path, O_RDONLY);
    if (file < 0) {
        if (needed) fail("opening %s", path);
        return;
    }
    if (syscall(SYS_finit_module, file, "", 0) && errno != EEXIST) fail("loading %s", path);
    close(file);
}

// TCP makes super packets whatever the device can do; only the device's `gso_max_segs` bounds them.
static void one_segment_each(const char *device) {
    struct {
        struct nlmsghdr header;
        struct ifinfomsg link;
        struct rtattr attribute;
        uint32_t value;
    } request = {
        .header = {.nlmsg_len = sizeof request, .nlmsg_type = RTM_NEWLINK, .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
        .link = {.ifi_family = AF_UNSPEC, .ifi_index = (int)if_nametoindex(device)},
        .attribute = {.rta_len = RTA_LENGTH(sizeof(uint32_t)), .rta_type = IFLA_GSO_MAX_SEGS},
        .value = 1,
    };
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
    } answer;
    int netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    if (netlink < 0 || send(netlink, &request, sizeof request, 0) < 0) fail("netlink");
    if (recv(netlink, &answer, sizeof answer, 0) < 0) fail("netlink's answer");
    errno = -answer.error.error;
    if (errno) fail("gso_max_segs of %s", device);
    close(netlink);
}

#ifndef EVENTS
// A namespace with one TUN device of that address; its sysctls are the case's. Leaves this process in it.
static int host(const char *device, const char *address) {
    static const struct {
        const char *path, *value;
    } settings[] = {
        {"/proc/sys/net/ipv4/tcp_no_metrics_save", "1"},
        {"/proc/sys/net/ipv4/tcp_wmem", "4096 268435456 268435456"},
    };
    if (unshare(CLONE_NEWNET)) fail("a network namespace");
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) write_file(settings[i].path, settings[i].value);
#ifdef ACCURATE
    char mode[8];
    snprintf(mode, sizeof mode, "%d", (int)(*device == 'a' ? the_case.ecn.at : the_case.ecn.to));
    write_file("/proc/sys/net/ipv4/tcp_ecn", mode);
#else
    write_file("/proc/sys/net/ipv4/tcp_ecn", the_case.mark >= 0 ? "1" : "0");
#endif
    // Half of the buffer is window (tcp_adv_win_scale). It begins at 64 kB and grows by two segments with each that
    // arrives; as long as it grows, the receiver acknowledges each segment. So it must not be larger than is needed.
    char buffer[64];
    snprintf(buffer, sizeof buffer, "4096 %lld %lld", 2LL * the_case.window, 2LL * the_case.window);
#ifdef OPENINGS
    if (the_case.fast_open) write_file("/proc/sys/net/ipv4/tcp_fastopen", "3");
    if (the_case.keep_window) write_file("/proc/sys/net/ipv4/tcp_slow_start_after_idle", "0");
    if (!the_case.default_buffer)
#endif
    write_file("/proc/sys/net/ipv4/tcp_rmem", buffer);
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
    if (!the_case.super_packets) one_segment_each(device);
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    if (ioctl(control, SIOCSIFFLAGS, &request)) fail("%s up", device);
    close(control);
    return tun;
}
#endif

static int tun_a, tun_b, in_a, in_b, listener;
static volatile sig_atomic_t any_at_a, any_at_b;  // a host has sent something

static void signalled(int signal) {
    if (signal == SIGUSR1) any_at_a = 1;
    else any_at_b = 1;
}

static void announce(int tun, int by) {
    struct sigaction action = {.sa_handler = signalled, .sa_flags = SA_RESTART};
    if (sigaction(by, &action, 0) || fcntl(tun, F_SETOWN, getpid()) || fcntl(tun, F_SETSIG, by) ||
        fcntl(tun, F_SETFL, O_NONBLOCK | O_ASYNC))
        fail("a signal when a device is readable");
}

// Until then, or until a host has sent something.
static void wait_until(int64_t then) {
    for (int64_t left; !any_at_a && !any_at_b && (left = then - now()) > 0;) {
        // a turn is some 510 instructions; interrupts take time of their own, so the clock is read now and then
        int64_t turns = (left > 200000 ? 100000 : left > 40000 ? left - 20000 : left) / 512;
        while (turns-- > 0 && !any_at_a && !any_at_b) __asm__ volatile(".rept 500\n nop\n .endr");
    }
}

static struct sockaddr_in receiver_address(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    inet_pton(AF_INET, "10.0.0.2", &address.sin_addr);
    return address;
}

#ifndef EVENTS
static void controller_of(int socket) {
    if (setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, the_case.controller, (socklen_t)strlen(the_case.controller)))
        fail("controller %s", the_case.controller);
}

static void build(void) {
    mkdir("/proc", 0755), mkdir("/dev", 0755);
    if (mount("p", "/proc", "proc", 0, 0) || mount("d", "/dev", "devtmpfs", 0, 0)) fail("mount");
    char name[32];
    snprintf(name, sizeof name, "tcp_%s", the_case.controller);
    module("tun", 1);
    if (!strcmp(the_case.controller, "yeah")) module("tcp_vegas", 1);  // whose functions it calls
    module(name, 0);
    if (the_case.paced) {
        module("sch_fq", 1);
        write_file("/proc/sys/net/core/default_qdisc", "fq");
    }
    tun_a = host("a", "10.0.0.1");
    in_a = open("/proc/self/ns/net", O_RDONLY);
    tun_b = host("b", "10.0.0.2");
    in_b = open("/proc/self/ns/net", O_RDONLY);
    announce(tun_a, SIGUSR1);
    announce(tun_b, SIGUSR2);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (!strcmp(the_case.controller, "dctcp")) controller_of(listener);  // it needs both ends
#ifdef OPENINGS
    int waiting = FLOWS;
    if (the_case.fast_open && setsockopt(listener, IPPROTO_TCP, TCP_FASTOPEN, &waiting, sizeof waiting)) fail("TCP Fast Open");
#endif
    struct sockaddr_in address = receiver_address();
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, FLOWS)) fail("listening");
    if (setns(in_a, CLONE_NEWNET)) fail("back to host a");
}

// ---- the path ---------------------------------------------------------------------------------------------------

#ifdef OPENINGS
#include "packets.h"
#endif

struct packet {
    int64_t at;
    int length;
#ifdef OPENINGS
    int record;
#endif
    unsigned char data[MTU];
};

struct way {
    struct packet *ring;
    unsigned head, tail;
    int64_t last;  // when the newest packet arrives
} forth, back;

static int64_t begin = NO_TIME;      // when the first flow was established
static int64_t idle_at;              // when the bottleneck has sent all it holds
static int64_t starts_of_waiting[RING];  // of serialisation, oldest first
static unsigned waiting_head, waiting_tail;
static long data_packets, dropped_queue, dropped_listed, marked, other_packets;
static int max_queue;
static int64_t late_sum, late_max, deliveries;

static int64_t half_rtt(int64_t time) {
    int64_t since = begin == NO_TIME ? 0 : time - begin, value = the_case.rtt[0].to;
    for (int i = 1; i < the_case.rtts; i++)
        if (since >= the_case.rtt[i].at) value = the_case.rtt[i].to;
    return value / 2;
}

static struct packet *place(struct way *way) {
    if (way->tail - way->head == RING) errno = ENOBUFS, fail("more than %u packets on one way", RING);
    return &way->ring[way->tail % RING];
}

static void send_off(struct way *way, struct packet *packet, int64_t time) {
    packet->at = time + half_rtt(time);
    if (packet->at < way->last) packet->at = way->last;  // nobody overtakes
    way->last = packet->at;
    way->tail++;
}

static int queue_length(int64_t time) {
    while (waiting_head != waiting_tail && starts_of_waiting[waiting_head % RING] <= time) waiting_head++;
    return (int)(waiting_tail - waiting_head);
}

static int has_payload(const struct packet *packet) {
    const unsigned char *ip = packet->data;
    int header = (ip[0] & 15) * 4, total = ip[2] << 8 | ip[3];
    return ip[9] == IPPROTO_TCP && total > header + (ip[header + 12] >> 4) * 4;
}

// CE; the checksum is that of RFC 1624.
static void mark(struct packet *packet) {
    unsigned char *ip = packet->data;
    if (!(ip[1] & 3)) return;
    unsigned before = ip[0] << 8 | ip[1];
    ip[1] |= 3;
    unsigned after = ip[0] << 8 | ip[1];
    unsigned sum = (~(ip[10] << 8 | ip[11]) & 0xffff) + (~before & 0xffff) + after;
    sum = (sum & 0xffff) + (sum >> 16);
    sum = ~((sum & 0xffff) + (sum >> 16)) & 0xffff;
    ip[10] = (unsigned char)(sum >> 8), ip[11] = (unsigned char)sum;
    marked++;
}

static int is_lost(int64_t time) {
    long number = the_case.period ? (data_packets - 1) % the_case.period + 1 : data_packets;
    for (int i = 0; i < the_case.losts; i++)
        if (the_case.lost[i] == number) return 1;
    for (int i = 0; i < the_case.spans_count; i++)
        if (begin != NO_TIME && time - begin >= the_case.spans[i].at && time - begin < the_case.spans[i].to) return 1;
    return 0;
}

static void bottleneck(struct packet *packet, int64_t time) {
#ifdef OPENINGS
    if (is_lost_opening(packet->data, 0)) {
        log_loss(packet->record, LOST_BY_LIST);
        return;
    }
    log_queue(packet->record, queue_length(time));
#endif
    if (has_payload(packet)) {
        data_packets++;
        if (is_lost(time)) {
            dropped_listed++;
#ifdef OPENINGS
            log_loss(packet->record, LOST_BY_LIST);
#endif
            return;
        }
    } else other_packets++;
    int queue = queue_length(time);
    if (idle_at > time && queue >= the_case.queue) {
        dropped_queue++;
#ifdef OPENINGS
        log_loss(packet->record, LOST_BY_QUEUE);
#endif
        return;
    }
    if (the_case.mark >= 0 && queue >= the_case.mark) mark(packet);
    int64_t start = idle_at > time ? idle_at : time;
    idle_at = start + packet->length * 8 * SECOND / the_case.rate;
    starts_of_waiting[waiting_tail++ % RING] = start;
    queue = queue_length(time);
    if (queue > max_queue) max_queue = queue;
    send_off(&forth, packet, idle_at);
}

// Takes what a host has sent; true if there was anything.
static int take(int tun, struct way *way) {
    if (way == &forth) any_at_a = 0;
    else any_at_b = 0;
    for (int any = 0;; any = 1) {
        struct packet *packet = place(way);
        ssize_t length = read(tun, packet->data, MTU);
        if (length < 0 && errno == EAGAIN) return any;
        if (length < 0) fail("reading a device");
        if (length < 20 || packet->data[0] >> 4 != 4) continue;
        packet->length = (int)length;
        int64_t time = now();
#ifdef OPENINGS
        packet->record = log_departure(packet->data, packet->length, way == &back, time);
        if (way == &back && is_lost_opening(packet->data, 1)) {
            log_loss(packet->record, LOST_BY_LIST);
            continue;
        }
#endif
        if (way == &forth) bottleneck(packet, time);
        else send_off(way, packet, time);
    }
}

static void deliver(struct way *way, int tun, int64_t time) {
    struct packet *packet = &way->ring[way->head++ % RING];
    late_sum += time - packet->at, deliveries++;
    if (time - packet->at > late_max) late_max = time - packet->at;
    if (write(tun, packet->data, (size_t)packet->length) != packet->length) fail("writing into a device");
#ifdef OPENINGS
    log_arrival(packet->record, packet->data, time);
#endif
}

// ---- the flows, and what the kernel says of them ----------------------------------------------------------------

struct flow {
    int socket, peer, established;
    unsigned unsent;       // bytes in the socket that wait for their first transmission
    int64_t connect_at, established_at;
    struct tcp_info last;  // as it was one ACK or one timer ago
    int state;             // of the episode that goes on; OPEN if none
    struct tcp_info before, at_begin;
    int64_t episode_at;
#ifdef OPENINGS
    int sends, ended, closed;  // entries of the list that are done; closed by the sender, by the receiver
    long sent_early;           // bytes that went with the SYN
#endif
} flows[FLOWS];

static struct tcp_info ask(struct flow *flow) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(flow->socket, IPPROTO_TCP, TCP_INFO, &info, &length)) fail("TCP_INFO");
    return info;
}

#ifdef OPENINGS
static struct tcp_info state_of(int connection, int way) {
    struct flow end = {.socket = way ? flows[connection].peer : flows[connection].socket};
    return end.socket < 0 ? (struct tcp_info){0} : ask(&end);
}
#endif

static int in_flight(const struct tcp_info *info) {
    return (int)(info->tcpi_unacked - info->tcpi_sacked - info->tcpi_lost + info->tcpi_retrans);
}

static void end_episode(struct flow *flow, int64_t time, const struct tcp_info *after) {
    const struct tcp_info *before = &flow->before;
    say("episode,%d,%d,%lld,%lld,%u,%u,%u,%u,%u,%u,%d\n", (int)(flow - flows), flow->state,
        (long long)(flow->episode_at - begin) / 1000, time == NO_TIME ? -1 : (long long)(time - begin) / 1000,
        before->tcpi_snd_cwnd, before->tcpi_snd_ssthresh, flow->at_begin.tcpi_snd_ssthresh, after->tcpi_snd_cwnd,
        after->tcpi_total_retrans - before->tcpi_total_retrans, flow->at_begin.tcpi_rtt, in_flight(before));
    flow->state = OPEN;
}

#define LOOK_ALSO(flow, info, time)
#define ROW_FORMAT ",%u,%d"
#define ROW_VALUES(info, number) (info).tcpi_delivered_ce, queue_length(now())
#include "look.h"

static void start(struct flow *flow) {
    flow->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (flow->socket < 0) fail("a socket");
    controller_of(flow->socket);
    struct sockaddr_in address = receiver_address();
#ifdef OPENINGS
    if (the_case.fast_open) {
        // the first connection, with nothing to send, fetches the cookie
        static char early[1 << 16];
        size_t bytes = flow == flows ? 0 : (size_t)the_case.sends[0].to;
        ssize_t taken = sendto(flow->socket, early, bytes, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address);
        if (taken < 0 && errno != EINPROGRESS) fail("connect with data");
        if (taken > 0) flow->sent_early = taken;
    } else
#endif
    if (connect(flow->socket, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS) fail("connect");
    take(tun_a, &forth);
}

static void receive(void) {
    static char nowhere[1];
    for (int i = 0; i < the_case.flows; i++) {
        struct flow *flow = &flows[i];
        if (flow->socket < 0) continue;
#ifdef OPENINGS
        if (flow->closed) continue;
#endif
        if (flow->peer < 0) flow->peer = accept4(listener, 0, 0, SOCK_NONBLOCK);
        // TCP with MSG_TRUNC throws data away instead of copying them
#ifdef OPENINGS
        // reads until nothing is left; at the end of the stream it closes too
        ssize_t bytes = -1;
        do
            if (flow->peer >= 0) bytes = recv(flow->peer, nowhere, 1 << 30, MSG_TRUNC | MSG_DONTWAIT);
        while (bytes > 0);
        if (bytes == 0) {
            close(flow->peer);
            flow->closed = 1, flow->peer = -1;
        }
        continue;
#endif
        if (flow->peer >= 0) recv(flow->peer, nowhere, 1 << 30, MSG_TRUNC | MSG_DONTWAIT);
    }
}

#ifdef OPENINGS
// Does what the list of transfers says for now; true if anything. `next` becomes the time of its next entry, if earlier.
static int transfer(int64_t time, int64_t *next) {
    static char data[1 << 20];
    for (int i = 0; i < the_case.flows; i++) {
        struct flow *flow = &flows[i];
        int cookie = the_case.fast_open && i == 0;
        if (!flow->established || flow->ended || (!the_case.sends_count && !cookie)) continue;
        if (cookie || flow->sends == the_case.sends_count) {
            if (shutdown(flow->socket, SHUT_WR)) fail("shutdown");
            return flow->ended = 1;
        }
        const struct step *entry = &the_case.sends[flow->sends];
        int64_t at = flow->established_at + entry->at;
        if (at > time) {
            if (at < *next) *next = at;
            continue;
        }
        ssize_t bytes = entry->to - (flow->sends++ ? 0 : flow->sent_early);
        if (bytes > 0 && send(flow->socket, data, (size_t)bytes, MSG_DONTWAIT) != bytes) fail("send");
        return 1;
    }
    return 0;
}
#endif

static void run(void) {
    static char data[CHUNK];
    int64_t next_row = NO_TIME;
    long row = 0;
    for (int i = 0; i < the_case.flows; i++) {
        flows[i].socket = flows[i].peer = -1;
        flows[i].connect_at = NO_TIME;
    }
    start(&flows[0]);
    for (;;) {
        int64_t at_b = forth.head == forth.tail ? NO_TIME : forth.ring[forth.head % RING].at;
        int64_t at_a = back.head == back.tail ? NO_TIME : back.ring[back.head % RING].at;
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
#ifdef OPENINGS
            if (transfer(time, &next)) {
                take(tun_a, &forth);
                continue;
            }
#endif
            struct flow *hungry = 0;
            for (int i = the_case.flows - 1; i >= 0; i--)
#ifdef OPENINGS
                if (!the_case.sends_count)
#endif
                if (flows[i].established && flows[i].unsent + CHUNK <= UNSENT) hungry = &flows[i];
            if (hungry) {
                if (send(hungry->socket, data, CHUNK, MSG_DONTWAIT) != CHUNK) fail("send");
                hungry->unsent += CHUNK;
                take(tun_a, &forth);
            } else wait_until(next);
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
            deliver(&back, tun_a, time);
            take(tun_a, &forth);
            for (int i = 0; i < the_case.flows; i++) look(&flows[i]);
            if (begin != NO_TIME && next_row == NO_TIME) {
                next_row = begin;
                for (int i = 1; i < the_case.flows; i++)
                    flows[i].connect_at = begin + the_case.starts[i] - the_case.rtt[0].to;
            }
        }
    }
}

int main(int count, char **words) {
    if (iopl(3)) return 1;
    int64_t booted = now();
    for (int i = 1; i < count; i++)
        if (strchr(words[i], '=')) argument(words[i]);
    if (!the_case.rate || !the_case.rtts || !the_case.flows || !the_case.window) errno = EINVAL, fail("the case is not complete");
    size_t bytes = RING * sizeof(struct packet);
    forth.ring = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    back.ring = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (forth.ring == MAP_FAILED || back.ring == MAP_FAILED) fail("memory for packets");
#ifdef OPENINGS
    records = mmap(0, RECORDS * sizeof *records, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (records == MAP_FAILED || the_case.records > RECORDS) fail("memory for the log of packets");
#endif
    build();
    run();
#ifdef OPENINGS
    say_records();
#endif
    for (int i = 0; i < the_case.flows; i++) {
        struct tcp_info info = ask(&flows[i]);
        if (flows[i].state != OPEN) end_episode(&flows[i], NO_TIME, &info);
        say("flow,%d,%llu,%u,%lld\n", i, (unsigned long long)info.tcpi_bytes_acked, info.tcpi_data_segs_out,
            flows[i].established ? (long long)(flows[i].established_at - begin) / 1000 : -1);
    }
    say("totals,%ld,%ld,%ld,%ld,%d\n", data_packets, dropped_queue, dropped_listed, marked, max_queue);
    say("guest,%lld,%lld,%lld,%lld,%ld\n", (long long)booted / 1000, (long long)now() / 1000,
        (long long)(late_sum / deliveries), (long long)late_max, other_packets);
    say("end\n");
    finish(0);
}
#endif
