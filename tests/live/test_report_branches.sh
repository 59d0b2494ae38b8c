#!/bin/bash
# Branches of a recording, as a CPU with branch records would have made it (tests/cli/report/branches/make.py), between functions of
# a program that is here: `wperf report --branch` counts them as perf does, and `script -F brstack,brstacksym` prints them so.
. "$TOP/tests/live/lib.sh"
command -v perf >/dev/null || skip "perf is not there to compare with"
cd "$scratch" || exit 2
# Where no CPU remembers branches, that is said in one line, before anything is run.
if ! ls /sys/bus/event_source/devices | grep -qE '^(cpu|cpu_core|armv[0-9]+.*pmu.*)$'; then
	"$WPERF" record -b -- touch ran 2>err
	check "-b without a PMU is refused" test "$?" = 1 -a "$(wc -l <err)" = 1 -a ! -e ran
	check "... and why" grep -q "branches are remembered by a CPU's PMU, and " err
fi
python3 "$TOP/tests/cli/report/branches/make.py" b.data "$WORKLOADS/calls" 300 || skip "the program's functions are not to be had (nm)"
ours() { # KEYS: count and values, blanks between
	"$WPERF" report -b -i b.data --sort "$1" --csv --rows 100000 2>/dev/null | sed -n 's/^[0-9.]*,\([0-9]*\),\(.*\),$/\1 \2/p' | tr , ' '
}
theirs() { # [PERF'S KEYS]
	perf report -n -b -i b.data --stdio ${1:+--sort "$1"} 2>/dev/null | sed -n 's/^ *[0-9.]*% *//p' | sed 's/\[\.\]//g' | tr -s ' ' | sed 's/ $//'
}
ours comm,dso_from,symbol_from,symbol_to,cycles | sed 's/:calls//g' | sort >ours
theirs | sort >theirs
check "functions and cycles" cmp ours theirs
check "... many" test "$(wc -l <ours)" -gt 500
# perf 6.1 has several rows of one kind (what it compares has no order), and prints a branch of which neither is said as the last one
# of which it is.
python3 "$TOP/tests/cli/report/branches/make.py" b.data "$WORKLOADS/calls" 300 sure
added() { awk '{ n = $1; $1 = ""; sum[$0] += n } END { for (row in sum) print sum[row] row }' | sort; }
ours comm,dso_from,dso_to,mispredict,cycles,in_tx,abort | sort >ours
theirs comm,dso_from,dso_to,mispredict,cycles,in_tx,abort | added >theirs
check "what flags say" cmp ours theirs
ours srcline_from,srcline_to | sed 's|[^ ]*/||g; s| -| ??:0|g' | sort >ours
theirs srcline_from,srcline_to | sort >theirs
check "lines" cmp ours theirs
for fields in tid,brstack tid,brstacksym; do # perf 6.1 has no word for how a branch was speculated
	perf script -i b.data -F $fields 2>/dev/null | tr -s ' ' | sed 's/^ *//; s/ $//; s|//-|/|g' >theirs
	"$WPERF" script -i b.data -F $fields 2>/dev/null | tr -s ' ' | sed 's/^ *//; s/ $//; s|//-|/|g' >ours
	check "script -F $fields" cmp ours theirs
done
finish
