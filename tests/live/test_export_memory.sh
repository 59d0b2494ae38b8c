#!/bin/bash
# wperf export of loads and stores: what pprof and callgrind_annotate read of latencies and levels is what wperf mem says.
. "$TOP/tests/live/lib.sh"
cd "$scratch" || exit 1
symbols=$TOP/tests/cli/mem/perf_mem/symbols
python3 "$TOP/tests/cli/mem/perf_mem/make.py" m.data
"$WPERF" mem --replay "$symbols" -i m.data --sort symbol --json >mem.json 2>/dev/null
for format in pprof callgrind; do
	"$WPERF" export -q --format $format --replay "$symbols" -i m.data -o m.$format || exit 1
done
mv m.pprof m.pb.gz

# functions FILE OF: rows of "NAME VALUE" are those of wperf mem, all of them; OF: as python says it of a row
functions() {
	python3 - mem.json "$1" "$2" <<-'PY'
	import json, sys
	(group,) = json.load(open(sys.argv[1]))["memory"]["groups"]
	want = {r["symbol"].split(":")[0]: round(eval(sys.argv[3], {"round": round}, r)) for r in group["rows"]}
	want = {name: value for name, value in want.items() if value}
	got = {name: int(value.replace(",", "")) for name, value in (line.split() for line in open(sys.argv[2]))}
	if got != want:
	    print("  got %s, want %s" % (got, want))
	sys.exit(got != want or not want)
	PY
}

loads="count - stores"
measures=("r1cd.latency|mean * ($loads)" "r1cd.ram|ram" "r1cd.l2|l2" "r1cd.l3|l3" "r2cd.other|other")
if command -v go >/dev/null; then
	for measure in "${measures[@]}"; do
		GOTOOLCHAIN=local timeout 200 go tool pprof -top -nodefraction=0 -sample_index="${measure%%|*}" m.pb.gz 2>pprof.err |
			awk '/flat%/ { on = 1; next } on && $1 != "0" { sub(/[a-z]+$/, "", $1); print $6, $1 }' >got
		[ -s got ] || cat pprof.err
		check "pprof: ${measure%%|*}" functions got "${measure#*|}"
	done
else
	part_skipped "no Go, so no pprof"
fi

if command -v callgrind_annotate >/dev/null; then
	for measure in "${measures[@]}"; do
		callgrind_annotate --threshold=100 --show="${measure%%|*}" --sort="${measure%%|*}" m.callgrind 2>annotate.err |
			sed -nE 's/^ *([0-9,]+) \([^)]*\)  .*:([a-z_]+) .*/\2 \1/p' >got
		[ -s got ] || cat annotate.err
		check "callgrind_annotate: ${measure%%|*}" functions got "${measure#*|}"
	done
else
	part_skipped "no callgrind_annotate"
fi
finish
