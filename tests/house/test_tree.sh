#!/bin/bash
# What is kept at the top of the tree is a room or one of the files that belong there: what a run has left is neither.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
cd "$TOP" || exit 1
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "SKIP: not a clone of the repository"; exit 77; }
known='\.ci|\.clang-format|\.clang-tidy|\.editorconfig|\.github|\.gitignore|bench|cli|cmake|data|docs|src|tests|tools'
known+='|CHANGELOG\.md|CMakeLists\.txt|CMakePresets\.json|CONTRIBUTING\.md|LICENSE|Makefile|README\.md|SECURITY\.md'
stray=$(git ls-files | cut -d/ -f1 | sort -u | grep -vxE "$known")
[ -z "$stray" ] || { echo "kept, but of no room:"; echo "$stray" | sed 's/^/  /'; exit 1; }
# Recordings are made, not kept: those of the fuzzers' corpora are small and made by make_seeds_*.py.
kept=$(git ls-files -- '*.data' 'perf.data*' | grep -v '^tests/fuzz/corpus/')
[ -z "$kept" ] || { echo "recordings:"; echo "$kept" | sed 's/^/  /'; exit 1; }
