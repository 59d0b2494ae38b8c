#!/bin/bash
# Screens of reports on a terminal, driven by keys through tmux: what is to be seen is compared with screens/NAME. ACCEPT=1 writes these; read
# what you accept. The terminal is as it was when wperf ends, however it ends.
. "$TOP/tests/live/lib.sh"
command -v tmux >/dev/null || skip "tmux is not installed"
"$WPERF" --version | grep -q '+ncursesw' || skip "built without ncurses"
unset COLUMNS LINES PAGER WPERF_PAGER LESS NO_COLOR TMUX
golden=$TOP/tests/live/screens
export LC_ALL=C.UTF-8 TERM=screen-256color

cd "$scratch" || exit 2
sed 's/^pyinstalled.*//; s/qualname=Table.count/qualname=Table.数える/; s/Table.count+/Table.数える+/' "$TOP/tests/cli/annotate/python/script" >python.replay
printf 'symbol path=/usr/bin/python3 rva=0x1100 size=0x100 name=e\033]0;vil\007\nsample event=cpu-clock pid=7 ip=0x401110 period=1000000\n' >>python.replay
"$WPERF" sample --replay python.replay -e cpu-clock:1000000 -p 7 --data python.data >out 2>&1 || { cat out; exit 1; }
"$WPERF" sample -g --replay "$TOP/tests/cli/replay/callgraph.replay" -e ld_spec:1000,inst_spec:1000 -p 77 --data calls.data >out 2>&1 ||
	{ cat out; exit 1; }

terminals=0
mux() {
	tmux -u -S "$scratch/tmux.$terminals" -f /dev/null "$@"
}
trap 'mux kill-server 2>/dev/null; rm -rf "$scratch"' EXIT

# on COLUMNS ROWS COMMAND: in a shell on a terminal of that size
on() {
	mux kill-server 2>/dev/null
	terminals=$((terminals + 1))
	rm -f stty.before stty.after
	printf '%s\n' 'stty -g >stty.before; echo before' "$3" 'status=$?; stty -g >stty.after; echo "status $status"; read -r line' >script
	mux new-session -d -x "$1" -y "$2" -c "$scratch" "exec bash '$scratch/script'"
	mux set-option -g status off
	mux set-option -g window-size manual
	mux resize-window -x "$1" -y "$2"
}

capture() {
	mux capture-pane -p "$@" 2>/dev/null
}

# shows TEXT: within ten seconds
shows() {
	for _ in $(seq 100); do
		capture | grep -qF -- "$1" && return 0
		sleep 0.1
	done
	capture
	return 1
}

# screen NAME [OPTION...]: within ten seconds what is to be seen is what screens/NAME says
screen() {
	local name=$1
	shift
	for _ in $(seq 100); do
		capture "$@" >"seen.$name"
		cmp -s "$golden/$name" "seen.$name" && { echo "ok: screen $name"; return; }
		[ -n "${ACCEPT:-}" ] && { sleep 0.5; capture "$@" >"$golden/$name"; return; }
		sleep 0.1
	done
	diff -u "$golden/$name" "seen.$name"
	echo "FAILED: screen $name"
	failed=1
}

press() {
	mux send-keys "$@"
}

python="'$WPERF' report --replay python.replay -i python.data"
calls="'$WPERF' report -g --replay '$TOP/tests/cli/replay/callgraph.replay' -i calls.data"

on 80 24 "$python"
screen lines
press Tab Tab
screen python_functions
press Tab
screen functions
press Enter
screen native
press q
press BTab BTab Down Enter
screen source
press Escape
screen lines_again
press '?'
screen help
press x
press / m a i n Enter
screen found
press / n o s u c h Enter
screen not_found
press f C O U BSpace BSpace BSpace m a i n Enter
screen filtered
press f BSpace BSpace BSpace BSpace Enter s s
screen sorted
press r
screen reversed
press x f u n c . c s v Enter
shows "written to func.csv"
check "what is shown is exported" test "$(head -n 3 func.csv | tr '\n' ' ')" = "title,hot Python lines: cpu-clock  self,total,count,function,file:line,source, "
check "... in its order" test "$(sed -n 4p func.csv | cut -d, -f3)" = 3
press x f u n c . c s v Enter
shows "File exists"
check "a file that is there is left alone" test "$(wc -l <func.csv)" = 7
mux resize-window -x 40 -y 8
screen narrow
press Q
shows "status 0"
screen after
check "the terminal is as it was" cmp stty.before stty.after
check "its cursor is to be seen" test "$(mux display-message -p '#{cursor_flag}#{alternate_on}')" = 10

