#!/bin/bash
# The include rules of the house hold, and what breaks them is found.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

refuses() { # WORDS FILE TEXT: a file with that text in a tree of its own
	local tree=$scratch/tree words=$1 file
	rm -rf "$tree"
	mkdir -p "$tree"/src/{base,view,resolve,session/live} "$tree/cli"
	touch "$tree"/src/{base/err.h,view/view.h,view/fit.h,resolve/resolver.h,session/session.h,session/live/held.h}
	shift
	while [ $# -gt 0 ]; do
		file=$tree/$1
		printf '%b\n' "$2" >"$file"
		shift 2
	done
	"$TOP/tools/check_layers" "$tree" >"$scratch/out"
	grep -q "$words" "$scratch/out" || { echo "FAILED: not found: $words"; cat "$scratch/out"; failed=1; }
}

"$TOP/tools/check_layers" || failed=1
refuses "base may not include view/view.h" src/base/x.c '#include "view/view.h"'
refuses "base may not include view/view.h" src/base/x.c '  #  include <view/view.h>'
refuses "view/fit.h is none of the doors of view" src/session/x.c '#include "view/fit.h"'
refuses "none of the doors of session" cli/main.c '#include "session/live/held.h"'
refuses "extern belongs into a header" src/view/x.c 'extern int wp_other_room(void);'
refuses "is no room of tools/rooms.txt" src/session/x.c '#include "view/view.h"' src/x.c '#include "base/err.h"'
refuses "a circle: resolve/a resolve/b" src/resolve/a.h '#include "resolve/b.h"' src/resolve/b.h '' src/resolve/b.c '#include "resolve/a.h"'
exit $failed
