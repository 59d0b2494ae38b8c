# -*- coding: utf-8 -*-
# py_traps CASE,CASE...|all [SECONDS]: Python code in shapes that profilers get wrong. Every case spends its time in `leaf` (or in
# the C code that it calls) below a known chain of callers, which it says in $PY_TRUTH: "chain" is the Python frames from a
# function of the case's own inwards. py_traps list: the cases this interpreter can run.
from __future__ import division

import functools
import os
import re
import sys
import threading
import time

from py_truth import clock, report, truth

PY3 = sys.version_info[0] >= 3
if PY3:
    import importlib.util
of_all = getattr(time, "process_time", None) or time.clock  # of all threads


def leaf():
    x = 0
    for i in range(3000):
        x += i & 7
    return x


# Generators.
def plain_generator():
    while True:
        yield leaf()


def consumer(end):
    for _ in plain_generator():
        if clock() > end:
            break


def generators(end):
    consumer(end)


# Compiled only where the syntax is known.
NEW = """
def inner_generator():
    while True:
        yield leaf()

def delegating():
    yield from inner_generator()

def yield_from(end):
    for _ in delegating():
        if clock() > end:
            break

async def innermost(end):
    while clock() < end:
        leaf()

async def middle(end):
    await innermost(end)

def coroutines(end):
    try:
        middle(end).send(None)
    except StopIteration:
        pass

async def worker(end):
    import asyncio
    while clock() < end:
        leaf()
        await asyncio.sleep(0)

async def gathering(end):
    import asyncio
    await asyncio.gather(*[worker(end) for _ in range(3)])

def tasks(end):
    import asyncio
    end = clock() + truth["seconds"]
    asyncio.new_event_loop().run_until_complete(gathering(end))
"""
if PY3:
    exec(compile("\n" * 1000 + NEW, __file__, "exec"))


# Python called back from C.
def key(x):
    leaf()
    return x


def sorting(end):
    while clock() < end:
        sorted(range(20), key=key)


def substitute(match):
    leaf()
    return "y"


def substituting(end):
    while clock() < end:
        re.sub("x", substitute, "x" * 20)


def fold(a, b):
    leaf()
    return a


def reducing(end):
    while clock() < end:
        functools.reduce(fold, range(20))


class Ordered(object):
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        leaf()
        return self.value < other.value


def comparing(end):
    while clock() < end:
        sorted([Ordered(3), Ordered(1), Ordered(2)])


def compare(a, b):
    leaf()
    return 0


def callbacks(end):
    import ctypes

    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
    qsort = ctypes.CDLL(None).qsort
    function = kind(compare)
    while clock() < end:
        array = (ctypes.c_int * 8)(*range(8))
        qsort(array, 8, ctypes.sizeof(ctypes.c_int), function)


def mapped_twice(end):
    """A page of the interpreter's own file is mapped once more, as a libffi that is linked into it does for its closures."""
    import mmap

    with open("/proc/self/maps") as maps:
        rows = [row.split() for row in maps]
    own = [row for row in rows if len(row) == 6 and row[1] == "r-xp" and "python" in os.path.basename(row[5])]
    sides = [[int(side, 16) for side in row[0].split("-")] for row in own]
    length, offset, path = max((past - start, int(row[2], 16), row[5]) for (start, past), row in zip(sides, own))
    offset += length // 2 // mmap.PAGESIZE * mmap.PAGESIZE
    with open(path, "rb") as file:
        page = mmap.mmap(file.fileno(), mmap.PAGESIZE, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC, offset=offset)
    while clock() < end:
        leaf()
    page.close()


# Code without a file or a name of its own.
def executing(end):
    code = compile("while clock() < end:\n    leaf()\n", "<made up>", "exec")
    eval(code, {"clock": clock, "end": end, "leaf": leaf})


def lambdas(end):
    spin = lambda: leaf()
    while clock() < end:
        spin()


def comprehensions(end):
    while clock() < end:
        [leaf() for _ in range(10)]


def decorate(function):
    def wrapper(*args):
        return function(*args)

    return wrapper


@decorate
@decorate
def decorated():
    leaf()


def decorators(end):
    while clock() < end:
        decorated()


