// SPDX-License-Identifier: MIT OR Apache-2.0
// The scenarios of benches/scenarios on ns-3, through its public interface only. Prints one line of JSON.
//   ns3-peer --scenario=S2 [--duration=20] [--controller=cubic] [--hystart]

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
    CommandLine command;
    command.AddValue("scenario", "S1, S1-loss, S2, S3, S3b, S4 or S5", name);
    command.AddValue("duration", "simulated seconds, if not the scenario's own", duration);
    command.AddValue("controller", "cubic, newreno, hybla, bbr, ...", controller);
    command.AddValue("hystart", "CUBIC with HyStart (the scenarios say classic slow start)", hystart);
    command.Parse(argc, argv);

    const auto shapes = Shapes();
    const auto controllers = Controllers();
    if (!shapes.count(name) || !controllers.count(controller))
    {
        std::fprintf(stderr, "no scenario '%s' or no controller '%s'; see --help\n", name.c_str(), controller.c_str());
        return 2;
    }
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
    const auto buffer = static_cast<uint32_t>(segments * MSS);

    Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                       TypeIdValue(TypeId::LookupByName(controllers.at(controller))));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(MSS));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::TcpCubic::HyStart", BooleanValue(hystart));

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
        source.Install(senders.Get(flow)).Start(MilliSeconds(10 * flow));
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
    std::printf("{\"scenario\":\"%s\",\"controller\":\"%s\",\"hystart\":%s,\"delivered_segments\":%llu,"
                "\"packet_hops\":%llu,\"events\":%llu,\"cpu_s\":%.4f,\"peak_rss_bytes\":%llu,\"simulated_s\":%g,"
                "\"goodput_mbit_s\":%.3f,\"version\":\"ns-3 %s\",\"build\":\"%s\","
                "\"delivered_segments_by_flow\":[%s]}\n",
                name.c_str(), controller.c_str(), hystart ? "true" : "false",
                static_cast<unsigned long long>(total), static_cast<unsigned long long>(g_hops),
                static_cast<unsigned long long>(Simulator::GetEventCount()), cpu_s,
                static_cast<unsigned long long>(usage.ru_maxrss) * 1024, seconds,
                static_cast<double>(total) * MSS * 8e-6 / seconds, NS3_VERSION, NS3_BUILD, per_flow.c_str());
    Simulator::Destroy();
    return 0;
}
