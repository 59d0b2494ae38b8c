#!/bin/bash
# The first thing that must work with whatever libbpf, clang and kernel there are: each form of the BPF program loads, and a command
# and a Python program are recorded.
. "$TOP/tests/live/lib.sh"

features=$("$WPERF" --version --json | python3 -c 'import json, sys
print([row["FeatureString"] for row in json.load(sys.stdin)["Version"] if row["Component"] == "kernel"][0])')
"$WORK/tools/bpf_load" >"$scratch/forms" 2>&1
loaded=$?
if grep -q "built without" "$scratch/forms"; then
	part_skipped "BPF: $(sed -n '1s/^[^:]*: //p' "$scratch/forms")"
elif [ "$(id -u)" != 0 ] || [[ $features != *+btf*+bpf* ]]; then
	part_skipped "BPF: not root, or the kernel has none ($features)"
else
	sed 's/^/  /' "$scratch/forms"
	check "every form of the BPF program loads" [ $loaded = 0 ]
	check "stacks are walked in the kernel" sh -c "'$WPERF' record -g --call-graph bpf -e cpu-clock -- true >'$scratch/true'"
fi

can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
python() { # OPTIONS...: most samples of a Python program have Python frames
	"$WPERF" record -F 500 -e cpu-clock "$@" -- python3 -c 'for i in range(8000000): pass' >"$scratch/python" || return 1
	grep '^python:' "$scratch/python"
	grep -qE '^python: .*, [8-9][0-9]\.[0-9]*% with|100\.00% with' "$scratch/python"
}
check "Python frames, the way this user gets them" python
check "Python frames, as users without rights get them" python --python pinned
finish