class Context(object):
    def __enter__(self):
        leaf()

    def __exit__(self, *args):
        leaf()


def contexts(end):
    while clock() < end:
        with Context():
            pass


# Depth.
def descend(n, end):
    if n > 1:
        descend(n - 1, end)
        return
    while clock() < end:
        leaf()


def recursion(end):
    descend(600, end)


def deep(end):
    sys.setrecursionlimit(20000)
    threading.stack_size(512 << 20)
    thread = threading.Thread(target=deep_thread, args=(end,))
    thread.start()
    thread.join()
    threading.stack_size(0)
    sys.setrecursionlimit(1000)
    time.sleep(0.5)  # stacks this deep fill what a sanitized profiler has yet to read; the next case is not to be lost to that


def deep_thread(end):
    end = clock() + truth["seconds"]
    descend(5000, end)


# C code that gives the GIL away, beside a thread that takes it.
def hashes(end):
    import hashlib

    data = b"x" * (1 << 22)
    while clock() < end:
        hashlib.sha256(data)


def packs(end):
    import zlib

    data = os.urandom(1 << 21)
    while clock() < end:
        zlib.compress(data, 6)


# Threads.
def brief():
    for _ in range(20):
        leaf()


def threads(end):
    whole = of_all() + truth["seconds"]
    while of_all() < whole:
        few = [threading.Thread(target=brief) for _ in range(4)]
        for thread in few:
            thread.start()
        for thread in few:
            thread.join()


# Threads that make code and free it, each under names of its own: one's is freed while the others run theirs, and made where
# another one's was.
CROWD = """
def crowd_%(k)d():
    end = clock() + spell
    n = 0
    while clock() < end:
        n += 1
        text = "def made_%(k)d():\\n    leaf()\\nmade_%(k)d()"
        eval(compile("\\n" * (n %% 9) + text, "<made by %(k)d>", "exec"), {"leaf": leaf})
"""


def crowd(end):
    threads = []
    spell = truth["seconds"] * (1 if hasattr(time, "thread_time") else CROWD_SIZE)
    for k in range(CROWD_SIZE):
        names = {"clock": clock, "leaf": leaf, "spell": spell}
        exec(compile(CROWD % {"k": k}, "<crowd>", "exec"), names)
        threads.append(threading.Thread(target=names["crowd_%d" % k]))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def forks(end):
    pids = []
    for _ in range(3):
        pid = os.fork()
        if pid == 0:
            end = clock() + truth["seconds"]
            while clock() < end:
                leaf()
            os._exit(0)
        pids.append(pid)
    for pid in pids:
        os.waitpid(pid, 0)


def daemons(end):
    """Threads that still run when the interpreter ends."""
    for _ in range(2):
        thread = threading.Thread(target=endless)
        thread.daemon = True
        thread.start()
    whole = of_all() + truth["seconds"]
    while of_all() < whole:
        time.sleep(0.01)


def endless():
    while True:
        leaf()


INNER = """
import time
def leaf():
    x = 0
    for i in range(3000):
        x += i & 7
    return x
def inside():
    end = time.process_time() + %f
    while time.process_time() < end:
        leaf()
inside()
"""


def interpreters(end):
    text = INNER % truth["seconds"]
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            module = __import__(name)
        except ImportError:
            continue
        one = module.create()
        if hasattr(module, "run_string"):
            module.run_string(one, text)
        else:
            getattr(module, "exec")(one, text)
        module.destroy(one)
        return


# Code that comes and goes: what is sampled is often freed before it is asked for its name.
def made_up_and_freed(end):
    n = 0
    while clock() < end:
        n += 1
        names = {"leaf": leaf}
        eval(compile("def made_%d():\n    leaf()\nmade_%d()\n" % (n, n), "<made %d>" % n, "exec"), names)


def imports(end):
    import shutil
    import tempfile

    folder = tempfile.mkdtemp()
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    n = 0
    while clock() < end:
        n += 1
        with open(os.path.join(folder, "module_%d.py" % n), "w") as file:
            file.write("def at_import():\n    x = 0\n    for i in range(20000):\n        x += i\nat_import()\n")
        if hasattr(sys, "path_importer_cache"):
            sys.path_importer_cache.pop(folder, None)
        __import__("module_%d" % n)
        del sys.modules["module_%d" % n]
    shutil.rmtree(folder)


