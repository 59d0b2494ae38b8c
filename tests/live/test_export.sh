#!/bin/bash
# wperf export and script: flame graph, folded stacks and callgrind have the report's figures and their readers take them; script says
# what perf script says.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
oracle=$TOP/tests/live/export_text_oracle.py
mixed=$TOP/tests/workloads/py_mixed.py
python=$(any_python) || skip "no Python"
cd "$scratch" || exit 2


export_as() { # FORMAT OPTIONS...: app.FORMAT
	local format=$1
	shift
	"$WPERF" export --format "$format" -i app.data -o "app.$format" "$@" 2>"$format.log" || { cat "$format.log"; return 1; }
}

"$WPERF" record -g -e cpu-clock,page-faults:50 -F 500 --data app.data -- "$python" "$mixed" 1 >/dev/null 2>record.log || { cat record.log; exit 1; }
"$WPERF" report -g -i app.data --sample-display-row 100000 --json >report.json 2>/dev/null
for format in folded flame callgrind; do
	check "$format: written" export_as $format --event cpu-clock
done
check "folded: the report's totals" python3 "$oracle" folded app.folded report.json cpu-clock
check "flame: boxes of the stacks' shares, a program begins with its <module>" python3 "$oracle" flame app.flame app.folded cut
export_as flame --event cpu-clock --frames all
check "flame: boxes of whole stacks" python3 "$oracle" flame app.flame app.folded
for kind in python native; do
	"$WPERF" export --format folded --event cpu-clock -i app.data --frames $kind -o $kind.folded -q
	check "--frames $kind: the stacks without the others" python3 "$oracle" frames $kind.folded app.folded $kind
done
"$WPERF" export --format folded --event cpu-clock -i app.data --lines -o lines.folded -q
check "--lines: the same stacks, with lines" python3 "$oracle" lines lines.folded app.folded
export_as flame --event cpu-clock
mv app.flame first.flame
export_as flame --event cpu-clock
check "flame: the same bytes again" cmp app.flame first.flame
cp app.flame app.svg
if command -v xmllint >/dev/null; then
	check "flame: well-formed" xmllint --noout app.flame
else
	part_skipped "no xmllint"
fi
if command -v rsvg-convert >/dev/null; then
	check "flame: rsvg-convert draws it" rsvg-convert app.flame -o flame.png
else
	part_skipped "no rsvg-convert"
fi
if command -v chromium >/dev/null; then
	timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/chromium" --window-size=1700,900 --dump-dom \
		"file://$PWD/app.svg" >app.dom 2>/dev/null
	check "flame: as wide as a browser's window" grep -q 'viewBox="0 0 1700 ' app.dom
else
	part_skipped "no chromium"
fi
if command -v callgrind_annotate >/dev/null; then
	callgrind_annotate --inclusive=yes --threshold=100 --auto=no app.callgrind >annotated 2>&1
	check "callgrind: callgrind_annotate's figures" python3 "$oracle" callgrind annotated app.folded
	check "callgrind: of all events" export_as callgrind
	callgrind_annotate --auto=yes app.callgrind >annotated 2>&1
	check "callgrind: source lines of Python" grep -q 'return n if n < 2 else' annotated
else
	part_skipped "no callgrind_annotate"
fi
check "filters: --symbol keeps its samples" [ "$("$WPERF" export --format folded -i app.data --event cpu-clock --symbol ^fib$ -o - 2>/dev/null)" = \
	"$(grep ';fib (py_mixed.py:' app.folded)" ]
line=$(grep -n "return n if n < 2" "$mixed" | cut -d: -f1)
check "script: a line for each Python frame" sh -c "\"$WPERF\" script -i app.data 2>/dev/null | grep -q '^	 *[0-9a-f]* fib (.*py_mixed.py:$line)$'"

command -v perf >/dev/null || { part_skipped "no perf"; finish; }
perf record -q -N -F 500 -g -e cpu-clock -o perf.data -- "$python" "$mixed" 1 >/dev/null 2>&1 || { part_skipped "this user may not sample with perf"; finish; }
"$WPERF" script -i perf.data >ours.txt 2>/dev/null
perf script --no-inline -i perf.data -F comm,pid,tid,time,period,event,ip,sym,symoff,dso >perfs.txt 2>/dev/null
check "script: perf script's samples and frames" python3 "$oracle" script ours.txt perfs.txt
"$WPERF" export --format folded -i perf.data -o stock.folded -q 2>/dev/null
check "folded: all samples of perf's recording" [ "$(awk '{ sum += $NF } END { print sum }' stock.folded)" = \
	"$(awk '/ cpu-clock:$/ { sum += $(NF - 1) } END { print sum }' ours.txt)" ]
finish
