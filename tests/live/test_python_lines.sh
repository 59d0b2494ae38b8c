#!/bin/bash
# Line tables next to every interpreter's own answers: each instruction of each code object of its standard library, code made to
# be difficult, and tables with random entries. Two interpreters at a time.
. "$TOP/tests/live/interpreters.sh"
tool=$WORK/tools/python_lines
oracle=$TOP/tests/live/python_lines_oracle.py

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

for i in $(seq "$n"); do mkfifo "$scratch/$i.pipe"; done
export -f compare
export tool oracle
nl -ba "$scratch/interpreters" | xargs -P 2 -L 1 bash -c 'compare "$@"' compare >"$scratch/said" 2>&1
cat "$scratch/said"
check "line tables of $n interpreters" [ "$(grep -c '^ok: ' "$scratch/said")" = "$n" ]
finish
