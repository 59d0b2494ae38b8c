#!/bin/bash
# Pinned readers: as a user without any privilege, every frame that is said to be exact is the one that the program says it was
# in at that instant, on every CPython that is here; threads, forks, attached programs, ends in the middle.
. "$TOP/tests/live/lib.sh"
probe=$WORK/tools/pinned_probe
marks=$TOP/tests/live/pinned_marks.py

can_sample || skip "this user may not sample"
can_be_nobody || skip "not root: cannot become a user without privileges"
chmod 777 "$scratch"

# The interpreters lie in root's home, where nobody may not look: in a mount namespace of its own it is another folder.
cat >"$scratch/nobody" <<'SH'
home=$1 folder=$2
shift 2
if [ -d "$home/.pyenv" ]; then
	mkdir -p "$folder"
	mount --bind "$home/.pyenv" "$folder" && mount -t tmpfs -o mode=755 none "$home" &&
		mkdir "$home/.pyenv" && mount --bind "$folder" "$home/.pyenv" || exit 99
fi
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
SH
nobody() { # COMMAND...: without privileges, and without more locked memory than everybody has
	prlimit --memlock=65536 unshare -m sh "$scratch/nobody" "$HOME" "$scratch/pyenv" "$@"
}
nobody true || skip "no mount namespace for a user without privileges"
cp "$probe" "$marks" "$scratch"
chmod 755 "$scratch/pinned_probe" "$scratch/pinned_marks.py"
probe=$scratch/pinned_probe marks=$scratch/pinned_marks.py

