#!/bin/bash
# The second compiler builds everything without a warning.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
command -v clang-14 >/dev/null || { echo "SKIP: clang-14 is not installed"; exit 77; }
build=$WORK/clang
cmake -S "$TOP" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=Release -DWPERF_WERROR=ON >"$build.log" 2>&1 &&
	cmake --build "$build" >>"$build.log" 2>&1 || { tail -n 50 "$build.log"; exit 1; }
