#!/bin/bash
# Call graphs of programs whose call graph is known: with and without frame pointers, by both ways of taking stacks.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"

# run NAME MODE PROGRAM SHAPE SECONDS [HZ]: a share of 16,000 samples is within 2 points of the truth by five sigma
run() {
	"$WPERF" record -e cpu-clock -F "${6:-2000}" --call-graph "$2" --json -- "$WORKLOADS/$3" "$4" "$5" >"$scratch/$1.json" || echo "exit $?"
}

# cost NAME FUNCTION self|total: a function's percent, 0 when it is not there
cost() {
	python3 - "$scratch/$1.json" "$2" "$3" <<-'PY'
	import json, sys
	rows = json.load(open(sys.argv[1]))["sampling"]["events"][0]["functions"]
	print(sum(row[sys.argv[3]] for row in rows if row["symbol"] == sys.argv[2]))
	PY
}

# below NAME LOWER UPPER: percent of the samples whose stack has LOWER somewhere below UPPER
below() {
	python3 - "$scratch/$1.json" "$2" "$3" <<-'PY'
	import json, sys
	lower, upper = sys.argv[2:]
	def walk(node, inside):
	    name = node["symbol"].split(":")[0]
	    if inside and name == lower:
	        return node["total"]
	    return sum(walk(child, inside or name in upper.split("|")) for child in node["children"])
	tree = json.load(open(sys.argv[1]))["sampling"]["events"][0]["call_tree"]
	print(sum(walk(root, False) for root in tree))
	PY
}

complete() { # NAME: at least 99 % of the stacks are complete
	python3 - "$scratch/$1.json" <<-'PY'
	import json, sys
	stacks = json.load(open(sys.argv[1]))["sampling"]["stacks"]
	print("  " + str(stacks))
	sys.exit(not (stacks["taken"] > 100 and stacks["complete_percent"] >= 99))
	PY
}

modes="fp dwarf"
if "$WPERF" record -e cpu-clock --call-graph bpf --json -- true >/dev/null 2>"$scratch/bpf.err"; then
	modes="$modes bpf"
else
	part_skipped "no bpf: $(tail -n 1 "$scratch/bpf.err")"
fi
for mode in $modes; do
	program=calls
	[ $mode = fp ] && program=calls.fp
	run shares.$mode $mode $program shares 2 8000
	check "$mode: leaf has 50 % from by_half" within "$(way shares.$mode main shares by_half leaf)" 50 2
	check "$mode: leaf has 30 % from by_third" within "$(way shares.$mode main shares by_third leaf)" 30 2
	check "$mode: leaf has 20 % from by_fifth" within "$(way shares.$mode main shares by_fifth leaf)" 20 2
	check "$mode: a caller's total is what it calls" within "$(cost shares.$mode by_half total)" 50 2
	check "$mode: a caller costs nothing itself" within "$(cost shares.$mode by_half self)" 0 1

	run recursion.$mode $mode $program recursion 1
	check "$mode: recursion counts once" within "$(cost recursion.$mode descend total)" 100 1
	check "$mode: recursion is as deep as it is" within \
		"$(way recursion.$mode recursion descend*31 leaf)" 100 1.5

	run thread.$mode $mode $program thread 1 8000
	check "$mode: a thread's stack" within "$(way thread.$mode work shares by_half leaf)" 50 3

	run inlined.$mode $mode $program inlined 1
	check "$mode: an inlined function is below the one that has it" within \
		"$(way inlined.$mode inlined holder tight)" 100 1
	check "$mode: it is marked" within "$(cost inlined.$mode "tight (inlined)" self)" 100 1
done

# libc has no frame pointers: only unwind information leads through it.
run callback dwarf calls callback 1
check "the callback is below qsort" within "$(way callback compare leaf)" 97 3
check "and qsort below the program" within "$(cost callback callback total)" 100 1
for mode in $modes; do
	for shape in shares recursion thread inlined; do
		[ $mode = fp ] || check "$shape.$mode: stacks are complete" complete $shape.$mode
	done