# Names beyond ASCII: in the code's file and, since 3.0, in its name: 1, 2 and 4 bytes a character.
def names_beyond_ascii(end):
    names = [u"caf\u00e9", u"\u51fd\u6570", u"\U00020000x"] if PY3 else [u"plain"]
    space = {"leaf": leaf}
    for name in names:
        text = u"def %s():\n    leaf()\n" % name
        if PY3:
            eval(compile(text, u"/tmp/%s.py" % name, "exec"), space)
        else:
            exec(compile(text, u"/tmp/caf\u00e9.py".encode("utf-8"), "exec"), space)
    while clock() < end:
        for name in names:
            space[name]()


# Frozen modules run code whose file has no place in the file system.
def frozen(end):
    while clock() < end:
        for _ in range(50):
            sys.path_importer_cache.clear()
            importlib.util.find_spec("no_such_module")


CROWD_SIZE = 4
CASES = {  # the chain
    "generators": ["generators", "consumer", "plain_generator", "leaf"],
    "yield_from": ["yield_from", "delegating", "inner_generator", "leaf"],
    "coroutines": ["coroutines", "middle", "innermost", "leaf"],
    "tasks": ["worker", "leaf"],
    "sorting": ["sorting", "key", "leaf"],
    "substituting": ["substitute", "leaf"],
    "reducing": ["reducing", "fold", "leaf"],
    "comparing": ["comparing", "__lt__", "leaf"],
    "callbacks": ["callbacks", "compare", "leaf"],
    "mapped_twice": ["mapped_twice", "leaf"],
    "executing": ["executing", "<module>", "leaf"],
    "lambdas": ["lambdas", "<lambda>", "leaf"],
    "comprehensions": ["comprehensions", "<listcomp>", "leaf"],
    "decorators": ["decorators", "wrapper", "wrapper", "decorated", "leaf"],
    "contexts": ["contexts", ["__enter__", "__exit__"], "leaf"],
    "recursion": ["recursion"] + ["descend"] * 600 + ["leaf"],
    "deep": ["deep_thread"] + ["descend"] * 5000 + ["leaf"],
    "hashes": ["hashes"],
    "packs": ["packs"],
    "threads": ["brief", "leaf"],
    "crowd": [],  # see cases()
    "forks": ["forks", "leaf"],
    "interpreters": ["inside", "leaf"],
    "made_up_and_freed": ["made_up_and_freed"],
    "imports": ["imports"],
    "names_beyond_ascii": ["names_beyond_ascii", [u"caf\u00e9", u"\u51fd\u6570", u"\U00020000x", "plain"], "leaf"],
    "frozen": ["frozen", "find_spec", "_find_spec"],
    "daemons": ["endless", "leaf"],
}
if not PY3 or sys.version_info >= (3, 12):
    CASES["comprehensions"].remove("<listcomp>")  # has no frame of its own
CASES = dict((name, case) for name, case in CASES.items() if name in globals())


NEEDS = {"callbacks": ["ctypes"], "packs": ["zlib"], "mapped_twice": ["mmap"], "interpreters": ["_interpreters", "_xxsubinterpreters"]}


def cases(name):
    if name != "crowd":
        return [{"name": name, "chain": CASES[name]}]
    chains = [["crowd_%d" % k, "<module>", "made_%d" % k, "leaf"] for k in range(CROWD_SIZE)]
    return [{"name": chain[0], "chain": chain} for chain in chains]


def can(name):
    for module in NEEDS.get(name, ["sys"]):
        try:
            __import__(module)
            return name != "frozen" or sys.version_info >= (3, 6)
        except ImportError:
            pass
    return False


def main():
    name = sys.argv[1]
    # Threads that never end come last.
    every = sorted((one for one in CASES if can(one)), key=lambda one: (one == "daemons", one))
    if name == "list":
        print("\n".join(every))
        return
    truth["seconds"] = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    names = every if name == "all" else name.split(",")
    truth["cases"] = [case for one in names for case in cases(one)]
    truth["file"] = __file__
    report()
    for one in names:
        globals()[one](clock() + truth["seconds"])


main()
