#!/bin/bash
# list, test, detect and --version on the real machine: JSON of the documented shapes, tracepoints and PMUs as the kernel has them.
. "$TOP/tests/live/lib.sh"

json_of() { # SCHEMA ARGS...
	local schema=$1
	shift
	"$WPERF" "$@" --json >"$scratch/$schema.json" && "$TOP/tests/schemas/validate" "$schema" "$scratch/$schema.json"
}

check "list" json_of list list
check "list -v" json_of list list -v
check "test" json_of test test
check "version" json_of version --version
check "man" json_of man man page-faults

if [ -d /sys/bus/event_source/devices ]; then
	check "detect" json_of detect detect
	ids() {
		for dir in /sys/bus/event_source/devices/*; do
			echo "${dir##*/},$(cat "$dir/type")"
		done | sort
	}
	check "detect has every PMU of sysfs" diff <(ids) <(python3 -c '
import json, sys
for device in json.load(open(sys.argv[1]))["Devices"]: print(device["Hardware_IDs"])' "$scratch/detect.json" | sort)
else
	part_skipped "no /sys/bus/event_source/devices"
fi

events=/sys/kernel/tracing/events
mount_tracefs
if [ -r $events/sched/sched_switch/id ]; then
	tracepoints() { # one that goes away meanwhile has no number
		(cd "$events" && grep -Hs '' */*/id) | awk -F '[/:]' '{ printf "%s:%s 0x%04x\n", $1, $2, $4 }' | sort
	}
	tracepoints >"$scratch/before"
	"$WPERF" list >"$scratch/list"
	tracepoints >"$scratch/after"
	awk '/\[tracepoint event\]/ { print $1, $2 }' "$scratch/list" | sort >"$scratch/listed"
	# Others may make and remove some at any time.
	check "list has every tracepoint" test -z "$(comm -12 "$scratch/before" "$scratch/after" | comm -23 - "$scratch/listed")"
	check "... and no other one" test -z "$(sort -mu "$scratch/before" "$scratch/after" | comm -13 - "$scratch/listed")"
	check "a tracepoint's number is its index" sh -c "'$WPERF' test -e sched:sched_switch |
		grep -qE 'EVT_CORE\].index +$(cat $events/sched/sched_switch/id) *\$'"
else
	part_skipped "tracepoints cannot be read here"
fi

row() { # NAME: its result in test
	"$WPERF" test | awk -v name="$1" '$1 == name { sub(/^ *[^ ]+ +/, ""); sub(/ +$/, ""); print }'
}
check "core_num is the highest CPU plus one" sh -c "'$WPERF' test |
	grep -q \"core_num. *$(printf '0x%04x' $(($(tr , '\n' </sys/devices/system/cpu/possible | tail -1 | sed 's/.*-//') + 1)))\""
check "the doctor has its say" test -n "$(row doctor.perf_event_paranoid)"
check "a missing PMU is in the doctor's rows, or cycles are counted" sh -c "
	'$WPERF' stat -e cycles -- true >/dev/null 2>&1 || '$WPERF' test | grep -q 'doctor.hardware_pmu *limited'"

# As in a container whose engine forbids perf_event_open(2).
cat >"$scratch/refuse.py" <<'PY'
import ctypes, errno, os, platform, struct, sys
number = {"x86_64": 298, "aarch64": 241}[platform.machine()]
load, equal, ret = 0x20, 0x15, 0x06
program = struct.pack("=" + 4 * "HBBI", load, 0, 0, 0, equal, 0, 1, number, ret, 0, 0, 0x50000 | errno.EPERM, ret, 0, 0, 0x7FFF0000)
code = ctypes.create_string_buffer(program)
prctl = ctypes.CDLL(None).prctl
if prctl(38, 1, 0, 0, 0) or prctl(22, 2, struct.pack("HP", 4, ctypes.addressof(code))):
    sys.exit("no seccomp filters here")
os.execv(sys.argv[1], sys.argv[1:])
PY
if python3 "$scratch/refuse.py" /bin/true 2>/dev/null; then
	check "test names a seccomp filter" grep -q 'no events: a container' <<<"$(python3 "$scratch/refuse.py" "$WPERF" test)"
	check "... and so does a run" grep -q 'seccomp=unconfined' <<<"$(python3 "$scratch/refuse.py" "$WPERF" stat -e task-clock -- true 2>&1)"
else
	part_skipped "no seccomp filters here"
fi

if can_be_nobody; then
	cp "$WPERF" "$scratch/wperf" && chmod 755 "$scratch" "$scratch/wperf"
	check "list works without privileges" as_nobody "$scratch/wperf" list -q
	as_nobody "$scratch/wperf" test >"$scratch/nobody"
	check "nobody lacks capabilities" grep -q '^- missing CAP_PERFMON' "$scratch/nobody"
	check "a remedy for each thing that limits nobody" test "$(grep -c ^- "$scratch/nobody")" = "$(grep -c '^  fix: ' "$scratch/nobody")"
	check "as many as rows that say so" test "$(grep -c ^- "$scratch/nobody")" = "$(grep -c 'doctor.* limited$' "$scratch/nobody")"
	check "in 80 columns" test -z "$(sed -n '/Test Name/q;/.\{81\}/p' "$scratch/nobody")"
	if command -v setcap >/dev/null && setcap cap_perfmon,cap_bpf,cap_sys_ptrace+ep "$scratch/wperf" 2>/dev/null; then
		check "the capabilities named are those that were missing" sh -c "$(declare -f as_nobody)
			! as_nobody '$scratch/wperf' test | grep -E 'doctor.(capabilities|perf_event_paranoid|bpf|ptrace_scope) *limited'"
	fi
else
	part_skipped "cannot become an unprivileged user here"
fi
finish
