#!/bin/bash
# The program is hardened: position-independent, read-only relocations, all bound at its start, no executable stack, stack protectors,
# checked copies; and it needs no library for what it may never do.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
command -v readelf >/dev/null || { echo "SKIP: readelf is not installed"; exit 77; }
if nm "$WPERF" 2>/dev/null | grep -q __asan_init; then
	echo "SKIP: the sanitizers check more"
	exit 77
fi
status=0
has() { # WHAT PATTERN READELF-OPTION...
	if readelf -W "${@:3}" "$WPERF" | grep -qE "$2"; then
		echo "ok: $1"
	else
		echo "FAILED: $1"
		status=1
	fi
}
has "position-independent" 'Type: +DYN' -h
has "read-only relocations" GNU_RELRO -l
has "all bound at the start" 'BIND_NOW|FLAGS.* NOW' -d
has "no executable stack" 'GNU_STACK.* RW ' -l
has "stack protectors" __stack_chk_fail --dyn-syms
has "checked copies" '__(memcpy|snprintf|vsnprintf|strcpy|read|pread|pread64)_chk' --dyn-syms
# Where a jump may land; the note about it needs a C library that was built so, too.
case $(uname -m) in
x86_64) landing=endbr64 ;;
aarch64) landing='bti|paciasp' ;;
*) landing= ;;
esac
if [ -n "$landing" ] && command -v objdump >/dev/null; then
	if objdump -d --disassemble=main "$WPERF" | grep -qE "$landing"; then
		echo "ok: jumps land where they may"
	else
		echo "FAILED: jumps land where they may"
		status=1
	fi
fi
if readelf -Wd "$WPERF" | grep -q 'NEEDED.*\(libcurl\|libdebuginfod\)'; then
	echo "FAILED: libraries for symbol servers are loaded when one is asked"
	status=1
fi
exit $status
