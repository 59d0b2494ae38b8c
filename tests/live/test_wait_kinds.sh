#!/bin/bash
# --waits: what threads wait for, on which descriptor and from which Python line: as often and as long as the program itself says; as many system calls as strace
# sees; a recording says the same, and stock perf reads it. WPERF_EVERY_PYTHON=1: every interpreter.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
mount_tracefs || skip "no tracefs"
cd "$scratch" || exit 2
watched waits.stolen "$WPERF" record --waits --python off --json --sample-display-row 100000 --data waits.data -- "$WORKLOADS/waits" >waits.json 2>waits.truth ||
	skip "waits cannot be sampled: $(tail -n 1 waits.truth)"

cat >rows.py <<'PY'
import json
def rows(path):
    return [row for event in json.load(open(path))["sampling"]["events"] for row in event.get("waits", [])]
PY
cat >native.py <<'PY'
from rows import rows
import json
kinds, on = {}, set()
for row in rows("waits.json"):
    n, ns = kinds.get(row["kind"], (0, 0))
    kinds[row["kind"]] = n + row["waits"], ns + row["ns"]
    if row["kind"] == "read" and row["fd"] is not None and row["on"] != "?":
        on.add(row["on"].split("[")[0])
states = [r for e in json.load(open("waits.json"))["sampling"]["events"] for r in e["wait_states"]]
print("  ", kinds)
assert sum(ns for n, ns in kinds.values()) == sum(r["ns"] for r in states), "sum"
assert sum(n for n, ns in kinds.values()) == sum(r["waits"] for r in states), "count"
assert kinds["sleep"][0] == 12, "ten naps, and one each of two"
truth = dict(line.split() for line in open("waits.truth") if len(line.split()) == 2 and line.split()[1].isdigit())
sleepers = sum(int(truth[name]) for name in ("sleeper", "holder", "locker"))
assert 450e6 <= kinds["sleep"][1] <= sleepers, "what they were told to sleep, and no more than they were off the CPU"
assert kinds["lock"][0] >= 2, "the lock, and joining"
assert 100 <= kinds["read"][0] <= 1000, "500 rounds: some find their byte there"
assert "pipe:" in on, on
PY
check "a native program: sleeps, locks and pipes" python3 native.py
"$WPERF" report -i waits.data --waits --json --sample-display-row 100000 >report.json 2>/dev/null
check "a recording says the same" python3 -c 'from rows import rows; import sys; sys.exit(rows("waits.json") != rows("report.json") or not rows("report.json"))'
if command -v perf >/dev/null; then
	check "perf report sums the same" test "$(perf report -i waits.data --stdio 2>/dev/null | sed -n "s/^# Event count (approx.): //p")" = \
		"$(python3 -c 'from rows import rows; print(sum(r["ns"] for r in rows("waits.json")))')"
else
	part_skipped "no perf"
fi
"$WPERF" record -g -e off-cpu --python off --data plain.data -- "$WORKLOADS/waits" >/dev/null 2>&1
"$WPERF" report -i plain.data --waits --json --sample-display-row 100000 >plain.json 2>/dev/null
check "recorded without --waits: descriptors have no names" python3 -c 'from rows import rows
reads = [r for r in rows("plain.json") if r["kind"] == "read" and r["waits"] > 10]
assert len(reads) == 2 and {r["on"] for r in reads} == {"?"} and all(r["fd"] > 2 for r in reads), reads'

# Of the program's own thread, whose identifier is the lowest.
cat >stopped.py <<'PY'
import json, sys
rows = json.load(open("stopped.json"))["sorted"]["events"][0]["rows"]
said = {kind: int(ns) for kind, ns in map(str.split, open("stopped.out"))}
stolen = int(open("stopped.stolen").read())
tid_of = lambda row: int(row["thread"].rsplit("(")[-1].strip(")"))
first = min(tid_of(row) for row in rows)
kinds = {}
for row in rows:
    n, ns = kinds.get((tid_of(row) == first, row["field:kind"]), (0, 0))
    kinds[tid_of(row) == first, row["field:kind"]] = n + row["count"], ns + row["sum"]
print("  ", kinds)
assert not any("restart" in kind for own, kind in kinds), "a sleep goes on as one"
own = lambda kind: kinds.get((True, kind), (0, 0))
assert own("sleep")[0] == 2 and own("poll")[0] == 2, "before and after the stop"
assert all(50e6 < own(kind)[1] <= 1.01 * said[kind] for kind in ("sleep", "poll")), "at least up to the stop"
assert own("stopped")[0] == 2
off, want = sum(own(kind)[1] for kind in ("sleep", "poll", "stopped")), said["sleep"] + said["poll"]
print("   %d ns of %d" % (off, want))
assert 0.99 * want - 400000 - own("preempted")[1] - stolen <= off <= 1.01 * want, "as long as the program itself says"
if "foreign" in said:
    assert kinds[False, "32-bit call"][0] == 1 and 150e6 <= kinds[False, "32-bit call"][1] < said["foreign"]
PY
stopped() {
	watched stopped.stolen "$WPERF" record --waits --python off --data stopped.data -- "$WORKLOADS/stopped" >stopped.all 2>/dev/null &&
		grep -E '^(sleep|poll|foreign) [0-9]+$' stopped.all >stopped.out &&
		"$WPERF" report -i stopped.data --sort thread,field:kind --sample-display-row 1000 --json >stopped.json 2>/dev/null && python3 stopped.py
}
check "a sleep or poll that was stopped goes on as what it was; calls by other numbers are said to be such" stopped

