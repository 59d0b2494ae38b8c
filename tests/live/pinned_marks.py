"""A program whose threads say, in memory, which function they are in: pinned_marks.py SECONDS FILE [THREADS | forks].

The seconds are of its own CPU time; how many it had in how many of the clock's is printed at the end.

Runs on 2.7 and 3.x. The memory looks like the thread states of a little interpreter of its own (pinned_probe.c has the
offsets), each with one frame, whose instruction is the mark; its address goes to FILE, its pid to FILE.pid. A function
mark_N sets the mark to N when it has been entered and to 0 before it leaves or calls: as long as the mark is not 0, it
is the innermost one.
"""
import ctypes
import functools
import os
import sys
import threading
import time

SLOTS, SLOT, FIRST = 32, 128, 128
clock = getattr(time, "process_time", None) or time.clock  # of all threads
memory = ctypes.create_string_buffer(FIRST + SLOTS * SLOT + 256)
base = (ctypes.addressof(memory) + 63) & ~63
code = base + FIRST + SLOTS * SLOT


def word(addr, value):
    ctypes.c_uint64.from_address(addr).value = value


word(base, base + 64)  # the first interpreter: {next, threads}
word(base + 64 + 8, base + FIRST)
for i in range(SLOTS):
    slot = base + FIRST + i * SLOT  # {next, interpreter, thread_id, frame}, frame: {-, previous, code, instr}
    word(slot, slot + SLOT if i + 1 < SLOTS else 0)
    word(slot + 8, base + 64)
    word(slot + 24, slot + 32)
    word(slot + 32 + 16, code)
word(code + 8, code)  # its type
local = threading.local()


def claim(index):
    slot = base + FIRST + index * SLOT
    local.mark = ctypes.c_int32.from_address(slot + 32 + 24)
    word(slot + 16, threading.current_thread().ident)


def spin(n):
    x = 0
    while n:
        n -= 1
        x += n & 3
    return x


def mark_1(m):
    m.value = 1
    x = 0
    for i in range(3000):
        x += i & 7
    m.value = 0
    return x


def mark_2(m, depth):
    m.value = 2
    x = sum(range(20))
    if depth:
        m.value = 0
        x += mark_2(m, depth - 1)
        m.value = 2
    x += len(str(x))
    m.value = 0
    return x


def mark_3(m, n):
    for i in range(n):
        m.value = 3
        x = i * i
        x += sum(range(30))
        m.value = 0
        yield x


def mark_4(m, item):
    m.value = 4
    x = -item * 3 % 101
    m.value = 0
    return x


def mark_5(m):
    m.value = 5
    x = "".join(map(str, range(200)))
    m.value = 0
    return x


class Thing(object):
    def mark_6(self, m):
        m.value = 6
        x = {}
        x["a"] = 1
        x["b"] = len(x)
        m.value = 0
        return x


def work(until, index):
    claim(index)
    m = local.mark
    thing = Thing()
    rounds = 0
    while clock() < until:
        mark_1(m)
        mark_2(m, 30)
        for _ in mark_3(m, 40):
            pass
        sorted(range(60), key=functools.partial(mark_4, m))
        mark_5(m)
        for _ in range(20):
            thing.mark_6(m)
        spin(200)
        rounds += 1
    return rounds


def fork_all(seconds):
    """Children that live some milliseconds, and every tenth becomes another program."""
    for n in range(int(seconds / 0.03)):
        pid = os.fork()
        if pid == 0:
            work(clock() + 0.03, 0)
            if n % 10 == 9:
                os.execv("/bin/sh", ["sh", "-c", "i=0; while [ $i -lt 9999 ]; do i=$((i+1)); done"])
            os._exit(0)
        os.waitpid(pid, 0)


seconds = float(sys.argv[1])
with open(sys.argv[2] + ".pid", "w") as file:
    file.write("%d\n" % os.getpid())
with open(sys.argv[2], "w") as file:
    file.write("%x\n" % base)
more = (sys.argv[3:] or ["0"])[0]
if more == "forks":
    fork_all(seconds)
    sys.exit()
begin, end = time.time(), clock() + seconds
threads = [threading.Thread(target=work, args=(end, 1 + i)) for i in range(int(more))]
for thread in threads:
    thread.start()
work(end, 0)
for thread in threads:
    thread.join()
print("had %d\nwaited %d" % (seconds * 1000, max(0, time.time() - begin - seconds) * 1000))
