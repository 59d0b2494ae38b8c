#!/bin/bash
# Debug information that libdw takes seconds for, of another user's program: nothing interrupts it, so long line tables are not read,
# and all else on a thread that is left. A run ends at its limit and a second after SIGTERM, with a note. Root's own program has its lines;
# reading them is said to take long, and Ctrl-C goes on without.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
can_be_nobody || skip "needs root and setpriv"
[ "$(uname -m)" = x86_64 ] || skip "the program is one for x86-64"
cd "$scratch" || exit 1
chmod 755 .

program() { # ROWS NAME: one unit whose line table has so many
	sed "s/ROWS/$1/" >slow.s <<-'S'
		.globl main
		.type main, @function
	main:	jmp main
	.Lend:	.size main, .-main
		.section .note.GNU-stack,"",@progbits
		.section .debug_abbrev,"",@progbits
		.uleb128 1, 0x11, 0, 3, 8, 0x11, 1, 0x12, 7, 0x10, 0x17, 0, 0, 0
		.section .debug_info,"",@progbits
		.long .Lunit_end - .Lunit
	.Lunit:	.value 4
		.long 0
		.byte 8, 1
		.string "a.c"
		.quad main, .Lend - main
		.long 0
	.Lunit_end:
		.section .debug_line,"",@progbits
		.long .Ltable_end - .Ltable
	.Ltable: .value 4
		.long .Lrows - .Lhead
	.Lhead:	.byte 1, 1, 1, 0xfb, 14, 13
		.byte 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
		.byte 0
		.string "a.c"
		.byte 0, 0, 0, 0
	.Lrows:	.byte 0, 9, 2
		.quad main
		.fill ROWS, 1, 0x12
		.byte 2, 2, 0, 1, 1
	.Ltable_end:
	S
	gcc -no-pie slow.s -o "$2" 2>gcc.err || skip "no assembler: $(head -n 1 gcc.err)"
}
# A function of 4000 entries with a million attributes each: libdw walks over it in one call.
entries() { # NAME
	cat >entries.s <<-'S'
		.globl main
		.type main, @function
	main:	jmp main
	.Lend:	.size main, .-main
		.section .note.GNU-stack,"",@progbits
		.section .debug_abbrev,"",@progbits
		.uleb128 1, 0x11, 1, 3, 8, 0x11, 1, 0x12, 7, 0, 0
		.uleb128 2, 0x2e, 1, 0, 0
		.uleb128 3, 0x34, 0
		.fill 1000000, 2, 0x1934
		.uleb128 0, 0, 0
		.section .debug_info,"",@progbits
		.long .Lunit_end - .Lunit
	.Lunit:	.value 4
		.long 0
		.byte 8, 1
		.string "a.c"
		.quad main, .Lend - main
		.byte 2
		.fill 4000, 1, 3
		.byte 0, 0
	.Lunit_end:
		.section .debug_line,"",@progbits
		.byte 0
	S
	gcc -no-pie entries.s -o "$1" 2>gcc.err || skip "no assembler: $(head -n 1 gcc.err)"
}
program 4000000 slow
program 400000 quick
entries entries
chown 65534 slow quick entries
for name in slow quick entries; do
	setpriv --reuid=65534 --regid=65534 --clear-groups ./$name &
	wait_until is_mapped $! "/$name"
	declare $name=$!
done

slowly=$((1000 * ${WPERF_SLOW:-1}))
# CPU time: how long it takes on a busy machine is not its own.
cpu_ms() { # COMMAND...
	local TIMEFORMAT='%U %S'
	{ time "$@" >out 2>err; } 2>&1 | awk '{ print int(1000 * ($1 + $2)) }'
}
runs() { # LIMIT_MS PROGRAM: a run of half a second with lines
	local took
	took=$(cpu_ms "$WPERF" sample --annotate -e cpu-clock -F 500 -p "$2" --timeout 0.5)
	[ "$took" -lt "$1" ] || { echo "  $took ms"; return 1; }
}
# It took 6 seconds when the table was read.
check "a run of half a second ends in time" runs $((500 + 2500 * slowly / 1000)) $slow
check "  with the samples" grep -q main out
check "  which is said" grep -q "no lines of .*/slow where a line table is larger than 512 KB" err
check "a table of 400 KB is read" runs $((500 + 3000 * slowly / 1000)) $quick
check "  and has the lines" grep -q "a\.c" out