cat >judge.py <<'PY'
from rows import rows
import json, sys
name, exact = sys.argv[1], sys.argv[2] == "exact"
seen, bad, stolen = rows(name + ".json"), False, int(open(name + ".stolen").read())
for line in open(name + ".truth"):
    want = json.loads(line)
    functions = {want["function"]} | ({"accept", "socket.accept"} if want["kind"] == "accept" else set())
    of = [r for r in seen if r["function"] in functions]
    kind = [r for r in of if r["kind"] == want["kind"]]
    n, ns = sum(r["waits"] for r in kind), sum(r["ns"] for r in of)
    on = {(-1 if r["fd"] is None else r["fd"], r["on"]) for r in kind}
    print("  %s: %-10s in %-8s %d of %d, %9d ns of %9d, on %s" % (name, want["kind"], want["function"], n, want["n"], ns, want["ns"], sorted(on)))
    if want["kind"] == "page fault": # pages that are on their way already are waited for, too
        bad |= n < want["n"] or abs(ns - want["ns"]) > 0.01 * want["ns"] + 50000 * (n + 16) + stolen # whose CPU time is small
        continue
    bad |= n != want["n"] if exact or want["kind"] != "lock" else n < want["n"]
    bad |= not -0.01 * want["ns"] - 200000 * want["n"] - stolen <= ns - want["ns"] <= 0.01 * want["ns"]
    bad |= on != {(want["fd"], want["on"])}
sys.exit(bad)
PY
dd if=/dev/urandom of="$WORK/wait_pages.$$" bs=1M count=16 conv=fsync status=none
python_waits() { # PYTHON
	local name exact=exact
	name=$(basename "$(dirname "$(dirname "$1")")")
	case $name in 2.7.* | 3.6.*) exact=more ;; esac # whose GIL is a lock like others
	WAIT_PAGES=$WORK/wait_pages.$$ WAIT_TRUTH=$name.truth watched "$name.stolen" "$WPERF" record --waits --idle --json --sample-display-row 100000 --data "$name.data" -- \
		"$1" "$TOP/tests/workloads/py_wait_kinds.py" >"$name.json" 2>"$name.err" || { check "$name: $(tail -n 1 "$name.err")" false; return; }
	check "$name: each kind of wait: how often, how long, on what, where" python3 judge.py "$name" $exact
}
pythons=$(any_python)
[ -z "${WPERF_EVERY_PYTHON:-}" ] || pythons=$(ls "$HOME"/.pyenv/versions/*/bin/python /usr/bin/python3 2>/dev/null)
[ -n "$pythons" ] || part_skipped "no CPython"
one_by_one python_waits $pythons

as_strace() { # NAME: of the main thread
	python3 - "$1" <<'PY'
from rows import rows
import re, sys
calls = [line for line in open("strace.out") if "ERESTART" not in line] # which strace itself makes, by a signal that is ignored
count = lambda pattern: sum(bool(re.match(pattern, line)) for line in calls)
seen = rows(sys.argv[1] + ".json")
kind = lambda kind, *functions: sum(r["waits"] for r in seen if r["kind"] == kind and (not functions or r["function"] in functions))
naps = r"(clock_nanosleep|nanosleep)\(|p?select6?\(0,|select\(0,"
pairs = {
    "accept": (count(r"accept4?\("), kind("accept")),
    "recv": (count(r"recvfrom\("), kind("recv")),
    "poll": (count(r"(epoll_p?wait|poll|ppoll|select|pselect6)\((?!0,)"), kind("poll")),
    "sleep": (count(naps), kind("sleep", "sleeps", "<module>")),
}
print("  ", pairs)
sys.exit(any(a != b or not a for a, b in pairs.values()))
PY
}
if [ -n "$pythons" ] && command -v strace >/dev/null; then
	python=$(tail -n 1 <<<"$pythons")
	name=$(basename "$(dirname "$(dirname "$python")")")
	if WAIT_PAGES=$WORK/wait_pages.$$ WAIT_TRUTH=strace.truth strace -o strace.out "$python" "$TOP/tests/workloads/py_wait_kinds.py" >/dev/null 2>&1; then
		check "as many system calls as strace sees" as_strace "$name"
	else
		part_skipped "strace may not trace here"
	fi
else
	part_skipped "no strace"
fi
rm -f "$WORK/wait_pages.$$"

refused() { # WHAT ARGUMENTS...
	local text
	text=$("$WPERF" "${@:2}" 2>&1 >/dev/null) && return 1
	echo "  $text"
	[ "$(wc -l <<<"$text")" = 1 ] && grep -q -e "$1" <<<"$text"
}
check "without waits it is refused" refused 'no off-cpu' record --waits -e cpu-clock -- true
check "beside --sort it is refused" refused 'not with' report -i waits.data --waits --sort thread
if can_be_nobody; then
	text=$(as_nobody "$WPERF" record --waits -- true 2>&1 >/dev/null)
	echo "  $text"
	check "an ordinary user is told in one line" test "$(wc -l <<<"$text")" = 1
fi
finish
