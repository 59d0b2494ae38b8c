#!/bin/bash
# Every interpreter there is, in this system's folders and in containers: functions and lines have their names, no garbage.
. "$TOP/tests/live/python.sh"

"$suites" list | grep -qv '^/ ' ||
	part_skipped "no CPython of a later Debian suite, so no container: tests/tools/python_suites fetch brings them"
profile_options="-e cpu-clock -F 2000 -g"
one() {
	local name folder=
	name=$(label "$1" "$2")
	[ "$1" = / ] || folder=$1
	check "$name: runs" profile version "$1" "$2" py_traps.py imports,recursion 0.2
	check "$name: names are in their files" holds version clean "$folder" "$TOP/tests/workloads"
	check "$name: chains" holds version cases 99
}
each_python one

# Stripped copies of libpythons in another program, and two in one process.
libraries=$(ls ~/.pyenv/versions/*/lib/libpython?.*.so.1.0 2>/dev/null)
embedded() { # NAME LIBRARY...
	local name=$1 arguments=()
	shift
	for library in "$@"; do arguments+=("$library" "$TOP/tests/workloads/py_traps.py"); done
	PY_TRUTH=$scratch/$name.truth "$WPERF" record --json --sample-display-row 100000 $profile_options -- \
		"$WORKLOADS/embed" "${arguments[@]}" -- recursion 0.3 >"$scratch/$name.json" 2>"$scratch/$name.err"
}

mkdir "$scratch/lib"
for library in $libraries; do
	version=$(basename "$library" .so.1.0)
	home=$(dirname "$(dirname "$library")")
	objcopy --strip-all "$library" "$scratch/lib/libembedded.so"
	EMBED_HOME=1 PYTHONHOME=$home check "stripped $version: runs" embedded stripped "$scratch/lib/libembedded.so"
	check "stripped $version: the chain" holds stripped cases 99
done
[ -n "$libraries" ] || part_skipped "no shared libpython of pyenv: no embedded one is tried"

two=$(echo "$libraries" | grep -E '3\.1[12]')
if [ "$(echo "$two" | wc -w)" = 2 ]; then
	check "two libpythons: runs" embedded two $two
	check "two libpythons: the chain in both" holds two cases 99
else
	part_skipped "no CPython 3.11 and 3.12 with shared libraries: not two in one process"
fi
finish
