#!/bin/bash
# A man page per verb, without formatter complaints, that names every option of the verb's table and no others.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
cd "$TOP" || exit 2
command -v mandoc >/dev/null || { echo "SKIP: mandoc is not installed"; exit 77; }
status=0
mandoc -T lint -W warning docs/man/wperf.1 || status=1

# Option names as headings of the rendered page: indented lines that begin with a dash, up to a gap of two blanks.
page_options() {
	mandoc -T ascii "$1" | sed -e 's/.\x08//g' | sed -nE 's/^ {3,8}(-[^ ].*)$/\1/p' | sed -E 's/  .*//' | tr ' ' '\n' |
		sed -nE 's/^(--?[A-Za-z][A-Za-z_-]*|sleep),?(=.*)?$/\1/p' | sort -u
}

# The verbs are those that wperf completes; --version is explained in wperf.1.
for verb in $("$WPERF" --list-words '' | grep -vE '^(-|help$)'); do
	page=docs/man/wperf-$verb.1
	grep -q "^\.BR wperf-$verb (1)" docs/man/wperf.1 || { echo "docs/man/wperf.1 has no entry of $verb"; status=1; }
	[ -e "$page" ] || { echo "missing: $page"; status=1; continue; }
	mandoc -T lint -W warning "$page" || status=1
	topic=""
	[ $verb = man ] && topic=x
	"$WPERF" $verb $topic --list-opts | sed "s/=.*//" | sort -u >"$WORK/opts.table"
	page_options "$page" >"$WORK/opts.page"
	diff -u --label "options of $verb" --label "$page" "$WORK/opts.table" "$WORK/opts.page" || status=1
done
names() { # PAGE WORD...: in the page, whose dashes are written \-
	local word page=$1
	shift
	for word; do
		grep -qF -- "${word//-/\\-}" "$page" || { echo "$page does not name $word"; status=1; }
	done
}
names docs/man/wperf-report.1 $("$WPERF" --list-words report --sort '')
names docs/man/wperf-export.1 $("$WPERF" --list-words export --format '')
exit $status
