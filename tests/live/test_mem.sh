#!/bin/bash
# wperf mem of page faults, which every machine has: functions, lines, objects and pages of a C program that says what it touches, and
# Python lines.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
"$WPERF" record -q --data "$scratch/c.data" -d -e page-faults:1 --python off -- "$WORKLOADS/touch" "$scratch/where" 2>/dev/null
"$WPERF" mem -i "$scratch/c.data" --json --rows 1000 >"$scratch/c.json" 2>/dev/null
check "functions, lines, objects and pages of a C program" python3 - "$scratch/c.json" "$TOP/tests/workloads/touch.c" "$scratch/where" <<'PY'
import json, re, sys
(group,) = json.load(open(sys.argv[1]))["memory"]["groups"]
pages = {"unset": 64, "other": 32, "filled": 16}
text = open(sys.argv[2]).read().splitlines()
wrong = []
def expect(what, got, want):
    if got != want:
        wrong.append("%s: %s, want %s" % (what, got, want))
counts = {name: {row[key].split(":")[0] if name != "lines" else row[key]: row["count"] for row in group[name]}
          for name, key in (("functions", "symbol"), ("lines", "line"), ("data_symbols", "data-symbol"), ("data_pages", "data-page"))}
touched = {row["data-page"] for row in group["data_pages"]}
where = dict(line.split() for line in open(sys.argv[3]))
for name, n in pages.items():
    (line,) = [i for i, words in enumerate(text, 1) if "%s[i] = 1" % name in words]
    mine = sum(count for place, count in counts["lines"].items() if re.search(r"touch\.c:%d$" % line, place))
    # The first page may share one with what was written before, and the kernel may map some around a fault.
    for what, got in (("function", counts["functions"].get("touch_" + name, 0)), ("object", counts["data_symbols"].get(name, 0)), ("line", mine)):
        if not n - 2 <= got <= n + 1:
            wrong.append("%s %s: %d faults, want %d" % (what, name, got, n))
    first = int(where[name], 16) & -4096
    expect("pages of " + name, sum("0x%x" % (first + 4096 * i) in touched for i in range(1, n)) >= n - 2, True)
expect("sum", sum(row["count"] for row in group["functions"]), group["samples"])
expect("levels", "l1" in group or "loads" in group, False)
print("\n".join("  " + words for words in wrong))
sys.exit(bool(wrong))
PY

cat >"$scratch/app.py" <<'PY'
def fill():
    big = bytearray(1)
    big *= 4096 * 3000  # each page is touched here
    return big


def main():
    for _ in range(2):
        fill()


main()
PY
"$WPERF" record -q --data "$scratch/p.data" -d -e page-faults:1 -- python3 "$scratch/app.py" >/dev/null 2>&1
check "wperf report --mem says what wperf mem says" cmp <("$WPERF" mem -i "$scratch/p.data" 2>/dev/null) <("$WPERF" report --mem -i "$scratch/p.data" 2>/dev/null)
"$WPERF" mem -i "$scratch/p.data" --sort python-line,data-page --rows 100000 --json >"$scratch/p.json" 2>/dev/null
check "Python lines" python3 - "$scratch/p.json" <<'PY'
import json, sys
(group,) = json.load(open(sys.argv[1]))["memory"]["groups"]
rows = [row for row in group["rows"] if row["python-line"].endswith("app.py:3")]
pages = {row["data-page"] for row in rows}
print("  %d faults of %d, %d pages on line 3" % (sum(row["count"] for row in rows), group["samples"], len(pages)))
# Large pages, where the kernel gives them unasked, make fewer faults: of 512 pages one.
sys.exit(not (len(pages) >= 2990 or 5 <= len(pages) <= 600))
PY
finish
