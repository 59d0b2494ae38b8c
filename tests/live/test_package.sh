#!/bin/bash
# The Debian package: made, looked into, unpacked and run.
. "$TOP/tests/live/lib.sh"
for tool in cpack dpkg-deb dpkg-shlibdeps; do
	command -v $tool >/dev/null || skip "no $tool"
done
build=$(dirname "$WPERF")
[ -e "$build/CPackConfig.cmake" ] || skip "$build is no build folder"
cpack --config "$build/CPackConfig.cmake" -G "DEB;TGZ" -B "$scratch" >"$scratch/log" 2>&1 || { tail "$scratch/log"; check "cpack" false; finish; }
deb=$(echo "$scratch"/wperf_*.deb)
field() { dpkg-deb -f "$deb" "$1"; }

check "it is for this architecture" test "$(field Architecture)" = "$(dpkg --print-architecture)"
for library in libdw1 libelf1 libcapstone4 libc6; do
	check "it depends on $library" grep -qE "(^|, )$library(t64)?( |,|$)" <<<"$(field Depends)"
done
dpkg-deb -x "$deb" "$scratch/root"
check "the program in it runs" "$scratch/root/usr/bin/wperf" --version
for page in "$TOP"/docs/man/*.1; do
	check "$(basename "$page") is in it" cmp -s "$page" "$scratch/root/usr/share/man/man1/$(basename "$page")"
done
check "the archive has the same program" test "$(tar -xzOf "$scratch"/wperf-*.tar.gz --wildcards '*/bin/wperf' | sha256sum)" = \
	"$(sha256sum <"$scratch/root/usr/bin/wperf")"
finish
