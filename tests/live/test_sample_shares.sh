#!/bin/bash
# Shares of functions with known cost, in the program, in a shared library, at a fixed address, without symbols.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
shapes=$WORKLOADS/shapes

run() { # NAME TARGET...: samples at 2 kHz
	local out=$scratch/$1.json
	shift
	"$WPERF" record -F 2000 --json -- "$@" >"$out" || echo "exit $?"
}

run shares "$shapes" shares 20
check "half has 50 %" within "$(overhead "$scratch/shares.json" half)" 50 2
check "third has 30 %" within "$(overhead "$scratch/shares.json" third)" 30 2
check "fifth has 20 %" within "$(overhead "$scratch/shares.json" fifth)" 20 2
check "the sample count fits the rate" within "$(total "$scratch/shares.json")" 4000 400

run fixed "$WORKLOADS/shapes.fixed" shares 10
check "not position-independent: half has 50 %" within "$(overhead "$scratch/fixed.json" half)" 50 2.5

run library "$shapes" library 10
check "the library's function has 75 %" within "$(overhead "$scratch/library.json" spin_in_library:libspin.so)" 75 2.5
check "the program's own function has 25 %" within "$(overhead "$scratch/library.json" half)" 25 2.5

run late "$shapes" late 10
check "a library loaded later has 75 %" within "$(overhead "$scratch/late.json" spin_late:liblate.so)" 75 3

run stripped "$WORKLOADS/shapes.stripped" shares 10
check "a stripped program is unknown, not misnamed" within "$(overhead "$scratch/stripped.json" unknown)" 99 2
check "it says why" grep -q '"stripped": *[1-9]' "$scratch/stripped.json"
finish
