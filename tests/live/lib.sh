# lib.sh: what live tests share. `. "$TOP/tests/live/lib.sh"` gives a scratch folder, checks that count, and readers of JSON.
set -u
: "${WPERF:?}" "${TOP:?}" "${WORK:?}" "${WORKLOADS:?}"
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT
failed=0
# Stock perf keeps copies of what it met, and reads them first: of this test alone.
printf '[buildid]\n\tdir = %s/perf-cache\n' "$scratch" >"$scratch/perfconfig"
export PERF_CONFIG=$scratch/perfconfig

skip() { # WHY: nothing of this test can run here
	echo "SKIP: $*"
	exit 77
}

part_skipped() { # WHY: one part cannot
	echo "SKIP: $*"
}

check() { # WHAT COMMAND...: the command must succeed
	local what=$1
	shift
	if "$@"; then
		echo "ok: $what"
	else
		echo "FAILED: $what"
		failed=1
	fi
}

# What a hypervisor takes away is neither a wait nor CPU time of a thread: /proc/stat tells it of all CPUs, in ticks.
tick_ns=$((1000000000 / $(getconf CLK_TCK)))
stolen_ns() {
	awk -v tick=$tick_ns '$1 == "cpu" { printf "%d", $9 * tick }' /proc/stat
}

# watched FILE COMMAND...: runs it, and writes how much was stolen meanwhile, at most: some milliseconds are no tick yet
watched() {
	local before status
	before=$(stolen_ns)
	"${@:2}"
	status=$?
	echo $(($(stolen_ns) - before + tick_ns)) >"$1"
	return $status
}

within() { # VALUE WANT TOLERANCE
	awk -v v="$1" -v w="$2" -v t="$3" 'BEGIN { d = v - w; if (d < 0) d = -d; exit !(v != "" && d <= t) }' ||
		{ echo "  got $1, want $2 +- $3"; return 1; }
}

# overhead FILE SYMBOL [EVENT_INDEX]: the share of a symbol in a sampling JSON file, 0 when it is not there
overhead() {
	python3 - "$1" "$2" "${3:-0}" <<-'PY'
	import json, sys
	events = json.load(open(sys.argv[1]))["sampling"]["events"]
	rows = events[int(sys.argv[3])]["samples"] if events else []
	print(sum(float(row["overhead"]) for row in rows if row["symbol"] == sys.argv[2]))
	PY
}

# total FILE: samples in it, over all events; member FILE NAME: a member of "sampling"
total() {
	python3 -c 'import json,sys; print(sum(r["count"] for e in json.load(open(sys.argv[1]))["sampling"]["events"] for r in e["samples"]))' "$1"
}

member() {
	python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["sampling"][sys.argv[2]])' "$1" "$2"
}

# count FILE EVENT: the counter value of an event in a stat JSON file, summed over its blocks
count() {
	python3 - "$1" "$2" <<-'PY'
	import json, sys
	core = json.load(open(sys.argv[1]))["core"]
	print(sum(row["counter_value"] for block in core["cores"] for row in block["Performance_counter"]
	          if row["event_name"] == sys.argv[2]))
	PY
}

# way NAME WORD...: percent of the samples whose stack, outermost first, has these functions one right below the other.
# A word may be NAME*N.
way() {
	python3 - "$scratch/$1.json" "${@:2}" <<-'PY'
	import json, sys
	names = []
	for word in sys.argv[2:]:
	    name, _, n = word.partition("*")
	    names += [name] * int(n or 1)
	sys.setrecursionlimit(10000)
	def walk(node, above):
	    path = above + [node["symbol"].split(":")[0].split(" (")[0]]
	    if path[-len(names):] == names:
	        return node["total"]
	    return sum(walk(child, path) for child in node["children"])
	tree = json.load(open(sys.argv[1]))["sampling"]["events"][0]["call_tree"]
	print(sum(walk(root, []) for root in tree))
	PY
}

# Where the test is repeated (WPERF_AGAIN=1: tools/run_tests), what held in an earlier try is not run again.
held=$WORK/held/$(basename "$0")${WPERF_EVERY_PYTHON:+.every}
[ -n "${WPERF_AGAIN:-}" ] || rm -rf "$held"

# apart FUNCTION ARGUMENT: calls FUNCTION with the argument, and fails as its checks do
apart() {
	local mark=$held/${2//\//,}
	if [ -e "$mark" ]; then
		echo "ok: held before: $2"
		return 0
	fi
	(failed=0; "$1" "$2"; exit $failed) || return 1
	mkdir -p "$held" && : >"$mark"
}

# one_by_one FUNCTION ARGUMENT...: calls FUNCTION with each argument; with the last one in any case: checks that follow read what it left.
one_by_one() {
	local argument
	argument=${*: -1}
	rm -f "$held/${argument//\//,}"
	for argument in "${@:2}"; do
		apart "$1" "$argument" || failed=1
	done
}

# side_by_side FUNCTION ARGUMENT...: the same, two at a time: for checks that measure no shares of time
side_by_side() {
	local function=$1 argument i=0 pids=()
	shift
	for argument in "$@"; do
		[ $i -lt 2 ] || wait "${pids[i - 2]}"
		apart "$function" "$argument" >"$scratch/side_by_side.$i" 2>&1 &
		pids+=($!)
		i=$((i + 1))
	done
	for i in "${!pids[@]}"; do
		wait "${pids[i]}" || failed=1
		cat "$scratch/side_by_side.$i"
	done
}

# A state is waited for, never a time. wait_until COMMAND...: until it succeeds, a minute at most.
wait_until() {
	local _
	for _ in $(seq 1200); do
		"$@" && return
		sleep 0.05
	done
	echo "  never came true: $*"
	return 1
}

is_gone() { # PID
	! kill -0 "$1" 2>/dev/null
}

# Who counts or samples has opened its events (at least N) and has nothing left to do but wait; or it has ended.
is_watching() { # PID [N]
	is_gone "$1" || { [ "$(ls -l "/proc/$1/fd" 2>/dev/null | grep -c perf_event)" -ge "${2:-1}" ] && grep -q '^State:.S' "/proc/$1/status"; }
}

run_ms() { # PID: milliseconds that its first thread had a CPU
	awk '{ print int($1 / 1000000) }' "/proc/$1/schedstat"
}

has_run() { # PID MILLISECONDS
	[ "$(run_ms "$1")" -ge "$2" ]
}

is_mapped() { # PID PATTERN: of a line of its maps
	grep -qs "$2" "/proc/$1/maps"
}

as_nobody() { # COMMAND...: as a user without any privilege
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

can_be_nobody() {
	[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && as_nobody true 2>/dev/null
}

# Stock perf mounts tracefs there as well; wperf does without.
mount_tracefs() {
	mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
}

can_sample() {
	"$WPERF" record -e cpu-clock --json -- true >/dev/null 2>&1
}

# The CPython of tests that are content with any: pyenv's first from 3.10 on, or the system's
any_python() {
	ls "$HOME"/.pyenv/versions/3.1[0-9]*/bin/python3 /usr/bin/python3 2>/dev/null | head -n 1 | grep .
}

finish() {
	exit $failed
}
