#!/bin/sh
# kernel.sh PYTHON...: runs in a guest, as root: counts known events, then profiles py_shares.py with the first interpreter by
# each way of reading Python frames, py_exact.py by events that are all taken, and py_traps.py with every interpreter.
# The 9p share "out" brings wperf and workloads, and takes NAME.json, NAME.truth and NAME.err. Nothing may depend on speed.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run/wperf PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1
here=/run/wperf out=/run/out status=0
mkdir -p $here $out && mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 out $out && cp -r $out/in/. $here &&
	cd $here || exit 125
uname -r >$out/release

one() { # NAME VERB OPTIONS...
	name=$1
	shift
	PY_TRUTH=$out/$name.truth $as ./wperf "$@" >"$out/$name.json" 2>"$out/$name.err" || {
		echo "$name: exit $?: $(tail -n 1 "$out/$name.err")"
		status=1
	}
}

profile() { # NAME OPTIONS... -- COMMAND...
	name=$1
	shift
	one "$name" record --json --sample-display-row 100000 "$@"
}

exact() { # py_exact.py begins when the walker knows the process, which a first frame of its waiting tells
	rm -f go
	{
		for _ in $(seq 600); do
			! grep -qsa wait_for_go exact.data.python || break
			sleep 0.1
		done
		touch go
	} &
	PY_GO=$here/go profile exact -e page-faults:1,syscalls:sys_enter_read:1,sched:sched_switch:1 --python bpf --data exact.data -- \
		"$1" py_exact.py 1000
	wait
}

groups() { # a group of one process, and one whose processes begin later, which kernels before 6.12 cannot read
	one group record -k --python off -e '{task-clock,page-faults}:S' -F 999 --data group.data -- ./known pages 1001
	one group-later record -k --python off -e '{task-clock,page-faults}:S' -F 999 --data later.data -- \
		sh -c './known pages 1001; ./known pages 1001'
	./wperf script -i group.data -F event,period >$out/group.lines
	./wperf script -i later.data -F comm,event,period >$out/group-later.lines
}

kernel_names() { # arguments of the kernel's functions by name, beside the number that the convention gives them
	one names record -q --data names.data -e 'kprobe:do_sys_openat2:dfd:filename:same=arg2:string' -- cat py_shares.py
	./wperf script -i names.data -F comm,trace >$out/names.lines
	one names-write record -q --data write.data -e 'kprobe:vfs_write:count' -- sh -c 'printf %01234d 7 >written'
	./wperf script -i write.data -F comm,trace >$out/names-write.lines
	./wperf record -q -e kprobe:vfs_write:cuont -- true 2>$out/names.refused
}

waits() { # a hundred sleeps, and reading from a pipe that a program of Python has to fill first
	one waits record --waits --python off --json --sample-display-row 1000 --data waits.data -- ./known sleeps 100
	one waits-python record --waits --json --sample-display-row 1000 --data waits-python.data -- "$1" -c 'import os, time
def reads():
    return os.read(there, 1)
there, back = os.pipe()
if not os.fork():
    time.sleep(0.3)
    os.write(back, b"x")
    os._exit(0)
reads()'
}

wakers() { # a lock, pipes, an Event and sleeps, whose ends are known
	WAKERS_NAP=0.05 WAKERS_TRUTH=$out/wakers.truth one wakers record --wakers --threads --json --sample-display-row 100000 --data wakers.data -- \
		"$1" py_wakers.py
}

as=""
one test test --json
kernel_names
waits "$1"
wakers "$1"
groups
for pages in 1 1001; do one pages-$pages stat --json -e page-faults,task-clock -- ./known pages $pages; done
one sleeps stat --json -e context-switches -- ./known sleeps 100

echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent # nothing is throttled
profile bpf -e cpu-clock -F 2000 --python bpf -- "$1" py_shares.py 0.4
profile bpf-g -v -g -e cpu-clock -F 2000 --python bpf -- "$1" py_shares.py 0.4
profile bpf-all -a -g -e cpu-clock -F 2000 --python bpf -- "$1" py_shares.py 0.4
profile bpf-async -g --async -e cpu-clock -F 2000 --python bpf -- "$1" py_shares.py 0.4
exact "$1"
as="setpriv --reuid=65534 --regid=65534 --clear-groups"
echo 1 >/proc/sys/kernel/perf_event_paranoid
profile pinned -e cpu-clock -F 2000 --python pinned -- "$1" py_shares.py 0.4
as=""
n=0
for python; do
	profile traps-$n -g -e cpu-clock -F 2000 --python bpf -- "$python" \
		py_traps.py recursion,decorators,sorting,generators,crowd,imports 0.1
	n=$((n + 1))
done
echo $status >$out/status
exit $status
