#!/bin/bash
# A comment begins with the noun or verb of what it stands on, not with a word for what was said before.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
openings='/\* (That|Those|Their|The same|Same)( |:|,|\.)'
inside='^ \* (That|Those|Their|The same|Same)( |:|,|\.)' # behind a line of "/*" alone
cd "$TOP" || exit 1
found=$(
	grep -rnE --include='*.[ch]' "$openings" src cli
	grep -rnE --include='*.[ch]' -A1 '^\s*/\*$' src cli | grep -E -- "-[0-9]+-${inside#^}"
)
[ -z "$found" ] && exit 0
echo "$found"
exit 1
