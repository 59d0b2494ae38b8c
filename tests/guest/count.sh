#!/bin/sh
# Runs in the guest, as root: counts and samples a program whose instructions are known. Leaves NAME.json (or .txt, .csv)
# and NAME.err in /wperf-test/out/$1, for tests/live/guest_check.py. Nothing here may depend on the time of day.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp
cd /wperf-test || exit 1
out=/wperf-test/out/$1
mkdir -p "$out"
loops=/wperf-test/loops
status=0

one() { # NAME VERB OPTIONS...
	name=$1
	shift
	./wperf "$@" >"$out/$name.json" 2>"$out/$name.err" || { status=1; echo "$name: exit $?"; }
}
refused() { # NAME VERB OPTIONS...
	name=$1
	shift
	! ./wperf "$@" >"$out/$name.json" 2>"$out/$name.err" || { status=1; echo "$name: not refused"; }
}
many=r40,r41,r42,r43,r44,r45,r46,r47
eight=inst_retired,r40,r41,{r42,r43,r44},r45,r46

one count stat --json -e cpu_cycles,inst_retired -- $loops 30
one again stat --json -e cpu_cycles,inst_retired -- $loops 30
one modes stat --json -k -e cpu_cycles:u,cpu_cycles:k,cpu_cycles -- $loops 30
one group stat --json -e '{cpu_cycles,inst_retired,r40},cpu_cycles' -- $loops 30
one turns stat --json -e "$eight" -- $loops 120
one turns_test test --json -e "$eight"
one turns16 stat --json -e "inst_retired,$many,inst_retired,$many" -- $loops 120
one turns16_test test --json -e "inst_retired,$many,inst_retired,$many"
refused large stat -e "{$many}" -- $loops 1
one sample record --json -e cpu_cycles:1000000 -- $loops 30
one stack record --json -g -e cpu_cycles:1000000 -- $loops 30
one metric stat --json -C /wperf-test/metrics -m turns,cpi,none -- $loops 30
one core stat --json -e cpu_cycles -c 0 -- $loops 30
one timeline stat -t -n 3 -i 0 --timeout 0.1 --json --output-csv "$out/timeline.csv" -e cpu_cycles,inst_retired -c 0
one list list --json
one man man cpu_cycles --json
if [ "$1" = neoverse-n1 ]; then
	one telemetry stat --json -m General,Operation_Mix -- $loops 30
	one topdown stat --json --topdown -- $loops 30
fi
exit $status
