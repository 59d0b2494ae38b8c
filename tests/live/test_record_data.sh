#!/bin/bash
# What samples carry besides: the addresses of page faults are those that were touched, and stock perf reads what is kept.
. "$TOP/tests/live/lib.sh"
cd "$scratch" || exit 1
python=$(type -P /usr/bin/python3) || skip "there is no /usr/bin/python3"
"$WPERF" record -q -e page-faults:1 --addr --data probe.data -- true >probe 2>&1 || skip "page faults cannot be sampled: $(tail -n 1 probe)"

# 64 pages that are touched once each, one after the other.
cat >touch.py <<'END'
import ctypes, mmap
pages = mmap.mmap(-1, 64 * mmap.PAGESIZE)
at = ctypes.addressof(ctypes.c_char.from_buffer(pages))
ctypes.CDLL(None).madvise(ctypes.c_void_p(at), ctypes.c_size_t(64 * mmap.PAGESIZE), 15)  # MADV_NOHUGEPAGE
for i in range(64):
    ctypes.c_char.from_address(at + i * mmap.PAGESIZE).value = b"x"
for i in range(64):
    print("%x" % (at + i * mmap.PAGESIZE))
END
missing() { # FILE: pages of `pages` that no sample of it has
	"$WPERF" script -i "$1" -F addr 2>/dev/null | awk 'NF { print $1 }' | sort -u >addresses
	sort pages | comm -23 - addresses | wc -l
}
for mode in "" "-g" "-g --call-graph dwarf" "-g --call-graph fp" "--python off"; do
	"$WPERF" record -q -e page-faults:1 -d $mode --data a.data -- "$python" touch.py 2>err | grep -E '^[0-9a-f]+$' >pages
	check "record -d $mode: each page that was touched" test "$(wc -l <pages) $(missing a.data)" = "64 0"
done

"$WPERF" record -q -e page-faults:1 -d -W --data-page-size --code-page-size --user-regs --intr-regs --data all.data -- "$python" touch.py >pages 2>err
check "all of them, in one recording" test $? = 0
"$WPERF" script -i all.data -F time,event,addr,weight,data_page_size,code_page_size,uregs,iregs >ours 2>/dev/null
check "... printed" grep -q 'ABI:2.*ABI:2' ours
check "... every sample has registers" test "$(grep -c 'ABI:2.*ABI:2' ours)" = "$(grep -c . ours)"
if type -P perf >/dev/null; then
	perf script -i all.data -F time,event,addr,weight,data_page_size,code_page_size,uregs,iregs >theirs 2>/dev/null
	# perf pads times to five digits of seconds.
	check "... stock perf prints the same" diff -b <(sed "s/^ *//" ours) <(sed "s/^ *//" theirs)
	check "... and knows the fields" grep -q 'ADDR.*DATA_SRC.*DATA_PAGE_SIZE.*CODE_PAGE_SIZE' <(perf evlist -v -i all.data)
else
	part_skipped "no perf to compare with"
fi
"$WPERF" report -i all.data >report 2>&1
check "a report of it" grep -q touch.py report
finish
