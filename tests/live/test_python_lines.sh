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

compare() { # ROOT INTERPRETER OUT
	local name="$2 of $1" run=() said
	[ "$1" = / ] && name=$2 || run=("$suites" run "$1")
	said=$({ timeout 280 "${run[@]}" "$2" - <"$oracle" 2>"$3.err" || echo "the interpreter failed" >&3; } 3>"$3.failed" | "$tool")
	[ $? = 0 ] && [ ! -s "$3.failed" ] && echo "ok: $name: $(tail -n 1 "$3.err"): $said" ||
		{ echo "FAILED: $name: $said"; tail -n 5 "$3.err"; }
}

interpreters | sort -u >"$scratch/interpreters"
[ -s "$scratch/interpreters" ] || skip "no Python"
export -f compare
export tool oracle suites scratch
# The slow ones (the new) first, so that two are at work until the end.
sort -Vr "$scratch/interpreters" | nl -ba |
	xargs -P 2 -L 1 bash -c 'compare "$1" "$2" "$scratch/$0"; exit 0' >"$scratch/said" 2>&1
cat "$scratch/said"
check "every interpreter answered" [ "$(grep -c '^ok: ' "$scratch/said")" = "$(wc -l <"$scratch/interpreters")" ]
finish
