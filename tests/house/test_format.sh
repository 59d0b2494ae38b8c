#!/bin/bash
# The layout of .clang-format, by the version it was written for.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
command -v clang-format-14 >/dev/null || { echo "SKIP: clang-format-14 is not installed"; exit 77; }
cd "$TOP" || exit 2
find src cli tests bench -name '*.[ch]' -print0 2>/dev/null | xargs -0 clang-format-14 --dry-run --Werror
