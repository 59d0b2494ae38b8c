# interpreters.sh: the CPythons that a test of each of them uses, after lib.sh: $scratch/interpreters has a line "ROOT INTERPRETER
# BUILD..." for each, "/" being this system, newest first, $n lines; `inside ROOT COMMAND...` runs something there.
. "$TOP/tests/live/lib.sh"
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

export -f inside
export suites scratch
interpreters | different >"$scratch/interpreters"
[ -s "$scratch/interpreters" ] || skip "no Python"
n=$(wc -l <"$scratch/interpreters")
