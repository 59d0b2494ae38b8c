#!/bin/bash
# Bytecode: instructions, arguments, lines and the forms that were running are those that the process's own dis lists at its end; counts per instruction add
# up to those of lines and opcodes, and lie where the program's own clock says that its time went. WPERF_EVERY_PYTHON=1: every interpreter.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
pythons=$(ls -r "$HOME"/.pyenv/versions/3.1[1-3]*/bin/python3 2>/dev/null | head -n 1)
[ -n "$pythons" ] || pythons=$(any_python)
[ -z "${WPERF_EVERY_PYTHON:-}" ] || pythons=$(ls "$HOME"/.pyenv/versions/*/bin/python /usr/bin/python3 2>/dev/null)
[ -n "$pythons" ] || skip "no CPython"
cd "$scratch" || exit 2

wperf() { # FILE WORD...: JSON of a recording into the file
	local file=$1
	shift
	"$WPERF" "$@" --json >"$file" 2>err || { cat err; return 1; }
}

for python in $pythons; do
	name=$("$python" -c 'import platform; print(platform.python_version())')
	case $name in 2.7.* | 3.[6-9].* | 3.1[0-3].*) ;; *) part_skipped "opcodes of CPython $name are not known" && continue ;; esac
	"$WPERF" record -e cpu-clock -F 2000 --data p.data -- "$python" "$TOP/tests/live/bytecode_app.py" 0.6 truth.json >/dev/null 2>err ||
		{ check "$name: it is recorded" cat err && failed=1; continue; }
	check "$name: bytecode is listed" wperf coded.json annotate '^work_' --bytecode -i p.data
	check "$name: it has the schema" "$TOP/tests/schemas/validate" annotate coded.json
	check "$name: lines are listed" wperf lined.json annotate '^work_' -i p.data
	check "$name: opcodes are counted" wperf sorted.json report --sort opcode,python-function --rows 100000 -i p.data
	check "$name: all of it is what dis and the program's clock say" \
		python3 "$TOP/tests/live/bytecode_check.py" truth.json coded.json lined.json sorted.json
done

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
