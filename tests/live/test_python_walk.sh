#!/bin/bash
# Python frames walked in the kernel: at an exact event (a system call that each function makes a known number of times) every stack
# is the known one; on the clock every frame was called by one that calls it; for a CPython of each way of keeping frames
# (WPERF_EVERY_PYTHON=1: for every one that is installed).
. "$TOP/tests/live/lib.sh"
probe="$WORK/tools/python_probe"
frames="$TOP/tests/live/python_walks.py"
pythons=$(ls -d "$HOME"/.pyenv/versions/*/bin/python /usr/bin/python3 /usr/bin/python3-dbg 2>/dev/null)
[ -n "${WPERF_EVERY_PYTHON:-}" ] || pythons=$(grep -E '/(2\.7|3\.10|3\.12)\.|^/usr/bin/python3$' <<<"$pythons")
[ -n "$pythons" ] || skip "no CPython is installed"
"${pythons%%$'\n'*}" "$frames" burn 1 &
why=$("$probe" -q -t 0.1 $! 2>&1 >/dev/null) || skip "stacks cannot be walked in the kernel here: $why"
kill %1
event=syscalls:sys_enter_getppid:1
"$WPERF" record -e $event -k -- true >/dev/null 2>&1 || event=

watch() { # NAME OPTIONS...: what the probe says of the process $pid until it ends
	local name=$1
	shift
	timeout 120 "$probe" "$@" "$pid" >"$scratch/$name" 2>"$scratch/$name.err" &
	probe_pid=$!
	until grep -qs ready "$scratch/$name.err" || ! kill -0 $probe_pid 2>/dev/null; do sleep 0.05; done
}

sum() { # NAME WORD: a number of its last line
	awk -v word="$2" 'END { for (i = 1; i < NF; i++) if ($i == word) { print $(i + 1); exit } print 0 }' "$scratch/$1"
}

# stacks NAME: how often each stack was there, without marks, classes and instructions
stacks() {
	sed -E '/^samples/d; s/^[0-9]+ [a-z-]+ gil.? [0-9]+ \|//; s/@-?[0-9]+//g; s/ \|//g; s/(<locals>|[A-Za-z_]+)\.([a-z_])/\2/g' "$scratch/$1" |
		sort | uniq -c | sort -rn
}

is_known() { # NAME TURNS: each call of the workload was sampled once, with its stack
	local deep
	deep=$(printf ' deep%.0s' {1..11})
	stacks "$1" >"$scratch/$1.stacks"
	awk -v turns="$2" -v deep="$deep" '
		BEGIN {
			base = " calls main <module>"
			want[" leaf" deep base] = turns; want[" key by_sort" base] = 7 * turns
			want[" gen by_gen" base] = 3 * turns; want[" method" base] = turns
		}
		{ n = $1; sub(/^ *[0-9]+ +/, " ") }
		/^ in_thread run _+bootstrap_inner _+bootstrap$/ { threads += n; next }
		want[$0] != n { print "  " n " of" $0; bad = 1 }
		{ delete want[$0] }
		END {
			for (w in want) { print "  none of" w; bad = 1 }
			if (threads != 20) { print "  " threads " in the thread"; bad = 1 }
			exit bad
		}' "$scratch/$1.stacks"
}

from_start() { # NAME PYTHON WORKLOAD NUMBER OPTIONS...: a workload that waits until the probe is ready
	local name=$1 python=$2 what=$3 number=$4
	shift 4
	mkfifo "$scratch/$name.go"
	"$python" "$frames" "$what" "$number" <"$scratch/$name.go" &
	pid=$!
	exec 9>"$scratch/$name.go"
	sleep 0.3
	watch "$name" -t 60 "$@"
	echo >&9
	exec 9>&-
	wait $pid $probe_pid
}

exact() { # NAME PYTHON OPTIONS...
	local name=$1 python=$2 turns=50
	shift 2
	from_start "$name" "$python" calls $turns -e $event "$@"
	[ "$(sum "$name" complete)" = "$(sum "$name" samples)" ] || tail -1 "$scratch/$name"
	[ "$(sum "$name" unnamed)" = 0 ] && is_known "$name" $turns
}

nested() { # NAME PYTHON OPTIONS...: interpreters within each other, innermost first
	local name=$1 python=$2
	shift 2
	mkfifo "$scratch/$name.go"
	"$python" "$frames" nested 20 <"$scratch/$name.go" &
	pid=$!
	exec 9>"$scratch/$name.go"
	sleep 0.3
	watch "$name" -e $event -t 60 "$@"
	echo >&9
	exec 9>&-
	wait $pid
	local status=$?
	wait $probe_pid
	[ $status = 77 ] && part_skipped "$name: no other interpreters" && return 0
	[ "$(sum "$name" complete)" = "$(sum "$name" walked)" ] || tail -1 "$scratch/$name"
	sed -E '/^samples|^$/d; s/^[0-9]+ [a-z-]+ gil.? [0-9]+ \|//; s/@-?[0-9]+//g; s/ \|//g' "$scratch/$name" |
		awk '{ stack = stack $0 } / nested main <module>$/ { n[stack]++; stack = "" }
			END { for (s in n) if (s ~ /inside|without_gil/) print n[s] s; if (stack) print "left:" stack }' | sort >"$scratch/$name.stacks"
	for leaf in inside without_gil; do
		echo "20 $leaf <module> within between <module> within nested main <module>"
		echo "20 $leaf <module> within nested main <module>"
	done | diff - "$scratch/$name.stacks"
}

plausible() { # NAME LEAST: every frame's caller is one that calls it; at least so many percent are complete
	python3 - "$scratch/$1" "$2" <<-'PY'
	import re, sys
	callers = {"work": {"one", "burn_key", "burn_gen"}, "burn_key": {"two"}, "burn_gen": {"three"}, "one": {"descend"}, "two": {"descend"},
	           "three": {"descend"}, "descend": {"descend", "burn"}, "burn": {"main"}, "main": {"<module>"}}
	bad, n, complete = 0, 0, 0
	for line in open(sys.argv[1]):
	    if line.startswith("samples") or "|" not in line:
	        continue
	    head, _, rest = line.partition("|")
	    names = [word.split("@")[0] for word in rest.split() if word != "|"]
	    n += 1
	    whole = " complete " in head
	    complete += whole
	    if any(above not in callers.get(name, ()) for name, above in zip(names, names[1:])) or whole and names[-1] != "<module>":
	        bad += 1
	        print("  " + line.strip())
	print("  %d samples, %d complete" % (n, complete))
	sys.exit(bad > 0 or n < 100 or complete * 100 < n * float(sys.argv[2]))
	PY
}

has_native() { # NAME: ten and more in each sample
	[ "$(sum "$1" native)" -gt $((10 * $(sum "$1" samples))) ]
}

on_clock() { # NAME PYTHON DEPTH OPTIONS...: a second of the workload
	local name=$1 python=$2 depth=$3
	shift 3
	"$python" "$frames" burn "$depth" &
	pid=$!
	sleep 0.5
	watch "$name" -F 4999 -t 1 "$@"
	wait $probe_pid
	kill $pid
	wait $pid 2>/dev/null
}

forked() { # NAME PYTHON: workers that live for 10 ms, shorter than anybody could tell of them
	from_start "$1" "$2" forks 40 -F 2999
	tail -1 "$scratch/$1"
	[ "$(sum "$1" samples)" -gt 100 ] && [ "$(sum "$1" walked)" -ge $(($(sum "$1" samples) * 98 / 100)) ] &&
		[ "$(stacks "$1" | awk '/ spin (child|child grandchild) forks main <module>$/ { n += $1 } END { print n + 0 }')" -gt \
			$(($(sum "$1" samples) / 2)) ]
}

one() { # PYTHON
	local python=$1 version
	version=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
	case $python in */python3-dbg) version=$version-dbg ;; /usr/*) version=$version-system ;; esac
	if [ -n "$event" ]; then
		check "$version: every system call has its stack" exact "exact.$version" "$python"
		check "$version: without the threads' own slots" exact "list.$version" "$python" -l
		check "$version: memory read by the kernel's helper alone" exact "helper.$version" "$python" -D
		check "$version: interpreters within each other" nested "nested.$version" "$python"
	fi
	on_clock "clock.$version" "$python" 10 -g
	check "$version: frames on the clock" plausible "clock.$version" 98
	check "$version: and native ones" has_native "clock.$version"
	on_clock "deep.$version" "$python" 5000
	check "$version: a recursion of 5000" plausible "deep.$version" 98
	check "$version: to its end" [ "$(sum "deep.$version" deepest)" -ge 5002 ]
	check "$version: workers that fork" forked "forks.$version" "$python"
}
side_by_side one $pythons
[ -n "$event" ] || part_skipped "no tracepoints of system calls: exact events"

# Where it can be, memory is read where the kernel has it mapped: what was run above was that. Encrypted memory has other page tables.
can_read_directly() {
	[ "$(uname -m)" = x86_64 ] && printf '6.3\n%s\n' "$(uname -r)" | sort -CV && ! grep -qwE 'sme|sev' /proc/cpuinfo
}
"$WPERF" record -v -g -e cpu-clock -- true 2>&1 >/dev/null | grep "memory of processes is read" >"$scratch/direct"
if can_read_directly; then
	check "memory is read where the kernel has it mapped" grep -q "own mapping (fast" "$scratch/direct"
else
	part_skipped "not asked here whether memory is read where the kernel has it mapped: $(cat "$scratch/direct")"
fi

# The program for kernels before 5.17, and users with two capabilities.
python=${pythons##*$'\n'}
on_clock bounded "$python" 10 -b -g
check "without bpf_loop(): frames on the clock" plausible bounded 98
check "without bpf_loop(): and native ones" has_native bounded
on_clock bounded_tasks "$python" 10 -b -a
check "without bpf_loop(): with asyncio's tasks" plausible bounded_tasks 98
[ -z "$event" ] || check "without bpf_loop(): interpreters within each other" nested bounded_nested "$python" -b
on_clock bounded_deep "$python" 5000 -b
check "without bpf_loop(): a recursion of 5000" plausible bounded_deep 98
if can_be_nobody; then
	cp "$probe" "$scratch/probe" && chmod 755 "$scratch" "$scratch/probe"
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon sh -c "
		/usr/bin/python3 -c 'while True: pass' & sleep 1; '$scratch/probe' -t 3 -F 1999 \$!; kill \$!" >"$scratch/nobody" 2>/dev/null
	check "a user with CAP_BPF and CAP_PERFMON" [ "$(sum nobody complete)" -gt 50 ]
else
	part_skipped "no setpriv, or not root: a user with CAP_BPF and CAP_PERFMON"
fi
finish
