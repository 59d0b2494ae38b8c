#!/bin/bash
# wperf on the x86-64 kernels of Debian 12 (6.1) and 13 (6.12), in QEMU, with this system's root for reading: known events counted,
# Python programs sampled by each way of reading their frames. Only with WPERF_GUEST=1: it takes minutes.
. "$TOP/tests/live/lib.sh"
[ "${WPERF_GUEST:-}" = 1 ] || skip "WPERF_GUEST=1 runs emulated machines"
[ "$(uname -m)" = x86_64 ] || skip "the guest's programs are this system's, and it is not x86-64"
[ -x /usr/bin/python3 ] || skip "no /usr/bin/python3 to profile"
for tool in qemu-system-x86_64 cpio xz; do
	command -v $tool >/dev/null || skip "no $tool (qemu-system-x86 cpio xz-utils)"
done
suites=$TOP/tests/tools/python_suites
cache=${WPERF_CACHE:-/var/cache/wperf-tests}
pythons=(/usr/bin/python3 $("$suites" list | awk '$1 == "/" && $2 ~ /versions.(2\.7|3\.8|3\.13)/ { print $2 }'))
kernel="" share="" # of which suite, and the folder that the guest writes to

run_guest() {
	local root=$cache/kernel-$kernel version
	version=$(cd "$root/boot" && ls -d vmlinuz-* | sort -V | tail -n 1)
	mkdir -p "$share/in" && chmod 777 "$share" && cp "$WPERF" "$TOP"/tests/workloads/py_*.py "$WORKLOADS/known" "$share/in" &&
		timeout 1500 "$TOP/tests/guest/boot" "$root" "${version#vmlinuz-}" amd64 "$root/usr/bin/busybox" / \
			"$TOP/tests/guest/kernel.sh ${pythons[*]}" -smp 1 \
			-fsdev "local,id=out,path=$share,security_model=none" -device virtio-9p-pci,fsdev=out,mount_tag=out
}

says() { # NAME CHECK...: see python_check.py
	python3 "$TOP/tests/live/python_check.py" "$share/$1.json" "$share/$1.truth" "${@:2}"
}

transport() { # NAME WANT
	grep -q "\"transport\": *\"$2\"" "$share/$1.json"
}

complete() { # NAME: every stack is
	python3 - "$share/$1.json" <<-'PY'
	import json, sys
	stacks = json.load(open(sys.argv[1]))["sampling"]["stacks"]
	print("  " + str(stacks))
	sys.exit(not (stacks["mode"] == "bpf" and stacks["taken"] > 1000 and stacks["complete_percent"] >= 99.9))
	PY
}

counted() { # NAME EVENT
	count "$share/$1.json" "$2"
}

doctor() { # ROW: `wperf test` says that all is well
	python3 - "$share/test.json" "$1" <<-'PY'
	import json, sys
	rows = {row["Test_Name"]: row["Result"] for row in json.load(open(sys.argv[1]))["Test_Results"]}
	print("  %s: %s" % (sys.argv[2], rows[sys.argv[2]]))
	sys.exit(rows[sys.argv[2]] != "ok")
	PY
}

# What newer kernels have is used there, and there only.
user_memory() {
	local want="by the kernel's helper"
	[ "$kernel" = bookworm ] || want="through the kernel's own mapping"
	grep "^memory of processes is read $want" "$share/bpf-g.err" || { cat "$share/bpf-g.err"; return 1; }
}

check_counts() {
	for row in doctor.bpf doctor.btf doctor.capabilities; do check "$kernel: $row" doctor $row; done
	check "$kernel: 1000 pages more are 1000 faults more" \
		within $(($(counted pages-1001 page-faults) - $(counted pages-1 page-faults))) 1000 10
	check "$kernel: 100 sleeps are so many switches" within "$(counted sleeps context-switches)" 110 15
	check "$kernel: the task clock runs" test "$(counted pages-1001 task-clock)" -gt "$(counted pages-1 task-clock)"
}

# All but what the process does behind its last sample, and no more than all.
group_counts() {
	awk '$2 == "page-faults:" { n += $1 } END { print "  " n " page faults in samples"; exit !(n > 600 && n < 1200) }' "$share/group.lines"
}

