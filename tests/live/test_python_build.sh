#!/bin/bash
# What wperf knows of the CPythons that are installed: every offset and address next to gdb's reading of debug information or
# of the headers, the evaluation loop's ranges next to symbol tables and to running programs, stripped copies next to whole
# ones, and flavours that are not installed by stand-ins made from the headers.
. "$TOP/tests/live/lib.sh"
tools=$WORK/tools
tool=$tools/python_plan
here=$TOP/tests/live
for need in gdb readelf python3 strip cc; do
	command -v $need >/dev/null || skip "no $need"
done
[ "$(uname -m)" = x86_64 ] || skip "debug information of x86-64 is compared"

oracle() { # WHAT FILE [TYPES]
	local what=$1
	shift
	check "$what" timeout 200 python3 "$here/python_build_oracle.py" "$tool" "$@"
}

types() { # OUTPUT INCLUDE-DIR [OPTION...]: false when the headers are not those of CPython's inside
	local output=$1 dir=$2
	shift 2
	[ -d "$dir/internal" ] && cc -w -g -shared -fPIC -I"$dir" -I"$dir/internal" -I"$dir/.." "$@" \
		"$here/python_types.c" -o "$output" 2>"$scratch/cc.log"
}

# What the tool says, without parts of the loop of a few bytes: nothing jumps to them, they stand for unreachable code.
told() { # FILE
	"$tool" "$1" | while IFS='=-' read -r key start end; do
		[ "$key" = eval ] && [ $((end - start)) -le 16 ] || echo "$key=$start-$end"
	done
}

# A stripped copy says the same, but for the variables of 3.6 and 3.12 that nothing exported leads to.
stripped() { # FILE
	strip -s -o "$scratch/stripped" "$1" && told "$1" >"$scratch/whole.txt" && told "$scratch/stripped" >"$scratch/stripped.txt" ||
		return 1
	if grep -q ^version=0x0306 "$scratch/whole.txt"; then
		sed -i /^tss_key/d "$scratch/whole.txt" "$scratch/stripped.txt"
	elif grep -q ^version=0x030c "$scratch/whole.txt"; then
		sed -i /^code_count/d "$scratch/whole.txt" "$scratch/stripped.txt"
	fi
	diff "$scratch/whole.txt" "$scratch/stripped.txt"
}

# In a running program every activation of the loop has its frame in the ranges.
evals() { # COMMAND...
	check "activations of $*" timeout 100 python3 "$here/python_evals.py" "$tools" 10 -- "$@"
}

# Up to where the loop of 3.11 and 3.12 has said which frame it runs, step by step.
prologue() { # BUILD-FILE PYTHON
	local current=8 told
	"$tool" "$1" | grep -q '^version=0x030c' && current=0
	told=$("$tool" "$1" | sed -n 's/^eval_prologue=//p')
	timeout 60 gdb -nx -batch -ex "python CURRENT = $current" -x "$here/python_prologue.py" --args "$2" -c pass >"$scratch/gdb.txt" 2>&1
	grep -qx "prologue $told" "$scratch/gdb.txt" || { echo "  told $told, gdb: $(tail -n 1 "$scratch/gdb.txt")"; return 1; }
}

found=0
for lib in ~/.pyenv/versions/*/lib/libpython[23].[0-9]*.so.1.0; do
	[ -f "$lib" ] || continue
	found=1
	readelf -SW "$lib" | grep -q '\.debug_info' && oracle "layout of $lib" "$lib"
	check "a stripped copy of $lib" stripped "$lib"
	case $lib in
	*/libpython3.1[12].so*) check "prologue of $lib" prologue "$lib" "${lib%/lib/*}/bin/python" ;;
	esac
done
for python in /usr/bin/python3.[0-9]*[0-9d]; do
	[ -x "$python" ] || continue
	found=1
	case $python in
	*/python3.1[12]*) check "prologue of $python" prologue "$python" "$python" ;;
	esac
	if types "$scratch/types.so" "/usr/include/$(basename "$python")"; then
		oracle "layout of $python" "$python" "$scratch/types.so"
	else
		part_skipped "no headers of $python"
	fi
done
# Those that python_suites built: free-threaded ones, and one on musl.
for python in "${WPERF_CACHE:-/var/cache/wperf-tests}"/built/*/bin/python3.*[0-9t]; do
	[ -x "$python" ] && [ ! -L "$python" ] || continue
	found=1
	dir=$(dirname "$(dirname "$python")")/include/$(basename "$python")
	types "$scratch/types.so" "$dir" || continue
	oracle "layout of $python" "$python" "$scratch/types.so"
	evals "$python"
done

# Flavours: pure debug builds change nothing from 3.8 on, traced references and free threading do.
for dir in ~/.pyenv/versions/*/include/python3.* /usr/include/python3.*[0-9] ${WPERF_PYTHON_HEADERS-}; do
	for flavour in -DPy_TRACE_REFS "-DPy_DEBUG -DPy_REF_DEBUG" -DPy_GIL_DISABLED; do
		case $dir$flavour in
		*python3.[0-9]-DPy_GIL* | *python3.1[0-2]-DPy_GIL*) continue ;; # begins with 3.13
		*python3.1[3-9]*-DPy_TRACE_REFS) continue ;;		 # no longer matters
		esac
		types "$scratch/stand-in.so" "$dir" -DSTANDS_IN $flavour || continue
		oracle "stand-in of $dir $flavour" "$scratch/stand-in.so" "$scratch/stand-in.so"
	done
done

for python in ~/.pyenv/versions/*/bin/python /usr/bin/python3.[0-9]*[0-9d]; do
	[ -x "$python" ] && evals "$python"
done
if [ "$(id -u)" = 0 ] && [ -x "$TOP/tests/tools/python_suites" ]; then
	while read -r root python; do
		[ "$root" = / ] || evals chroot "$root" "$python"
	done < <("$TOP/tests/tools/python_suites" list 2>/dev/null)
fi
# A program that names PyCode_Type has a copy of it, and the library's own is never used.
for prefix in ~/.pyenv/versions/{2.7,3.8,3.12}.*; do
	version=$(basename "$prefix")
	printf '#include <Python.h>\nint main(void) { Py_Initialize(); return PyRun_SimpleString("%s") + PyCode_Check(Py_None); }\n' \
		'import sys, time; sys.stdout.write(chr(10)); sys.stdout.flush(); time.sleep(60)' |
		cc -w -x c - -o "$scratch/embeds" -I"$(echo "$prefix"/include/python*)" -L"$prefix/lib" \
			-lpython"${version%.*}" -Wl,-rpath,"$prefix/lib" 2>/dev/null &&
		readelf -rW "$scratch/embeds" | grep -q 'COPY.*PyCode_Type' ||
		{ part_skipped "no copy of PyCode_Type with $version"; continue; }
	mkfifo "$scratch/begun"
	PYTHONHOME=$prefix "$scratch/embeds" >"$scratch/begun" &
	program=$!
	read -r _ <"$scratch/begun"
	"$tool" -p $program >"$scratch/plan.txt"
	kill $program
	rm -f "$scratch/begun"
	check "the copied type of $version is not taken for the library's" grep -q '^code_type=0x0$' "$scratch/plan.txt"
done
[ $found = 1 ] || skip "no CPython to look at"

check "libc tells of its threads" "$tool" -l "$(ldd "$tool" | awk '/libc\.so/ { print $3 }')"
"$tool" /bin/sh
check "a program without CPython has none" test $? = 3
"$tool" "$0"
check "a file that is no ELF file has none" test $? = 3
finish