# WPERF_EVERY_PYTHON=1: not one of each way of keeping frames, but every interpreter.
is_chosen() { # PATTERN: of lines
	if [ -n "${WPERF_EVERY_PYTHON:-}" ]; then cat; else grep -E "$1"; fi
}
pythons() {
	ls -d "$HOME"/.pyenv/versions/*/bin/python /usr/bin/python3 2>/dev/null | is_chosen '/(2\.7|3\.10|3\.11|3\.12|3\.13)\.|^/usr/'
}

got() { # KEY: of the last run
	awk -v key="$1" '$1 == key { print $2 }' "$scratch/out"
}

# run WHO PYTHON PROBE_OPTIONS MARKS_ARGUMENTS...
run() {
	local who=$1 python=$2 options=$3
	shift 3
	rm -f "$scratch/marks"
	# shellcheck disable=SC2086
	$who timeout 60 "$probe" $options -m "$scratch/marks" -- "$python" "$marks" "${1:-1}" "$scratch/marks" "${@:2}" \
		>"$scratch/out" 2>"$scratch/err"
}

# Nothing that is said to be exact is wrong, and enough was compared.
all_right() { # AT_LEAST
	[ "$(got wrong)" = 0 ] && [ "$(got right)" -ge "$1" ] && [ "$(got unnamed)" = 0 ] ||
		{ tr '\n' ' ' <"$scratch/out"; tail -n 3 "$scratch/err"; return 1; }
}

# Where others run on its CPU they run before the reader too, so that all samples of that time may be late. That is as long as
# the program waited, but for what the readers took; twice as long, since not all run as long as it does. Virtual machines
# that take long to switch threads have up to a sixth of them late besides.
mostly_proven() { # PERCENT
	awk -v want="$1" '{ got[$1] = $2 }
		END {
			late = got["unproven"] + got["missed"]
			others = got["waited"] - got["walks"] * got["read_ns"] / 1e6
			if (others > 0)
				want -= 200 * others / got["had"]
			if (!got["had"] || 100 * got["proven"] < want * (got["proven"] + late)) {
				printf "  proven %d, not %d, others ran for %d ms of %d\n", got["proven"], late, others, got["had"]
				exit 1
			}
		}' "$scratch/out"
}

late_ones_are_marked() {
	[ "$(got late)" -ge "$(got unproven)" ] || { tr '\n' ' ' <"$scratch/out"; return 1; }
}

n=0
for python in $(pythons); do
	name=${python#"$HOME/.pyenv/versions/"}
	name=${name%/bin/python}
	"$python" -c 'import ctypes' 2>/dev/null || { part_skipped "$name: no ctypes to tell the truth with"; continue; }
	n=$((n + 1))
	check "$name: runs" run nobody "$python" "" 1
	check "$name: what is exact is right" all_right 200
	check "$name: most is exact" mostly_proven 80
	check "$name: what is not is marked" late_ones_are_marked
	last=$python
done
[ $n -gt 0 ] || skip "no Python to profile"

check "threads: run" run nobody "$last" "" 1 3
check "threads: what is exact is right" all_right 200
check "forks and execs: run" run nobody "$last" "" 1 forks
check "forks and execs: what is exact is right" all_right 200
check "at 5 kHz: runs" run nobody "$last" "-F 4999" 1
check "at 5 kHz: what is exact is right" all_right 200
check "in rounds: runs" run nobody "$last" "-t 0.5 -n 3" 2
check "in rounds: what is exact is right" all_right 200
check "with real-time readers: runs" run "" "$last" "" 1 2
check "with real-time readers: what is exact is right" all_right 200
if [ "$(got real_time)" = "$(got readers)" ]; then
	check "with real-time readers: nearly all is exact" mostly_proven 95
else
	part_skipped "no real-time readers here, not even for root"
fi

# Later CPythons, free-threaded and debug ones, where they are.
suites=$TOP/tests/tools/python_suites
export WPERF_SCRATCH=$scratch
run_suite() { # ROOT PYTHON
	local folder=/wperf-scratch
	[ "$1" = / ] && folder=$scratch
	rm -f "$scratch/marks"
	timeout 60 "$probe" -m "$scratch/marks" -- "$suites" run "$1" "$2" $folder/pinned_marks.py 1 $folder/marks 1 \
		>"$scratch/out" 2>"$scratch/err" </dev/null
}
while read -r root python <&3; do
	name="${root##*/} ${python##*/}"
	"$suites" run "$root" "$python" -c 'import ctypes' 2>/dev/null </dev/null ||
		{ part_skipped "$name: no ctypes to tell the truth with"; continue; }
	check "$name: runs" run_suite "$root" "$python"
	check "$name: what is exact is right" all_right 200
done 3< <("$suites" list 2>/dev/null | grep -v '^/ .*/\.pyenv/' | is_chosen '/standalone/|/built/')

# While the evaluation loop of 3.11 and 3.12 is entered, instruction by instruction: the frames are those before the first one.
steps=$WORK/tools/pinned_steps
entered() { # PYTHON [OPTION]
	rm -f "$scratch/ready"
	READY=$scratch/ready timeout 60 "$steps" ${2:-} 500 "$1" "$TOP/tests/live/pinned_steps.py" >"$scratch/out" 2>"$scratch/err" &&
		[ "$(got wrong)" = 0 ] && [ "$(got entries)" = 500 ] && [ $((30 * $(got partial))) -le "$(got steps)" ] ||
		{ tr '\n' ' ' <"$scratch/out"; tail -n 3 "$scratch/err"; return 1; }
}
whole() { # at most one sample in a thousand is partial
	[ $((1000 * $(got partial))) -le "$(got samples)" ] || { tr '\n' ' ' <"$scratch/out"; return 1; }
}
for python in $(ls "$HOME"/.pyenv/versions/3.1[12].*/bin/python /usr/bin/python3.1[12] /usr/bin/python3.1[12]d 2>/dev/null | is_chosen '/\.pyenv/|d$'); do
	name=${python#"$HOME/.pyenv/versions/"}
	if [ -x "$steps" ]; then
		check "$name: the loop is entered" entered "$python"
		check "$name: the loop is entered, the type of code is not known" entered "$python" -u
	else
		part_skipped "$name: single steps are for x86-64"
	fi
	READY=$scratch/ready timeout 20 "$probe" -e cpu-clock -F 4000 -s -t 1.5 -- "$python" "$TOP/tests/live/pinned_steps.py" \
		>"$scratch/out" 2>"$scratch/err"
	check "$name: callbacks are whole" whole
done

if unshare --pid --fork --mount-proc true 2>/dev/null; then
	rm -f "$scratch/marks"
	timeout 60 "$probe" -m "$scratch/marks" -- unshare --pid --fork --mount-proc "$last" "$marks" 1 "$scratch/marks" 1 \
		>"$scratch/out" 2>"$scratch/err"
	check "in a PID namespace: what is exact is right" all_right 200
else
	part_skipped "no PID namespaces here"
fi

# Attached: the same user's program, which runs already.
rm -f "$scratch/marks"
[ -x /usr/bin/python3 ] && last=/usr/bin/python3
nobody "$last" "$marks" 5 "$scratch/marks" >/dev/null &
until [ -s "$scratch/marks" ]; do sleep 0.05; done
pid=$(cat "$scratch/marks.pid")
if [ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ]; then
	nobody "$probe" -p "$pid" -t 2 -m "$scratch/marks" >"$scratch/out" 2>"$scratch/err"
	check "attached: what is exact is right" all_right 100
else
	part_skipped "attached: kernel.yama.ptrace_scope forbids it"
fi

# It ends in the middle.
nobody timeout 20 "$probe" -p "$pid" -t 10 >"$scratch/out" 2>"$scratch/err" &
reader=$!
sleep 0.5
kill -9 "$pid"
check "the program is killed: the readers end" wait $reader

# Who may not be read.
check "another user's memory: one line says what would allow it" grep -q 'may not be read: .*root' <(nobody "$probe" -A 1)
check "one's own memory may be read" grep -qx allowed <(as_nobody sh -c "'$probe' -A \$\$")

# Readers of a program that sleeps, and of one whose first thread has ended, take no time.
idle() { # COMMAND...
	{ TIMEFORMAT='%U %S'; time "$probe" -- "$@" >/dev/null; } 2>&1 | tail -n 1 | awk '{ if ($1 + $2 > 0.5) { print "  " $0; exit 1 } }'
}
check "a program that sleeps" idle sh -c 'sleep 2'
check "a program whose parent has ended" idle sh -c 'sleep 2 & exit 0'
finish
