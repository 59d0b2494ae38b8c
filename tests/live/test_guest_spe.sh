#!/bin/bash
# wperf reads Arm SPE while it is written: a PMU named arm_spe_0 made of software (tests/guest/spe, a kernel module that only the guest
# has) in Debian's arm64 kernel under QEMU. Stock perf 6.1 of this system reads the same recordings. Only with WPERF_GUEST=1.
. "$TOP/tests/live/lib.sh"
[ "${WPERF_GUEST:-}" = 1 ] || skip "WPERF_GUEST=1 runs an emulated Arm machine"
for tool in qemu-system-aarch64 aarch64-linux-gnu-gcc cpio cmake make; do
	command -v $tool >/dev/null || skip "no $tool (qemu-system-arm gcc-aarch64-linux-gnu cpio)"
done
cache=${WPERF_CACHE:-/var/cache/wperf-tests}
why=$("$TOP/tests/guest/prepare") || skip "$why"
root=$cache/arm64-root guest=$cache/arm64-root/wperf-test
version=$(cd "$root/boot" && ls -d vmlinuz-* | sort -V | tail -n 1)
version=${version#vmlinuz-}
why=$("$TOP/tests/guest/spe/build" "$version" "$scratch/module") || skip "$why"

export WPERF_SYSROOT=$cache/arm64-sysroot
(cd "$TOP" && cmake --preset arm64 -DWPERF_TESTS=ON && cmake --build --preset arm64 --target wperf) >"$scratch/build.log" 2>&1 ||
	{ tail -n 20 "$scratch/build.log"; check "cross build" false; finish; }

exec 9>"$cache/.guest-lock"
flock 9
rm -rf "$guest"
mkdir -p "$guest/out" "$root"/{proc,sys,dev,run}
cp -r "$TOP"/build/arm64/wperf "$TOP/tests/workloads" "$scratch/module/soft_spe.ko" "$TOP/tests/guest/spe/inside.sh" "$guest"
aarch64-linux-gnu-gcc -O1 -static -o "$guest/touches" "$TOP/tests/guest/spe/touches.c" || { check "touches.c" false; finish; }
out=$guest/out
check "the guest's runs succeed" timeout 500 "$TOP/tests/guest/boot" "$root" "$version" arm64 "$root/bin/busybox" "$root" \
	"/wperf-test/inside.sh" -smp 2

check "without the device: why" grep -q "SPE is not supported by your hardware: this virtual machine" "$out/none.err"
check "test tells of the device" grep -q "spe_device.version_name *FEAT_SPE" "$out/test.txt"
check "list has it" grep -q "arm_spe_0// .*Kernel PMU event" "$out/list.txt"
names="touches loads timeless context wide threads python beside lines trouble"
for name in $names; do
	check "$name: the report is the live one" python3 "$TOP/tests/live/guest_spe_check.py" "$out" same $name
done
for name in touches timeless context; do
	check "$name: functions" python3 "$TOP/tests/live/guest_spe_check.py" "$out" functions $name
	check "$name: addresses" python3 "$TOP/tests/live/guest_spe_check.py" "$out" addresses $name
done
check "Python lines: agreed on where the data says the same" python3 "$TOP/tests/live/guest_spe_check.py" "$out" agreed lines
check "Python lines: loads of code units" python3 "$TOP/tests/live/guest_spe_check.py" "$out" exact lines
check "trouble is counted and told" python3 "$TOP/tests/live/guest_spe_check.py" "$out" counted trouble

stock() { # NAME: stock perf has the same packets, all of them whole, and the same samples
	local data=$out/$1.data
	perf report -D -i "$data" 2>/dev/null >"$scratch/dump"
	grep -q "ARM SPE data" "$scratch/dump" && ! grep -q "Bad packet" "$scratch/dump" || return 1
	perf script -i "$data" --itrace=M -F pid,tid,time,cpu,ip,addr,data_src >"$scratch/theirs" 2>"$scratch/their-notes"
	"$WPERF" script -i "$data" -F pid,tid,time,cpu,ip,addr,data_src >"$scratch/ours" 2>/dev/null
	python3 "$TOP/tests/live/spe_samples.py" "$scratch/ours" "$scratch/theirs" low
}
if command -v perf >/dev/null; then
	for name in touches loads context wide threads python; do check "$name: stock perf reads the same" stock $name; done
else
	part_skipped "no perf"
fi
finish
