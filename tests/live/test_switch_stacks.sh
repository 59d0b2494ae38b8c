#!/bin/bash
# Stacks of sched:sched_switch beside many short processes: none is lost, and those that end early do so inside vfork() and execve(),
# where user space has no whole stack.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
mount_tracefs || skip "no tracefs"
cd "$scratch" || exit 2
"$WPERF" record -g --python off -e sched:sched_switch --json --data x.data -- sh -c 'for i in $(seq 60); do sleep 0.001; done' >x.json 2>x.err ||
	skip "switches cannot be sampled: $(tail -n 1 x.err)"
"$WPERF" script -i x.data -F comm,ip,sym,dso >x.text 2>/dev/null
cat >judge.py <<'PY'
import json, sys
stacks = json.load(open("x.json"))["sampling"]["stacks"]
why = stacks["incomplete"]
last = [block.strip().splitlines()[-1] for block in open("x.text").read().split("\n\n") if "\n" in block.strip()]
vfork = sum("vfork" in line for line in last)
in_exec = sum(line.endswith("[unknown] ([unknown])") for line in last)
print("  %s; outermost frame: %d in vfork, %d nowhere" % (stacks, vfork, in_exec))
if sys.argv[1] == "lost":
    sys.exit(why["lost"] != 0 or stacks["taken"] < 60)
sys.exit(stacks["taken"] - stacks["complete"] - vfork - in_exec > 0.02 * stacks["taken"])
PY
check "no stack is lost" python3 judge.py lost
check "those not complete end in vfork or execve" python3 judge.py ends
finish
