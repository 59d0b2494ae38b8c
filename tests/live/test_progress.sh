#!/bin/bash
# On a terminal, work that takes more than a second says how far it is, in a line that goes away: reading a recording in percent,
# reading a pipe and writing an export in MB, resolving what was sampled in percent. Modules are loaded slowly on purpose (tools/slow_load).
. "$(dirname "$0")/lib.sh"
can_sample || skip "this user may not sample"
slow=$WORK/tools/wperf_slow
cd "$scratch" || exit 1
cp "$WORKLOADS/shapes" slowpoke

# on COMMAND...: what appears on a terminal, a line each time one is begun or written anew
on() { "$TOP/tests/live/terminal.py" 80 1000 "" "$@" | tr '\r' '\n'; }

"$WPERF" record -q -F 500 -e cpu-clock:u -- ./slowpoke shares 2 >/dev/null || skip "nothing can be recorded"

SLOW_LOAD=slowpoke:1500 on "$slow" report --no-pager >read
check "reading a recording: a percentage" grep -qP '^reading perf\.data \.\.\. \d+%\x1b\[K$' read
check "... that goes away" grep -qP '^\x1b\[K=+ sample source' read
SLOW_LOAD=slowpoke:1500 on sh -c "'$slow' report --no-pager 2>err" >read
check "nothing where errors go to a file" sh -c '! grep -q "\.\.\." read err'
SLOW_LOAD=slowpoke:1500 on "$slow" export --format folded -o x.folded >read
check "export: a percentage" grep -qP '^reading perf\.data \.\.\. \d+%\x1b\[K$' read
SLOW_LOAD=slowpoke:1500 on "$slow" export --format folded -o x.folded -q >read
check "nothing with -q" test ! -s read
began=$(date +%s%N)
on "$WPERF" report --no-pager >read
quick=$(($(date +%s%N) - began < 1000000000))
check "nothing when it is quick (less than a second: $quick)" sh -c "[ $quick = 0 ] || ! grep -q reading read"

# More than a pipe holds is before the pause: it begins when that is read.
on sh -c "(cat perf.data; head -c 200000 /dev/zero; sleep 1.2; head -c 4000000 /dev/zero) | '$WPERF' report --no-pager -i -" >pipe
check "reading a pipe: MB" grep -qP '^reading standard input \.\.\. \d+ MB\x1b\[K$' pipe

# What is mapped while it runs is waited for at the end only.
cat >late.py <<'PY'
import sys, time
time.sleep(0.3)
import _decimal
end = time.process_time() + 0.2
while time.process_time() < end:
    _decimal.Decimal(2).sqrt(_decimal.Context(prec=20000))
PY
module=$(python3 -c 'import _decimal; print(_decimal.__file__)' 2>/dev/null)
if [ -f "$module" ]; then
	SLOW_LOAD=$(basename "$module"):2500 on "$slow" record -F 500 -e cpu-clock:u --no-pager -- python3 late.py >late
	check "resolving at the end: a percentage" grep -qP '^resolving samples \.\.\. \d+%\x1b\[K$' late
	check "... and the line of progress behind it" grep -qP '^\x1b\[Ksampling .*done!$' late
else
	part_skipped "this python3 has no module _decimal in a file of its own"
fi
finish
