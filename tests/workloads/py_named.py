# -*- coding: utf-8 -*-
# py_named: threads with names of all kinds, each waiting in read(2) for ever, and a forked child with some of its own. $PY_TRUTH
# and $PY_TRUTH.child say what threading calls each thread, null where it knows none, when all wait. They end when their
# standard input does. CPython 2.7 to 3.15.
import ctypes
import os
import signal
import sys
import threading
import time

try:
    from _thread import start_new_thread
except ImportError:
    from thread import start_new_thread

from py_truth import report, truth

GETTID = {"x86_64": 186, "aarch64": 178}[os.uname()[4]]
READ = {"x86_64": "0", "aarch64": "63"}[os.uname()[4]]
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None)
os.closerange(3, 256)  # another one's standard input would not end
never, _ = os.pipe()
tids = {}  # of threads that threading knows
nameless = []


def park():
    tids[threading.current_thread().ident] = libc.syscall(GETTID)
    os.read(never, 1)


def park_unknown():
    nameless.append(libc.syscall(GETTID))
    os.read(never, 1)


class Subclass(threading.Thread):
    def __init__(self, name):
        self.first, self.second = 1, 2
        threading.Thread.__init__(self, name=name)

    def run(self):
        park()


def asleep(tid):
    with open("/proc/self/task/%d/syscall" % tid) as file:
        return file.read().split()[0] == READ


def start(thread):
    thread.daemon = True
    thread.start()
    return thread


def many():
    ended = [start(threading.Thread(target=int, name="ended %d" % i)) for i in range(5)]
    for thread in ended:
        thread.join()
    start(Subclass("subclass"))
    full = Subclass("more attributes than an object keeps beside itself")
    for i in range(40):
        setattr(full, "attribute_%d" % i, i)
    start(full)
    start(threading.Thread(target=park, name=u"w\xf6rker \u4e16\u754c" if sys.version_info[0] > 2 else "worker"))
    start(threading.Thread(target=park, name='a "quoted" one'))
    start(threading.Thread(target=park))
    start(threading.Thread(target=park, name="first")).name = "renamed"
    start_new_thread(park, ())  # becomes a _DummyThread
    start_new_thread(park_unknown, ())


def tell(n):
    """n threads beside this one, when all of them wait."""
    while len(tids) + len(nameless) < n or not all(asleep(tid) for tid in list(tids.values()) + nameless):
        time.sleep(0.01)
    tids[threading.current_thread().ident] = os.getpid()
    truth["pid"] = os.getpid()
    truth["threads"] = dict((tids[thread.ident], thread.name) for thread in threading.enumerate())
    truth["threads"].update((tid, None) for tid in nameless)
    target = os.environ["PY_TRUTH"]
    os.environ["PY_TRUTH"] = target + ".new"
    report()
    os.rename(target + ".new", target)


def child():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    tids.clear()
    del nameless[:]
    os.environ["PY_TRUTH"] += ".child"
    threading.current_thread().name = "main of the child"
    start(threading.Thread(target=park, name="the child's own"))
    tell(1)


many()
if os.fork():
    tell(8)
else:
    child()
os.read(0, 1)
os._exit(0)
