#!/bin/bash
# Packets of Arm SPE as stock `perf report -D` prints them: every packet, records as cores write them, records with bytes missing,
# and noise. Where they differ, by words that the installed perf does not know, the cause is named. Then samples as `perf script` prints
# them of a recording.
. "$TOP/tests/live/lib.sh"
command -v perf >/dev/null || skip "no perf"
streams=$TOP/tests/live/spe_streams.py

alike() { # KIND SEED BYTES
	python3 "$streams" "$1" "$2" "$3" "$scratch/raw" "$scratch/perf.data"
	perf report -D -i "$scratch/perf.data" >"$scratch/theirs" 2>/dev/null
	"$WORK/tools/spe_dump" "$scratch/raw" >"$scratch/ours"
	python3 "$TOP/tests/live/spe_oracle.py" "$scratch/ours" "$scratch/theirs"
}

python3 "$streams" every 0 0 "$scratch/raw" "$scratch/perf.data"
perf report -D -i "$scratch/perf.data" 2>/dev/null | grep -q "ARM SPE data" || skip "this perf was built without auxtrace"
check "every packet" alike every 0 0
for seed in 1; do
	check "records, seed $seed" alike records $seed 9000
	check "broken records, seed $seed" alike broken $seed 9000
	check "noise, seed $seed" alike noise $seed 6000
done

# --- a dump without anything around it, larger than what is read at once
dump() {
	python3 "$streams" records 1 3000000 "$scratch/raw" "$scratch/perf.data"
	"$WPERF" export -q --format csv -i "$scratch/raw" -o "$scratch/raw.csv"
	"$WORK/tools/spe_dump" "$scratch/raw" | sed -nE 's/.* PC 0x([0-9a-f]*) .*/\1/p' | low_digits >"$scratch/pcs"
	[ "$(wc -l <"$scratch/pcs")" -gt 40000 ] && cmp "$scratch/pcs" <(tail -n +2 "$scratch/raw.csv" | cut -d, -f6 | low_digits)
}
low_digits() { # of an address: the kernel's have their upper bits filled in
	sed -E 's/^0x0*//; s/.*(.{12})$/\1/'
}
check "a raw dump: every record" dump

# --- samples: the same ones, of the same threads, with the same addresses and sources
samples() { # VERSION contexts|switches
	python3 "$streams" recording "$1" "$2" "$scratch/perf.data"
	"$WPERF" script -i "$scratch/perf.data" -F pid,tid,time,cpu,ip,addr,data_src >"$scratch/ours$1" 2>"$scratch/notes"
}
for threads in contexts switches; do
	samples 1 $threads
	perf script -i "$scratch/perf.data" --itrace=M -F pid,tid,time,cpu,ip,addr,data_src >"$scratch/theirs" 2>/dev/null
	check "samples, threads told by $threads" python3 "$TOP/tests/live/spe_samples.py" "$scratch/ours1" "$scratch/theirs"
	"$WPERF" mem -i "$scratch/perf.data" --sort thread --json >"$scratch/mem.json" 2>/dev/null
	perf script -i "$scratch/perf.data" --itrace=M -F tid,weight,data_src >"$scratch/theirs" 2>/dev/null
	check "wperf mem, threads told by $threads" python3 "$TOP/tests/live/mem_oracle.py" "$scratch/mem.json" "$scratch/theirs"
	samples 2 $threads
	check "AUXTRACE_INFO of version 2, which perf 6.1 does not read, says the same" cmp "$scratch/ours1" "$scratch/ours2"
done
exit $failed
