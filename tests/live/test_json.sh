#!/bin/bash
# What --json prints is what the schemas of docs/schema say.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 2

follows() { # SCHEMA COMMAND...: its standard output does
	local schema=$1
	shift
	"$@" >out.json 2>err || { cat err; return 1; }
	"$TOP/tests/schemas/validate" "$schema" out.json
}

check "stat" follows stat "$WPERF" stat -e task-clock,page-faults --json -- true
check "stat -t" follows stat-timeline "$WPERF" stat -t -i 0.1s -n 2 --timeout 0.1 -e task-clock --json
check "record" follows record "$WPERF" record --python off -F 500 --data --json -q -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
check "report" follows report "$WPERF" report --json
check "report --sort" follows report "$WPERF" report --sort symbol,cpu --json
check "report --children" follows report "$WPERF" report --children --json
check "script" follows script "$WPERF" script --json
check "script has samples" test "$(wc -l <out.json)" -gt 0
check "export" follows export "$WPERF" export --format folded --json
for verb in list test detect; do check "$verb" follows $verb "$WPERF" $verb --json; done
check "--version" follows version "$WPERF" --version --json
check "a document of another verb is noticed" sh -c "! '$TOP/tests/schemas/validate' stat out.json >/dev/null 2>&1"
finish
