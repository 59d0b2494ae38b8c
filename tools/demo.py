"""What `make demo` profiles: which blocks of lines are in more than one place of CPython's own library?"""
import collections
import hashlib
import os
import re
import sys

BLOCK = 6


def sources(folder):
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("site-packages", "dist-packages", "test")]
        for name in sorted(names):
            if name.endswith(".py"):
                yield os.path.join(path, name)


def plain(text):
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]


def digests(lines):
    for i in range(len(lines) - BLOCK):
        block = "\n".join(lines[i : i + BLOCK])
        if len(block) > 120:
            yield hashlib.sha256(block.encode()).digest()


def count(folder):
    seen = collections.Counter()
    for path in sources(folder):
        with open(path, encoding="utf-8", errors="replace") as file:
            seen.update(digests(plain(file.read())))
    return seen


def main():
    seen = count(os.path.dirname(os.__file__))
    worst = sorted(seen.values(), key=lambda times: -times)[:1]
    print("%d blocks, %d of them more than once, one of them %d times"
          % (len(seen), sum(times > 1 for times in seen.values()), worst[0] if worst else 0), file=sys.stderr)


main()
