#!/bin/bash
# What samples carry besides, as keys of reports: which object a page fault was in and who touched it, of recordings of ours and of
# perf's; and of one that a CPU with a PMU would have made (tests/cli/script/data/make.py), the words that perf has for it.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
cd "$scratch" || exit 2
touch=$WORKLOADS/touch
rows() { # FILE KEYS: "COUNT VALUE,VALUE" of the event's rows
	"$WPERF" report -i "$1" --sort "$2" --csv --rows 1000 2>/dev/null | sed -n 's/^[0-9.]*,\([0-9]*\),\(.*\),$/\1 \2/p'
}
# The first pages of an object may be there already, with those in front of them.
check_objects() { # FILE OWN: what is behind the names of the program's own
	rows "$1" symbol,data-symbol,data-module >objects
	for want in "64 unset" "32 other" "16 filled"; do
		n=$(sed -n "s/^\([0-9]*\) touch_${want#* }$2,${want#* }$2,touch$/\1/p" objects)
		check "$1: faults of ${want#* }: ${n:-none}" within "${n:-0}" "${want% *}" 1
	done
	check "$1: no one else touches them" test "$(grep -cE ' [^,]*,(unset|other|filled)' objects)" = 3
}
"$WPERF" record -q -d -e page-faults:1 --data own.data -- "$touch" addresses 2>/dev/null
check_objects own.data ""
check "lines that touch an object" grep -qE '^6[34] .*touch.c:[0-9]*,unset$' <(rows own.data line,data-symbol)
"$WPERF" script -i own.data -F addr 2>/dev/null | sed 's/ *//' | sort -u >theirs
rows own.data data-address | sed -n 's/^[0-9]* 0x//p' | sort -u >ours
check "each address" cmp ours theirs
rows own.data data-line | sed -n 's/^[0-9]* 0x//p' | sort -u >ours
check "each line of the cache" cmp ours <(while read -r at; do printf '%x\n' $((0x$at & ~63)); done <theirs | sort -u)
command -v perf >/dev/null || { part_skipped "perf is not there to compare with"; finish; }
perf record -q -e page-faults:u -c 1 -d -o perf.data "$touch" 2>/dev/null
check_objects perf.data ""
# perf resolves no .bss, but what the file has.
perf report -i perf.data --mem-mode --sort symbol_daddr,sym --stdio 2>/dev/null >mem
check "as perf counts them" within "$(grep -c '\[.\] filled+0x.* touch_filled' mem)" 16 1
python3 "$TOP/tests/cli/script/data/make.py" made.data
for key in mem snoop tlb locked blocked local_weight local_ins_lat; do
	rows made.data $key | cut -d' ' -f2- | sort | uniq >ours
	perf report -i made.data --mem-mode --sort $key --stdio 2>/dev/null | sed -n 's/^ *[0-9.]*% *\(.*[^ ]\) *$/\1/p' | sort >theirs
	check "perf's words: $key" cmp ours theirs
done
finish
