#!/bin/bash
# A program, a symbol, a source file and a recording whose names are escape sequences: no output has a control character.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
command -v gcc >/dev/null || skip "no gcc"
[ "$(uname -m)" = x86_64 ] || skip "the program is of x86-64"
cd "$scratch" || exit 1

# DEL, ESC and its 8-bit form U+009B, which terminals obey as well; also what spreadsheets take for a formula.
printf '\t.globl main\n\t.file 1 "a\\033[31m\\302\\233b.c"\nmain:\tjmp "=ev\033[31m\302\233\177il"\n' >evil.s
printf '\t.type "=ev\033[31m\302\233\177il", @function\n"=ev\033[31m\302\233\177il":\n\t.loc 1 1\n\tjmp "=ev\033[31m\302\233\177il"\n' >>evil.s
printf '\t.size "=ev\033[31m\302\233\177il", 2\n\t.section .note.GNU-stack,"",@progbits\n' >>evil.s
gcc -no-pie -g evil.s -o plain 2>gcc.err || skip "no assembler for such names: $(head -n 1 gcc.err)"
name=$(printf 'ev\033[31m\033]0;pwn\007\n\302\233\177nx')
cp plain "$name" || exit 1

# Bytes below 0x20 but newline and tab, 0x7f, U+0080 to U+009F; a FILE with none of them and with the name passes.
clean() { # FILE
	python3 - "$1" <<-'PY'
	import re, sys
	text = open(sys.argv[1], "rb").read()
	bad = re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", text)
	if bad:
	    print("  ", text[max(bad.start() - 40, 0) : bad.start() + 20])
	sys.exit(bool(bad) or not text)
	PY
}

printed() { # WHAT ARGUMENT...: of wperf
	timeout 30 "$WPERF" "${@:2}" >out 2>err
	cat out err >both
	check "$1" clean both
}

printed "record -v" record -v -e cpu-clock -F 300 --timeout 0.4 --data x.data -- "./$name"
check "  has the program's name" grep -qF 'ev?[31m?]0;pwn' out
printed "sample --annotate --disassemble" record -e cpu-clock -F 300 --timeout 0.4 --annotate --disassemble --no-data -- "./$name"
for option in "" -g --csv --json --verbose "--sort process,symbol,srcline" "--sort process,symbol --csv"; do
	printed "report $option" report -i x.data $option
	check "  has the symbol" grep -q 'ev.*31m.*il' out
done
"$WPERF" report -i x.data --csv >out 2>err
check "a formula has a quote mark before it" eval "grep -q \"'=ev\" out && ! grep -qE '(^|[,\\\"])=ev' out"
printed "script" script -i x.data -F +srcline
printed "script --json" script -i x.data --json
for format in $("$WPERF" export --list-formats 2>/dev/null || echo folded flame callgrind speedscope chrome gecko); do
	[ "$format" = pprof ] && continue # no text
	"$WPERF" export --format $format -i x.data -o exported >out 2>err
	[ "$(head -c 2 exported | od -An -tx1)" = " 1f 8b" ] && gzip -dc <exported >unpacked && mv unpacked exported
	check "export --format $format" clean exported
	check "  has the symbol" grep -q 'ev.*31m.*il' exported
done

# The recording's own words: the machine's type, in an error.
python3 - <<'PY'
data = open("x.data", "rb").read()
at = data.rfind(b"x86_64\0")
open("y.data", "wb").write(data[:at] + b"\x1b]0;P\a" + data[at + 6:])
PY
printed "a recording of a strange machine" report -i y.data
finish
