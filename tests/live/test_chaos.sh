#!/bin/bash
# Programs that are stopped, killed, forked, executed anew, cut and removed while they are profiled, and profilers that are.
# WPERF_SEED chooses what happens, WPERF_CHAOS=SECONDS how long; WPERF_HOTPLUG=1 takes CPUs away, too.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
can_be_nobody || skip "not root: cannot change what users without privileges may do"
PYTHONS=$(ls "$HOME"/.pyenv/versions/*/bin/python /usr/bin/python3 2>/dev/null | tr '\n' ' ')
[ -n "$PYTHONS" ] || skip "no Python to profile"
export PYTHONS SCRATCH=$scratch
# Sanitizers take their time.
grep -q __asan_init "$WPERF" && export WPERF_SLOW=${WPERF_SLOW:-4}
chmod 777 "$scratch"
seed=${WPERF_SEED:-$(date +%s)}
check "seed $seed: all rounds end well" python3 "$TOP/tests/live/chaos.py" "$seed" "${WPERF_CHAOS:-60}"
finish
