#!/bin/bash
# A man page per verb, without formatter complaints, that names every option of the verb's table and no others.
cd "$TOP" || exit 2
status=0
for verb in stat sample record list man test detect; do
	page=docs/man/wperf-$verb.1
	[ -e "$page" ] || { echo "missing: $page"; status=1; continue; }
	if command -v mandoc >/dev/null; then
		mandoc -T lint -W warning "$page" || status=1
	fi
	topic=""
	[ $verb = man ] && topic=x
	"$WPERF" $verb $topic --list-opts | sort -u >"$WORK/opts.table"
	# In a page an option's heading is a line `.TP` followed by `.BR` / `.B` with the names.
	grep -A1 '^\.TP' "$page" | grep -oE '(^| |,|")(\\-){1,2}[A-Za-z_][A-Za-z_\\-]*|^\.B.* sleep' |
		sed -e 's/\\//g' -e 's/^[ ,"]*//' -e 's/^\.B.* sleep/sleep/' | sort -u >"$WORK/opts.page"
	diff -u --label "options of $verb" --label "$page" "$WORK/opts.table" "$WORK/opts.page" || status=1
done
exit $status
