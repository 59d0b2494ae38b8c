#!/bin/bash
# WindowsPerf's showcase: CPython computing a big power spends its time in the big-integer multiplication.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
json=$scratch/out.json

top() { # the symbol with the most samples
	python3 -c 'import json,sys; print(max(json.load(open(sys.argv[1]))["sampling"]["events"][0]["samples"], key=lambda r: r["count"])["symbol"])' "$1"
}

try() { # PYTHON
	"$WPERF" record -F 1000 --json --timeout 1.5 -- "$1" -c 'x = 10**10**7' >"$json"
	echo "$1: $(top "$json")"
	top "$json" | grep -qE '^(x_mul|k_mul|long_mul|k_lopsided_mul)'
}

tried=0
for python in /usr/bin/python3-dbg /usr/bin/python3.*-dbg ~/.pyenv/versions/3.{6,10,13}*/bin/python3 ~/.pyenv/versions/2.7*/bin/python; do
	[ -x "$python" ] || continue
	tried=$((tried + 1))
	check "x_mul family on top: $("$python" -V 2>&1)" try "$python"
done
[ $tried -gt 0 ] || part_skipped "no CPython with symbols (python3-dbg, pyenv)"

# Debian's own is stripped: named from its debug file where that is installed, else unknown with the reason, never misnamed.
debian() {
	"$WPERF" record -F 1000 --json --timeout 1.5 -- /usr/bin/python3 -c '10**10**100' >"$json"
	echo "/usr/bin/python3: $(top "$json")"
	top "$json" | grep -qE '^(x_mul|k_mul|long_mul|k_lopsided_mul)' && return
	part_skipped "no debug file of Debian's python3: its functions have no names"
	[ "$(top "$json")" = unknown ] && grep -qE '"stripped": *[0-9]{3}' "$json"
}
if [ -x /usr/bin/python3 ]; then
	check "Debian's python3: big-integer multiplication, or honestly unknown" debian
else
	part_skipped "no /usr/bin/python3"
fi
finish
