# -*- coding: utf-8 -*-
# py_stacks CASE [SECONDS]: Python code whose native stacks are no plain nest of calls. py_stacks can CASE says whether this
# interpreter can run it.
import sys
import time


def leaf():
    x = 0
    for i in range(2000):
        x += i & 7
    return x


def nest(n, end):
    if n:
        return nest(n - 1, end)
    while time.process_time() < end:
        leaf()
        sorted(range(8), key=lambda x: leaf())


# A plain one after all, to compare.
def nested(end):
    nest(5, end)


# PEP 523: an evaluator of an extension's own in front of the interpreter's.
def evaluator(end):
    import _testinternalcapi

    _testinternalcapi.set_eval_frame_record([])
    while time.process_time() < end:
        # What was evaluated is recorded; not for ever.
        _testinternalcapi.set_eval_frame_record([])
        nest(5, min(end, time.process_time() + 0.2))


# Stacks that are swapped: a greenlet's Python frames end where it starts, the native ones do not.
def greenlets(end):
    from greenlet import getcurrent, greenlet

    def worker(back):
        while time.process_time() < end:
            leaf()
            sorted(range(8), key=lambda x: leaf())
            back.switch()

    def below(n):
        return below(n - 1) if n else [greenlet(worker) for _ in range(3)]

    workers = below(3)
    while time.process_time() < end:
        for one in workers:
            one.switch(getcurrent())


# Many objects whose code runs while others go: destructors in the midst of calls, deep in C.
class Dying(object):
    def __del__(self):
        leaf()


def destructors(end):
    while time.process_time() < end:
        sorted([3, 1, 2], key=lambda x: [Dying() for _ in range(4)].clear() or x)


# An import inside of an import inside of exec.
def executing(end):
    space = {"nest": nest, "end": end}
    exec("exec('nest(3, end)')", space)


CASES = {"nested": nested, "evaluator": evaluator, "greenlets": greenlets, "destructors": destructors, "executing": executing}


def can(name):
    try:
        if name == "evaluator":
            import _testinternalcapi

            return hasattr(_testinternalcapi, "set_eval_frame_record")
        if name == "greenlets":
            import greenlet
        return True
    except ImportError:
        return False


if sys.argv[1] == "can":
    sys.exit(0 if can(sys.argv[2]) else 77)
CASES[sys.argv[1]](time.process_time() + (float(sys.argv[2]) if len(sys.argv) > 2 else 1.0))
