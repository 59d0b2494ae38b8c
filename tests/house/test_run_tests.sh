#!/bin/bash
# tools/run_tests: a share that holds at a later try only has passed, and is told; another test that fails once has failed.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
# NAME: a build folder of a test that passes at its third run, with the label shares, and what stands on stdin
make_build() {
	mkdir "$scratch/$1"
	cat >"$scratch/$1/CMakeLists.txt" <<-'END'
		cmake_minimum_required(VERSION 3.22)
		project(tries NONE)
		enable_testing()
		add_test(NAME good COMMAND true)
		add_test(NAME later COMMAND sh -c "echo x >>later; test $(wc -l <later) = 3")
		set_tests_properties(later PROPERTIES LABELS shares)
	END
	cat >>"$scratch/$1/CMakeLists.txt"
	cmake -S "$scratch/$1" -B "$scratch/$1" >/dev/null || exit 1
}
wrong=0
expect() { # WHAT TEXT LINE: the text has such a line
	grep -qxF -- "$3" <<<"$2" && return
	printf 'FAILED: %s: no line "%s" in:\n%s\n' "$1" "$3" "$2"
	wrong=1
}

make_build alone <<<''
said=$("$TOP/tools/run_tests" "$scratch/alone" 2>&1)
expect "a share alone" "$said" 'measured shares that passed at a later try only (which one): later (3)'
expect "a share alone" "$said" '2 passed, 0 failed, 0 skipped'

make_build others <<-'END'
	add_test(NAME never COMMAND false)
	add_test(NAME once COMMAND sh -c "echo x >>once; test $(wc -l <once) = 2")
	set_tests_properties(never PROPERTIES LABELS shares)
END
said=$("$TOP/tools/run_tests" "$scratch/others" 2>&1)
expect "beside others" "$said" 'measured shares that passed at a later try only (which one): later (3)'
expect "beside others" "$said" '2 passed, 2 failed, 0 skipped'
expect "what is no share is run once" "$(wc -l <"$scratch/others/once")" 1
exit $wrong
