#!/bin/bash
# Shares of functions with known cost, in the program, in a shared library, at a fixed address, without symbols.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
shapes=$WORKLOADS/shapes

export SHAPES_TRUTH=$scratch/truth

run() { # NAME TARGET...: samples at 5 kHz, enough for chance to stay within 2 points
	local out=$scratch/$1.json
	shift
	rm -f "$SHAPES_TRUTH"
	"$WPERF" record -F 5000 --json -- "$@" >"$out" || echo "exit $?"
}

truth() { # FUNCTION: its share of the CPU by the program's own clock
	awk -v f="$1" '$1 == f { print $2 }' "$SHAPES_TRUTH"
}

share() { # WHAT RUN FUNCTION MODULE
	check "$1: $3 has $(truth "$3") %" within "$(overhead "$scratch/$2.json" "$3${4:+:$4}")" "$(truth "$3")" 2
}

run shares "$shapes" shares 20
share "in the program" shares half
share "in the program" shares third
share "in the program" shares fifth
check "the sample count fits the rate" within "$(total "$scratch/shares.json")" 10000 1500

run fixed "$WORKLOADS/shapes.fixed" shares 15
share "not position-independent" fixed half
share "not position-independent" fixed third

run library "$shapes" library 15
share "in a library" library spin_in_library libspin.so
share "beside a library" library half

run late "$shapes" late 10
check "a library loaded later has 75 %" within "$(overhead "$scratch/late.json" spin_late:liblate.so)" 75 3

run stripped "$WORKLOADS/shapes.stripped" shares 10
check "a stripped program is unknown, not misnamed" within "$(overhead "$scratch/stripped.json" unknown)" 99 2
check "it says why" grep -q '"stripped": *[1-9]' "$scratch/stripped.json"
finish
