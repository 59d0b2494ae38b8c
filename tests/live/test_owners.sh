#!/bin/bash
# Source lines are read with the rights of the user whose code names the file, live and from recordings.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
can_be_nobody || skip "needs root and setpriv"
python=/usr/bin/python3
[ -x $python ] || skip "no Python that every user may run"
cd "$scratch" || exit 1
chmod 755 .

# Code that says its source is argv[1]; lines 2 and 3 are where the time goes. argv[2]: becomes nobody first.
cat >stranger.py <<'PY'
import os, sys, time
if sys.argv[2:]:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
text = "def hot(end):\n while time.process_time() < end:\n  sum(range(3000))\n"
names = {"time": time}
exec(compile(text, sys.argv[1], "exec"), names)
print("ready", flush=True)
names["hot"](time.process_time() + float(os.environ.get("SECONDS_HOT", "60")))
PY
lines() { # FILE WORD: a source that is older than the process
	printf '%s one\n%s two\n%s three\n' "$2" "$2" "$2" >"$1"
	touch -d '1 hour ago' "$1"
}
lines private.py SECRET
chmod 600 private.py
mkdir closed
lines closed/open.py SECRET
chmod 711 . && chmod 700 closed
lines group.py SECRET
chmod 640 group.py
lines public.py PUBLIC
ln -s private.py link.py
chmod 644 public.py

shows() { # WORD: in what was printed last
	grep -q "$1" out
}

hides() { # WHAT: the name is shown, its lines are not, and it is said
	check "$1: no line of it" eval '! shows SECRET'
	check "  but its name" shows ' hot '
	check "  said once, with the number of files" [ "$(grep -c 'no source lines of 1 file: code of user 65534 names it, who may not read it' err)" = 1 ]
}

attach() { # FILE WORD...: samples nobody's process whose code names it
	rm -f ready
	setpriv --reuid=65534 --regid=65534 --clear-groups $python stranger.py "$scratch/$1" >ready &
	local program=$!
	wait_until test -s ready
	"$WPERF" sample -e cpu-clock -F 300 -p $program --timeout 0.5 "${@:2}" >out 2>err
	kill $program
	wait $program 2>/dev/null
}

for file in private.py closed/open.py group.py link.py; do
	attach $file
	hides "a live process names $file"
done
attach private.py --json
check "nor in JSON" eval '! shows SECRET'
attach private.py --python pinned
hides "nor where pinned readers look"
attach public.py
check "what the user may read is shown" shows "PUBLIC three"
check "  without a word" eval '! grep -q "no source lines" err'

export SECONDS_HOT=0.4
# Root's own code reads what root may; code that became nobody's does not.
"$WPERF" record -e cpu-clock -F 300 --data root.data -- $python stranger.py "$scratch/private.py" >out 2>err
check "our own code shows its private lines" shows "SECRET three"
"$WPERF" report -i root.data >out 2>err
check "  from the recording, too" shows "SECRET three"
"$WPERF" record -e cpu-clock -F 300 -- $python stranger.py "$scratch/private.py" drop >out 2>err
hides "a process that gave up its rights"
"$WPERF" record -e cpu-clock -F 300 -- setpriv --reuid=65534 --regid=65534 --clear-groups \
	$python stranger.py "$scratch/private.py" >out 2>err
hides "a command that runs as nobody"

unset SECONDS_HOT
# Recordings: root's of nobody's process, and nobody's own.
attach private.py --data mixed.data
"$WPERF" report -i mixed.data >out 2>err
hides "root's recording of nobody's process"
attach public.py --data mixed.data
"$WPERF" report -i mixed.data >out 2>err
check "  what nobody may read is shown" shows "PUBLIC three"
cp root.data theirs.data
chown 65534 theirs.data
for verb in report script "export --format folded -o -"; do
	"$WPERF" $verb -i theirs.data >out 2>err
	check "${verb%% *}: a recording of nobody is refused" [ $? = 1 ]
	check "  in perf's words" grep -q 'File theirs.data not owned by current user or root (use -f to override)' err
	"$WPERF" $verb -f -i theirs.data >out 2>err
	check "  but for -f" shows '[ ;]hot '
done
"$WPERF" report --force -i theirs.data >out 2>err
hides "nobody's recording"
cat root.data | "$WPERF" report -i - >out 2>err
check "a recording through a pipe is anybody's" eval '! shows SECRET'
chmod 644 root.data
chmod 755 closed
as_nobody "$WPERF" report -i root.data >out 2>err
check "nobody reads root's recording" shows '[ ;]hot '
check "  not root's files" eval '! shows SECRET'
finish
