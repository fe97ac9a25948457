# SPDX-License-Identifier: MIT OR Apache-2.0
# N flows from Berkeley to Boston over Iridium as ns-2's satellite extension has it:
#   ns iridium.tcl OUT KEY VALUE ...          every key must be given (satellites.py does); OUT gets one line
#
#   agent, window      as in dumbbell.tcl; everything else of the agents is ns-2's default (initial window 2, an ACK per
#                      packet, a SYN, packetSize_ 1000)
#   flows, user_mbit_s, isl_mbit_s, queue_packets, seconds
#   per                packet error rate of a broken interface, for data and ACKs
#   where              which interfaces are broken: "uplink" the satellites' towards the ground, "isl" those towards other
#                      satellites, "terminal" the two ground stations'
#   offset_s           where in the sky's motion a run begins
#   seed               of ns-2's random numbers
#
# Constellation: table 2 of the Hybla-IM paper, which is ns-2's own example sat-iridium.tcl. 6 planes of 11 satellites at
# 780 km and 86.4 degrees, 31.6 degrees apart, every other one shifted by half a spacing; seam without links; links between
# planes end at 60 degrees of latitude; ground links from 8.2 degrees of elevation; both are looked at every 10 s.
set out [open [lindex $argv 0] w]
array set o [lrange $argv 1 end]
set ns [new Simulator]
ns-random $o(seed) ;# 0 would take the clock
Position/Sat set time_advance_ $o(offset_s) ;# ns-2: 0
HandoffManager/Term set elevation_mask_ 8.2
HandoffManager/Term set term_handoff_int_ 10
HandoffManager/Sat set sat_handoff_int_ 10
HandoffManager/Sat set latitude_threshold_ 60
HandoffManager/Sat set longitude_threshold_ 10
HandoffManager set handoff_randomization_ true
SatRouteObject set metric_delay_ true
SatRouteObject set data_driven_computation_ false
set user [expr {$o(user_mbit_s) * 1e6}]
set isl [expr {$o(isl_mbit_s) * 1e6}]
set room $o(queue_packets)

$ns rtproto Dummy
$ns node-config -satNodeType polar -llType LL/Sat -ifqType Queue/DropTail -ifqLen $room -macType Mac/Sat \
    -phyType Phy/Sat -channelType Channel/Sat -downlinkBW $user -wiredRouting ON
set spacing [expr {360.0 / 11}]
for {set plane 0} {$plane < 6} {incr plane} {
    for {set slot 0} {$slot < 11} {incr slot} {
        set sat($plane,$slot) [$ns node]
        set along [expr {fmod($spacing * $slot + ($plane % 2 ? $spacing / 2 : 0), 360)}]
        $sat($plane,$slot) set-position 780 86.4 [expr {31.6 * $plane}] $along [expr {$plane + 1}]
    }
}
for {set plane 0} {$plane < 6} {incr plane} {
    for {set slot 0} {$slot < 11} {incr slot} {
        set this $sat($plane,$slot)
        $this set_next $sat($plane,[expr {($slot + 10) % 11}])
        $ns add-isl intraplane $this $sat($plane,[expr {($slot + 1) % 11}]) $isl Queue/DropTail $room
        if {$plane < 5} {
            $ns add-isl interplane $this $sat([expr {$plane + 1}],$slot) $isl Queue/DropTail $room
        }
    }
}
$ns node-config -satNodeType terminal
foreach {place latitude longitude} {berkeley 37.9 -122.3 boston 42.3 -71.1} {
    set $place [$ns node]
    [set $place] set-position $latitude $longitude
    [set $place] add-gsl polar LL/Sat Queue/DropTail $room Mac/Sat $user Phy/Sat \
        [$sat(0,0) set downlink_] [$sat(0,0) set uplink_]
}

# `interface-errormodel MODEL` without a number is interface 0, which is the ground link of a satellite and of a terminal.
set broken [new QueueMonitor]
proc break_interface {node number} {
    global o ns broken
    set model [new ErrorModel]
    $model unit pkt
    $model set rate_ $o(per)
    $model ranvar [new RandomVariable/Uniform]
    $node interface-errormodel $model $number
    set snoop [new SnoopQueue/Drop]
    $snoop set-monitor $broken
    $snoop target [$ns set nullAgent_]
    $model drop-target $snoop
}
switch $o(where) {
    uplink { foreach name [array names sat] { break_interface $sat($name) 0 } }
    isl {
        foreach name [array names sat] {
            for {set number 1} {$number < [$sat($name) set nifs_]} {incr number} { break_interface $sat($name) $number }
        }
    }
    terminal { break_interface $berkeley 0; break_interface $boston 0 }
    default { puts stderr "nowhere such as $o(where)"; exit 2 }
}

$ns unset satNodeType_ ;# from here on nodes are wired
for {set flow 0} {$flow < $o(flows)} {incr flow} {
    set from [$ns node]
    set to [$ns node]
    $ns duplex-link $from $berkeley 10Mb 1ms DropTail
    $ns duplex-link $boston $to 10Mb 1ms DropTail
    switch -glob $o(agent) {
        sack1 { set tcp [new Agent/TCP/Sack1]; set sink [new Agent/TCPSink/Sack1] }
        newreno { set tcp [new Agent/TCP/Newreno]; set sink [new Agent/TCPSink] }
        linux-* { set tcp [new Agent/TCP/Linux]; set sink [new Agent/TCPSink/Sack1] }
        default { puts stderr "no agent $o(agent)"; exit 2 }
    }
    $tcp set window_ $o(window) ;# ns-2: 20
    $tcp set fid_ $flow
    if {[string match linux-* $o(agent)]} {
        $tcp set timestamps_ true
        $sink set ts_echo_rfc1323_ true
        $ns at 0 "$tcp select_ca [string range $o(agent) 6 end]"
    }
    $ns attach-agent $from $tcp
    $ns attach-agent $to $sink
    $ns connect $tcp $sink
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp
    $ns at [expr {1.0 + 0.03 * $flow}] "$ftp start"
    lappend senders $tcp
}
[new SatRouteObject] compute_routes

# How many links a packet crosses between satellites, looked at every 10 s; -1 where there is no way.
set hops {}
proc count_hops {} {
    global ns berkeley boston hops
    set logic [$ns get-routelogic]
    set here [$berkeley id]
    set length 0
    while {$here != [$boston id] && $length < 30} {
        if {[catch {$logic lookup $here [$boston id]} here] || $here < 0} { set length 1; break }
        incr length
    }
    lappend hops [expr {$length - 2}]
}
for {set when 5} {$when < $o(seconds)} {incr when 10} { $ns at $when count_hops }

# acknowledged sent retransmissions timeouts broken hops,hops,... acknowledged-by-flow,...
proc finish {} {
    global out senders broken hops
    foreach name {acknowledged sent again timeouts} { set $name 0 }
    foreach tcp $senders {
        lappend each [$tcp set ack_]
        incr acknowledged [$tcp set ack_]
        incr sent [$tcp set ndatapack_]
        incr again [$tcp set nrexmitpack_]
        incr timeouts [$tcp set nrexmit_]
    }
    puts $out [list $acknowledged $sent $again $timeouts [$broken set pdrops_] [join $hops ,] [join $each ,]]
    close $out
    exit 0
}
$ns at $o(seconds) finish
$ns run
