#!/bin/bash
# Every header compiles alone, as C by gcc and clang. Parts of the BPF program (bpf/walk_*.h) are none, and the walker
# of Python frames leaves three functions to whoever includes it; src/windows/include stands in for headers that are here.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
cd "$TOP" || exit 2
compilers=gcc
command -v clang >/dev/null && compilers="gcc clang"
for compiler in $compilers; do
	for header in $(find src cli -name "*.h"); do
		case $header in
		src/bpf/walk_* | src/windows/include/*) continue ;;
		src/walk/*.inc.h) leaves=-w ;;
		*) leaves= ;;
		esac
		echo "exec $compiler -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -Isrc -Icli -fsyntax-only -x c $header \
			-Wno-unused-function -Wno-pragma-once-outside-header $leaves"
	done
done | tr '\n' '\0' | xargs -0 -n 1 -P "$(nproc)" sh -c
