# SPDX-License-Identifier: MIT OR Apache-2.0
# One case of data/oracles/cases.toml in ns-2 2.35, one agent:  ns dumbbell.tcl OUT KEY VALUE ...
# OUT gets the samples (some of TCP-Linux's modules talk on stdout). Every key must be given, as dumbbells.py does;
# ns-2's own default stands beside a key that changes one.
#
#   agent         sack1, newreno, vegas or linux-<name>; linux- are TCP-Linux's modules (Agent/TCP/Linux, select_ca)
#   rate_mbit_s   of the bottleneck; the way back has 10 Gbit/s
#   rtt_steps     {at_s rtt_ms at_s rtt_ms ...}; half of it on each way
#   queue_packets waiting room without the packet in transmission                       (ns-2: limit_ 50)
#   seconds       from the first flow's start
#   starts_s      start of each flow
#   lost          indices from 0 of the packets that the bottleneck loses on arrival
#   lost_spans    {from_s to_s ...}: everything that arrives then is lost
#   window        packets                                                               (ns-2: window_ 20)
#   initial       packets                                                               (ns-2: windowInit_ 2)
#   tick_s        clock of RTT samples; TCP-Linux sets 1 ms by itself                   (ns-2: tcpTick_ 0.01)
#   delack_s      an ACK for every second packet or after so long; 0 acknowledges every one
#                                                                      (ns-2: no delay; DelAck has 0.1)
#   min_rto_s                                                                           (ns-2: minrto_ 0.2)
#   every_s       between samples
#
# Wire: TCP adds 40 bytes to packetSize_, with timestamps 50, Vegas none. packetSize_ is such that 1500 go out.
# syn_ false (ns-2: true): the other agents would shake hands, TCP-Linux would send data together with its SYN. So the
# first packet of a flow is the first data packet, and the loss model counts data packets only. ns-2 adds no headers to
# a flow's packet 0, which is 40 or 50 bytes shorter than the others.

set out [open [lindex $argv 0] w]
array set o [lrange $argv 1 end]
set ns [new Simulator]
set origin 1.0
proc at {when what} { global ns origin; $ns at [expr {$origin + $when}] $what }

set source [$ns node]
set sink [$ns node]
set half [expr {[lindex $o(rtt_steps) 1] / 2000.0}]
DelayLink set avoidReordering_ true ;# ns-2: false; a shorter delay would let packets overtake
$ns simplex-link $source $sink [expr {$o(rate_mbit_s) * 1e6}] $half DropTail
$ns simplex-link $sink $source 1e10 $half DropTail
# DropTail drops when the packets waiting and the new one would reach limit_: it holds limit_ - 1. A packet leaves the
# queue when its transmission begins, so the one in transmission is not among them.
$ns queue-limit $source $sink [expr {$o(queue_packets) + 1}]
$ns queue-limit $sink $source 1000000
foreach {when rtt} $o(rtt_steps) {
    foreach way [list [$ns link $source $sink] [$ns link $sink $source]] {
        at $when "[$way link] set delay_ [expr {$rtt / 2000.0}]"
    }
}

# The monitor first, the loss models then: each puts itself at the head, so a lost packet never was in the queue.
set queue [$ns monitor-queue $source $sink ""]
set losses [new QueueMonitor]
proc lose_by {model} {
    global ns source sink losses
    $model unit pkt
    $ns lossmodel $model $source $sink
    set snoop [new SnoopQueue/Drop]
    $snoop set-monitor $losses
    $snoop target [$ns set nullAgent_]
    $model drop-target $snoop
}
if {[llength $o(lost)]} {
    set listed [new ErrorModel/List]
    $listed droplist $o(lost)
    lose_by $listed
}
if {[llength $o(lost_spans)]} {
    set outage [new ErrorModel]
    $outage ranvar [new RandomVariable/Uniform]
    $outage set rate_ 0
    lose_by $outage
    foreach {from to} $o(lost_spans) {
        at $from "$outage set rate_ 1"
        at $to "$outage set rate_ 0"
    }
}

set flows {}
foreach start $o(starts_s) {
    set linux [string match linux-* $o(agent)]
    switch -glob $o(agent) {
        sack1 { set class Sack1; set payload 1460 }
        newreno { set class Newreno; set payload 1460 }
        vegas { set class Vegas; set payload 1500 }
        linux-* { set class Linux; set payload 1450 }
        default { puts stderr "no agent $o(agent)"; exit 2 }
    }
    set tcp [new Agent/TCP/$class]
    set receiver "Agent/TCPSink"
    if {$class eq "Sack1" || $linux} { append receiver /Sack1 }
    if {$o(delack_s) > 0} { append receiver /DelAck }
    set to [new $receiver]
    if {$o(delack_s) > 0} { $to set interval_ $o(delack_s) }
    if {$linux} {
        $tcp set timestamps_ true        ;# ns-2: false
        $to set ts_echo_rfc1323_ true    ;# ns-2: false
    }
    $tcp set packetSize_ $payload        ;# ns-2: 1000
    $tcp set window_ $o(window)
    $tcp set windowInit_ $o(initial)
    $tcp set tcpTick_ $o(tick_s)
    $tcp set minrto_ $o(min_rto_s)
    $tcp set syn_ false                  ;# ns-2: true
    $tcp set fid_ [llength $flows]
    $ns attach-agent $source $tcp
    $ns attach-agent $sink $to
    $ns connect $tcp $to
    if {$linux} { $ns at 0 "$tcp select_ca [string range $o(agent) 6 end]" }
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp
    at $start "$ftp start"
    lappend flows [list $tcp $start]
}

# flow time_ms cwnd ssthresh srtt_ticks_8 acknowledged retransmissions timeouts sent queue lost_queue lost_listed
proc sample {step} {
    global o out flows queue losses
    set flow 0
    foreach pair $flows {
        foreach {tcp start} $pair break
        if {$step * $o(every_s) >= $start - 1e-9} {
            puts $out [list $flow [expr {round($step * $o(every_s) * 1000)}] [$tcp set cwnd_] [$tcp set ssthresh_] \
                [$tcp set srtt_] [expr {[$tcp set ack_] + 1}] [$tcp set nrexmitpack_] [$tcp set nrexmit_] \
                [$tcp set ndatapack_] [$queue set pkts_] [$queue set pdrops_] [$losses set pdrops_]]
        }
        incr flow
    }
}
set steps [expr {round($o(seconds) / $o(every_s))}]
for {set step 0} {$step <= $steps} {incr step} { at [expr {$step * $o(every_s)}] "sample $step" }
at $o(seconds) "close $out; exit 0"
$ns run
