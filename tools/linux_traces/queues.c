// SPDX-License-Identifier: MIT OR Apache-2.0
// The only process of another guest: packets into a queue discipline of the Linux kernel, and what comes out.
//
// It is the guest's /init. UDP packets go to a TUN device, whose root is a token bucket (tbf) of one packet with the
// discipline as its child. What leaves is read here. The bucket looks ahead by one packet: it takes the next one out of
// the child when the one before has left, and lets it go when its bytes are paid, so that for a child that hands out
// on looking (codel, fq_codel, drr) taking is what a link does when a transmission begins.
//
// The file /case says what to do, a line each, in the order of time:
//   module NAME                       load /lib/NAME.ko
//   netlink HEX                       a whole message to the kernel (the driver writes them)
//   send AT NUMBER SIZE PORT TOS PRIORITY
//   probe AT                          log what `tc -s` would show, as hexadecimal of TCA_STATS2 of each discipline
//   end AT
// Times are ns since the first of them may come, which is a second after boot. As in guest.c the loop never sleeps, the
// clock counts instructions, and the log goes to port 0xe9.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MTU 1514         // what an Ethernet device counts for its 1500, and CoDel for a packet
#define PORTS 8
#define FIRST_PORT 5000
#define HEADERS 28       // of IP and UDP
#define FIRST_AT 1000000000LL

enum { LOG_PORT = 0xe9, EXIT_PORT = 0xf4 };

static char log_text[16 << 20];
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

static _Noreturn void fail(const char *what) {
    say("error,%s: %s\n", what, strerror(errno));
    finish(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec - FIRST_AT;
}

static int tun, netlink, sockets[PORTS];
static volatile sig_atomic_t any;  // something has left

static void signalled(int signal) {
    (void)signal;
    any = 1;
}

static void module(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/lib/%s.ko", name);
    int file = open(path, O_RDONLY);
    if (file < 0) fail(path);
    if (syscall(SYS_finit_module, file, "", 0) && errno != EEXIST) fail(path);
    close(file);
}

// A TUN device; it is the second one of the kernel (the first is lo), which the driver's messages count on.
static void device(void) {
    tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    snprintf(request.ifr_name, IFNAMSIZ, "a");
    if (tun < 0 || ioctl(tun, TUNSETIFF, &request)) fail("TUN device");
    int control = socket(AF_INET, SOCK_DGRAM, 0);
    request.ifr_mtu = MTU;
    if (ioctl(control, SIOCSIFMTU, &request)) fail("MTU");
    struct sockaddr_in *own = (struct sockaddr_in *)&request.ifr_addr;
    *own = (struct sockaddr_in){.sin_family = AF_INET};
    inet_pton(AF_INET, "10.0.0.1", &own->sin_addr);
    if (ioctl(control, SIOCSIFADDR, &request)) fail("address");
    inet_pton(AF_INET, "255.255.255.0", &own->sin_addr);
    if (ioctl(control, SIOCSIFNETMASK, &request)) fail("netmask");
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    if (ioctl(control, SIOCSIFFLAGS, &request)) fail("device up");
    if (if_nametoindex("a") != 2) fail("the device is not the second one");
    struct sigaction action = {.sa_handler = signalled, .sa_flags = SA_RESTART};
    if (sigaction(SIGIO, &action, 0) || fcntl(tun, F_SETOWN, getpid()) || fcntl(tun, F_SETFL, O_NONBLOCK | O_ASYNC))
        fail("a signal when the device is readable");
    for (int port = 0; port < PORTS; port++) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(FIRST_PORT + port))};
        int yes = 1, room = 64 << 20;
        sockets[port] = socket(AF_INET, SOCK_DGRAM, 0);
        if (bind(sockets[port], (struct sockaddr *)&address, sizeof address) ||
            setsockopt(sockets[port], IPPROTO_IP, IP_RECVERR, &yes, sizeof yes) ||  // sendto() tells of refusals
            setsockopt(sockets[port], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room))
            fail("socket");
    }
    netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
}

static unsigned char buffer[1 << 16];

static void configure(const char *hex) {
    size_t length = strlen(hex) / 2;
    for (size_t i = 0; i < length; i++) {
        unsigned byte;
        sscanf(hex + 2 * i, "%2x", &byte);
        buffer[i] = (unsigned char)byte;
    }
    if (send(netlink, buffer, length, 0) < 0 || recv(netlink, buffer, sizeof buffer, 0) < 0) fail("netlink");
    errno = -((struct nlmsgerr *)NLMSG_DATA(buffer))->error;
    if (errno) fail(hex);
}

