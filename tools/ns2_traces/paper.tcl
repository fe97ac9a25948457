# SPDX-License-Identifier: MIT OR Apache-2.0
# A run of the networks of A-LIAD and Vegas-W in ns-2 2.35:  ns paper.tcl OUT KEY VALUE ...
# Every key must be given, as papers.py does. ns-2's own defaults hold but for what stands here: `window_`, TCP-Linux's
# timestamps (which it cannot do without), and `packetSize_` where a key asks for it.
#
#   links       {rate_mbit_s one_way_ms queue_packets ...} from the first to the last node, the same back without a
#               limit; queue_packets is the waiting room without the packet in transmission, 0 is no limit
#   access      {rate_mbit_s one_way_ms}: each flow has hosts of its own at both ends; empty: the end nodes are the hosts
#   bottleneck  index of the link whose queue is watched, from 0
#   broken      index of the link whose packets are lost by error, each with probability `per`
#   per         packet error rate; `per_back` that of the same link for ACKs
#   seed        of the errors' own generators
#   flows       {agent start_s packet_size window ...}; packet_size 0 leaves ns-2's packetSize_ (1000)
#   cbr         {rate_mbit_s packet_bytes start_s stop_s}; empty for none
#   route       {at_s one_way_ms rate_mbit_s ...} of the bottleneck, on the data's way alone
#   seconds     length of the run
#   every_s     between samples
#   arrivals_s  so long the time and number of every data packet of flow 0 that reaches its receiver is written
#
# OUT: `r ...`: ns-2's line of a packet that arrives at flow 0's receiver; `... ssthresh_ VALUE`: ns-2's line of a
# change; `s ...` a sample (see proc sample); `e ...`: the end, a line per flow. Times of the first two are ns-2's: the
# run begins at 1 s.

set out [open [lindex $argv 0] w]
array set o [lrange $argv 1 end]
set ns [new Simulator]
set origin 1.0
proc at {when what} { global ns origin; $ns at [expr {$origin + $when}] $what }

# DropTail drops when the packets waiting and the new one would reach limit_: it holds limit_ - 1.
proc join_nodes {from to rate_mbit_s one_way_ms room} {
    global ns
    $ns simplex-link $from $to [expr {$rate_mbit_s * 1e6}] [expr {$one_way_ms / 1000.0}] DropTail
    $ns simplex-link $to $from [expr {$rate_mbit_s * 1e6}] [expr {$one_way_ms / 1000.0}] DropTail
    $ns queue-limit $from $to [expr {$room > 0 ? $room + 1 : 1000000}]
    $ns queue-limit $to $from 1000000
}
set nodes [list [$ns node]]
foreach {rate one_way room} $o(links) {
    set next [$ns node]
    join_nodes [lindex $nodes end] $next $rate $one_way $room
    lappend nodes $next
}
set entry [lindex $nodes $o(bottleneck)]
set exit_ [lindex $nodes [expr {$o(bottleneck) + 1}]]
set queue [$ns monitor-queue $entry $exit_ ""]
foreach {when one_way rate} $o(route) {
    # ns-2's default for avoidReordering_ is false: packets of a shorter way overtake
    at $when "[[$ns link $entry $exit_] link] set delay_ [expr {$one_way / 1000.0}]"
    at $when "[[$ns link $entry $exit_] link] set bandwidth_ [expr {$rate * 1e6}]"
}

set losses [new QueueMonitor]
proc break_link {from to per seed} {
    global ns losses
    if {$per <= 0} return
    set generator [new RNG]
    $generator seed $seed
    set chance [new RandomVariable/Uniform]
    $chance use-rng $generator
    set model [new ErrorModel]
    $model unit pkt
    $model set rate_ $per
    $model ranvar $chance
    $ns lossmodel $model $from $to
    set snoop [new SnoopQueue/Drop]
    $snoop set-monitor $losses
    $snoop target [$ns set nullAgent_]
    $model drop-target $snoop
}
set near [lindex $nodes $o(broken)]
set far [lindex $nodes [expr {$o(broken) + 1}]]
break_link $near $far $o(per) $o(seed)
break_link $far $near $o(per_back) [expr {$o(seed) + 1000}]

