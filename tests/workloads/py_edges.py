"""Code of the standard library and calls that alternate, run the same way again and again; for every CPython from 2.7 on:

  py_edges.py truth        runs each piece under sys.setprofile(), and writes every call that the interpreter made to $PY_TRUTH:
                           caller, its file, its line, callee, its file; then every function's lines; for python_edges.py
  py_edges.py run SECONDS  runs them for so long, by the clock of the CPU
"""
import collections
import copy
import difflib
import dis
import fractions
import functools
import gc
import heapq
import io
import itertools
import json
import os
import pprint
import re
import string
import sys
import textwrap
import time
import tokenize

TEXT = """def outer(first, second=None, *rest):
    '''Says what it was given, one word a line.'''
    for word in rest or [first, second]:
        yield "%s: %r" % (word, [n ** 2 for n in range(len(str(word)))])
"""


def leaf_a():
    return sum(range(50))


def leaf_b():
    return sum(range(50))


def hot_a():
    return leaf_a()


def hot_b():
    return leaf_b()


def alternate():
    """CPython issue 151424: readers of memory that runs on put a leaf below the other caller."""
    for _ in range(300):
        hot_a()
        hot_b()


class Base(object):
    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.value += 1

    def __lt__(self, other):
        return self.get() < other.get()


class Derived(Base):
    def __init__(self, value):
        super(Derived, self).__init__(value)
        self.name = "n%d" % value

    @property
    def double(self):
        return 2 * self.get()

    def get(self):
        return -super(Derived, self).get()


def classes():
    made = [Derived(n % 17) for n in range(40)]
    for one in sorted(made):
        with one as inside:
            inside.double
    return functools.reduce(lambda total, one: total + one.double, made, 0)


def numbers(n):
    while n:
        yield n
        n -= 1


def generators():
    pairs = zip(numbers(60), map(lambda n: n * n, numbers(60)))
    merged = heapq.merge(numbers(20), (n for n in numbers(30) if n % 3), (-n for n in numbers(20)))
    groups = itertools.groupby(sorted(merged, key=lambda n: n % 5), lambda n: n % 5)
    return sum(a for a, b in pairs if b > 9) + sum(len(list(group)) for _, group in groups)


def fails(n):
    if n == 0:
        raise KeyError("deep")
    try:
        fails(n - 1)
    finally:
        str(n)


def exceptions():
    for n in range(12):
        try:
            fails(n)
        except KeyError:
            leaf_a()


def evaluated():
    code = compile("[leaf(n) for n in range(8)]\nfor n in range(4):\n    leaf(\n        n)\n", "made", "exec")
    exec(code, {"leaf": lambda n: hot_a()})
    eval("f(3)", {"f": fails_softly})


def fails_softly(n):
    return [hot_b() for _ in range(n)]


def library():
    re.purge()
    re.compile(r"(?P<name>[a-z_]\w*)\s*=\s*(?:[0-9]+|'[^']*')(?=\s|$)").sub(lambda match: match.group("name"), "x = 1; yy = 'z'")
    copied = copy.deepcopy({"list": [Base(n) for n in range(5)], "deep": [[[(1, 2), {3: 4}]]]})
    json.loads(json.dumps({"a": [1.5, None, True, "x" * 30], "b": {"c": list(range(10))}}, indent=1))
    list(difflib.unified_diff(TEXT.splitlines(), TEXT.replace("word", "item").splitlines()))
    textwrap.fill(TEXT * 2, 30)
    pprint.pformat([{"key%d" % n: list(range(n))} for n in range(6)], width=40)
    list(tokenize.generate_tokens(io.StringIO(TEXT if sys.version_info[0] > 2 else TEXT.decode()).readline))
    string.Template("$a and ${b}").substitute(a=1, b=len(copied))
    sum(fractions.Fraction(1, n) for n in range(1, 12))
    collections.OrderedDict((n, None) for n in range(9)).popitem()


PIECES = [alternate, classes, generators, exceptions, evaluated, library]


def work():
    for piece in PIECES:
        piece()


def run(seconds):
    end = time.clock() + seconds if sys.version_info[0] < 3 else time.process_time() + seconds
    now = time.clock if sys.version_info[0] < 3 else time.process_time
    while now() < end:
        work()


def names_of(code):
    return getattr(code, "co_qualname", code.co_name), os.path.abspath(code.co_filename) if "/" in code.co_filename else code.co_filename


def lines_of(code):
    """Of its instructions, and of its beginning, before the first one; "?": some have none."""
    if hasattr(code, "co_lines"):
        return {line or "?" for _, _, line in code.co_lines()} | {code.co_firstlineno}
    return {line for _, line in dis.findlinestarts(code)} | {code.co_firstlineno}


def truth(path):
    calls, codes = set(), set()

    def profiler(frame, event, _):
        if event == "call":
            calls.add((frame.f_back.f_code, frame.f_back.f_lineno, frame.f_code))
            codes.update((frame.f_code, frame.f_back.f_code))

    sys.setprofile(profiler)
    for _ in range(3):
        work()
    sys.setprofile(None)
    generator = 0x20 | 0x80 | 0x200
    with open(path, "w") as file:
        for caller, line, callee in calls:
            file.write("\t".join(("call",) + names_of(caller) + (str(line),) + names_of(callee)) + "\n")
        for code in codes:
            kind = "generator" if code.co_flags & generator else "function"
            for line in lines_of(code):
                file.write("\t".join((kind,) + names_of(code) + (str(line),)) + "\n")


if __name__ == "__main__":
    gc.disable()  # what runs when garbage is found runs anywhere
    truth(os.environ["PY_TRUTH"]) if sys.argv[1] == "truth" else run(float(sys.argv[2]))