static void probe(void) {
    struct {
        struct nlmsghdr header;
        struct tcmsg message;
    } request = {
        .header = {.nlmsg_len = sizeof request, .nlmsg_type = RTM_GETQDISC, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .message = {.tcm_family = AF_UNSPEC, .tcm_ifindex = 2},
    };
    int64_t at = now();
    if (send(netlink, &request, sizeof request, 0) < 0) fail("asking for statistics");
    for (;;) {
        ssize_t left = recv(netlink, buffer, sizeof buffer, 0);
        if (left < 0) fail("statistics");
        for (struct nlmsghdr *answer = (void *)buffer; NLMSG_OK(answer, left); answer = NLMSG_NEXT(answer, left)) {
            if (answer->nlmsg_type == NLMSG_DONE) return;
            struct tcmsg *message = NLMSG_DATA(answer);
            if (message->tcm_ifindex != 2) continue;
            ssize_t rest = TCA_PAYLOAD(answer);
            for (struct rtattr *one = TCA_RTA(message); RTA_OK(one, rest); one = RTA_NEXT(one, rest)) {
                if (one->rta_type != TCA_STATS2) continue;
                say("stats,%lld,%x,", (long long)at, message->tcm_handle);
                for (size_t i = 0; i < RTA_PAYLOAD(one) && log_length + 3 < sizeof log_text; i++) {
                    unsigned char byte = ((unsigned char *)RTA_DATA(one))[i];
                    log_text[log_length++] = "0123456789abcdef"[byte >> 4];
                    log_text[log_length++] = "0123456789abcdef"[byte & 15];
                }
                say("\n");
            }
        }
    }
}

static int64_t last_left;

static void drain(void) {
    any = 0;
    unsigned char packet[MTU];
    for (;;) {
        int64_t at = now();
        if (read(tun, packet, sizeof packet) < HEADERS + 4) return;
        uint32_t number;
        memcpy(&number, packet + HEADERS, sizeof number);
        say("left,%lld,%u,%d\n", (long long)at, number, packet[1] & 3);
        last_left = at;
    }
}

// What leaves meanwhile is read. The clock is read about each microsecond: 500 `nop` are half of one.
static void wait_until(int64_t then) {
    for (;;) {
        if (any) drain();
        int64_t left = then - now();
        if (left <= 0) return;
        int64_t turns = (left > 40000 ? left - 20000 : left) / 512;
        while (turns-- > 0 && !any) __asm__ volatile(".rept 500\n nop\n .endr");
    }
}

// Between sendto() and the queue are some 20 us. A packet must not leave meanwhile, or nobody knew which was first: what
// comes just before that may be is held back. Packets of 600 and 1500 bytes take 400 and 1000 us.
static void wait_for_a_gap(void) {
    static const int64_t takes[] = {400000, 1000000};
    for (int i = 0; i < 2; i++) {
        int64_t since = now() - last_left;
        if (since > takes[i] - 80000 && since < takes[i] + 20000) wait_until(last_left + takes[i] + 20000), i = -1;
    }
}

static void offer(int64_t at, unsigned number, int size, int port, int tos, int priority) {
    static char payload[MTU];
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
    inet_pton(AF_INET, "10.0.0.2", &to.sin_addr);
    // the type of service sets a priority of its own, so it comes first
    if (setsockopt(sockets[port], IPPROTO_IP, IP_TOS, &tos, sizeof tos) ||
        setsockopt(sockets[port], SOL_SOCKET, SO_PRIORITY, &priority, sizeof priority))
        fail("type of service");
    memcpy(payload, &number, sizeof number);
    wait_until(at);
    wait_for_a_gap();
    int64_t begin = now();
    ssize_t sent = sendto(sockets[port], payload, (size_t)(size - HEADERS), 0, (struct sockaddr *)&to, sizeof to);
    int because = errno;
    int64_t took = now() - begin;
    if (sent < 0 && because != ENOBUFS) fail("sending");
    say("offered,%lld,%u,%d,%lld\n", (long long)begin, number, sent < 0, (long long)took);
}

int main(void) {
    if (iopl(3)) return 1;
    mkdir("/proc", 0755), mkdir("/dev", 0755);
    if (mount("p", "/proc", "proc", 0, 0) || mount("d", "/dev", "devtmpfs", 0, 0)) fail("mount");
    module("tun");
    device();
    FILE *lines = fopen("/case", "r");
    static char line[1 << 14];
    if (!lines) fail("/case");
    while (fgets(line, sizeof line, lines)) {
        line[strcspn(line, "\n")] = 0;
        long long at;
        unsigned number;
        int size, port, tos, priority;
        if (!strncmp(line, "module ", 7)) module(line + 7);
        else if (!strncmp(line, "netlink ", 8)) configure(line + 8);
        else if (sscanf(line, "send %lld %u %d %d %d %d", &at, &number, &size, &port, &tos, &priority) == 6)
            offer(at, number, size, port, tos, priority);
        else if (sscanf(line, "probe %lld", &at) == 1) wait_until(at), probe();
        else if (sscanf(line, "end %lld", &at) == 1) wait_until(at), drain(), probe(), say("end\n"), finish(0);
        else fail(line);
    }
    fail("no end");
}