done
check "callback: stacks are complete" complete callback

# 32-bit code: a handler in front of a stack of 20, through the vdso that sent the signal. It runs long enough that the few
# samples before main, in the loader, are far below a percent on a slow machine too.
if [ "$(uname -m)" = x86_64 ] && cc -m32 -idirafter /usr/include/x86_64-linux-gnu -O2 -fomit-frame-pointer -o "$scratch/deep32" "$TOP/tests/workloads/deep.c" 2>/dev/null; then
	for mode in ${modes#fp }; do
		"$WPERF" record -e cpu-clock -F 2000 --call-graph $mode --json -- "$scratch/deep32" 20 600000 signal \
			>"$scratch/x86.$mode.json" 2>/dev/null
		check "x86, $mode: stacks are complete" complete x86.$mode
		check "x86, $mode: main is below them all" within "$(cost x86.$mode main total)" 100 1
		check "x86, $mode: the handler calls" within "$(way x86.$mode on_signal deepest)" 100 1
		check "x86, $mode: what raised the signal" within "$(below x86.$mode deepest bottom)" 100 1
	done
else
	part_skipped "no C compiler for 32-bit x86 (g++-12-multilib)"
fi

"$WPERF" record -g -e cpu-clock -F 1000 -- "$WORKLOADS/calls" shares 0.5 >"$scratch/text" 2>"$scratch/notes"
check "-g says how stacks are taken" grep -q "^note: stacks: " "$scratch/notes"
check "the text has a tree of callees" grep -qE "^ +[0-9.]+ +[0-9.]+  \|-- by_half" "$scratch/text"
check "the text says how complete the stacks are" grep -qE "^stacks \([a-z]+\): [0-9]+, [0-9.]+% complete" "$scratch/text"

# The kernel's part of a stack stands below the system call of the program: that is read(), or what glibc 2.41 and newer has for all
# calls that may be cancelled, behind which frame pointers do not lead.
if [ "$(id -u)" = 0 ] && grep -q "^f.* ksys_read$" /proc/kallsyms; then
	for mode in $modes; do
		"$WPERF" record -k -e cpu-clock -F 2000 --call-graph $mode --json -- \
			dd if=/dev/zero of=/dev/null bs=1M count=8000 2>/dev/null >"$scratch/kernel.$mode.json"
		check "$mode: the kernel reads below read" within "$(below kernel.$mode ksys_read "read|$([ $mode != fp ] || echo __internal_syscall_cancel)")" 92 8
	done
else
	part_skipped "no kernel samples with names for this user"
fi

# perf agrees on what every function of the program costs with its callees.
if perf record -q -e cpu-clock -F 4000 --call-graph dwarf -o "$scratch/perf.data" -- "$WORKLOADS/calls" shares 2 \
	>/dev/null 2>&1; then
	perf report -i "$scratch/perf.data" --children --no-inline -g none --dsos calls --stdio 2>/dev/null >"$scratch/perf.txt"
	for name in by_half by_third by_fifth leaf; do
		total=$(awk -v name=$name '$NF == name { print $1 + 0 }' "$scratch/perf.txt")
		check "perf has the same total of $name" within "$(cost shares.dwarf $name total)" "$total" 4
		[ -n "$total" ] || grep -v '^#' "$scratch/perf.txt" | head -n 30
	done
else
	part_skipped "no perf here that can sample"
fi

if can_be_nobody; then
	cp "$WORKLOADS/calls" "$scratch/calls"
	chmod 755 "$scratch" "$scratch/calls"
	as_nobody "$WPERF" record -e cpu-clock -F 4000 --call-graph dwarf --json -- "$scratch/calls" shares 1 \
		>"$scratch/nobody.json" 2>"$scratch/nobody.err"
	check "without privileges: by_half has 50 %" within "$(way nobody main shares by_half leaf)" 50 4
	check "without privileges: stacks are complete" complete nobody
else
	part_skipped "cannot become another user"
fi
finish