on 80 24 "$calls"
shows "top 1000 hot functions"
press e
screen other_event
press Tab Tab
screen tree
press Down Space
screen folded
press '*' '*'
screen all_folded
press j Enter
shows "what has no name cannot be shown"
press '*' Home j Enter
screen native_called
press Tab Tab Tab Tab
screen callers
press Tab
screen callees
press Enter
shows "by_half (calls)"
press q
press q q q
shows "status 0"

on 80 24 "${calls/ -g / }"
shows "top 1000 hot functions"
press g
check "the call tree of a report without -g" shows "function and what it calls"
press Home j j Enter
check "... whose rows are its own" shows " 1/6  main (calls)"
press q q
check "... and back" shows "top 1000 hot functions"
press t
check "... which has no tables by thread" shows "no table tells threads apart"
press q
shows "status 0"

on 80 24 "$python --sort cpu,python-function"
shows "python-function"
press j Enter
check "a row of --sort is opened" shows " samples, "
press q g
check "... and the call tree" shows "function and what it calls"
press q q
shows "status 0"

on 80 24 "$python"
shows "?: help"
press t
check "threads of a report without --threads" shows "  thread"
press q q
shows "status 0"

on 80 24 "$python"
shows "?: help"
check "what is hot is red" grep -qF $'\e[31m50.00' <(capture -e)
press q
on 80 24 "env TERM=vt100 $python"
screen monochrome
check "no colours where there are none: it is bold" grep -qF $'\e[1m50.00' <(capture -e)
press q
on 80 24 "NO_COLOR=1 $python"
shows "?: help"
check "NO_COLOR" grep -qF $'\e[1m50.00' <(capture -e)
press q
on 80 24 "'$WPERF' annotate --replay python.replay -i python.data"
screen annotate
press Tab s s s
screen annotate_sorted
press q
on 80 24 "env LC_ALL=C $python"
screen ascii
press q

for signal in INT TERM HUP SEGV ABRT; do
	on 60 10 "$python"
	shows "?: help"
	kill -$signal "$(pgrep -P "$(mux display-message -p '#{pane_pid}')" wperf)"
	shows "status"
	check "SIG$signal: the terminal is as it was" cmp stty.before stty.after
	check "SIG$signal: its cursor is to be seen" test "$(mux display-message -p '#{cursor_flag}#{alternate_on}')" = 10
done

cat >caller.c <<'C'
#include <time.h>
__attribute__((noinline)) void callee(void) { __asm__ volatile(""); }
__attribute__((noinline)) void caller(void) { for (int i = 0; i < 1000; i++) callee(); }
int main(void) { clock_t end = clock() + CLOCKS_PER_SEC / 4; while (clock() < end) caller(); }
C
if cc -O1 -o caller caller.c 2>/dev/null && "$WPERF" record --python off -e cpu-clock -F 2000 --data c.data -- ./caller >/dev/null 2>&1; then
	on 100 24 "'$WPERF' annotate -i c.data caller"
	shows "caller (caller)"
	press / '<' c a l l e e '>' Enter Enter
	check "enter on a call: the function that is called" shows " callee (caller)"
	press q q
	shows "status 0"
else
	part_skipped "sampling is not permitted here, or there is no compiler"
fi