"$WPERF" sample -e cpu-clock -F 500 --data slow.data --timeout 0.5 -p $slow >/dev/null 2>&1
check "a report, too" [ "$(cpu_ms "$WPERF" report --sort line -i slow.data)" -lt $((2 * slowly)) ]
probe="uprobe:./slow:a.c:7"
on_line() { # a probe on a line of that table
	local took
	took=$(cpu_ms "$WPERF" stat -e "$probe" -- true)
	[ "$took" -lt $((2 * slowly)) ] || { echo "  $took ms"; return 1; }
}
if [ -r /sys/bus/event_source/devices/uprobe/type ]; then
	check "so does a probe on a line of it" on_line
	check "  which is said" grep -q "no lines of [.]/slow where a line table is larger than 512 KB" err
fi
chown 0 slow
check "root's own file is read" eval '"$WPERF" sample --annotate -e cpu-clock -F 500 -p $slow --timeout 0.5 >out 2>err; grep -q "a\.c" out'

# What is left to a thread is freed by nobody.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
# It took 12 seconds, and SIGTERM did not end a report.
cpu_of_stacks() {
	cpu_ms "$WPERF" sample -g -e cpu-clock -F 500 --data entries.data -p $entries --timeout 0.5
}
check "entries that libdw takes long for: a run ends in time" [ "$(cpu_of_stacks)" -lt $((500 + 2500 * slowly / 1000)) ]
check "  with the samples" grep -q main out
check "  which is said" grep -q "no lines of .*/entries: its debug information takes too long" err
ends() { # COMMAND...: two seconds after SIGTERM
	timeout -k $((2 * slowly / 1000)) 1 "$@" >out 2>err
	[ $? -eq 124 ] # not 137: killed, nor before it
}
check "a report ends at SIGTERM" ends "$WPERF" report -g -i entries.data
check "so does an export" ends "$WPERF" export --format folded -i entries.data -o -
chown 0 entries
is_said() { grep -q "$1" err; }
ends_with_rest() { # COMMAND...: a report, soon after the signal that follows what is said
	local began run
	: >err
	"$@" >out 2>err &
	run=$!
	wait_until is_said "takes long, now that of .*/entries "
	kill -INT $run
	began=$(date +%s%N)
	wait $run
	[ $((($(date +%s%N) - began) / 1000000)) -lt $((1500 * ${WPERF_SLOW:-1})) ] && grep -q main out
}
check "of root's own, Ctrl-C goes on without" ends_with_rest "$WPERF" sample -g -e cpu-clock -F 500 -p $entries --timeout 0.5
check "  which is said, with how many" grep -Eq "[0-9]+ places were not looked up in debug information .*Ctrl-C" err
check "so does a report" ends_with_rest "$WPERF" report -g -i entries.data
probe_ends() { # with an error, soon after the signal that follows what is said
	: >err
	"$WPERF" stat -e "$probe" -- true >out 2>err &
	local run=$! began
	wait_until is_said "takes long, now that of [.]/slow"
	kill -INT $run
	began=$(date +%s%N)
	! wait $run && [ $((($(date +%s%N) - began) / 1000000)) -lt $((1500 * ${WPERF_SLOW:-1})) ]
}
if [ -r /sys/bus/event_source/devices/uprobe/type ]; then
	check "Ctrl-C ends the search for a line of root's own" probe_ends
	check "  in one line" grep -q "^event '.*reading the debug information of [.]/slow takes too long" err
fi
kill $slow $quick $entries
finish
