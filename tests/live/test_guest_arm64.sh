#!/bin/bash
# wperf on emulated Arm CPUs with their PMU: Debian's arm64 kernel in QEMU; a program of known instructions counted and sampled on
# three kinds of CPU, CPythons sampled by cpu_cycles on one. Only with WPERF_GUEST=1:
# the first time packages are fetched and wperf is built once more, which takes minutes.
. "$TOP/tests/live/lib.sh"
[ "${WPERF_GUEST:-}" = 1 ] || skip "WPERF_GUEST=1 runs an emulated Arm machine"
for tool in qemu-system-aarch64 aarch64-linux-gnu-gcc cpio cmake; do
	command -v $tool >/dev/null || skip "no $tool (qemu-system-arm gcc-aarch64-linux-gnu cpio)"
done
cache=${WPERF_CACHE:-/var/cache/wperf-tests}
why=$("$TOP/tests/guest/prepare") || skip "$why"
root=$cache/arm64-root guest=$cache/arm64-root/wperf-test

export WPERF_SYSROOT=$cache/arm64-sysroot
(cd "$TOP" && cmake --preset arm64 -DWPERF_TESTS=ON && cmake --build --preset arm64 --target wperf python_plan) >"$scratch/build.log" 2>&1 ||
	{ tail -n 20 "$scratch/build.log"; check "cross build" false; finish; }

exec 9>"$cache/.guest-lock"
flock 9
rm -rf "$guest"
mkdir -p "$guest/out" "$root"/{proc,sys,dev,run}
chmod 777 "$guest/out"
cp -r "$TOP"/build/arm64/{wperf,tests/tools/python_plan} "$TOP/tests/workloads" "$TOP/tests/live/python_count.py" \
	"$TOP"/tests/guest/{inside.sh,count.sh,metrics} "$guest"
aarch64-linux-gnu-gcc -O1 -static -o "$guest/loops" "$TOP/tests/guest/loops.c" || { check "loops.c" false; finish; }
for level in O0 O2; do
	aarch64-linux-gnu-gcc -g -$level -w -static -o "$guest/names-$level" "$TOP/tests/workloads/names.c" || check "names.c" false
done
version=$(cd "$root/boot" && ls -d vmlinuz-* | sort -V | tail -n 1)
"$TOP/tests/tools/python_suites" fetch arm64-forky
suite=$cache/arm64-forky devices=()
[ ! -d "$suite" ] || devices=(-fsdev "local,id=suite,path=$suite,security_model=none,multidevs=remap"
	-device virtio-9p-pci,fsdev=suite,mount_tag=suite)
# One instruction takes a nanosecond, whatever the host is doing: the numbers are the same each time.
run() { # CPU
	WPERF_GUEST_CPU=${1/max/max,pauth-impdef=on} timeout 500 "$TOP/tests/guest/boot" "$root" "${version#vmlinuz-}" arm64 \
		"$root/bin/busybox" "$root" "/wperf-test/inside.sh $1" -icount shift=0,sleep=off -smp 1 "${devices[@]}"
}
for cpu in neoverse-n1 cortex-a76 max; do
	check "$cpu: the guest's runs succeed" run $cpu
	checks="count modes group turns rows large sample stack metric core timeline describe"
	[ $cpu = neoverse-n1 ] && checks+=" telemetry"
	for of in $checks; do
		check "$cpu: $of" python3 "$TOP/tests/live/guest_check.py" "$guest/out/$cpu" $of
	done
done

for name in bpf-cycles pinned-cycles; do
	for of in functions Lines Loops; do
		check "$name: shares of $of" python3 "$TOP/tests/live/python_check.py" "$guest/out/$name.json" "$guest/out/$name.truth" shares $of 1
	done
done
for name in bpf-cycles bpf-stacks pinned-cycles; do
	# Without a right to real-time priority a pinned reader may come late; it says so.
	case $name in pinned*) broken=5 ;; *) broken=0.1 ;; esac
	check "$name: frames are whole" python3 "$TOP/tests/live/python_check.py" "$guest/out/$name.json" "$guest/out/$name.truth" broken $broken
	check "$name: names are right" python3 "$TOP/tests/live/python_check.py" "$guest/out/$name.json" "$guest/out/$name.truth" clean
	sed 's/^/  /' "$guest/out/$name.err"
done
pythons=$(cd "$suite" 2>/dev/null && ls usr/bin/python3.1[0-9])
[ -n "$pythons" ] || part_skipped "no CPython of a later suite for arm64"
for name in python3 ${pythons//usr\/bin\//}; do
	for of in "cases 99" "broken 0.1" "clean $suite"; do
		check "$name: $of" python3 "$TOP/tests/live/python_check.py" "$guest/out/$name.json" "$guest/out/$name.truth" $of
	done
done
# From its start on: a thread that was not switched out since its exec has no thread pointer in the kernel's memory.
threads_known() {
	python3 -c 'import json, sys; n = json.load(open(sys.argv[1]))["sampling"]["python"]["no_python_thread"]; print("  %d without" % n); sys.exit(n > 10)' \
		"$guest/out/bpf-cycles.json"
}
check "bpf-cycles: thread states are found" threads_known
# All integers are in registers there.
named() { # LEVEL
	cmp "$guest/out/names-$1.truth" <(sed 's/^ *([0-9a-f]*) //' "$guest/out/names-$1.lines") && [ "$(wc -l <"$guest/out/names-$1.lines")" = 50 ]
}
for level in O0 O2; do check "arguments by name, $level: as the program says" named $level; done
check "arguments of the kernel by name" grep -m 1 'count=1234$' "$guest/out/names-kernel.lines"
check "--waits: sleeps, by Python line" python3 "$TOP/tests/live/waits_check.py" "$guest/out/waits-python.json" sleep 20 20 sleeps
check "--wakers: who ended each wait" python3 "$TOP/tests/live/wakers_check.py" "$guest/out/wakers.json" "$guest/out/wakers.truth"
check "--waits: a read, by Python line and pipe" python3 "$TOP/tests/live/waits_check.py" "$guest/out/waits-python.json" read 1 1 reads pipe:
transports() { # of both ways
	grep -q '"transport": *"bpf"' "$guest/out/bpf-cycles.json" && grep -q '"transport": *"pinned"' "$guest/out/pinned-cycles.json"
}
check "frames came by the way that was asked for" transports
finish
