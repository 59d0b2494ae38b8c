#!/bin/bash
# Arguments of probes by name: parameters where a function begins, beside what the program printed, and variables at a line, beside what gdb prints
# there, of code of gcc and clang, optimised and not; what cannot be read is said.
. "$TOP/tests/live/lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root"
[ -r /sys/bus/event_source/devices/uprobe/type ] || skip "this kernel has no uprobes"
"$WPERF" --version | grep -q '+bpf' || skip "built without BPF"
cd "$scratch" || exit 1
cp "$TOP/tests/workloads/names.c" names.c
line=$(grep -n '/\* here' names.c | cut -d: -f1)
traced() { # the arguments of the samples, a line each
	"$WPERF" script -i one.data -F trace 2>/dev/null | sed 's/^ *([0-9a-f]*) //'
}
probe() { # PLACE:ARGUMENTS: log has what is refused
	rm -f one.data
	"$WPERF" record -q --python off --data one.data -e "uprobe:./names:$1" -- ./names >/dev/null 2>log
}
refused() { # WHAT PLACE:ARGUMENTS WORDS
	! probe "$2" && check "refused: $1" grep -qF "$3" log || check "refused: $1" false
}
have_gdb=$(command -v gdb)
[ "$have_gdb" ] || part_skipped "no gdb to compare variables with"
cat >gdb.commands <<G
set pagination off
set debuginfod enabled off
break names.c:$line
G
# The tracepoint that perf probe makes of the place: `x=-1 text_string="a" small=0x5`, in our spelling.
perf_probe() { # PLACE 'NAMES' [ADDRESS]: of the hits at addresses that end so: perf has each piece of a line
	perf probe -q -x ./names "wperf_test=$1 $2" >/dev/null 2>&1 && perf record -q -e probe_names:wperf_test -o perf.data ./names >/dev/null 2>&1
	perf script -i perf.data -F trace 2>/dev/null | sed -nE "s/_string=/=/; s/^ *\([0-9a-f]*${3:-}\) //p" |
		python3 -c 'import re, sys; sys.stdout.write(re.sub(r"=0x([0-9a-f]+)", lambda m: "=%d" % int(m[1], 16), sys.stdin.read()))'
	perf probe -q -d probe_names:wperf_test >/dev/null 2>&1
}
# Beside what tracefs holds already, and where perf reads DWARF.
have_perf=$(command -v perf)
{ [ "$have_perf" ] && mount_tracefs && perf probe -q -x /bin/sh -F >/dev/null 2>&1; } || { have_perf="" && part_skipped "no perf probe to compare with"; }
compared=0
for compiler in gcc clang; do
	command -v $compiler >/dev/null || { part_skipped "no $compiler"; continue; }
	for level in "-O0" "-O2" "-O1 -no-pie"; do
		# shellcheck disable=SC2086
		$compiler -g $level -w -o names names.c || continue
		names=x:y:text:small:kind
		[ $compiler = gcc ] && [ "$(uname -m)" = x86_64 ] && names=$names:seventh:eighth # on the stack
		probe "hit:$names" || cat log
		if [ "${names%eighth}" = "$names" ]; then sed 's/ seventh.*//' truth >want; else cp truth want; fi
		check "$compiler $level: parameters as the program printed them" cmp want <(traced)
		if [ "$have_perf" ] && [ $compiler = gcc ]; then
			probe hit:x:y:text:small:kind
			check "gcc $level: as perf probe has them" cmp <(perf_probe hit "x y text:string small kind") <(traced)
			[ $level = -O0 ] && probe "names.c:$line:x:inner"
			[ $level != -O0 ] || check "gcc $level: as perf probe has them at a line" cmp \
				<(perf_probe "names.c:$line" "x inner" "$("$WPERF" script -i one.data -F trace 2>/dev/null | sed -nE '1s/.*(...)\).*/\1/p')") <(traced)
		fi
		[ "$have_gdb" ] || continue
		for name in inner x y text local i times small; do
			probe "names.c:$line:$name" || { grep -q "event 'uprobe.*$name" log || check "$compiler $level: $name" false; continue; }
			{ cat gdb.commands; printf 'commands\nsilent\noutput %s\necho \\n\ncont\nend\nrun\n' $name; } >one.gdb
			gdb -q -batch -x one.gdb ./names 2>/dev/null | sed -nE "s/^(-?[0-9]+)( '.*)?$/\1/p; s/^(0x[0-9a-f]+ )?(\".*\")$/\2/p" >theirs
			check "$compiler $level: $name at a line as gdb prints it ($(wc -l <theirs))" cmp theirs <(traced | sed "s/^$name=//")
			compared=$((compared + 1))
		done
	done
done
[ -z "$have_gdb" ] || check "variables were compared: $compared" test "$compared" -ge 18
gcc -g -O0 -w -o names names.c || finish
refused "a double" hit:d "d is a floating-point number (double)"
refused "a struct" behind:p "p is a struct (pair)"
[ "$(uname -m)" != x86_64 ] || refused "what comes behind a struct" behind:after "a parameter behind a struct"
refused "no such name" hit:nothing "no parameter or variable nothing there; it has"
refused "a variable where the function begins" hit:local "local has no value yet"
[ "$(uname -m)" != x86_64 ] || refused "a parameter in the prologue" hit+1:x "x has no value yet"
probe hit:text:u64 && check "an address where it is asked for" grep -qE '^text=[0-9]{9,}$' <(traced | head -n 1)
probe hit:where=x && check "under another name" grep -qx 'where=-25' <(traced | head -n 1)
cp names named
strip -g names
refused "no debug information" hit:x "has no debug information, which names are found by"
mv named names
if command -v bpftrace >/dev/null && bpftrace -e 'BEGIN { exit(); }' >/dev/null 2>&1 && [ "$(uname -m)" = x86_64 ]; then
	bpftrace -q -e 'uprobe:./names:hit { printf("x=%d y=%ld text=\"%s\" small=%d\n", (int32)arg0, arg1, str(arg2), (uint8)arg3); }' -c "$PWD/names" 2>/dev/null | grep = >theirs
	probe hit:x:y:text:small
	check "as bpftrace by number" cmp theirs <(traced)
else
	part_skipped "no bpftrace"
fi
finish
