#!/bin/bash
# Names of static functions: one word must not stand in many files, nor two in more.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
"$TOP/tools/check_names" || exit 1

# What is wrong is found.
mkdir -p "$WORK/src"
for file in a b c; do
	printf 'static int add(int a)\n{\n\treturn a;\n}\n' >"$WORK/src/$file.c"
done
found=$("$TOP/tools/check_names" "$WORK") && { echo "three times add() is not found"; exit 1; }
[ "$found" = "add() is in src/a.c src/b.c src/c.c" ] || { echo "said: $found"; exit 1; }
rm "$WORK"/src/*
for file in a b c d e; do
	printf 'static int add_row(int a)\n{\n\treturn a;\n}\n' >"$WORK/src/$file.c"
	[ $file = e ] || "$TOP/tools/check_names" "$WORK" >/dev/null || { echo "add_row() in a to $file is refused"; exit 1; }
done
found=$("$TOP/tools/check_names" "$WORK") && { echo "five times add_row() is not found"; exit 1; }
[ "$found" = "add_row() is in src/a.c src/b.c src/c.c src/d.c src/e.c" ] || { echo "said: $found"; exit 1; }
