#!/bin/bash
# Greenlets (greenlet's own, gevent's, eventlet's): their stacks are complete and begin where they began, by each way of unwinding, with
# the newest greenlet that each interpreter can have and with the last one written in C (1.1.3). A thread has no greenlet's name.
# --async: who waits behind each is who greenlet says waits, with the layouts of greenlet 2.0, 3.0 and the newest, and the tasks of
# functions that asyncio runs in greenlets are those that asyncio names.
. "$TOP/tests/live/python.sh"

whole() { # NAME: 99 % of the stacks; the line says what the others are
	grep '^stacks' "$scratch/$1.out" || { tail -n 20 "$scratch/$1.out"; return 1; }
	awk '/^stacks/ { gsub(/[%,;]/, ""); for (i = 2; i <= NF; i++) if ($i == "complete") share = $(i - 1) }
		END { exit !(share >= 99) }' "$scratch/$1.out"
}

# What a module has to say of its frames is read from its file: not from a disk that another test keeps busy.
warm() { # PYTHON FOLDER
	find "$2" -name '*.so' -exec cat {} + >/dev/null
	cat "$(readlink -f "$1")" >/dev/null
}

stacks_of() { # NAME
	"$WPERF" script --json -i "$scratch/$1.data" 2>"$scratch/$1.err" | python3 "$TOP/tests/live/python_greenlets.py"
}

one() { # PYTHON KIND WAY PACKAGE...
	local python=$1 kind=$2 way=$3 folder
	shift 3
	folder=$("$suites" packages "$python" "$@") || { part_skipped "$(label / "$python"): $*: not to be had here"; return; }
	warm "$python" "$folder"
	PYTHONPATH=$folder "$WPERF" record -e cpu-clock -F 999 $way --data "$scratch/greenlets.data" -- \
		"$python" "$TOP/tests/workloads/py_greenlets.py" "$kind" 1 >"$scratch/greenlets.out" 2>&1
	check "$(label / "$python"), $*, $way: stacks are complete" whole greenlets
	check "$(label / "$python"), $*, $way: each is of one greenlet" stacks_of greenlets
}

# One thread runs them all: none of their names is its name.
names() { # PYTHON WAY
	local folder
	folder=$("$suites" packages "$1" gevent) || { part_skipped "$(label / "$1"): gevent: not to be had here"; return; }
	PYTHONPATH=$folder "$WPERF" record --json -e cpu-clock -F 999 --threads $2 -- \
		"$1" "$TOP/tests/workloads/py_greenlets.py" threads 1 >"$scratch/threads.json" 2>"$scratch/threads.err"
	check "$(label / "$1"), $2: threads are met" grep -q '"python_threads"' "$scratch/threads.json"
	check "$(label / "$1"), $2: no thread is called what a greenlet is" eval '! grep -q "green-[0-9]" "$scratch/threads.json"'
}

# PYTHON KIND WAY PACKAGE...
parents() {
	local python=$1 kind=$2 way=$3 folder
	shift 3
	folder=$("$suites" packages "$python" "$@") || { part_skipped "$(label / "$python"): $*: not to be had here"; return; }
	PY_TRUTH=$scratch/parents.truth PYTHONPATH=$folder "$WPERF" record --async -e cpu-clock -F 999 $way --data "$scratch/greenlets.data" -- \
		"$python" "$TOP/tests/workloads/py_greenlet_parents.py" "$kind" 0.6 >"$scratch/parents.out" 2>&1
	check "$(label / "$python"), $*, $way: who waits is who greenlet says" told_parents
}
told_parents() {
	"$WPERF" script --json -i "$scratch/greenlets.data" 2>"$scratch/parents.err" |
		python3 "$TOP/tests/live/python_greenlet_parents.py" "$scratch/parents.truth"
}

found=
for python in ~/.pyenv/versions/3.{8,10,11,12,13}.*/bin/python /usr/bin/python3; do
	[ -x "$python" ] || continue
	found=1
	one "$python" greenlet "-g" greenlet
	case $python in
	*/3.11.*) for version in 2.0.2 3.0.3; do parents "$python" greenlet -g greenlet==$version; done ;;
	*/3.8.* | */3.10.*) ;;
	*) parents "$python" greenlet -g greenlet ;;
	esac
	case $python in
	*/3.8.* | */3.10.*) ;;
	*) parents "$python" asyncio -g greenlet ;;
	esac
	case $python in
	*/3.10.*) one "$python" greenlet "-g" greenlet==1.1.3 ;;
	*/3.12.*)
		for way in "-g --python pinned" "--call-graph dwarf,65528"; do one "$python" greenlet "$way" greenlet; done
		one "$python" gevent -g gevent
		one "$python" gevent "-g --python pinned" gevent
		one "$python" eventlet -g eventlet
		parents "$python" gevent -g gevent
		parents "$python" gevent "--python bpf" gevent
		parents "$python" greenlet "-g --python pinned" greenlet
		parents "$python" gevent "--python pinned" gevent
		parents "$python" asyncio "-g --python pinned" greenlet
		parents "$python" eventlet -g eventlet
		names "$python" "--python bpf"
		names "$python" "--python pinned"
		;;
	esac
done
[ $found ] || skip "no Python"
finish
