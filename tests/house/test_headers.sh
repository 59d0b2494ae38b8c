#!/bin/bash
# Every header compiles alone, as C by gcc and clang.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
cd "$TOP" || exit 2
status=0
compilers=gcc
command -v clang-14 >/dev/null && compilers="gcc clang-14"
for compiler in $compilers; do
	for header in src/*/*.h cli/*.h; do
		$compiler -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -Isrc -Icli -fsyntax-only -x c "$header" \
			-Wno-unused-function -Wno-pragma-once-outside-header || status=1
	done
done
exit $status
