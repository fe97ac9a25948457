# SPDX-License-Identifier: MIT OR Apache-2.0
# How a connection of ns-2 2.35 begins, ns-2 as it comes:  ns opening.tcl OUT KEY VALUE ...
# OUT gets a line for each event of each packet if `trace` says so (ns-2's own format, with the TCP header), and last a
# line `total` with what the whole run came to. Unlike dumbbell.tcl it leaves every default of the agents alone but the
# two that are keys, so a flow begins with its SYN. Every key must be given.
#
#   agent         sack1, newreno or linux-<name>
#   rate_mbit_s   of the bottleneck; the way back has 10 Gbit/s
#   rtt_ms        half of it on each way
#   queue_packets waiting room without the packet in transmission                       (ns-2: limit_ 50)
#   seconds       from the flow's start
#   window        packets                                                               (ns-2: window_ 20)
#   packets       so many packets of data, 0: no end
#   lost          indices from 0 of the packets that the bottleneck loses on arrival; 0 is the SYN
#   lost_back     of the ACKs
#   trace         1: the packets too

set out [open [lindex $argv 0] w]
array set o [lrange $argv 1 end]
set ns [new Simulator]
set origin 1.0
Trace set show_tcphdr_ 1

set source [$ns node]
set sink [$ns node]
$ns simplex-link $source $sink [expr {$o(rate_mbit_s) * 1e6}] [expr {$o(rtt_ms) / 2000.0}] DropTail
$ns simplex-link $sink $source 1e10 [expr {$o(rtt_ms) / 2000.0}] DropTail
# DropTail holds limit_ - 1 (see dumbbell.tcl)
$ns queue-limit $source $sink [expr {$o(queue_packets) + 1}]
$ns queue-limit $sink $source 1000000
set queue [$ns monitor-queue $source $sink ""]
if {$o(trace)} {
    $ns trace-queue $source $sink $out
    $ns trace-queue $sink $source $out
}
# after the traces, so that a lost packet shows as `d`
proc lose {list from to} {
    global ns
    if {[llength $list]} {
        set model [new ErrorModel/List]
        $model unit pkt
        $model droplist $list
        $ns lossmodel $model $from $to
    }
}
lose $o(lost) $source $sink
lose $o(lost_back) $sink $source

set linux [string match linux-* $o(agent)]
switch -glob $o(agent) {
    sack1 { set class Sack1; set receiver Agent/TCPSink/Sack1 }
    newreno { set class Newreno; set receiver Agent/TCPSink }
    linux-* { set class Linux; set receiver Agent/TCPSink/Sack1 }
    default { puts stderr "no agent $o(agent)"; exit 2 }
}
set tcp [new Agent/TCP/$class]
set to [new $receiver]
if {$linux} {
    # what TCP-Linux's own example sets, and cannot do without
    $tcp set timestamps_ true        ;# ns-2: false
    $to set ts_echo_rfc1323_ true    ;# ns-2: false
}
$tcp set window_ $o(window)
$ns attach-agent $source $tcp
$ns attach-agent $sink $to
$ns connect $tcp $to
if {$linux} { $ns at 0 "$tcp select_ca [string range $o(agent) 6 end]" }
set ftp [new Application/FTP]
$ftp attach-agent $tcp
if {$o(packets)} { $ns at $origin "$ftp produce $o(packets)" } else { $ns at $origin "$ftp start" }

# ack_ is the highest packet acknowledged; the SYN is packet 0, so that it counts data. ndatapack_ counts the SYN too.
# total acknowledged sent retransmissions timeouts drops | packetSize_ windowInit_ tcpTick_ minrto_ rtxcur_init_ syn_ delay_growth_
proc finish {} {
    global ns out tcp queue
    $ns flush-trace
    set own {}
    foreach name {packetSize_ windowInit_ tcpTick_ minrto_ rtxcur_init_ syn_ delay_growth_ maxrto_ overhead_} {
        lappend own $name=[$tcp set $name]
    }
    puts $out "total [$tcp set ack_] [$tcp set ndatapack_] [$tcp set nrexmitpack_] [$tcp set nrexmit_]\
        [$queue set pdrops_] $own"
    close $out
    exit 0
}
$ns at [expr {$origin + $o(seconds)}] finish
$ns run
