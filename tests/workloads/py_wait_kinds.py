# py_wait_kinds: waits in known ways, one after the other, for known times on known descriptors; $WAIT_TRUTH gets a line of JSON for each: kind, how often,
# nanoseconds off the CPU as the clocks say, descriptor and its name; $WAIT_PAGES is a file of some MB. Another process ends those that nobody else ends.
import ctypes
import json
import mmap
import os
import resource
import select
import socket
import threading
import time

TIMES = 3
NAP = 0.02
truth = {}
libc, words = ctypes.CDLL(None), (ctypes.c_long * 2)()


def read_clock(number):  # 2.7 has no time.clock_gettime()
    libc.clock_gettime(number, words)
    return words[0] * 1000000000 + words[1]


# Nanoseconds off the CPU up to now, from any beginning: CLOCK_MONOTONIC less CLOCK_THREAD_CPUTIME_ID.
def clock():
    return read_clock(1) - read_clock(3)


def name_of(fd):
    return os.readlink("/proc/self/fd/%d" % fd) if fd >= 0 else ""


def measured(kind, fd, play, *args):
    row = truth.setdefault(play.__name__, {"kind": kind, "function": play.__name__, "fd": fd, "on": name_of(fd), "n": 0, "ns": 0})
    begin = clock()
    play(*args)
    row["ns"] += clock() - begin
    row["n"] += 1


def sleeps():
    time.sleep(NAP)


def reads():
    os.read(readable, 1)


def receives():
    ours.recv(1)


def accepts():
    listener.accept()[0].close()


def selects():
    select.select([readable], [], [], NAP)


def polls():
    poll.poll(NAP * 1000)


def watches():
    epoll.poll(NAP)


def locks():
    lock.acquire()


def joins():
    os.waitpid(child, 0)


def writes():
    os.write(full, b"x" * 65536)


def faults(pages):
    for i in range(0, len(pages), 1 << 20):
        pages[i]


# Pages of a file that nobody has in memory: how long they took, and how many of the faults began to read.
def page_in(path):
    with open(path, "rb") as file:
        pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
        begin = clock()
        faults(pages)
        off = clock() - begin
    truth["faults"] = {"kind": "page fault", "function": "faults", "fd": -1, "on": "",
                       "n": resource.getrusage(resource.RUSAGE_SELF).ru_majflt - before, "ns": off}


# What ends a wait, later, in a process of its own, so that no thread here holds the GIL or waits besides.
def later(play):
    pid = os.fork()
    if pid:
        return pid
    time.sleep(NAP)
    play()
    os._exit(0)


readable, writable = os.pipe()
drain, full = os.pipe()
ours, theirs = socket.socketpair()
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(8)
poll = select.poll()
poll.register(readable, select.POLLIN)
epoll = select.epoll()
epoll.register(readable, select.EPOLLIN)
lock = threading.Lock()
lock.acquire()


def fill():
    os.write(full, b"x" * 65536)


def empty():
    left = 65536
    while left:
        left -= len(os.read(drain, left))


def connect():
    socket.create_connection(listener.getsockname()).close()


def ended(pid):
    os.waitpid(pid, 0)


fill()
for _ in range(TIMES):
    measured("sleep", -1, sleeps)
    measured("poll", -1, selects)
    measured("poll", -1, polls)
    measured("poll", epoll.fileno(), watches)
    helper = later(lambda: os.write(writable, b"x"))
    measured("read", readable, reads)
    ended(helper)
    helper = later(lambda: theirs.send(b"x"))
    measured("recv", ours.fileno(), receives)
    ended(helper)
    helper = later(connect)
    measured("accept", listener.fileno(), accepts)
    ended(helper)
    helper = later(empty)
    measured("write", full, writes)
    ended(helper)
    child = later(lambda: None)
    measured("child", -1, joins)
    holder = threading.Timer(NAP, lock.release)
    holder.start()
    measured("lock", -1, locks)
    holder.join()
if hasattr(os, "posix_fadvise"):
    page_in(os.environ["WAIT_PAGES"])
with open(os.environ["WAIT_TRUTH"], "w") as file:
    for row in truth.values():
        file.write(json.dumps(row) + "\n")
time.sleep(0.4)  # until whoever looks at the descriptors has done so
