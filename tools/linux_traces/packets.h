// SPDX-License-Identifier: MIT OR Apache-2.0
// The log of packets, for the openings: what leaves a host, and what becomes of it. guest.c includes it once.
//
// A record is begun when a packet is read from the device of its sender and completed when it is written into the other
// one, or lost. Sequence numbers are relative to the initial ones of either side, windows are in bytes.
#define RECORDS (1 << 15)
#define NO_RECORD (-1)

enum { ARRIVED, UNDERWAY, LOST_BY_QUEUE, LOST_BY_LIST };  // what became of a packet

struct record {
    int64_t sent, arrived;
    int connection, way, fate, flags, ecn, ecn_arrived, payload, length, queue, sacks;
    uint32_t sequence, acknowledged, sack[8];
    long long window;
    char options[64];
#ifdef ACCURATE
    int header;  // bytes of TCP's
    unsigned char tcp[60];
#endif
    struct tcp_info sender, receiver;  // the sender's at departure of its own packets, at arrival of the other's
};

static struct record *records;
static int records_count;
static struct {
    int port, scale[2], scaled;
    uint32_t first[2];  // initial sequence numbers: of a, of b
} connections[FLOWS];
static int connections_count;
static long syns[2];  // seen: SYN of a, SYN-ACK of b

static struct tcp_info state_of(int connection, int way);  // of that end of the connection, as it is now

static unsigned word16(const unsigned char *at) { return (unsigned)at[0] << 8 | at[1]; }
static uint32_t word32(const unsigned char *at) { return (uint32_t)word16(at) << 16 | word16(at + 2); }

// Which connection a packet belongs to; a SYN of a with a new port begins one.
static int connection_of(const unsigned char *tcp, int way) {
    int port = (int)word16(tcp + (way ? 2 : 0));
    for (int i = 0; i < connections_count; i++)
        if (connections[i].port == port) return i;
    if (connections_count == FLOWS) errno = E2BIG, fail("more than %d connections", FLOWS);
    connections[connections_count].port = port;
    return connections_count++;
}

// What the options say: their names in the order on the wire, without padding; and the SACK blocks.
static void read_options(struct record *record, const unsigned char *tcp, int syn) {
    int end = (tcp[12] >> 4) * 4, way = record->way;
    char *text = record->options, *stop = text + sizeof record->options;
    *text = 0;
    for (int at = 20; at < end && tcp[at];) {
        int kind = tcp[at], length = kind == 1 ? 1 : tcp[at + 1];
        const unsigned char *value = tcp + at + 2;
        const char *gap = text == record->options ? "" : " ";
        if (length < 1) break;
        if (kind == 2) text += snprintf(text, (size_t)(stop - text), "%smss=%u", gap, word16(value));
        else if (kind == 3) {
            text += snprintf(text, (size_t)(stop - text), "%swscale=%d", gap, *value);
            if (syn) connections[record->connection].scale[way] = *value, connections[record->connection].scaled |= 1 << way;
        } else if (kind == 4) text += snprintf(text, (size_t)(stop - text), "%ssackok", gap);
        else if (kind == 8) text += snprintf(text, (size_t)(stop - text), "%sts", gap);
        else if (kind == 34) text += snprintf(text, (size_t)(stop - text), "%stfo=%d", gap, length - 2);
        else if (kind == 5) {
            uint32_t first = connections[record->connection].first[!way];
            text += snprintf(text, (size_t)(stop - text), "%ssack", gap);
            for (int i = 0; i < (length - 2) / 4 && i < 8; i++) record->sack[record->sacks++] = word32(value + 4 * i) - first;
        } else if (kind != 1) text += snprintf(text, (size_t)(stop - text), "%s%d", gap, kind);
        at += length;
    }
}

// Begins a record for a packet that has left its host; NO_RECORD if the log is full or the packet is not wanted.
static int log_departure(const unsigned char *ip, int length, int way, int64_t time) {
    static int64_t newest;
    const unsigned char *tcp = ip + (ip[0] & 15) * 4;
    if (ip[9] != IPPROTO_TCP) return NO_RECORD;
    int syn = tcp[13] & 2, connection = connection_of(tcp, way);
    if (syn) connections[connection].first[way] = word32(tcp + 4);
    if (records_count == the_case.records) return NO_RECORD;
    if (the_case.every && !syn && (!way || time - newest < the_case.every)) return NO_RECORD;
    newest = time;
    struct record *record = &records[records_count];
    *record = (struct record){.sent = time, .arrived = -1, .connection = connection, .way = way, .fate = UNDERWAY};
    record->flags = tcp[13];
    record->ecn = record->ecn_arrived = ip[1] & 3;
    record->length = length;
    record->payload = length - (int)(tcp - ip) - (tcp[12] >> 4) * 4;
    record->sequence = word32(tcp + 4) - connections[connection].first[way];
    record->acknowledged = tcp[13] & 16 ? word32(tcp + 8) - connections[connection].first[!way] : 0;
    read_options(record, tcp, syn);
#ifdef ACCURATE
    record->header = (tcp[12] >> 4) * 4;
    memcpy(record->tcp, tcp, (size_t)record->header);
#endif
    int scale = !syn && connections[connection].scaled == 3 ? connections[connection].scale[way] : 0;
    record->window = (long long)word16(tcp + 14) << scale;
    if (way) record->receiver = state_of(connection, way);
    else record->sender = state_of(connection, way);
    return records_count++;
}

static void log_arrival(int number, const unsigned char *ip, int64_t time) {
    if (number == NO_RECORD) return;
    struct record *record = &records[number];
    record->arrived = time;
    record->fate = ARRIVED;
    record->ecn_arrived = ip[1] & 3;
    if (record->way) record->sender = state_of(record->connection, 0);
}

static void log_loss(int number, int fate) {
    if (number != NO_RECORD) records[number].fate = fate;
}

static void log_queue(int number, int queue) {
    if (number != NO_RECORD) records[number].queue = queue;
}

// The first SYN (way 0) or SYN-ACKs (way 1) of the case's connection get lost.
static int is_lost_opening(const unsigned char *ip, int way) {
    const unsigned char *tcp = ip + (ip[0] & 15) * 4;
    return ip[9] == IPPROTO_TCP && tcp[13] & 2 && ++syns[way] <= the_case.lost_syns[way];
}

static void say_records(void) {
    for (int i = 0; i < records_count; i++) {
        const struct record *record = &records[i];
        const struct tcp_info *sender = &record->sender, *receiver = &record->receiver;
        int64_t from = records[0].sent;
        say("packet,%d,%d,%lld,%lld,%d,%d,%d,%d,%u,%u,%d,%d,%lld,%d,%u,%u,%u,%u,%u,%u,%u,%s,", record->connection,
            record->way, (long long)(record->sent - from), record->arrived < 0 ? -1LL : (long long)(record->arrived - from),
            record->fate, record->flags, record->ecn, record->ecn_arrived, record->sequence, record->acknowledged,
            record->payload, record->length, record->window, record->queue, sender->tcpi_snd_cwnd,
            sender->tcpi_snd_ssthresh, sender->tcpi_rtt, sender->tcpi_rto, receiver->tcpi_rcv_ssthresh,
            receiver->tcpi_rcv_space, receiver->tcpi_rcv_rtt, record->options);
        for (int j = 0; j < record->sacks; j += 2) say("%s%u-%u", j ? " " : "", record->sack[j], record->sack[j + 1]);
#ifdef ACCURATE
        say(",");
        for (int j = 0; j < record->header; j++) say("%02x", record->tcp[j]);
#endif
        say("\n");
    }
}
