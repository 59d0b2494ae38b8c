#!/bin/bash
# The interpreter is known from its first instruction on: no sample comes before, in a command that is started or in a process that runs.
. "$TOP/tests/live/python.sh"

none_early() { # NAME: of more samples than $FEWEST
	python3 - "$scratch/$1.json" "${FEWEST:-20}" <<-'EOF'
		import json, sys
		told = json.load(open(sys.argv[1]))["sampling"]["python"]
		good = told["early"] == 0 and told["with_frames"] > int(sys.argv[2])
		good or print(f"  {told['early']} early of {told['samples']}, {told['with_frames']} with Python frames")
		sys.exit(not good)
	EOF
}

started() { # NAME OPTIONS COMMAND...
	local name=$1 options=$2
	shift 2
	"$WPERF" record --no-data --json -F 999 $options -- "$@" >"$scratch/$name.json" 2>"$scratch/$name.err" && none_early "$name"
}

one() { # ROOT PYTHON
	local way name folder=$TOP/tests/workloads
	name=$(label "$1" "$2")
	[ "$1" = / ] || folder=/mnt
	for way in "--python bpf -g" "--python pinned"; do
		check "$name, $way: none before" started "${name//[^a-z0-9.]/_}" "$way" "$suites" run "$1" "$2" "$folder/py_short.py"
	done
}

script() {
	{ echo "#!/usr/bin/env python3"; cat "$TOP/tests/workloads/py_short.py"; } >"$scratch/script"
	chmod 755 "$scratch/script"
	started script "" "$scratch/script"
}

attached() { # WAY
	local pid status
	python3 "$TOP/tests/workloads/py_short.py" 60 &
	pid=$!
	wait_until has_run $pid 200
	"$WPERF" sample --json -F 999 --python "$1" -p $pid --timeout 0.5 >"$scratch/attached.json" 2>"$scratch/attached.err" && none_early attached
	status=$?
	kill $pid
	return $status
}

# What a shell or find starts is not held at its beginning: it is known by what its file says.
named() { # PYTHON
	local short=$TOP/tests/workloads/py_short.py
	local FEWEST=0
	started sh "--python bpf" sh -c "'$1' '$short'; true" && started find "--python bpf -g" find "$short" -exec "$1" {} ';' &&
		started sh "--python pinned" sh -c "'$1' '$short'; true"
}

# In no process but the first NEW ones is a sample in the evaluation loop and has no Python frames.
none_blind() { # NEW OPTIONS COMMAND...
	local new=$1 options=$2
	shift 2
	rm -f "$scratch/others.data"
	"$WPERF" record -q -g -F 1999 $options --data "$scratch/others.data" -- "$@" >"$scratch/others" 2>&1
	"$WPERF" script --json -i "$scratch/others.data" 2>"$scratch/others.err" | count_blind $new "$options" || { cat "$scratch/others" "$scratch/others.err"; return 1; }
}

# Of the programs that a command starts only the first one may be new, and none that the command names.
others() { # PYTHON OPTIONS NEW
	none_blind "$3" "$2" sh -c "for i in 1 2 3; do '$1' '$TOP/tests/workloads/py_short.py'; done"
}

# What a script or make starts is known from the second run on, though nothing names it.
remembered() { # PYTHON
	local XDG_CACHE_HOME=$scratch/cache
	export XDG_CACHE_HOME
	rm -rf "$XDG_CACHE_HOME"
	printf '#!/bin/sh\nfor i in 1 2; do "%s" "%s"; done\n' "$1" "$TOP/tests/workloads/py_short.py" >"$scratch/unnamed"
	chmod 755 "$scratch/unnamed"
	printf 'all:\n\t@%s\n' "$scratch/unnamed" >"$scratch/Makefile"
	# A run that met it: on a busy machine a program may be over before it is known.
	for _ in 1 2 3 4 5; do
		"$WPERF" record --no-data -q -- "$scratch/unnamed" >"$scratch/first" 2>&1
		[ ! -s "$XDG_CACHE_HOME/wperf/python/seen" ] || break
	done
	for way in bpf pinned; do
		none_blind 0 "--python $way" "$scratch/unnamed" && none_blind 0 "--python $way" make -f "$scratch/Makefile" || return
	done
}

count_blind() { # NEW OPTIONS; script --json on stdin
	python3 -c '
import collections, json, sys
seen, blind, pythons = collections.Counter(), collections.Counter(), set()
for line in sys.stdin:
    sample = json.loads(line)
    names = [frame.get("symbol") for frame in sample["frames"]]
    has = any(frame["kind"] == "python" for frame in sample["frames"])
    seen[sample["pid"]] += 1
    if any((frame.get("file") or "").endswith("py_short.py") for frame in sample["frames"]):
        pythons.add(sample["pid"])
    blind[sample["pid"]] += not has and any((name or "").startswith(("_PyEval_Eval", "PyEval_Eval")) for name in names)
later = sorted(pythons)[int(sys.argv[1]):]
bad, samples = (sum(count[pid] for pid in later) for count in (blind, seen))
# A pinned reader may lose its thread to another CPU while it takes what it meets first. Where it looks for the state of a thread
# that has none yet, it looks again after 64 times as long as that took (pinned_threads.c): 2 to 4 ms, eight samples.
if len(later) < 2 or bad > 2 + 0.003 * samples + (8 * len(later) if "pinned" in sys.argv[2] else 0):
    print(f"  {bad} of {samples} samples of {len(later)} processes")
    sys.exit(1)' "$1" "$2"
}

unfollowed() { # what the tracer of another has is not followed
	# The leak sanitizer is a tracer, too.
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 strace -f -o "$scratch/strace" "$WPERF" record --no-data -q -- python3 "$TOP/tests/workloads/py_short.py" >"$scratch/strace.out" 2>&1
}

# An old one, one in between and a new one; test-full has every one.
three='^/ .*(/2\.7|/3\.11\.|/3\.13\.|/standalone/)'
[ -z "${WPERF_EVERY_PYTHON:-}" ] || three=.
check "a script of env's: none before" script
for way in bpf pinned; do check "attached, $way: none before" attached $way; done
check "what a shell starts as again is known when all CPUs are sampled: none before" others python3 -a 1
while read -r root python <&3; do
	[ "$root" = / ] || continue
	check "what is named $(label / "$python") is known: none before" named "$python"
	check "what $(label / "$python") starts as again is known: none before" others "$python" "" 0
done 3< <("$suites" list | grep -E "$three")
check "what a script or make starts is known from the second run on" remembered python3
if command -v strace >"$scratch/found"; then
	check "a command that is traced by another runs" unfollowed
else
	part_skipped "a command that is traced by another: no strace"
fi
each_python one "$three"
finish
