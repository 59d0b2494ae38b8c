#!/bin/bash
# Where each CPython of 3.12 and newer counts the code objects it makes: the interpreter itself makes some and looks there.
. "$TOP/tests/live/interpreters.sh"
tool=$WORK/tools/python_plan

# The address that wperf finds in the process whose pid comes in; nothing: none.
address() {
	local pid
	read -r pid && "$tool" -p "$pid" | sed -n 's/^code_count=//p' | grep -v '^0x0$'
}

counts() { # ROOT PYTHON
	rm -f "$scratch/answer" && mkfifo "$scratch/answer"
	inside "$1" "$2" -c "$(cat "$TOP/tests/live/python_count.py")" <"$scratch/answer" | address >"$scratch/answer"
	return "${PIPESTATUS[0]}"
}

# 3.12 has a local variable, 3.13 and newer a table that free-threaded builds do without.
tells() { # ROOT PYTHON VERSION
	local place=${1%/} file
	case $3 in
	3.12*)
		file=$(inside "$1" "$2" -c 'import re; print(re.search(r"/\S*libpython3\S*\.so\S*|$", open("/proc/self/maps").read()).group())')
		readelf -sW "$place${file:-$(readlink -f "$2")}" | grep -q _Py_next_func_version
		;;
	*t*) return 1 ;;
	esac
}

met=
while read -r root python build; do
	version=$(inside "$root" "$python" -c 'import sys; print("%d.%d%s" % (sys.version_info[:2] + (getattr(sys, "abiflags", ""),)))' </dev/null)
	case $version in
	3.1[2-9]*) ;;
	*) continue ;;
	esac
	met=1
	if tells "$root" "$python" "$version" </dev/null; then
		check "the count of $build" counts "$root" "$python" </dev/null
	else
		part_skipped "$version of $root does not tell its count: code objects are looked at each time"
	fi
done <"$scratch/interpreters"
[ "$met" ] || skip "no CPython of 3.12 or newer: older ones do not count their code objects"
finish
