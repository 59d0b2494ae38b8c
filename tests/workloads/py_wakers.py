# py_wakers: waits that a known thread or a timer ends, one after the other; $WAKERS_TRUTH gets a line of JSON for each: which thread waits in which function,
# what kind of wait that is, how often, and which thread (0: a timer) in which function ended it. $WAKERS_NAP: seconds between. Python 2.7 too.
import ctypes
import json
import os
import platform
import sys
import threading
import time

TIMES = 8
NAP = float(os.environ.get("WAKERS_NAP", 0.01))
libc = ctypes.CDLL(None)
GETTID = {"x86_64": 186, "aarch64": 178}[platform.machine()]
truth = []


def gettid():
    return libc.syscall(GETTID)


def tell(kind, waiter, function, waker, by, n=TIMES):
    truth.append({"kind": kind, "tid": waiter, "function": function, "waker": waker, "by": by, "n": n})


def together(*plays):
    threads = [threading.Thread(target=play) for play in plays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# A pipe that another process writes into.
def writes(fd):
    for _ in range(TIMES):
        time.sleep(NAP)
        os.write(fd, b"x")


def reads(fd):
    for _ in range(TIMES):
        os.read(fd, 1)


readable, writable = os.pipe()
child = os.fork()
if not child:
    writes(writable)
    os._exit(0)
reads(readable)
os.waitpid(child, 0)
tell("read", gettid(), "reads", child, "writes")


# A lock that is handed over: each release finds the other one waiting.
lock, tids = threading.Lock(), {}
turns = [threading.Event() for _ in range(TIMES)]


def holds():
    tids["holds"] = gettid()
    for turn in turns:
        lock.acquire()
        turn.set()
        time.sleep(NAP)
        lock.release()
        time.sleep(NAP)


def wants():
    tids["wants"] = gettid()
    for turn in turns:
        while not turn.is_set():
            time.sleep(0.0005)
        lock.acquire()
        lock.release()


together(holds, wants)
tell("lock", tids["wants"], "wants", tids["holds"], "holds")


# The same with a pipe between threads: native code of the kernel's, no futex.
def answers():
    tids["answers"] = gettid()
    for _ in range(TIMES):
        time.sleep(NAP)
        os.write(writable, b"y")


def asks():
    tids["asks"] = gettid()
    for _ in range(TIMES):
        os.read(readable, 1)


together(answers, asks)
tell("read", tids["asks"], "asks", tids["answers"], "answers")


def sleeps():
    tids["sleeps"] = gettid()
    for _ in range(TIMES):
        time.sleep(NAP)


together(sleeps)
tell("sleep", tids["sleeps"], "sleeps", 0, "")

# An Event: who sets it releases a lock of the condition in it.
event = threading.Event()


def sets():
    tids["sets"] = gettid()
    time.sleep(5 * NAP)
    event.set()


def awaits():
    tids["awaits"] = gettid()
    event.wait()


together(sets, awaits)
if sys.version_info >= (3,):  # 2.7 looks at it now and then
    tell("lock", tids["awaits"], "wait", tids["sets"], "notify", 1)

with open(os.environ["WAKERS_TRUTH"], "w") as out:
    for row in truth:
        out.write(json.dumps(row) + "\n")
