#!/bin/bash
# --wall: the sum of a thread is its lifetime, what computes and what waits have their lines, time in the kernel included; the report of the recording says what
# the live one said, and stock perf reads both events. WPERF_EVERY_PYTHON=1: every interpreter.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
mount_tracefs || skip "no tracefs"
pythons=$(any_python)
[ -z "${WPERF_EVERY_PYTHON:-}" ] || pythons=$(ls "$HOME"/.pyenv/versions/3*/bin/python /usr/bin/python3 2>/dev/null)
[ -n "$pythons" ] || skip "no CPython"
cd "$scratch" || exit 2
cat >lives.py <<'PY'
import sys, threading, time
clock, cpu = time.clock_gettime, time.CLOCK_THREAD_CPUTIME_ID
def computes(seconds):
    end = clock(cpu) + seconds
    while clock(cpu) < end:
        sum(range(100))
def sleeps(seconds):
    time.sleep(seconds)
def reads(seconds):
    end = clock(cpu) + seconds
    with open("/dev/zero", "rb", buffering=0) as zero:
        while clock(cpu) < end:
            zero.read(1 << 18)
truth = []
def lives(plan):
    began = time.monotonic()
    for play, amount in plan:
        wall, ran = time.monotonic(), clock(cpu)
        play(amount)
        truth.append((threading.current_thread().name, play.__name__, time.monotonic() - wall, clock(cpu) - ran))
    truth.append((threading.current_thread().name, "least", time.monotonic() - began, 0))
plans = [("napper", [(sleeps, .2), (computes, .05)]), ("busy", [(computes, .15), (sleeps, .2), (reads, .1)])]
threads = []
for name, plan in plans:
    thread = threading.Thread(target=lives, name=name, args=(plan,))
    threads.append((thread, time.monotonic()))
    thread.start()
for thread, began in threads:
    thread.join()
    truth.append((thread.name, "most", time.monotonic() - began, 0))
for name, play, wall, ran in truth:
    sys.stderr.write("truth %s %s %d %d\n" % (name, play, wall * 1e9, ran * 1e9))
PY
# Where a sample is, is right to a period, 1 ms; so are the first and last one of a thread. A thread lives longer than what it plays: it waits for the GIL before
# and behind. Of what it has a CPU, interrupts and whoever lends the CPU take some, which its own clock does not count.
cat >judge.py <<'PY'
import json, sys
name = sys.argv[1]
events = json.load(open(name + ".json"))["sorted"]["events"]
bad = [event["type"] for event in events] != ["wall"]
sums = {}
for row in events[0]["rows"]:
    for play in (row["python-function"].split()[0], "least", "most"):
        part = sums.setdefault((row["thread"].split()[0], play), [0, 0])
        part[row["state"] == "running"] += row["sum"]
for line in open(name + ".err"):
    if not line.startswith("truth "):
        continue
    thread, play, wall, ran = line.split()[1:]
    waited, computed = sums.get((thread, play), (0, 0))
    off = waited + computed - int(wall)
    print("  %s: %-6s %-8s %9d ns, says %9s (%.2f %%); ran %9d, says %9s" % (name, thread, play, waited + computed, wall, 100 * off / float(wall), computed, ran))
    allowed = 0.01 * int(wall) + 3000000
    bad |= off < -allowed if play == "least" else off > allowed if play == "most" else abs(off) > allowed
    more = computed - int(ran)
    bad |= play not in ("least", "most") and not -0.02 * int(ran) - 4000000 <= more <= 0.05 * int(ran) + 12000000
sys.exit(bad or len(sums) < 8)
PY
sum_of() { # JSON: the sum of its first event's weights
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["sampling"]["events"][0]["weight_sum"])' "$1"
}
lives() { # PYTHON
	local name
	name=$(basename "$(dirname "$(dirname "$1")")")
	"$WPERF" record --wall -g -F 1000 --data "$name.data" --json -- "$1" lives.py >"$name.live" 2>"$name.err" ||
		{ check "$name: $(tail -n 1 "$name.err")" false; return; }
	"$WPERF" report -i "$name.data" --wall --sort thread,python-function,python-line,state --sample-display-row 100000 --json >"$name.json" 2>/dev/null
	check "$name: threads live as long as they say, where they say" python3 judge.py "$name"
}
one_by_one lives $pythons
name=$(basename "$(dirname "$(dirname "$(tail -n 1 <<<"$pythons")")")")
"$WPERF" report -i "$name.data" --wall -g --json >again.json 2>/dev/null
total=$(sum_of "$name.live")
check "the recording's report has the live one's sum" test "$total" = "$(sum_of again.json)"
line=$(grep -n 'time.sleep' lives.py | cut -d: -f1)
slept=$(python3 -c 'import json, sys; print(sum(r["sum"] for r in json.load(open(sys.argv[1]))["sorted"]["events"][0]["rows"] if r["python-line"].endswith("lives.py:" + sys.argv[2])))' \
	"$name.json" "$line")
truth=$(awk '$1 == "truth" && $3 == "sleeps" { sum += $4 } END { printf "%.0f", sum }' "$name.err")
check "the sleeping line has slept ($slept ns of $truth)" within "$slept" "$truth" 9000000
"$WPERF" export -i "$name.data" --wall --format folded -o out.folded -q 2>/dev/null
check "an export has that sum" test "$(awk '{ sum += $NF } END { printf "%.0f", sum }' out.folded)" = "$total"
if command -v perf >/dev/null; then
	check "perf script has both events and that sum" test "$(perf script -i "$name.data" -F period,event 2>/dev/null |
		awk '/cpu-clock|offcpu-time/ { sum += $1; seen[$2] = 1 } END { printf "%d %.0f", length(seen), sum }')" = "2 $total"
else
	part_skipped "no perf"
fi
finish