# The hosts of a flow.
proc hosts {} {
    global ns nodes o
    if {![llength $o(access)]} { return [list [lindex $nodes 0] [lindex $nodes end]] }
    set pair [list [$ns node] [$ns node]]
    foreach host $pair node [list [lindex $nodes 0] [lindex $nodes end]] {
        join_nodes $host $node [lindex $o(access) 0] [lindex $o(access) 1] 0
    }
    # data go from the first to the second: join_nodes made both ways
    return $pair
}

set flows {}
foreach {agent start size window} $o(flows) {
    set linux [string match linux-* $agent]
    switch -glob $agent {
        sack1 { set class Sack1 }
        newreno { set class Newreno }
        vegas { set class Vegas }
        linux-* { set class Linux }
        default { puts stderr "no agent $agent"; exit 2 }
    }
    set tcp [new Agent/TCP/$class]
    set to [new [expr {$class in {Sack1 Linux} ? "Agent/TCPSink/Sack1" : "Agent/TCPSink"}]]
    if {$linux} {
        $tcp set timestamps_ true        ;# ns-2: false
        $to set ts_echo_rfc1323_ true    ;# ns-2: false
    }
    if {$size > 0} { $tcp set packetSize_ $size }
    $tcp set window_ $window             ;# ns-2: 20
    $tcp set fid_ [llength $flows]
    foreach {from receiver} [hosts] break
    $ns attach-agent $from $tcp
    $ns attach-agent $receiver $to
    $ns connect $tcp $to
    if {$linux} { $ns at 0 "$tcp select_ca [string range $agent 6 end]" }
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp
    at $start "$ftp start"
    if {![llength $flows]} {
        set before [lindex $nodes [expr {[llength $o(access)] ? [llength $nodes] - 1 : [llength $nodes] - 2}]]
        set last [$ns link $before $receiver]
    }
    lappend flows [list $tcp $to $start]
}
set first [lindex [lindex $flows 0] 0]
$first attach $out
$first trace ssthresh_

if {$o(arrivals_s) > 0} {
    set ttl [$last set ttl_]
    set arrived [$ns create-trace Recv $out $before [$last set toNode_]]
    set next [$ttl target]
    $arrived target $next
    $ttl target $arrived
    at $o(arrivals_s) "$ttl target $next"
}

if {[llength $o(cbr)]} {
    foreach {rate bytes start stop} $o(cbr) break
    foreach {from receiver} [hosts] break
    set udp [new Agent/UDP]
    $udp set packetSize_ $bytes
    set null [new Agent/Null]
    $ns attach-agent $from $udp
    $ns attach-agent $receiver $null
    $ns connect $udp $null
    set cbr [new Application/Traffic/CBR]
    $cbr set packetSize_ $bytes
    $cbr set rate_ [expr {$rate * 1e6}]
    $cbr attach-agent $udp
    at $start "$cbr start"
    at $stop "$cbr stop"
}

# s time_s cwnd of flow 0, drops of the bottleneck so far, then for each flow the bytes in order at its receiver
proc sample {step} {
    global o out flows first queue
    set line [list s [format %.6f [expr {$step * $o(every_s)}]] [$first set cwnd_] [$queue set pdrops_]]
    foreach flow $flows { lappend line [[lindex $flow 1] set bytes_] }
    puts $out $line
}
# e flow bytes_in_order sent retransmissions timeouts cuts drops_queue broken
proc finish {} {
    global out flows queue losses ns
    set number 0
    foreach flow $flows {
        foreach {tcp to start} $flow break
        puts $out [list e $number [$to set bytes_] [$tcp set ndatapack_] [$tcp set nrexmitpack_] [$tcp set nrexmit_] \
            [$tcp set ncwndcuts_] [$queue set pdrops_] [$losses set pdrops_]]
        incr number
    }
    close $out
    exit 0
}
set steps [expr {int($o(seconds) / $o(every_s) + 1e-6)}]
for {set step 0} {$step <= $steps} {incr step} { at [expr {$step * $o(every_s)}] "sample $step" }
at $o(seconds) finish
$ns run
