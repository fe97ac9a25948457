// SPDX-License-Identifier: MIT OR Apache-2.0
// The scenarios of benches/scenarios on ns-3, through its public interface only. Prints one line of JSON.
//   ns3-peer --scenario=S2 [--duration=20] [--controller=cubic] [--hystart]
//   ns3-peer --scenario=dumbbell --tcp=TcpCubic --rtt-ms=600 --per=1e-3 --rate-mbit=10 --duration=300 --seed=1

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <sys/resource.h>
#include <vector>

#ifndef NS3_VERSION
#define NS3_VERSION "unknown"
#endif
#ifndef NS3_BUILD
#define NS3_BUILD "unknown"
#endif

using namespace ns3;

namespace
{

constexpr uint32_t MSS = 1448;       // bytes of payload
constexpr double WIRE_BITS = 12000;  // 1500 bytes: payload, TCP with timestamps, IPv4

struct Shape
{
    uint32_t flows;
    std::vector<double> delays_ms; // of the trunk's links, in a row
    double trunk_mbit_s;
    double access_mbit_s;
    double duration_s;
    double per; // packet error rate of the first trunk link, towards the receivers
    bool wide = false; // buffers that no window reaches, whatever it costs
};

std::map<std::string, Shape>
Shapes()
{
    std::vector<double> chain; // 5 ms to 15 ms in 12 even steps
    for (int link = 0; link < 12; ++link)
    {
        chain.push_back(5.0 + 10.0 * link / 11.0);
    }
    return {
        {"S1", {1, {298}, 10, 1000, 300, 0}},
        {"S1-loss", {1, {298}, 10, 1000, 300, 1e-3}},
        {"S2", {6, {48}, 50, 1000, 200, 0}},
        {"S3", {1, {298}, 1000, 10000, 60, 0}},
        {"S3b", {1, {298}, 100, 10000, 60, 0}},
        {"S4", {100, {23}, 1000, 10000, 20, 0}},
        {"S5", {30, chain, 25, 1.5, 100, 0}},
    };
}

std::map<std::string, std::string>
Controllers()
{
    return {
        {"cubic", "ns3::TcpCubic"},         {"newreno", "ns3::TcpNewReno"},
        {"linux-reno", "ns3::TcpLinuxReno"}, {"hybla", "ns3::TcpHybla"},
        {"bic", "ns3::TcpBic"},             {"bbr", "ns3::TcpBbr"},
        {"htcp", "ns3::TcpHtcp"},           {"hstcp", "ns3::TcpHighSpeed"},
        {"scalable", "ns3::TcpScalable"},   {"vegas", "ns3::TcpVegas"},
        {"veno", "ns3::TcpVeno"},           {"illinois", "ns3::TcpIllinois"},
    };
}

/// One flow over one bottleneck; `rtt_ms` includes the two access links of 1 ms.
Shape
Dumbbell(double rtt_ms, double rate_mbit_s, double per)
{
    return {1, {rtt_ms / 2 - 2}, rate_mbit_s, 1000, 60, per, true};
}

/// What the first flow's sender does, as ns-3 tells it.
struct Sender
{
    std::FILE* trace = nullptr;      // a line for every change of window, threshold or state
    SequenceNumber32 highest_sent;   // first byte never sent
    SequenceNumber32 highest_acked;  // first byte not acknowledged
    uint32_t longest_span = 0;       // most bytes between the two: what a buffer must hold
    uint64_t recoveries = 0;         // entries into fast recovery
    uint64_t timeouts = 0;           // entries into the state after a timeout
    uint64_t broken = 0;             // data packets that the error model broke
};

Sender g_sender;

void
Line(const char* what, double value)
{
    if (g_sender.trace)
    {
        std::fprintf(g_sender.trace, "%.6f %s %.10g\n", Simulator::Now().GetSeconds(), what, value);
    }
}

void
Window(uint32_t, uint32_t bytes)
{
    Line("cwnd", static_cast<double>(bytes) / MSS);
}

void
Threshold(uint32_t, uint32_t bytes)
{
    Line("ssthresh", static_cast<double>(bytes) / MSS);
}

void
State(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t now)
{
    g_sender.recoveries += now == TcpSocketState::CA_RECOVERY;
    g_sender.timeouts += now == TcpSocketState::CA_LOSS;
    Line(TcpSocketState::TcpCongStateName[now], 0);
}

void
Sent(SequenceNumber32, SequenceNumber32 end)
{
    g_sender.highest_sent = end;
    g_sender.longest_span =
        std::max(g_sender.longest_span, static_cast<uint32_t>(end - g_sender.highest_acked));
}

void
Acknowledged(SequenceNumber32, SequenceNumber32 end)
{
    g_sender.highest_acked = end;
}

void
Broken(Ptr<const Packet>)
{
    ++g_sender.broken;
    Line("broken", 0);
}

/// To be called when the application has made its socket.
void
Watch(Ptr<BulkSendApplication> source)
{
    Ptr<Socket> socket = source->GetSocket();
    socket->TraceConnectWithoutContext("HighestSequence", MakeCallback(&Sent));
    socket->TraceConnectWithoutContext("HighestRxAck", MakeCallback(&Acknowledged));
    socket->TraceConnectWithoutContext("CongState", MakeCallback(&State));
    if (g_sender.trace)
    {
        socket->TraceConnectWithoutContext("CongestionWindow", MakeCallback(&Window));
        socket->TraceConnectWithoutContext("SlowStartThreshold", MakeCallback(&Threshold));
    }
}

uint64_t g_hops = 0; // packets that reached the far end of a link, whole or broken

void
Hop(Ptr<const Packet>)
{
    ++g_hops;
}

double
CpuSeconds()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// A full-duplex link with drop-tail queues of `packets` in its devices and no queue discipline above them.
class Wiring
{
  public:
    NetDeviceContainer Link(Ptr<Node> a, Ptr<Node> b, double mbit_s, double delay_ms, uint32_t packets)
    {
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(mbit_s * 1e6))));
        link.SetChannelAttribute("Delay", TimeValue(NanoSeconds(std::llround(delay_ms * 1e6))));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, packets)));
        NetDeviceContainer devices = link.Install(a, b);
        m_addresses = m_base.Assign(devices);
        m_base.NewNetwork();
        TrafficControlHelper().Uninstall(devices); // the address helper has put FqCoDel there
        for (uint32_t end = 0; end < 2; ++end)
        {
            devices.Get(end)->TraceConnectWithoutContext("PhyRxEnd", MakeCallback(&Hop));
            devices.Get(end)->TraceConnectWithoutContext("PhyRxDrop", MakeCallback(&Hop));
        }
        return devices;
    }

    Ipv4Address LastSecondEnd() const
    {
        return m_addresses.GetAddress(1);
    }

  private:
    Ipv4AddressHelper m_base{"10.0.0.0", "255.255.255.252"};
    Ipv4InterfaceContainer m_addresses;
};

} // namespace

