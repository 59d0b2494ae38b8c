#!/bin/bash
# What a person sees of Python code: tables by function, line and thread, source text, the GIL, the footer; and nothing where no
# Python runs.
. "$TOP/tests/live/lib.sh"
can_sample || skip "sampling is not permitted: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
python=$(command -v python3) || skip "no python3"

cat >"$scratch/app.py" <<'PY'
import ctypes, hashlib, sys, threading, time


class Parser:
    def parse(self, text):
        value = 0
        for c in text:
            value = value * 10 + int(c)  # größer
        return value


def hash_all(stop):
    ctypes.CDLL(None).prctl(15, b"another", 0, 0, 0)
    block = b"x" * 4000000
    while time.time() < stop:
        hashlib.sha256(block).hexdigest()


def main():
    stop = time.time() + float(sys.argv[1])
    thread = threading.Thread(target=hash_all, args=(stop,), name="hasher")
    thread.start()
    while time.time() < stop:
        Parser().parse("1234567890" * 20)
    thread.join()


main()
PY
touch -d "1 hour ago" "$scratch/app.py"
cd "$scratch" || exit 2

record() { # OUT OPTIONS...
	local out=$1
	shift
	timeout 60 "$WPERF" record -F 499 "$@" -- "$python" app.py 2 >"$out" 2>"$out.err"
}

record all.json --threads --json
[ "$(python3 -c 'import json; print("python" in json.load(open("all.json"))["sampling"])')" = True ] ||
	skip "no Python frames here: $(cat all.json.err)"
check "the JSON follows the schema" "$TOP/tests/schemas/validate" sample all.json

# ask FILE EXPRESSION: of event (e), its functions (f), lines (l), threads (t) and the run (s)
ask() {
	python3 - "$1" "$2" <<-'PY'
	import json, sys
	s = json.load(open(sys.argv[1]))["sampling"]
	e = s["events"][0]
	f, l, t = e["python_functions"], e["python_lines"], e.get("python_threads", [])
	text = open("app.py", encoding="utf-8").read().split("\n")
	print(eval(sys.argv[2]))
	PY
}

# holds FILE EXPRESSION
holds() {
	[ "$(ask "$1" "$2")" = True ] || { echo "  not so: $2"; ask "$1" "(s['python'], t, f[:6])"; return 1; }
}

check "most samples have Python frames" holds all.json "s['python']['with_frames'] > 0.8 * s['python']['samples'] > 100"
check "the thread has its name in Python" holds all.json "'hasher' in [r['thread'] for r in t]"
check "hashing releases the GIL" holds all.json "[r['gil_held'] for r in t if r['thread'] == 'hasher'][0] < 50"
check "parsing holds it" holds all.json "[r['gil_held'] for r in f if r['function'].endswith('parse')][0] > 80"
check "rows are of one thread" holds all.json \
	"{(r['function'].split('.')[-1], r['thread']) for r in f if r['function'].split('.')[-1] in ('parse', 'hash_all')} >= {('hash_all', 'hasher')} and len({r['tid'] for r in f if r['function'].endswith('parse')}) == 1"
check "functions say where they begin" holds all.json \
	"all('def ' + r['function'].split('.')[-1] in text[r['line'] - 1] for r in f if r['file'].endswith('app.py') and r['function'] != '<module>')"
check "lines have their text" holds all.json \
	"len(l) > 3 and all(r['source'] == text[r['line'] - 1].strip() for r in l if r['file'].endswith('app.py') and r['line'])"
check "the hottest line of parse is its sum" holds all.json \
	"[r['source'] for r in l if r['function'].endswith('parse')][0] == 'value = value * 10 + int(c)  # größer'"
check "self of all functions is that of all lines" holds all.json "abs(sum(r['self'] for r in f) - sum(r['self'] for r in l)) < 0.01"

record gil.json --gil --json
check "--gil leaves the hashing out" holds gil.json \
	"sum(r['self'] for r in f if r['function'] == 'hash_all') < 30 and s['python']['without_gil'] > s['python']['samples'] / 10"

record text -s parse
check "text has both tables" grep -q "hot Python functions: cpu-clock" text
check "-s takes the last part of a name" grep -qE "^ +[0-9.]+ +[0-9.]+ +[0-9]+  (Parser\.)?parse +.*app.py:5$" text
check "-s leaves others out" bash -c '! grep -q hash_all text'
check "the footer says how" grep -qE "^python: (bpf|pinned), [0-9]+ samples, [0-9.]+% with Python frames" text

record off --python=off
check "--python=off prints nothing of Python" bash -c '! grep -qi "python f\|python l\|^python:" off'
timeout 60 "$WPERF" record -F 499 -- bash -c 'for ((i = 0; i < 200000; i++)); do :; done' >other 2>&1
check "nothing is printed without an interpreter" bash -c 'grep -q "sample source" other && ! grep -qi "python" other'

# A file that is edited while it runs is not quoted.
"$python" app.py 4 &
pid=$!
(sleep 1.3 && sed -i '1i # a new first line' app.py) &
timeout 60 "$WPERF" sample -F 499 -p $pid --timeout 3 --json >edited.json 2>/dev/null
wait $pid
check "an edited file is not quoted" holds edited.json "l and not [r for r in l if r['file'].endswith('app.py') and r.get('source')]"
finish
