"""Code objects that live for one call, each with one write(2), in the places of those before them: py_transient.py TIMES

$PY_TRUTH gets a line for each: its kind, function, file and line of the write. For every CPython from 2.7 on.
"""
import code
import collections
import doctest
import functools
import marshal
import os
import runpy
import shutil
import sys
import tempfile
import timeit

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


def other_folder(n):
    """Names that end alike, short ones and longer ones."""
    name = "%d/page.html" % (n % 10) if n % 2 else "/srv/site-%d/templates/emails/notification_to_subscribers.html" % (n % 10)
    run("W(F, X)\n", name)
    return "<module> %s:1" % name


def other_line(n):
    run("\n" * (n % 250) + "W(F, X)\n", "<string>")
    return "<module> <string>:%d" % (1 + n % 250)


def other_lambda(n):
    call_lambda(n % 100)
    return "<lambda> <string>:%d" % (1 + n % 100)


def other_body(n):
    run(template(n), "<template>", "render")
    return "render <template>:12"


def lambdified(n):
    """As sympy names what it makes."""
    run("def _lambdifygenerated(x):\n return W(F, x)\n_lambdifygenerated(X)", "<lambdifygenerated-%d>" % n)
    return "_lambdifygenerated <lambdifygenerated-%d>:2" % n


RUNNER = doctest.DocTestRunner(verbose=False)


def doctested(n):
    text = ">>> a = %d\n>>> _ = W(F, X)\n" % n
    RUNNER.run(doctest.DocTestParser().get_doctest(text, dict(NAMES), "t%d" % n, None, None))
    return "<module> <doctest t%d[1]>:1" % n


def timed(n):
    """Every statement has one name, file and first line."""
    setup = "from os import write as W\n" + "pass\n" * (n % 50) + "F, X = %d, b'x'" % FILE
    timeit.Timer("W(F, X)", setup).timeit(1)
    return "inner <timeit-src>:%d" % (7 + n % 50)


def typed(n):
    """At a prompt."""
    code.InteractiveInterpreter(dict(NAMES)).runsource("_ = W(F, X)\n", "<console-%d>" % n)
    return "<module> <console-%d>:1" % n


FOLDER = tempfile.mkdtemp()


def file_changed(n):
    """One file, which is another program each time."""
    path = os.path.join(FOLDER, "page.py")
    with open(path, "w") as file:
        file.write("\n" * (n % 200) + "__import__('os').write(%d, b'x')\n" % FILE)
    runpy.run_path(path)
    return "<module> %s:%d" % (path, 1 + n % 200)


def unmarshalled(n):
    """As imported from .pyc files, whose texts nobody has hashed."""
    exec(marshal.loads(marshal.dumps(compile("W(F, X)\n", "/cache/module%d.py" % n, "exec"))), dict(NAMES))
    return "<module> /cache/module%d.py:1" % n


def method(function, lines):
    code = getattr(function, "__func__", function).__code__
    return "%s %s:%d" % (getattr(code, "co_qualname", code.co_name), code.co_filename, code.co_firstlineno + lines)


def named_tuple(n):
    """Until 3.6 its methods are made of text; _make() takes what it is made of from an iterator."""
    made = collections.namedtuple("Row%d" % n, "a b")
    made._make(getattr(__import__("itertools"), "imap", map)(os.write, [FILE, FILE], [b"x", b""]))
    return method(made._make, 3)  # behind a decorator and a comment


def data_class(n):
    """Its __init__ is made of text, and calls the factory of a field on that field's line."""
    import dataclasses

    def write():
        return dataclasses.field(default_factory=functools.partial(os.write, FILE, b"x"))

    few = n % 9
    fields = [("a%d" % k, int) for k in range(few)] + [("write", int, write())]
    made = dataclasses.make_dataclass("Data%d" % n, fields)
    made(*range(few))
    return method(made.__init__, 1 + few)


def kinds():
    yield "all differ", all_differ
    yield "the file", other_file
    yield "the folder", other_folder
    yield "the line", other_line
    yield "lambdas", other_lambda
    yield "the body", other_body
    yield "lambdified", lambdified
    yield "doctests", doctested
    yield "timeit", timed
    yield "prompts", typed
    yield "one file", file_changed
    yield "unmarshalled", unmarshalled
    if sys.version_info < (3, 7):
        yield "named tuples", named_tuple
    else:
        yield "data classes", data_class


def main(times, truth):
    said = ["%s\t%s" % (name, kind(n)) for name, kind in kinds() for n in range(times)]
    with open(truth, "w") as file:
        file.write("\n".join(said) + "\n")


main(int(sys.argv[1]), os.environ["PY_TRUTH"])
shutil.rmtree(FOLDER)
