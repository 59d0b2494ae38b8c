#!/bin/bash
# Bytecode: instructions, arguments, lines and the forms that were running are those that the process's own dis lists at its end; counts per instruction add
# up to those of lines and opcodes, and lie where the program's own clock says that its time went. WPERF_EVERY_PYTHON=1: every interpreter.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
suites=$TOP/tests/tools/python_suites
cd "$scratch" || exit 2
cp "$TOP/tests/live/bytecode_app.py" .
export WPERF_SCRATCH=$scratch

# Lines "ROOT INTERPRETER", "/" being this system: one that is adaptive, if there is one, or every one.
pythons() {
	local python
	[ -z "${WPERF_EVERY_PYTHON:-}" ] || { "$suites" list; return; }
	python=$(ls -r "$HOME"/.pyenv/versions/3.1[1-3]*/bin/python3 2>/dev/null | head -n 1)
	echo "/ ${python:-$(any_python)}" | grep " /"
}

wperf() { # FILE WORD...: JSON of a recording into the file
	local file=$1
	shift
	"$WPERF" "$@" --json >"$file" 2>err || { cat err; return 1; }
}

each() { # ROOT INTERPRETER
	local name run=("$suites" run "$1" "$2") app=/wperf-scratch
	[ "$1" != / ] || { run=("$2") && app=.; }
	name=$("${run[@]}" -c 'import platform; print(platform.python_version())' </dev/null 2>/dev/null) ||
		{ part_skipped "$2 of $1 does not run"; return; }
	"$WPERF" record -e cpu-clock -F 2000 --data p.data -- "${run[@]}" $app/bytecode_app.py 0.6 $app/truth.json </dev/null >/dev/null 2>err
	check "$name: bytecode is listed" wperf coded.json annotate '^work_' --bytecode -i p.data
	check "$name: it has the schema" "$TOP/tests/schemas/validate" annotate coded.json
	check "$name: lines are listed" wperf lined.json annotate '^work_' -i p.data
	check "$name: opcodes are counted" wperf sorted.json report --sort opcode,python-function --rows 100000 -i p.data
	check "$name: all of it is what dis and the program's clock say" \
		python3 "$TOP/tests/live/bytecode_check.py" truth.json coded.json lined.json sorted.json
}

pythons >pythons.list || skip "no CPython"
while read -r root python; do
	each "$root" "$python"
done <pythons.list

# What watches lines takes the places of instructions (3.12 and newer).
python=$(ls "$HOME"/.pyenv/versions/3.1[2-3]*/bin/python3 2>/dev/null | head -n 1)
[ -n "$python" ] || { part_skipped "no CPython 3.12 or 3.13: nothing watches lines"; finish; }
cat >watched.py <<'PY'
import sys
sys.monitoring.use_tool_id(1, "test")
sys.monitoring.set_events(1, sys.monitoring.events.LINE)
sys.monitoring.register_callback(1, sys.monitoring.events.LINE, lambda code, line: None)
def watched():
    for i in range(400000):
        i += 1
watched()
PY
"$WPERF" record -e cpu-clock -F 2000 --data w.data -- "$python" watched.py >/dev/null 2>&1
check "code that is watched is told, not guessed" bash -c '"$0" annotate -i w.data watched --bytecode 2>&1 | grep -q "samples of Python code have no opcode: a debugger"' "$WPERF"
finish
