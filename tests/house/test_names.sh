#!/bin/bash
# The name of a static function stands in one file.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
"$TOP/tools/check_names" || exit 1
tree=$(mktemp -d "$WORK/names.XXXXXX")
trap 'rm -rf "$tree"' EXIT

refused() { # SAID: the tree in $tree is, with that
	found=$("$TOP/tools/check_names" "$tree") && { echo "taken, though: $1"; exit 1; }
	[ "$found" = "$1" ] || { echo "said: $found; not: $1"; exit 1; }
}
taken() { # WHY
	"$TOP/tools/check_names" "$tree" || { echo "refused: $1"; exit 1; }
}

# What is wrong is found, whatever stands between `static` and the name.
mkdir -p "$tree/src/room" "$tree/cli"
printf 'static int add_row(int a);\n\nstatic int add_row(int a)\n{\n\treturn a;\n}\n' >"$tree/src/room/a.c"
taken "a function that is declared before it is defined"
printf 'int add_all(void)\n{\n\treturn add_row(1);\n}\n' >"$tree/src/b.c"
taken "a call in another file"
printf 'static inline __attribute__((always_inline)) struct row *add_row(int a,\n\t\tint b)\n{\n\treturn a;\n}\n' >"$tree/cli/c.h"
refused "add_row() is in cli/c.h src/room/a.c"

# A function that a .inc.h is given by those that include it has the name by which that calls it.
printf 'static int add_row(int a);\n' >"$tree/src/walk.inc.h"
taken "what a .inc.h declares"
printf 'static int add_row(int a)\n{\n\treturn a;\n}\n' >"$tree/src/walk.inc.h"
refused "add_row() is in cli/c.h src/room/a.c src/walk.inc.h"
