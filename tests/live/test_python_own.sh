#!/bin/bash
# The first table of a Python program: the guilty line of the user's own code is its first row, however deep the library is that it
# calls. The library is made here; pandas and Django are tried where an interpreter has them.
. "$TOP/tests/live/lib.sh"
can_sample || skip "sampling is not permitted: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
python=$(command -v python3) || skip "no python3"

library=$scratch/venv/lib/python3.11/site-packages/orm
mkdir -p "$library" "$scratch/app"
cat >"$library/__init__.py" <<'PY'
def spin(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def descend(n, depth):
    return descend(n, depth - 1) if depth else spin(n)


class Row:
    @property
    def author(self):
        return descend(6000, 30)


def rows(n):
    for _ in range(n):
        descend(200, 30)
        yield Row()


def call_back(function):
    return [function() for _ in range(1)]
PY
cat >"$scratch/app/app.py" <<'PY'
import sys

sys.path.insert(0, sys.argv[1])
import orm


def names():
    total = 0
    for row in orm.rows(4000):
        total += row.author
    return total


def main():
    orm.call_back(names)


main()
PY
cd "$scratch/app" || exit 2

record() { # OUT OPTIONS... -- COMMAND...
	local out=$1
	shift
	timeout 120 "$WPERF" record -e cpu-clock:1000000 "$@" >"$out" 2>"$out.err"
}

first_table() { # FILE: what the first headline says
	grep -m 1 '^=====' "$1" | cut -d ' ' -f 2-3
}

first_row() { # FILE: file:line of the first row of the first table
	awk '/^=====/ { at = NR } at && NR == at + 3 { print $6; exit }' "$1"
}

record text -- "$python" app.py "$library/.."
grep -q "your code" text || skip "no Python frames here: $(cat text.err)"
check "the first table is that of one's own code" [ "$(first_table text)" = "your code:" ]
check "its first row is the guilty line" [ "$(first_row text | sed 's/.*app.py/app.py/')" = app.py:10 ]
check "no line of the library is in it" awk '/^=====/ && n++ { exit bad } /orm.__init__/ { bad = 1 } END { exit bad }' text
check "tables of Python have ten rows at most" awk '/^=====/ { at = NR } /more rows?:/ { next }
	at && NR > at + 2 && /:[0-9]+/ && NR > at + 12 { exit 1 }' text

record all.json --json -- "$python" app.py "$library/.."
check "the JSON follows the schema" "$TOP/tests/schemas/validate" sample all.json
check "own shares are at most all, and of the guilty line most" python3 - all.json <<'PY'
import json, sys
rows = json.load(open(sys.argv[1]))["sampling"]["events"][0]["python_own"]
shares = sum(row["own"] for row in rows)
assert shares <= 100.1, shares
assert rows[0]["line"] == 10 and rows[0]["own"] > 50 and rows[0]["self"] < rows[0]["own"] / 2, rows[0]
assert rows[0]["total"] >= rows[0]["own"] and all(row["file"].endswith("app.py") for row in rows), rows
PY

record filtered.txt --symbol descend -- "$python" app.py "$library/.."
check "what --symbol hides is not said to be there with --rows" awk '/sample source/ { in_it = 1 } in_it && /more row/ { bad = 1 } END { exit bad || !in_it }' filtered.txt

record old.txt --native-first -- "$python" app.py "$library/.."
check "--native-first: native functions first" [ "$(first_table old.txt)" = "sample source:" ]

record typed.txt -- "$python" -c 'import json
for _ in range(300): json.loads(json.dumps(list(range(5000))))'
check "a program of -c is one's own code" [ "$(first_row typed.txt)" = "<string>:2" ]

record total.txt --sort-by total -- "$python" app.py "$library/.."
check "--sort-by total: the note about native functions" grep -q "need stacks: -g" total.txt.err

mkdir -p lib/python3/site-packages/slow bin
cat >lib/python3/site-packages/slow/__init__.py <<'PY'
import json
def work():
    for _ in range(100):
        json.dumps(list(range(3000)))
PY
echo 'from slow import work; work()' >lib/python3/site-packages/slow/__main__.py
printf 'import sys\nfrom slow import work\nsys.exit(work())\n' >bin/slow
record module.txt --data module.data -- env "PYTHONPATH=$PWD/lib/python3/site-packages" "$python" -m slow
check "a package that is the program: its lines" grep -q "= code of slow: " module.txt
check "the line of the package that costs" grep -q "slow/__init__.py:4$" <<<"$(first_row module.txt)"
"$WPERF" report -i module.data >module_report.txt 2>&1
check "the same from the recording" grep -q "slow/__init__.py:4$" <<<"$(first_row module_report.txt)"
record script.txt -- env "PYTHONPATH=$PWD/lib/python3/site-packages" "$python" bin/slow
check "a script of pip's is not all there is" grep -q "slow/__init__.py:4$" <<<"$(first_row script.txt)"

with=
for candidate in "${WPERF_PANDAS_PYTHON:-}" "$python"; do
	[ -n "$candidate" ] && "$candidate" -c 'import pandas' 2>/dev/null && with=$candidate && break
done
if [ -n "$with" ]; then
	cat >pandas_rows.py <<'PY'
import pandas as pd

df = pd.DataFrame({"price": range(60000), "count": range(60000)})
total = 0
for _, row in df.iterrows():
    total += row["price"] * row["count"]
PY
	record pandas.txt -- "$with" pandas_rows.py
	check "pandas: a line of the loop is first" grep -qE 'pandas_rows.py:[56]$' <<<"$(first_row pandas.txt)"
else
	part_skipped "no interpreter with pandas (WPERF_PANDAS_PYTHON=PATH names one)"
fi
exit $failed
