"""Workloads whose Python stacks are known; for every CPython from 2.7 on: python_walks.py WHAT [NUMBER]"""
import os
import sys
import threading
import time


def leaf():
    return os.getppid()


def deep(n):
    return deep(n - 1) if n else leaf()


def key(x):
    os.getppid()
    return -x


def by_sort():
    return sorted(range(7), key=key)


def gen():
    for i in range(3):
        os.getppid()
        yield i


def by_gen():
    for _ in gen():
        pass


class Class(object):
    def method(self):
        os.getppid()


def in_thread():
    for _ in range(20):
        os.getppid()


def calls(n):
    """Per turn: 1 call below 11 frames of deep, 7 below sorted, 3 in a generator, 1 in a method; then 20 in a thread."""
    sys.stdin.readline()
    for _ in range(n):
        deep(10)
        by_sort()
        by_gen()
        Class().method()
    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()


def work(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def burn_key(x):
    return -work(3)


def burn_gen(n):
    for _ in range(n):
        yield work(5)


def descend(n, then):
    if n:
        return descend(n - 1, then)
    return then()


def one():
    return work(300)


def two():
    return sorted(range(20), key=burn_key)


def three():
    total = 0
    for value in burn_gen(20):
        total += value
    return total


def burn(n):
    while True:
        descend(n, one)
        descend(n, two)
        descend(n, three)


def spin(seconds):
    end = time.time() + seconds
    while time.time() < end:
        pass


def child():
    spin(0.01)
    os._exit(0)


def grandchild():
    if os.fork():
        os.wait()
        os._exit(0)
    child()


def forks(n):
    sys.stdin.readline()
    for i in range(n):
        if not os.fork():
            (grandchild if i % 3 == 2 else child)()
        os.wait()


# What runs within a second interpreter, or there in a third one; with the GIL held, and released where that can be.
INSIDE = """
import os
try:
    import ctypes
    released = ctypes.CDLL(None).getppid
except ImportError:
    released = os.getppid
def inside(n):
    for _ in range(n):
        os.getppid()
def without_gil(n):
    for _ in range(n):
        released()
inside(%d)
without_gil(%d)
"""
BETWEEN = """
import %s as module
%s
def between():
    within(module, %r)
between()
"""
WITHIN = """
def within(module, text):
    if hasattr(module, "run_in_subinterp"):
        return module.run_in_subinterp(text)
    one = module.create()
    (module.run_string if hasattr(module, "run_string") else getattr(module, "exec"))(one, text)
    module.destroy(one)
"""
exec(WITHIN)


def interpreters():
    for name in "_interpreters", "_xxsubinterpreters", "_testcapi":
        try:
            module = __import__(name)
        except ImportError:
            continue
        if hasattr(module, "create") or hasattr(module, "run_in_subinterp"):
            return module
    sys.exit(77)


def nested(n):
    """n calls in inside and in without_gil, in a second interpreter and in a third within it."""
    sys.stdin.readline()
    module = interpreters()
    text = INSIDE % (n, n)
    within(module, text)
    within(module, BETWEEN % (module.__name__, WITHIN, text))


def main():
    sys.setrecursionlimit(100000)
    what = {"calls": calls, "burn": burn, "forks": forks, "nested": nested}[sys.argv[1]]
    what(int(sys.argv[2]))


main()
