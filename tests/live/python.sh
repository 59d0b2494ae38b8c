# python.sh: what live tests of Python code share, on top of lib.sh.
. "$TOP/tests/live/lib.sh"
suites=$TOP/tests/tools/python_suites
export PYTHONDONTWRITEBYTECODE=1 WPERF_SCRATCH=$scratch PYTHONUTF8=1
profile_options=""
way=${WPERF_PYTHON_WAY:+--python $WPERF_PYTHON_WAY} # the tests of another way of reading frames

scratch_of() { # ROOT: what $scratch is called there
	[ "$1" = / ] && echo "$scratch" || echo /wperf-scratch
}

# profile NAME ROOT PYTHON SCRIPT ARGUMENT...: $profile_options go to wperf; leaves $scratch/NAME.json, NAME.truth, NAME.err
profile() {
	local name=$1 root=$2 python=$3 script=$4 folder=$TOP/tests/workloads
	shift 4
	[ "$root" = / ] || folder=/mnt
	PY_TRUTH=$(scratch_of "$root")/$name.truth "$WPERF" record --json --sample-display-row 100000 $profile_options $way -- \
		"$suites" run "$root" "$python" "$folder/$script" "$@" >"$scratch/$name.json" 2>"$scratch/$name.err" ||
		{ echo "  wperf: exit $?: $(tail -n 2 "$scratch/$name.err")"; return 1; }
}

holds() { # NAME CHECK...: see python_check.py
	python3 "$TOP/tests/live/python_check.py" "$scratch/$1.json" "$scratch/$1.truth" "${@:2}"
}

# each_python FUNCTION [PATTERN]: calls FUNCTION ROOT PYTHON for every interpreter whose "ROOT PYTHON" matches
each_python() {
	local root python
	while read -r root python <&3; do
		[[ "$root $python" =~ ${2:-.} ]] && [ -n "$python" ] && "$1" "$root" "$python"
	done 3< <("$suites" list)
}

# each_mode FUNCTION: calls FUNCTION ROOT PYTHON for the ways to run code that a build with a JIT compiler has beside its usual one
each_mode() {
	local python mode
	python=$("$suites" list | awk '/standalone\/3\.14/ { print $2 }')
	[ -n "$python" ] || { part_skipped "no CPython with a JIT: tests/tools/python_suites standalone 3.14 brings one"; return; }
	for mode in PYTHON_JIT=1 PYTHONPERFSUPPORT=1 PYTHON_PERF_JIT_SUPPORT=1; do
		echo "$mode:"
		(export "$mode"; "$1" / "$python"; exit $failed) || failed=1
	done
}

# The interpreters of a test that has no time for all: one of each way of running Python code, of those that this system
# has itself. WPERF_EVERY_PYTHON=1: every one.
a_few='^/ .*(/2\.7|/3\.10|/3\.11\.|/3\.12|/3\.13\.|/standalone/)'
[ -z "${WPERF_EVERY_PYTHON:-}" ] || a_few=.

label() { # ROOT PYTHON: for people
	local root=${1##*/} name=${2#"$HOME/.pyenv/versions/"}
	[[ $name != */standalone/* ]] || name=standalone\ $(basename "${name%/bin/*}")
	echo "${root:+$root }${name%/bin/python}"
}

can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
"$WPERF" record -F 1000 --json -- python3 -c 'sum(range(10**7))' >"$scratch/first.json" 2>"$scratch/first.err"
grep -q '"python"' "$scratch/first.json" || skip "no Python frames here: $(tail -n 1 "$scratch/first.err")"
