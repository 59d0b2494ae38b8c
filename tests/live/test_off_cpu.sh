#!/bin/bash
# -e off-cpu: waits last as long as the threads themselves say, where they say; their number is that of sched:sched_switch; states are kept apart; stock perf
# reads the same sums. WPERF_EVERY_PYTHON=1: every interpreter.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
mount_tracefs || skip "no tracefs"
cd "$scratch" || exit 2
watched waits.stolen "$WPERF" record --python off -e off-cpu -g --json --data waits.data -- "$WORKLOADS/waits" >waits.json 2>waits.truth ||
	skip "waits cannot be sampled: $(tail -n 1 waits.truth)"

# sums FILE KEYS: a line "NS COUNT WORD WORD..." for each row of `report --sort KEYS`, more words to follow
sums() {
	"$WPERF" report -i "$1" --idle --sort "$2" --sample-display-row 100000 --json 2>/dev/null | python3 -c '
import json, sys
for event in json.load(sys.stdin)["sorted"]["events"]:
    if event["type"] != "offcpu-time":
        continue
    for row in event["rows"]:
        print(row["sum"], row["count"], *[row[key] for key in sys.argv[1].split(",")])' "$2"
}

# What perf, the kernel and the walk of the stack (5 to 15 us, cold) do at each switch is neither: 20 us for each, 100 where the thread was preempted by
# others, which leave it the caches cold.
cat >judge.py <<'PY'
import sys
truth = dict(line.split() for line in open("waits.truth") if len(line.split()) == 2 and line.split()[1].isdigit())
seen = {}
for line in open("waits.threads"):
    ns, count, name = line.split()[:3]
    seen[name] = (int(ns), int(count))
rows = [line.split() for line in open("waits.states")]
bad = len(truth) != 8
stolen = int(open("waits.stolen").read())
print("  %d ns stolen by the host at most" % stolen)
for name, ns in truth.items():
    got, count = seen.get(name, (0, 0))
    preempted = sum(int(row[1]) for row in rows if row[2] == name and row[-1] == "preempted")
    allowed = 0.01 * int(ns) + 20000 * count + 80000 * preempted
    print("  %-8s %9d ns off the CPU, says %9s: %d waits" % (name, got, ns, count))
    bad |= not -allowed - stolen <= got - int(ns) <= allowed
sys.exit(bad)
PY
sums waits.data thread >waits.threads
sums waits.data thread,state >waits.states
check "each thread's waits are its wall clock less its CPU time" python3 judge.py

state_of() { # THREAD STATE: milliseconds
	awk -v t="$1" -v s="$2" '$3 == t && $NF == s { sum += $1 } END { print sum / 1e6 }' waits.states
}
check "a sleep is interruptible" test "$(state_of sleeper interruptible | cut -d. -f1)" -ge 200
check "who spins beside others is preempted" test "$(state_of burner1 interruptible | cut -d. -f1)" -lt 2
line_ms() { # FUNCTION: milliseconds of waits that begin in its callees
	"$WPERF" report -i waits.data --sort symbol --children --sample-display-row 100000 --json 2>/dev/null |
		python3 -c 'import json, sys; print(sum(r["children"] for r in json.load(sys.stdin)["sorted"]["events"][0]["rows"] if r["symbol"] == sys.argv[1]))' "$1"
}
check "native stacks lead to who waited" python3 - "$(line_ms play_sleeper)" <<'PY'
import sys
total = sum(int(line.split()[0]) for line in open("waits.threads"))
want = 100 * next(int(line.split()[0]) for line in open("waits.threads") if line.split()[2] == "sleeper") / total
print("  play_sleeper has %s %%, its thread %.2f %%" % (sys.argv[1], want))
sys.exit(abs(float(sys.argv[1]) - want) > 0.5)
PY

if command -v perf >/dev/null; then
	ours=$(awk '{ sum += $1 } END { printf "%.0f", sum }' waits.threads)
	theirs=$(perf report -i waits.data --stdio 2>/dev/null | sed -n "s/^# Event count (approx.): //p")
	check "perf report sums the same ($theirs ns)" test "$ours" = "$theirs"
	check "perf script has every wait" test "$(perf script -i waits.data -F event 2>/dev/null | grep -c offcpu-time)" = "$(awk '{ n += $2 } END { print n }' waits.threads)"
else
	part_skipped "no perf"
fi

counts_agree() {
	# A thread that ends has no events any more when it is switched out for the last time.
	"$WPERF" record --python off -e off-cpu,sched:sched_switch --data both.data -- "$WORKLOADS/waits" >/dev/null 2>both.err
	"$WPERF" script -i both.data -F event 2>/dev/null >both.text
	waits=$(grep -c offcpu-time both.text) switches=$(grep -c sched:sched_switch both.text)
	check "as many waits ($waits) as switches ($switches)" test "$waits" = "$switches" -a "$waits" -gt 1000
	check "nothing was lost" bash -c '! grep -q lost both.err'
}

