#!/bin/bash
# CPython inside of other programs, as PyPI has them: a worker of uWSGI that answers a request, and one file that PyInstaller made of a
# program, which unpacks itself and runs from there. Each with one interpreter of this system that has a shared libpython. And every
# CPython here linked into a static program, with its C library.
. "$TOP/tests/live/python.sh"

options=(-e cpu-clock -F 2000 -g --json --sample-display-row 100000)
traps=$TOP/tests/workloads/py_traps.py

chain_of() { # NAME [FOLDER]
	check "$1: the chain" holds "$1" cases 99
	check "$1: at most 0.1 % not whole" holds "$1" broken 0.1
	check "$1: stacks are complete" complete "$1"
}

complete() { # NAME
	python3 - "$scratch/$1.json" <<-'PY'
	import json, sys
	stacks = json.load(open(sys.argv[1]))["sampling"]["stacks"]
	print("  " + str(stacks))
	sys.exit(not (stacks["taken"] > 100 and stacks["complete_percent"] >= 99))
	PY
}

# The application of a WSGI server: a request is a run of py_traps.
cat >"$scratch/app.py" <<-PY
	import runpy, sys

	def application(environ, start_response):
	    sys.path.insert(0, "$TOP/tests/workloads")
	    sys.argv = ["py_traps.py", "decorators,sorting", "0.7"]
	    runpy.run_path("$traps", run_name="__main__")
	    start_response("200 OK", [("Content-Length", "2")])
	    return [b"ok"]
PY
ask='import sys, time, urllib.request
for _ in range(100):
    try:
        urllib.request.urlopen("http://127.0.0.1:%s/" % sys.argv[1]).read()
        break
    except OSError:
        time.sleep(0.1)'

uwsgi() {
	local folder port
	folder=$("$suites" packages "$python" pyuwsgi) || { part_skipped "uWSGI (pyuwsgi): not to be had here"; return; }
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	PY_TRUTH=$scratch/uwsgi.truth PYTHONPATH=$folder "$WPERF" record "${options[@]}" -- \
		"$python" "$folder/bin/uwsgi" --http-socket "127.0.0.1:$port" --wsgi-file "$scratch/app.py" --master --processes 2 \
		--pidfile "$scratch/uwsgi.pid" --die-on-term >"$scratch/uwsgi.json" 2>"$scratch/uwsgi.err" &
	python3 -c "$ask" "$port"
	kill "$(cat "$scratch/uwsgi.pid")"
	check "uWSGI: runs" wait $!
	chain_of uwsgi
}

pyinstaller() {
	local folder
	folder=$("$suites" packages "$python" pyinstaller) || { part_skipped "PyInstaller: not to be had here"; return; }
	(cd "$scratch" && PYTHONPATH=$folder "$python" -m PyInstaller --onefile --log-level ERROR --paths "$TOP/tests/workloads" "$traps") \
		>"$scratch/pyinstaller.out" 2>&1 || { check "PyInstaller makes a program" false; tail -n 5 "$scratch/pyinstaller.out"; return; }
	PY_TRUTH=$scratch/onefile.truth check "PyInstaller: runs" onefile
	chain_of onefile
}
onefile() {
	"$WPERF" record "${options[@]}" -- "$scratch/dist/py_traps" decorators,sorting 0.7 >"$scratch/onefile.json" 2>"$scratch/onefile.err"
}

statics() { # PYTHON
	local home=${1%/bin/python} name version library bare=()
	version=$(basename "$home")
	name=static-$version
	library=$(ls "$home"/lib/python*/config*/libpython*.a 2>"$scratch/none" | head -n 1)
	[ -n "$library" ] && gcc -static -I"$(dirname "$home"/include/python*/Python.h)" "$TOP/tests/live/python_static.c" -o "$scratch/$name" \
		-Wl,--start-group "$library" -lm -ldl -lpthread -lutil -lcrypt $(static_of expat z) -Wl,--end-group >"$scratch/$name.gcc" 2>&1 ||
		{ part_skipped "a static CPython $version: $(tail -n 1 "$scratch/$name.gcc")"; return; }
	readelf -d "$home"/lib/python*/lib-dynload/*.so 2>"$scratch/none" | grep -q 'NEEDED.*libpython' && bare=("$TOP/tests/workloads/py_bare.py")
	PYTHONHOME=$home PY_TRUTH=$scratch/$name.truth "$WPERF" record "${options[@]}" -- \
		"$scratch/$name" "${bare[@]}" "$traps" decorators,sorting 0.7 \
		>"$scratch/$name.json" 2>"$scratch/$name.err"
	check "$name: runs" [ $? = 0 ]
	chain_of "$name"
	strip -o "$scratch/stripped" "$scratch/$name"
	PYTHONHOME=$home "$WPERF" record --no-data -- "$scratch/stripped" -c 'sum(range(10**6))' >"$scratch/stripped.out" 2>&1
	check "$name, stripped of every name: a run without Python frames" [ $? = 0 ]
}

static_of() { # LIBRARY...: those that are here as archives
	local name
	for name; do
		[ "$(gcc -print-file-name="lib$name.a")" = "lib$name.a" ] || echo "-l$name"
	done
}

python=$("$suites" list | awk '$1 == "/" && $2 ~ /pyenv.*\/3\.1[12]\./ { print $2 }' | tail -n 1)
[ -n "$python" ] || skip "no CPython 3.11 or 3.12 of pyenv, which could be built into something"
uwsgi
pyinstaller
while read -r root each <&3; do
	[[ "$root $each" =~ ^/\ .*pyenv/versions/3 ]] && statics "$each"
done 3< <("$suites" list)
finish
