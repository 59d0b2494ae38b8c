#!/bin/bash
# On a terminal of 80 columns no row of a report wraps; what does not fit the screen goes through the pager, behind the
# command's own output, and the exit status stays the command's.
. "$(dirname "$0")/lib.sh"
unset COLUMNS PAGER WPERF_PAGER LESS

cat >"$scratch/a_program_with_a_long_name.py" <<'PY'
import json, sys, time
end = time.process_time() + 1
data = {str(i): [i, {"key": i}] for i in range(100)}
while time.process_time() < end:
    json.loads(json.dumps(data, indent=1, sort_keys=True, separators=(", ", ": "), ensure_ascii=True, allow_nan=True))
print("its own output")
sys.exit(7)
PY

# on COLUMNS ROWS KEYS OPTION...: the program on such a terminal; prints what appeared, without lines that were erased
on() {
	"$TOP/tests/live/terminal.py" "$1" "$2" "$3" "$WPERF" record -F 500 "${@:4}" -- python3 "$scratch/a_program_with_a_long_name.py" |
		sed 's/^.*\r\x1b\[K//'
	return "${PIPESTATUS[0]}"
}

widest() { # FILE: columns of the widest row of a table or tree, colours left out
	python3 - "$1" <<-'PY'
	import re, sys
	rows = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", open(sys.argv[1], encoding="utf-8").read()).split("\n")
	print(max(len(row) for row in rows if not re.match(r"note: |python: |stacks |warning: ", row)))
	PY
}

on 80 1000 "" --no-pager >"$scratch/default"
check "the default report: the exit status is the command's" test $? = 7
check "no row is wider than the terminal: $(widest "$scratch/default")" [ "$(widest "$scratch/default")" -le 80 ]
check "the source of the hot line is there" grep -qP 'a_program_w.*name\.py:5 +\S*json\.loads' "$scratch/default"
check "... under its heading, in both tables of lines" test "$(grep -c 'file:line .* source' "$scratch/default")" = 2
on 80 1000 "" -g --threads --no-pager >"$scratch/narrow"
check "the exit status is the command's" test $? = 7
check "no row is wider than the terminal: $(widest "$scratch/narrow")" [ "$(widest "$scratch/narrow")" -le 80 ]
check "the Python functions are there" grep -q 'json/.*:' "$scratch/narrow"
on 80 1000 "" --no-pager --wide >"$scratch/wide"
check "--wide: some are: $(widest "$scratch/wide")" [ "$(widest "$scratch/wide")" -gt 80 ]

export WPERF_PAGER="sed s/^/paged:/"
on 80 10 "" >"$scratch/paged"
check "through a pager: the exit status is the command's" test $? = 7
check "... which gets the report" grep -q '^paged:.*sample source: ' "$scratch/paged"
check "... and not what came before" grep -q '^its own output' "$scratch/paged"
check "... nor the progress" grep -q '^sampling .*done!' "$scratch/paged"
on 80 10 "" --no-pager >"$scratch/paged"
check "--no-pager" sh -c "! grep -q ^paged: '$scratch/paged'"
WPERF_PAGER="head -n 1" on 80 10 "" >"$scratch/paged"
check "a pager that has seen enough is no failure" test $? = 7
unset WPERF_PAGER

if command -v less >/dev/null; then
	on 80 10 q >"$scratch/less"
	check "less waits for its key on a small screen" test $? = 7
	check "... and has not shown everything" sh -c "! grep -q 'seconds time elapsed' '$scratch/less'"
	on 80 1000 "" >"$scratch/less"
	check "... and for none on a large one" grep -q 'seconds time elapsed' "$scratch/less"
else
	part_skipped "less is not installed"
fi
finish