sums_short() {
	"$WPERF" record --python off -g -e off-cpu/min_us=5000/ --data short.data -- "$WORKLOADS/waits" >/dev/null 2>short.err
	sums short.data thread,state >short.states
	cat >short.py <<'PY'
rows = [line.split() for line in open("short.states")]
short = {row[2]: int(row[0]) for row in rows if row[-1] == "short"}
long = sum(int(row[1]) for row in rows if row[-1] != "short")
truth = dict(line.split() for line in open("short.err") if len(line.split()) == 2 and line.split()[1].isdigit())
print("  %d waits of 5 ms and more, short ones of %d threads: ping %d ns of %s" % (long, len(short), short.get("ping", 0), truth["ping"]))
sums = {}
for row in rows:
    sums[row[2]] = sums.get(row[2], 0) + int(row[0])
bad = [name for name in truth if abs(sums.get(name, 0) - int(truth[name])) > 0.01 * int(truth[name]) + 10000 * 1100]
raise SystemExit(bool(bad) or "ping" not in short)
PY
	check "short waits are summed for each thread" python3 short.py
	check "and told" grep -q 'waits below min_us' short.err
}

# A wait that nothing ends
lasts() {
	local begin=${EPOCHREALTIME/./}
	"$WPERF" record --python off -g -e off-cpu --timeout 0.4 --data last.data -- "$WORKLOADS/waits" last >/dev/null 2>last.err
	# From its first line on, and no longer than all of it took.
	check "a wait that lasts is counted up to the end" python3 -c 'import sys; ms = list(map(float, sys.argv[1:])); print("  %.1f ms of %.1f" % tuple(ms)); sys.exit(not 360 <= ms[0] <= ms[1])' \
		"$(sums last.data state | awk '$3 == "interruptible" { print $1 / 1e6 }')" $(((${EPOCHREALTIME/./} - begin) / 1000))
	check "and told" grep -q 'waits still lasted at the end' last.err
}

# Of each there is a recording more: make test-full does them.
if [ -n "${WPERF_EVERY_PYTHON:-}" ]; then
	counts_agree
	sums_short
	lasts
fi

cat >pauses.py <<'PY'
import ctypes, os, signal, subprocess, sys, threading, time
truth = {}
def measured(play):
    def run(*args):
        wall, cpu = time.time(), time.clock_gettime(time.CLOCK_THREAD_CPUTIME_ID)
        play(*args)
        cpu = time.clock_gettime(time.CLOCK_THREAD_CPUTIME_ID) - cpu
        truth[play.__name__] = truth.get(play.__name__, 0) + time.time() - wall - cpu
    return run
def naps():
    for _ in range(5):
        time.sleep(0.03)
def stands():
    os.kill(os.getpid(), signal.SIGSTOP)
def spins(until):
    while time.time() < until:
        pass
def wants(): # the GIL, which the main thread keeps in a call
    time.sleep(0.02)
measured(naps)()
me = os.getpid()
child = subprocess.Popen([sys.argv[1], "-c", "while ! grep -q '^State:.T' /proc/%d/status; do :; done; sleep 0.1; kill -CONT %d" % (me, me)])
measured(stands)()
child.wait()
until = time.time() + 0.2
threads = [threading.Thread(target=measured(spins), args=(until,)) for _ in range(2)]
[t.start() for t in threads]
[t.join() for t in threads]
usleep = ctypes.PyDLL(None).usleep
thread = threading.Thread(target=measured(wants))
thread.start()
usleep(100000)
thread.join()
sys.stderr.write("gil %s\n" % ("gil" if sys.version_info >= (3, 7) else "interruptible"))
for name in truth:
    sys.stderr.write("truth %s %d\n" % (name, truth[name] * 1e9))
