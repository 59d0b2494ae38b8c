#!/bin/bash
# What a build does without is said by configure and after the build, in --version and to the user who must install it by hand.
. "$TOP/tests/live/lib.sh"
command -v cmake >/dev/null && command -v ninja >/dev/null || skip "no CMake or Ninja"

build=$scratch/build
cmake -G Ninja -S "$TOP" -B "$build" -DWPERF_TESTS=OFF -DWPERF_BPF=OFF >"$scratch/configure" 2>&1 ||
	skip "not configured: $(tail -n 1 "$scratch/configure")"
lacks() { # FILE
	grep -q 'without the BPF program (WPERF_BPF is OFF): stacks are copied' "$1"
}
check "configure says it" lacks "$scratch/configure"
check "the build says it at its end" lacks "$build/lacks.txt"
check "as a part of every build" grep -q 'cat .*lacks.txt' "$build/build.ninja"
check "--version says it" grep -qE 'WPERF_FEATURES "[^"]*-bpf[+-]pfm[+-]traceevent[+-]ncursesw"' "$build/generated/wperf_build.h"
check "this build says what it has" sh -c "'$WPERF' --version | grep -qE 'wperf .*[+-]bpf[+-]pfm[+-]traceevent[+-]ncursesw'"

# A user without root, on a machine without any package, whose archive has a clang of one version only.
mkdir "$scratch/bin"
put() { # NAME TEXT: a command
	printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1" && chmod 755 "$scratch/bin/$1"
}
put id 'echo 1000'
put sudo 'exit 1'
put dpkg-query 'exit 1'
put apt-cache 'for name; do case $name in policy | clang | clang-14 | libpfm4-dev | libncurses-dev | libtraceevent-dev) ;;
	*) printf "%s:\n  Installed: (none)\n  Candidate: 1\n" "$name" ;; esac; done'
told=$(HOME=$scratch PATH="$scratch/bin:$PATH" "$TOP/tools/install_deps" build 2>&1 </dev/null)
check "the line has every needed package" grep -q ' gcc .* libcapstone-dev' <<<"$told"
check "and those that a full build needs, as the archive has them" grep -q ' clang-15 libbpf-dev bpftool$' <<<"$told"
put apt-cache ':'
told=$(HOME=$scratch PATH="$scratch/bin:$PATH" "$TOP/tools/install_deps" build 2>&1 </dev/null)
check "an archive that was never asked is updated" \
	grep -q 'run: sudo apt-get update && sudo apt-get install .* clang libbpf-dev bpftool libpfm4-dev libncurses-dev libtraceevent-dev$' <<<"$told"
finish
