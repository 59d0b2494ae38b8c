#!/bin/bash
# Every C source says its licence in its first line; what is linked statically has its notice in packages.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
cd "$TOP" || exit 1
failed=0
for file in $(find src cli bench tests/unit tests/fuzz tests/tools tools -name '*.[ch]'); do
	read -r line <"$file"
	[[ $line == "/* SPDX-License-Identifier: BSD-3-Clause"*" */" ]] || { echo "$file: no SPDX-License-Identifier in its first line" && failed=1; }
done
# Libraries that a static link takes in (CMakeLists.txt) are named where their notices are installed.
for library in libbpf libcapstone libdw libelf libiberty liblzma libpfm4 libtraceevent libzstd zlib1g; do
	grep -qw "$library" cmake/wperf_package.cmake || { echo "cmake/wperf_package.cmake: no notice of $library" && failed=1; }
done
exit $failed
