"""Code objects that live for one call, each with one write(2), in the places of those before them: py_transient.py TIMES

$PY_TRUTH gets a line for each: its function, file and line of the write. For every CPython from 2.7 on.
"""
import os
import sys
import time

FILE = os.open("/dev/null", os.O_WRONLY)
NAMES = {"W": os.write, "F": FILE, "X": b"x"}


def run(source, file, function=None):
    names = dict(NAMES)
    exec(compile(source, file, "exec"), names)
    if function:
        names[function]()


def call_lambda(lines):
    eval(compile("%s(lambda: W(F, X))()" % ("\\\n" * lines), "<string>", "eval"), dict(NAMES))


def template(n):
    """One name, file and first line, and as many lines of code: where they are differs."""
    rows = ["  c = %s" % ("c" if k != n % 7 else "(c,\n   c)") for k in range(9)]
    return "def render(c=0):\n%s\n  W(F, X)\n" % "\n".join(rows)


def all_differ(n):
    run("def f_%d():\n W(F, X)\n" % n, "f%d.py" % n, "f_%d" % n)
    return "f_%d f%d.py:2" % (n, n)


def other_file(n):
    run("W(F, X)\n", "/long/path/of/templates/page%d.html" % n)
    return "<module> /long/path/of/templates/page%d.html:1" % n


def other_line(n):
    run("\n" * (n % 250) + "W(F, X)\n", "<string>")
    return "<module> <string>:%d" % (1 + n % 250)


def other_lambda(n):
    call_lambda(n % 100)
    return "<lambda> <string>:%d" % (1 + n % 100)


def other_body(n):
    run(template(n), "<template>", "render")
    return "render <template>:12"


def main(times, truth):
    time.sleep(1)  # until whoever watches knows the interpreter
    said = [kind(n) for kind in (all_differ, other_file, other_line, other_lambda, other_body) for n in range(times)]
    with open(truth, "w") as file:
        file.write("\n".join(said) + "\n")


main(int(sys.argv[1]), os.environ["PY_TRUTH"])