int
main(int argc, char* argv[])
{
    std::string name = "S2";
    std::string controller = "cubic";
    double duration = 0;
    bool hystart = false;
    std::string tcp;
    double rtt_ms = 600;
    double rate_mbit_s = 10;
    double per = 0;
    uint32_t seed = 1;
    std::string recovery = "TcpPrrRecovery";
    double rto_margin_ms = 1;
    double min_rto_ms = 200;
    std::string trace;
    CommandLine command;
    command.AddValue("scenario", "S1, S1-loss, S2, S3, S3b, S4, S5 or dumbbell", name);
    command.AddValue("duration", "simulated seconds, if not the scenario's own (dumbbell: 60)", duration);
    command.AddValue("controller", "cubic, newreno, hybla, bbr, ...", controller);
    command.AddValue("hystart", "CUBIC with HyStart (the scenarios say classic slow start)", hystart);
    command.AddValue("tcp", "controller by ns-3's name (TcpCubic), instead of --controller", tcp);
    command.AddValue("rtt-ms", "dumbbell: round trip without queues, access links of 4 ms included", rtt_ms);
    command.AddValue("rate-mbit", "dumbbell: rate of the bottleneck in Mbit/s", rate_mbit_s);
    command.AddValue("per", "dumbbell: packet error rate towards the receiver", per);
    command.AddValue("seed", "run number of ns-3's random streams", seed);
    command.AddValue("recovery", "TcpPrrRecovery (ns-3's default) or TcpClassicRecovery", recovery);
    command.AddValue("rto-margin-ms", "least of timeout less smoothed RTT (ns-3: 1, Linux: 200)", rto_margin_ms);
    command.AddValue("min-rto-ms", "lower bound of the retransmission timeout", min_rto_ms);
    command.AddValue("trace", "file for the first flow's windows, states and broken packets", trace);
    command.Parse(argc, argv);

    const auto controllers = Controllers();
    if (tcp.empty() && controllers.count(controller))
    {
        tcp = controllers.at(controller).substr(5); // without "ns3::"
    }
    auto shapes = Shapes();
    if (rtt_ms > 4 && rate_mbit_s > 0)
    {
        shapes["dumbbell"] = Dumbbell(rtt_ms, rate_mbit_s, per);
    }
    TypeId control;
    TypeId repair;
    // Up to 3.37 a mode of TcpWestwood, a class of its own since.
    const bool westwood_mode = tcp == "TcpWestwoodPlus" && !TypeId::LookupByNameFailSafe("ns3::TcpWestwoodPlus", &control);
    if (!shapes.count(name) ||
        !TypeId::LookupByNameFailSafe(westwood_mode ? "ns3::TcpWestwood" : "ns3::" + tcp, &control) ||
        !TypeId::LookupByNameFailSafe("ns3::" + recovery, &repair))
    {
        std::fprintf(stderr, "no scenario '%s', or no '%s' or '%s' in this ns-3; see --help\n", name.c_str(),
                     tcp.empty() ? controller.c_str() : tcp.c_str(), recovery.c_str());
        return 2;
    }
    if (!trace.empty() && !(g_sender.trace = std::fopen(trace.c_str(), "w")))
    {
        std::fprintf(stderr, "cannot write %s\n", trace.c_str());
        return 2;
    }
    RngSeedManager::SetRun(seed);
    const Shape shape = shapes.at(name);
    const double seconds = duration > 0 ? duration : shape.duration_s;

    double one_way_ms = 2; // the access links
    for (double delay : shape.delays_ms)
    {
        one_way_ms += delay;
    }
    const double bdp_packets = shape.trunk_mbit_s * 1e6 * 2e-3 * one_way_ms / WIRE_BITS;
    const auto queue = static_cast<uint32_t>(std::llround(bdp_packets));
    // Four times what a flow can have on the way and in the queue on its own, or its share of it with 1000 segments
    // of room: never the limit, and not so much that filling it is what is measured.
    const double segments = std::max(8 * bdp_packets / shape.flows, 8 * bdp_packets > 1000 ? 1000.0 : 8 * bdp_packets);
    // Where goodput is compared, no window must be limited: a buffer that only Hybla's first round trip could fill.
    const auto buffer = static_cast<uint32_t>((shape.wide ? std::max(40 * bdp_packets, 4000.0) : segments) * MSS);

    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(control));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", TypeIdValue(repair));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(MSS));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MicroSeconds(std::llround(1e3 * min_rto_ms))));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity",
                       TimeValue(MicroSeconds(std::llround(1e3 * rto_margin_ms))));
    Config::SetDefault("ns3::TcpCubic::HyStart", BooleanValue(hystart));
    if (westwood_mode)
    {
        Config::SetDefault("ns3::TcpWestwood::ProtocolType", StringValue("WestwoodPlus"));
    }

    const auto trunk_links = static_cast<uint32_t>(shape.delays_ms.size());
    NodeContainer routers(trunk_links + 1);
    NodeContainer senders(shape.flows);
    NodeContainer receivers(shape.flows);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(routers);
    stack.Install(senders);
    stack.Install(receivers);

    Wiring wiring;
    for (uint32_t link = 0; link < trunk_links; ++link)
    {
        NetDeviceContainer ends = wiring.Link(routers.Get(link), routers.Get(link + 1), shape.trunk_mbit_s,
                                              shape.delays_ms[link], queue);
        if (link == 0 && shape.per > 0)
        {
            auto errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(shape.per);
            ends.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
            ends.Get(1)->TraceConnectWithoutContext("PhyRxDrop", MakeCallback(&Broken));
        }
    }
    constexpr uint32_t UNLIMITED = 10'000'000;
    constexpr uint16_t PORT = 5001;
    std::vector<Ptr<PacketSink>> sinks;
    for (uint32_t flow = 0; flow < shape.flows; ++flow)
    {
        wiring.Link(senders.Get(flow), routers.Get(0), shape.access_mbit_s, 1, UNLIMITED);
        wiring.Link(routers.Get(trunk_links), receivers.Get(flow), shape.access_mbit_s, 1, UNLIMITED);
        const InetSocketAddress target(wiring.LastSecondEnd(), PORT);

        PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT));
        ApplicationContainer sink_application = sink.Install(receivers.Get(flow));
        sink_application.Start(Seconds(0));
        sinks.push_back(DynamicCast<PacketSink>(sink_application.Get(0)));

        BulkSendHelper source("ns3::TcpSocketFactory", target);
        source.SetAttribute("MaxBytes", UintegerValue(0));
        source.SetAttribute("SendSize", UintegerValue(MSS));
        ApplicationContainer source_application = source.Install(senders.Get(flow));
        source_application.Start(MilliSeconds(10 * flow));
        if (flow == 0)
        {
            Simulator::Schedule(MicroSeconds(1), &Watch, DynamicCast<BulkSendApplication>(source_application.Get(0)));
        }
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    Simulator::Stop(Seconds(seconds));
    const double before = CpuSeconds();
    Simulator::Run();
    const double cpu_s = CpuSeconds() - before;

    uint64_t total = 0;
    std::string per_flow;
    for (const auto& sink : sinks)
    {
        const uint64_t delivered = sink->GetTotalRx() / MSS;
        total += delivered;
        per_flow += (per_flow.empty() ? "" : ",") + std::to_string(delivered);
    }
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    // A window was limited, or may have been, once a buffer could not take two more segments.
    const bool window_limited = g_sender.longest_span + 2 * MSS > buffer;
    std::printf("{\"scenario\":\"%s\",\"controller\":\"%s\",\"recovery\":\"%s\",\"hystart\":%s,"
                "\"rtt_ms\":%g,\"per\":%g,\"rate_mbit_s\":%g,\"queue_packets\":%u,\"rto_margin_ms\":%g,\"seed\":%u,"
                "\"delivered_segments\":%llu,\"packet_hops\":%llu,\"events\":%llu,\"cpu_s\":%.4f,"
                "\"peak_rss_bytes\":%llu,\"simulated_s\":%g,\"goodput_mbit_s\":%.3f,\"version\":\"ns-3 %s\","
                "\"build\":\"%s\",\"delivered_segments_by_flow\":[%s],\"window_limited\":%s,"
                "\"longest_span_segments\":%u,\"recoveries\":%llu,\"timeouts\":%llu,\"broken_packets\":%llu}\n",
                name.c_str(), tcp.c_str(), recovery.c_str(), hystart ? "true" : "false", 2 * one_way_ms, shape.per,
                shape.trunk_mbit_s, queue, rto_margin_ms, seed, static_cast<unsigned long long>(total),
                static_cast<unsigned long long>(g_hops),
                static_cast<unsigned long long>(Simulator::GetEventCount()), cpu_s,
                static_cast<unsigned long long>(usage.ru_maxrss) * 1024, seconds,
                static_cast<double>(total) * MSS * 8e-6 / seconds, NS3_VERSION, NS3_BUILD, per_flow.c_str(),
                window_limited ? "true" : "false", g_sender.longest_span / MSS,
                static_cast<unsigned long long>(g_sender.recoveries),
                static_cast<unsigned long long>(g_sender.timeouts),
                static_cast<unsigned long long>(g_sender.broken));
    if (g_sender.trace)
    {
        std::fclose(g_sender.trace);
    }
    Simulator::Destroy();
    return 0;
}
