# SPDX-License-Identifier: MIT OR Apache-2.0
# One stream of packets of 1500 bytes, LOAD times what a link of 12 Mbit/s carries, through RED; prints the mean of RED's own
# mean queue, sampled each 10 ms from 20 s on, and the share that was dropped.
set load [lindex $argv 0]
set seconds [lindex $argv 1]
set ns [new Simulator]
ns-random 1
Queue/RED set thresh_ 5
Queue/RED set maxthresh_ 15
Queue/RED set q_weight_ 0.002
Queue/RED set linterm_ 10
Queue/RED set gentle_ [lindex $argv 2]
Queue/RED set wait_ false
Queue/RED set bytes_ false
Queue/RED set queue_in_bytes_ false
Queue/RED set mean_pktsize_ 1500
Queue/RED set adaptive_ 0
set a [$ns node]
set b [$ns node]
$ns simplex-link $a $b 12Mb 1ms RED
$ns simplex-link $b $a 12Mb 1ms DropTail
$ns queue-limit $a $b 1000
set udp [new Agent/UDP]
$udp set packetSize_ 1500
$ns attach-agent $a $udp
set sink [new Agent/LossMonitor]
$ns attach-agent $b $sink
$ns connect $udp $sink
set cbr [new Application/Traffic/CBR]
$cbr set packetSize_ 1500
$cbr set rate_ [expr 12.0 * $load]Mb
$cbr attach-agent $udp
set red [[$ns link $a $b] queue]
set sum 0.0
set count 0
proc sample {} {
    global ns red sum count
    set sum [expr $sum + [$red set ave_]]
    incr count
    $ns at [expr [$ns now] + 0.01] sample
}
$ns at 0.0 "$cbr start"
$ns at 20.0 sample
$ns at $seconds {
    set got [$sink set npkts_]
    set lost [$sink set nlost_]
    puts "$load [lindex $argv 2] [format %.3f [expr $sum / $count]] [format %.5f [expr double($lost) / ($got + $lost)]]"
    exit 0
}
$ns run