PY
cat >judge_python.py <<'PY'
import sys
rows = [line.split() for line in open(sys.argv[1] + ".functions")]
lines = [line.split() for line in open(sys.argv[1] + ".err")]
truth = dict(line[1:] for line in lines if line[:1] == ["truth"])
gil = next(line[1] for line in lines if line[:1] == ["gil"])
bad = len(truth) != 4
stolen = int(open(sys.argv[1] + ".stolen").read())
print("  %s: %d ns stolen by the host at most" % (sys.argv[1], stolen))
between = sum(int(row[0]) for row in rows if row[2] == "run") # preempted between the two clocks
for name, ns in truth.items():
    of = [row for row in rows if row[2] == name]
    got, count = sum(int(row[0]) for row in of), sum(int(row[1]) for row in of)
    states = sorted((int(row[0]), row[-1]) for row in of)
    print("  %s: %-6s %9d ns off the CPU, says %9s: %d waits, most of it %s" % (sys.argv[1], name, got, ns, count, states[-1][1] if of else ""))
    preempted = sum(int(row[1]) for row in of if row[-1] == "preempted")
    allowed = 0.01 * int(ns) + 20000 * count + 80000 * preempted + 500000 + between
    bad |= not -allowed - stolen <= got - int(ns) <= allowed
    bad |= not of or states[-1][1] != {"naps": "interruptible", "stands": "stopped", "wants": gil}.get(name, states[-1][1])
    asleep = sum(ns for ns, state in states if state == "interruptible")
    if name == "wants" and gil == "gil":
        print("  %s: %.1f ms of wants() are for the GIL, %.1f ms asleep" % (sys.argv[1], states[-1][0] / 1e6, asleep / 1e6))
        bad |= not 19e6 < asleep < int(ns) - 15e6 # the call keeps the GIL for 100 ms, of which 20 are slept away
    if name == "spins":
        bad |= gil == "gil" and not asleep < sum(ns for ns, state in states if state == "gil")
sys.exit(bad)
PY
# The call that keeps the GIL is off the CPU, which is exact; of those who spin a clock tells who has it.
cat >judge_gil.py <<'PY'
import json, sys
if "gil interruptible" in open(sys.argv[1] + ".err").read():
    print("  %s: not known of CPython before 3.7" % sys.argv[1])
    sys.exit()
waits = {}
for event in json.load(sys.stdin)["sampling"]["events"]:
    for row in event.get("gil_waits", []):
        of = waits.setdefault(row["function"], {})
        of[row["holder_function"]] = of.get(row["holder_function"], 0) + row["ns"]
# Who runs while the host has its CPU is seen by no clock.
stolen = int(open(sys.argv[1] + ".stolen").read())
shares = {who: (of.get(whom, 0) + min(stolen, of.get("not seen", 0))) / sum(of.values()) for who, whom, of in
          ((who, {"wants": "<module>", "spins": "spins"}.get(who), of) for who, of in waits.items())}
print("  %s: %.1f %% of what wants() waits for the GIL is for <module>, %.1f %% of what spins() waits for another" %
      (sys.argv[1], 100 * shares.get("wants", 0), 100 * shares.get("spins", 0)))
sys.exit(not (shares.get("wants", 0) > 0.97 and shares.get("spins", 0) > 0.7))
PY
who_has_it() { # NAME
	"$WPERF" report -i "$1.data" --json 2>/dev/null | python3 judge_gil.py "$1"
}
python_waits() { # PYTHON
	local name
	name=$(basename "$(dirname "$(dirname "$1")")")
	watched "$name.stolen" "$WPERF" record -g -e off-cpu,cpu-clock -F 500 --data "$name.data" -- "$1" pauses.py /bin/bash >/dev/null 2>"$name.err" ||
		{ check "$name: $(tail -n 1 "$name.err")" false; return; }
	sums "$name.data" python-function,state >"$name.functions"
	check "$name: sleeps, a stop and the wait for the GIL are in their functions" python3 judge_python.py "$name"
	check "$name: who is sampled by a clock runs" test "$("$WPERF" report -i "$name.data" --sort state 2>/dev/null | grep -cw running)" = 1
	check "$name: who keeps whom waiting for the GIL" who_has_it "$name"
	check "$name: beside a clock" test "$("$WPERF" script -i "$name.data" -F event 2>/dev/null | grep -c cpu-clock)" -gt 20
}
pythons=$(any_python)
[ -z "${WPERF_EVERY_PYTHON:-}" ] || pythons=$(ls "$HOME"/.pyenv/versions/3*/bin/python /usr/bin/python3 2>/dev/null)
[ -n "$pythons" ] || part_skipped "no CPython"
one_by_one python_waits $pythons

refused() { # WHAT EVENT VERB
	local text
	text=$("$WPERF" "$3" -e "$2" -- true 2>&1 >/dev/null) && return 1
	echo "  $text"
	[ "$(wc -l <<<"$text")" = 1 ] && grep -q "$1" <<<"$text"
}
check "an interval is refused" refused 'no interval' off-cpu:100 record
check "a wrong threshold is refused" refused 'want off-cpu' off-cpu/min=3/ record
check "two of them are refused" refused twice off-cpu,off-cpu record
check "stat is refused" refused 'sampled, not counted' off-cpu stat
check "pinned readers are refused" bash -c '"$0" record --python pinned -e off-cpu -- true 2>&1 >/dev/null | grep -q "pinned readers see threads that run"' "$WPERF"
if can_be_nobody; then
	text=$(as_nobody "$WPERF" record -e off-cpu -- true 2>&1 >/dev/null)
	echo "  $text"
	check "an ordinary user is told in one line" test "$(wc -l <<<"$text")" = 1
fi
finish
