#!/bin/bash
# The second compiler has no warning about any file of this build, compiled as this build does. It gives them before it optimizes,
# so nothing is made.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
set -o pipefail
command -v clang >/dev/null || { echo "SKIP: clang is not installed"; exit 77; }
python3 - "$WORK/../compile_commands.json" <<'PY' | xargs -0 -n 1 -P "$(nproc)" bash -c
import json, shlex, sys

commands = set()
for entry in json.load(open(sys.argv[1])):
    words = shlex.split(entry["command"])
    options = words[next(i for i, word in enumerate(words) if word[0] == "-"):words.index("-o")]
    commands.add(f'cd {shlex.quote(entry["directory"])} && exec clang {shlex.join(options)} -Werror -fsyntax-only {shlex.quote(entry["file"])}')
assert len(commands) > 200
print("\0".join(sorted(commands)), end="\0")
PY
