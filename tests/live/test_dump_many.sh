#!/bin/bash
# `wperf dump` of many: --all finds every process that runs a CPython and none else, --subprocesses a process and what it started, each
# with all of its threads and what threading calls them; one that ends meanwhile, or may not be read, keeps nobody from the others.
. "$TOP/tests/live/lib.sh"
suites=$TOP/tests/tools/python_suites
export PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1

folder=$scratch
chmod 755 "$folder"
# Of different ways to keep frames, where there are two.
mapfile -t all < <("$suites" list | awk '$1 == "/" && !/\/2\.7/ { print $2 }' | sort -V)
pythons=("$(printf '%s\n' "${all[@]}" | grep -m 1 '/3\.[89]\.')" "$(printf '%s\n' "${all[@]}" | grep '/3\.1[2-9]\.' | tail -n 1)")
for i in 0 1; do
	[ -n "${pythons[i]}" ] || pythons[i]=${all[-1]}
done

start() { # NAME PYTHON [RUNNER...]
	mkfifo -m 666 "$folder/$1.in"
	mkdir -m 777 "$folder/$1"
	PY_TRUTH=$folder/$1/truth "${@:3}" "$2" -W ignore "$TOP/tests/workloads/py_named.py" <"$folder/$1.in" 2>"$folder/$1.err" &
}

start_in() { # NAME ROOT PYTHON: where its root is another
	mkdir "$folder/$1"
	PY_TRUTH=/wperf-scratch/$1/truth WPERF_SCRATCH=$folder "$suites" run "$2" "$3" -W ignore /mnt/py_named.py <"$folder/one.in" 2>"$folder/$1.err" &
}

is_told() { # NAME...
	local name
	for name; do
		[ -s "$folder/$name/truth" ] && [ -s "$folder/$name/truth.child" ] || return
	done
}

dump() { # NAME OPTION...
	"$WPERF" dump --json "${@:2}" >"$scratch/$1.json" 2>"$scratch/$1.told" || { echo "  wperf dump: exit $?: $(cat "$scratch/$1.told")"; return 1; }
}

dump_as_nobody() {
	as_nobody "$WPERF" dump --all --json >"$scratch/nobody.json" 2>"$scratch/told"
}

holds() { # NAME KIND WORD...
	python3 "$TOP/tests/live/dump_many_check.py" "$scratch/$1.json" "${@:2}"
}

start one "${pythons[0]}"
one=$!
exec 8>"$folder/one.in"
start two "${pythons[1]}"
two=$!
exec 9>"$folder/two.in"
sleep 100 &
sleeper=$!
check "${pythons[*]}: all threads wait" wait_until is_told one two
truths=("$folder"/{one,two}/truth{,.child})
for frames in all native; do
	check "--all --frames $frames" dump all --all --frames $frames
	[ $frames = native ] && kind=all || kind=all-named
	check "  finds those and their children, in order, and no others" holds all $kind "${truths[@]}" -- $sleeper $$
done
check "  schema" python3 "$TOP/tests/schemas/validate" dump "$scratch/all.json"
check "--subprocesses" dump family -p $one --subprocesses
check "  finds the process and its child" holds family family-named "$folder"/one/truth{,.child}
check "  says nothing else" test ! -s "$scratch/family.told"
check "a process that is named twice, and is a child of another" \
	dump family -p "$two,$two,$(pgrep -P $two)" --children
check "  is shown once" holds family family "$folder"/two/truth{,.child}
check "-t of -a" dump thread -a -t "$(pgrep -P $one),$one"
check "  finds the threads" test "$(grep -c '"tid": ' "$scratch/thread.json")" = 2

"$WPERF" dump -p $one -t 1 >"$scratch/out" 2>"$scratch/told"
check "no such thread: exit 1" test $? = 1
check "  and a line" grep -q -- '-t 1: no such thread' "$scratch/told"

# Threads that take one another's place in memory every 10 ms: none has another's name, and none is said to be on a kernel that counts no turns.
"${pythons[1]}" "$TOP/tests/workloads/py_threads.py" <"$folder/two.in" &
threads=$!
has_threads() { "$WPERF" dump -p $threads --frames python 2>/dev/null | grep -q '"tid '; }
check "threads begin and end" wait_until has_threads
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
	"$WPERF" dump -p $threads --frames python
done >"$scratch/threads" 2>"$scratch/told"
check "  each with its own name" awk '
	match($0, /"tid [0-9]+"/) { n++; if ($2 != substr($0, RSTART + 5, RLENGTH - 6)) { print "  WRONG: " $0; wrong = 1 } }
	/not proven/ { print "  WRONG: " $0; wrong = 1 }
	END { print "  " n " names"; exit wrong || n < 12 }' "$scratch/threads"

# While others begin and end all the time.
short() { while :; do "${pythons[0]}" -S -c pass; done; }
short &
first=$!
short &
second=$!
for _ in 1 2 3 4; do
	dump all --all || failed=1
	holds all all "${truths[@]}" -- $sleeper $first $second >"$scratch/held" || { cat "$scratch/held"; failed=1; }
	dump ending -p $first,$one --children --frames python || failed=1
	[ ! -s "$scratch/ending.told" ] || { cat "$scratch/ending.told"; failed=1; }
done
check "short ones that end meanwhile" test $failed = 0
kill $first $second
wait $first $second 2>/dev/null

# Every version, where there is time for it.
if [ -n "${WPERF_EVERY_PYTHON:-}" ]; then
	n=0 all=()
	while read -r root python; do
		n=$((n + 1))
		if [ "$root" = / ]; then
			start every$n "$python"
			exec {fd}>"$folder/every$n.in"
		else
			start_in every$n "$root" "$python"
		fi
		check "$root $python: all threads wait" wait_until is_told every$n
		all+=("$folder"/every$n/truth{,.child})
	done < <("$suites" list)
	check "every version" dump every --all
	check "  names of threads are true" holds every all-named "${all[@]}"
fi

# What another user's is.
if can_be_nobody && as_nobody test -r "$TOP/tests/workloads/py_named.py" && as_nobody test -x "$WPERF"; then
	start nobody /usr/bin/python3 as_nobody
	exec 7>"$folder/nobody.in"
	check "nobody's threads wait" wait_until is_told nobody
	check "as nobody: --all" dump_as_nobody
	check "  finds nobody's" holds nobody all-named "$folder"/nobody/truth{,.child} -- $one $two
	check "  and tells of those that may not be read" grep -q "warning: the memory of process $one may not be read" "$scratch/told"
	check "  schema" python3 "$TOP/tests/schemas/validate" dump "$scratch/nobody.json"
	as_nobody "$WPERF" dump -p "$one,$(pgrep -f -u 65534 "$TOP/tests/workloads/py_named.py" | head -n 1),$two" --frames python \
		>"$scratch/out" 2>"$scratch/told"
	check "of three that are named two may not be read: exit 1" test $? = 1
	check "  each with a line" test "$(grep -c 'may not be read' "$scratch/told")" = 2
	check "  and the other one is dumped" grep -q '^process ' "$scratch/out"
	exec 7>&-
else
	part_skipped "no other user: needs root and setpriv, and files that all may read"
fi
kill $sleeper
exec 8>&- 9>&-
finish