# Intervals of what runs now: what is looked at stays while the figures change.
if "$WPERF" record -e cpu-clock --python off --no-data -- true >/dev/null 2>&1; then
	sh -c 'while :; do :; done' &
	busy=$!
	on 80 12 "'$WPERF' top --python off -d 0.2 -p $busy"
	check "top: the first line" shows "process $busy (sh): "
	press s s r
	check "top: it is sorted" shows ", rising count"
	line=$(capture | sed -n 2p)
	check "top: a new interval" wait_until sh -c "! tmux -u -S '$scratch/tmux.$terminals' capture-pane -p | grep -qF '$line'"
	check "... is sorted, too" shows ", rising count"
	press q
	check "top: q ends it" shows "status 0"
	check "... with the sums" shows " intervals, "
	check "... and the terminal is as it was" cmp stty.before stty.after
	on 80 12 "'$WPERF' top --python off -d 0.2 -p $busy"
	shows "process $busy (sh): "
	kill -TERM "$(pgrep -P "$(mux display-message -p '#{pane_pid}')" wperf)"
	check "top: SIGTERM ends it" shows "status 0"
	check "... and the terminal is as it was" cmp stty.before stty.after
	on 80 12 "'$WPERF' top --python off -d 0.2 -p $busy"
	shows "process $busy (sh): "
	kill $busy
	check "top: the end of the process is told" shows "process $busy exited; q quits"
	press p
	check "... and what was seen can still be looked at" shows ", paused"
	press q
	check "... until q" shows "status 0"
	check "... with the sums" shows " intervals, "

	on 80 24 "'$WPERF' top --python off -d 0.2 -- sh -c 'echo said >&2; read -r line && echo read; while [ ! -e said ]; do :; done; for i in \$(seq 100); do printf %1000d \$i; echo; done; exit 5'"
	check "top of a command: on screens" shows "?: help"
	check "... which has no part of the terminal" sh -c "! tmux -u -S '$scratch/tmux.$terminals' capture-pane -p | grep -qx said"
	touch said
	shows "exited with code 0x5; q quits"
	press q
	check "... its exit status" shows "status 5"
	capture -S - >seen.command
	check "... and the end of its output behind them" sh -c "grep -q '^[.][.][.] [0-9]* bytes of output before this' seen.command && grep -q ' 100$' seen.command && ! grep -qx -e said -e read seen.command"
	on 80 24 "'$WPERF' top --python off -d 0.2 -- sh -c 'echo said; echo more >&2; while :; do :; done' 2>err"
	shows "?: help"
	press q
	shows "status "
	capture -S - >seen.command
	check "... a file gets what goes there" sh -c "grep -qx said seen.command && grep -qx more err"

	python3 "$TOP/tests/workloads/py_phases.py" "$scratch" &
	busy=$!
	wait_until test -e "$scratch/began"
	on 100 24 "'$WPERF' top -g -F 200 -d 0.3 -p $busy"
	check "top: Python code" shows "<module>"
	press Tab Tab Enter
	check "top: enter opens a function" shows " samples, "
	line=$(capture | grep -F ' samples, ')
	check "... whose figures go on" wait_until sh -c "! tmux -u -S '$scratch/tmux.$terminals' capture-pane -p | grep -qF '$line'"
	press q g
	check "top: the call tree" shows "function and what it calls"
	press p
	check "top: pause" shows ", paused"
	line=$(capture | sed -n 2p)
	check "... while it goes on" shows " newer"
	check "... leaves what is seen" test "$(capture | sed -n 2p)" = "$line"
	press '['
	check "top: back in time" wait_until sh -c "! tmux -u -S '$scratch/tmux.$terminals' capture-pane -p | grep -qF '$line'"
	press w s e e n . d a t a Enter
	check "top: what was seen is written" shows "seen.data: "
	check "... as a recording with stacks" sh -c "'$WPERF' report -g -i seen.data </dev/null | grep -q 'py_phases.py'"
	press Q
	shows "status 0"
	touch "$scratch/second" "$scratch/end"
	wait $busy
else
	part_skipped "sampling is not permitted here"
fi

is_text() {
	capture -S - | grep -q '^      *==== *====' && test "$(mux display-message -p '#{alternate_on}')" = 0
}
for way in "$python --stdio" "$python --no-pager" "$python --width 60" "TERM=dumb $python" "$python </dev/null" "$python | cat"; do
	on 80 24 "WPERF_PAGER=cat ${way/#TERM=dumb/env TERM=dumb}"
	shows "status 0"
	check "text: $way" is_text
done
finish