# do_sys_openat2(int dfd, const char *filename, struct open_how *how); vfs_write(file, buf, count, pos)
kernel_names() {
	grep -m 1 'filename="py_shares.py"' "$share/names.lines" && ! awk '{ sub(/.*filename=/, ""); sub(/ same=/, " "); if ($1 != $2) print }' "$share/names.lines" | grep . &&
		! grep -v 'dfd=-100 ' "$share/names.lines" && grep -m 1 'count=1234$' "$share/names-write.lines" &&
		grep 'no parameter cuont; it has file, buf, count, pos' "$share/names.refused"
}

# Processes that begin later are read where the kernel can, and it is said where it cannot.
group_follows() {
	local programs
	programs=$(awk '{ print $1 }' "$share/group-later.lines" | sort -u | tr '\n' ' ')
	echo "  sampled: $programs"
	if [ "$kernel" = bookworm ]; then
		[ "$programs" = "sh " ] && grep -q "this kernel reads groups only of threads that are there" "$share/group-later.err"
	else
		[[ $programs = *known* ]] && ! grep -q "reads groups only" "$share/group-later.err"
	fi
}

check_groups() {
	check "$kernel: {a,b}:S: samples have the members' counts" group_counts
	check "$kernel: {a,b}:S: processes that begin later" group_follows
	check "$kernel: arguments of kprobes by name" kernel_names
	check "$kernel: --waits: sleeps" python3 "$TOP/tests/live/waits_check.py" "$share/waits.json" sleep 100 101
	check "$kernel: --waits: a read, by Python line and pipe" python3 "$TOP/tests/live/waits_check.py" "$share/waits-python.json" read 1 1 reads pipe:
	check "$kernel: --wakers: who ended each wait" python3 "$TOP/tests/live/wakers_check.py" "$share/wakers.json" "$share/wakers.truth"
	check "$kernel: --wakers: everybody was seen, but for one perhaps" bash -c '! grep "was not seen" "$0" | grep -v "ended 1 of"' "$share/wakers.err"
}

check_shares() {
	local name of
	for name in bpf bpf-g bpf-all bpf-async pinned; do
		for of in functions Lines Loops; do
			# All CPUs are sampled before Python is, so that the walker meets it when it runs already.
			[ $name-$of = bpf-all-functions ] || check "$kernel: $name: shares of $of" says $name shares $of 2
		done
		# Without a right to real-time priority a pinned reader may come late; it says so. A sixth, as in test_pinned.
		check "$kernel: $name: frames are whole" says $name broken $([ $name = pinned ] && echo 17 || echo 0.1)
		check "$kernel: $name: names are right" says $name clean
		check "$kernel: $name: frames came that way" transport $name ${name%%-*}
	done
	for name in bpf-g bpf-all bpf-async; do check "$kernel: $name: stacks are complete" complete $name; done
	check "$kernel: how memory is read" user_memory
	check "$kernel: faults and reads are exact" says exact counts
	check "$kernel: switches are exact" says exact switches
	check "$kernel: none not whole" says exact broken 0
}

check_traps() {
	local n
	for n in "${!pythons[@]}"; do
		for of in "cases 99" "broken 0.1" clean; do
			check "$kernel: ${pythons[n]}: $of" says traps-$n $of
		done
	done
}

has_kernel() { # SUITE
	local why
	why=$("$suites" fetch "kernel-$1" 2>&1)
	[ -e "$cache/kernel-$1/.packages" ] || { part_skipped "no kernel of $1: $why"; return 1; }
}

# By what it wrote: its console has the kernel's words too.
guest_ends() { # PID
	wait "$1"
	tail -n 20 "$share.log" | sed 's/^/  /'
	[ "$(cat "$share/status")" = 0 ]
}

check_kernel() { # SUITE PID
	kernel=$1 share=$scratch/$1
	check "$1: the guest's runs succeed" guest_ends "$2"
	[ -s "$share/release" ] || { echo "  the guest did not get that far"; return; }
	check_counts
	check_groups
	check_shares
	check_traps
	echo "  Linux $(cat "$share/release")"
}

# A guest has one CPU of this machine: they run side by side.
declare -A guests
for kernel in bookworm trixie; do
	has_kernel $kernel || continue
	share=$scratch/$kernel
	run_guest >"$share.log" 2>&1 &
	guests[$kernel]=$!
done
for suite in "${!guests[@]}"; do check_kernel $suite "${guests[$suite]}"; done
ls -d "$scratch"/*/release >/dev/null 2>&1 || [ $failed = 1 ] || skip "no kernel could be had"
finish
