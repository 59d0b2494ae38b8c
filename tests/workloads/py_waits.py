# py_waits: a thread for each way to wait for descriptors; $PY_TRUTH says which ones each waits for, when all do.
import ctypes
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time

GETTID = {"x86_64": 186, "aarch64": 178}[os.uname()[4]]
libc = ctypes.CDLL(None)
ours, theirs = socket.socketpair()
readable, writable = os.pipe()
child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)


def receive():
    ours.recv(1)


def choose():
    select.select([ours, readable], [], [])


def poll():
    polled = select.poll()
    polled.register(ours, select.POLLIN)
    polled.register(readable, select.POLLIN)
    polled.poll()


epoll = select.epoll()
epoll.register(readable, select.EPOLLIN)


def watch():
    epoll.poll()


def wait():
    child.wait()


WAITS = [
    (receive, [ours.fileno()]),
    (choose, [ours.fileno(), readable]),
    (poll, [ours.fileno(), readable]),
    (watch, [epoll.fileno(), readable]),
    (wait, []),
]
truth = []


def begin(function, fds):
    truth.append({"tid": libc.syscall(GETTID), "function": function.__name__, "fds": sorted(fds)})
    function()


def asleep(tid):
    with open("/proc/self/task/%d/wchan" % tid) as file:
        return "futex" not in file.read()


def waits(thread):
    with open("/proc/self/task/%d/stat" % thread["tid"]) as file:
        return file.read().rpartition(")")[2].split()[0] == "S" and asleep(thread["tid"])


for function, fds in WAITS:
    thread = threading.Thread(target=begin, args=(function, fds))
    thread.daemon = True
    thread.start()
while len(truth) < len(WAITS) or not all(waits(thread) for thread in truth):
    time.sleep(0.01)
for thread in truth:
    thread["names"] = [os.readlink("/proc/self/fd/%d" % fd) for fd in thread["fds"]]
with open(os.environ["PY_TRUTH"] + ".new", "w") as file:
    json.dump({"threads": truth, "child": child.pid}, file)
os.rename(os.environ["PY_TRUTH"] + ".new", os.environ["PY_TRUTH"])
sys.stdin.read()
child.stdin.close()
os._exit(0)
