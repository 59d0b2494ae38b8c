#!/bin/bash
# Python in odd places: attached to, in other namespaces, deleted on disk, in a zip file, below a path beyond ASCII, with
# perf's trampolines, embedded in a program that is no Python.
. "$TOP/tests/live/python.sh"

profile_options="-e cpu-clock -F 2000 -g"
traps=$TOP/tests/workloads/py_traps.py

launch() { # NAME COMMAND...
	local name=$1
	shift
	PY_TRUTH=$scratch/$name.truth "$WPERF" record --json --sample-display-row 100000 $profile_options -- "$@" \
		>"$scratch/$name.json" 2>"$scratch/$name.err" || { tail -n 2 "$scratch/$name.err"; return 1; }
}

attach() { # NAME PID SECONDS
	"$WPERF" sample --json --sample-display-row 100000 $profile_options -p "$2" --timeout "$3" \
		>"$scratch/$1.json" 2>"$scratch/$1.err" || { tail -n 2 "$scratch/$1.err"; return 1; }
}

started() { # NAME: until the program runs
	wait_until test -s "$scratch/$1.truth"
}

pid_of() { # NAME
	python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["pid"])' "$scratch/$1.truth"
}

# chain_of NAME: what every place is held to
chain_of() {
	check "$1: the chain" holds "$1" cases 99
	check "$1: names are in their files" holds "$1" clean "" "$TOP/tests/workloads"
}

# In a running process, by its id.
PY_TRUTH=$scratch/attached.truth python3 "$traps" decorators 60 &
check "attached: started" started attached
check "attached: runs" attach attached $! 1
chain_of attached
kill $! 2>/dev/null

# The file of the interpreter is gone, as after an upgrade.
python=$("$suites" list | awk '$1 == "/" && $2 ~ "^/usr/bin/python3[.][0-9]*$" { print $2; exit }')
if [ -z "$python" ] || ldd "$python" 2>/dev/null | grep -q libpython; then
	part_skipped "no python3 of this system that is one file: none is deleted while it runs"
else
	cp "$python" "$scratch/python-old"
	PYTHONHOME=$("$python" -c 'import sys; print(sys.prefix)') PY_TRUTH=$scratch/deleted.truth \
		"$scratch/python-old" "$traps" generators 60 &
	check "deleted: started" started deleted
	rm "$scratch/python-old"
	check "deleted: runs" attach deleted $! 1
	chain_of deleted
	kill $! 2>/dev/null
fi

# Another pid namespace: the ids that the interpreter knows are not ours.
if unshare --pid --fork --mount-proc true 2>/dev/null; then
	check "namespace: runs" launch namespace unshare --pid --fork --mount-proc python3 "$traps" sorting 1
	chain_of namespace
	check "namespace, threads: runs" launch namespace unshare --pid --fork --mount-proc python3 "$traps" threads 1
	chain_of namespace
else
	part_skipped "no pid namespaces for this user"
fi

# A zip file.
mkdir "$scratch/app"
cp "$traps" "$scratch/app/__main__.py"
cp "$TOP/tests/workloads/py_truth.py" "$scratch/app/"
if python3 -m zipapp "$scratch/app" -o "$scratch/app.pyz"; then
	check "zipapp: runs" launch zipapp python3 "$scratch/app.pyz" reducing 0.7
	check "zipapp: the chain" holds zipapp cases 99
fi

# A path beyond ASCII, in one byte, two and four.
odd=$scratch/$(printf 'caf\303\251 \345\207\275\346\225\260 \360\240\200\200')
mkdir "$odd"
cp "$traps" "$TOP/tests/workloads/py_truth.py" "$odd/"
check "beyond ASCII: runs" launch odd python3 "$odd/py_traps.py" names_beyond_ascii 0.7
check "beyond ASCII: the chain" holds odd cases 99
check "beyond ASCII: the path" grep -qF "$odd/py_traps.py" <(python3 -c \
	'import json,sys; print("\n".join({r["file"] for r in json.load(open(sys.argv[1]))["sampling"]["events"][0]["python_functions"]}))' \
	"$scratch/odd.json")

# perf's trampolines put machine code of their own between the frames.
knows_trampolines='import glob, os, sys
for name in glob.glob("/tmp/perf-%d.map" % os.getpid()) + glob.glob("/tmp/jit-%d.dump" % os.getpid()):
    os.unlink(name)
sys.exit(not sys.is_stack_trampoline_active())'
perf_map() { # ROOT PYTHON
	local name
	name=$(label "$1" "$2")
	for option in perf perf_jit; do
		"$2" -X $option -c "$knows_trampolines" 2>/dev/null || continue
		check "$name -X $option: runs" launch trampolines "$2" -X $option "$traps" sorting 0.7
		check "$name -X $option: the chain" holds trampolines cases 99
		rm -f "/tmp/perf-$(pid_of trampolines).map" "/tmp/jit-$(pid_of trampolines).dump"
	done
}
each_python perf_map '^/ .*/3\.1[2-9]'
finish
