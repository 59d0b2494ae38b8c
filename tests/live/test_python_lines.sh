#!/bin/bash
# Line tables next to every interpreter's own answers: each instruction of each code object of its standard library, code made to
# be difficult, and tables with random entries. Two interpreters at a time.
. "$TOP/tests/live/lib.sh"
tool=$WORK/tools/python_lines
oracle=$TOP/tests/live/python_lines_oracle.py
suites=$TOP/tests/tools/python_suites

interpreters() { # ROOT INTERPRETER lines, "/" being this system
	local python
	if [ -x "$suites" ]; then
		"$suites" list
	else
		for python in ~/.pyenv/versions/*/bin/python /usr/bin/python3 /usr/bin/python3-dbg; do
			[ -x "$python" ] && echo "/ $python"
		done
	fi
}

inside() { # ROOT COMMAND...
	if [ "$1" = / ]; then
		shift
		timeout 280 "$@"
	else
		timeout 280 "$suites" run "$@"
	fi
}

# The same build may be in two suites: once is enough.
different() {
	local root python build print='import sys; print(sys.version.replace("\n", " "))'
	while read -r root python; do
		build=$(inside "$root" "$python" -c "$print" </dev/null 2>/dev/null) ||
			{ part_skipped "$python of $root does not run" >&2; continue; }
		echo "$root $python ${build//[\"\']/}"
	done | sort -s -k3 | uniq -f 2 | sort -k3,3Vr
}

compare() { # N ROOT INTERPRETER BUILD...
	local out=$scratch/$1 name="$3" said status
	[ "$2" = / ] || name="$3 of $2"
	inside "$2" "$3" - <"$oracle" 2>"$out.err" >"$out.pipe" &
	said=$("$tool" <"$out.pipe")
	status=$?
	wait $! && [ $status = 0 ] && echo "ok: $name ($4): $said, $(tail -n 1 "$out.err")" && return
	echo "FAILED: $name ($4): $said"
	tail -n 5 "$out.err"
}

interpreters | different >"$scratch/interpreters"
[ -s "$scratch/interpreters" ] || skip "no Python"
n=$(wc -l <"$scratch/interpreters")
for i in $(seq "$n"); do mkfifo "$scratch/$i.pipe"; done
export -f compare inside
export tool oracle suites scratch
nl -ba "$scratch/interpreters" | xargs -P 2 -L 1 bash -c 'compare "$@"' compare >"$scratch/said" 2>&1
cat "$scratch/said"
check "line tables of $n interpreters" [ "$(grep -c '^ok: ' "$scratch/said")" = "$n" ]
finish
