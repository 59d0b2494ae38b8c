#!/usr/bin/env python3
"""make.py FILE [perf|raw|ours|kinds|wakers]: writes a perf.data of one process with a clock and the event offcpu-time.

As `perf record --off-cpu -e cpu-clock -g` writes it (tools/perf/util/bpf_off_cpu.c of Linux 5.19 to 6.14): one sample for each
stack at the file's end, whose period is the sum of nanoseconds, and whose time is none but stands behind all others. With "raw" waits
have raw data, as since Linux 6.15 (off_cpu_dump() in tools/perf/util/bpf_skel/off_cpu.bpf.c, off_cpu_write()): who waited, for how long and where. With "ours" they say what state the thread was
in (src/core/wait.h), and their time is that at which it ran again; with "kinds" also what it waited for, with "wakers" also who ended
that, of which a third event has samples (src/core/waker.h). Layouts are those of include/uapi/linux/perf_event.h and of perf's
perf.data-file-format.txt.
"""
import struct
import sys

IP, TID, TIME, CALLCHAIN, CPU, PERIOD, RAW, IDENTIFIER = 1, 2, 4, 1 << 5, 1 << 7, 1 << 8, 1 << 10, 1 << 16
SAMPLE_TYPE = IDENTIFIER | IP | TID | TIME | CALLCHAIN | CPU | PERIOD
SAMPLE_ID_ALL = 1 << 18
CONTEXT_USER = 2**64 - 512
PID = 4194000  # nobody is
NO_TIME = 0xffffffff << 32
EVENT_DESC = 12
MAIN, SPIN, NAP, READ, WRITE = 0x401000, 0x401100, 0x401200, 0x401300, 0x401400
ON = 112  # of struct wp_wait_payload, up to the name

wakers = sys.argv[2:] == ["wakers"]
kinds = wakers or sys.argv[2:] == ["kinds"]
ours, foreign = kinds or sys.argv[2:] == ["ours"], sys.argv[2:] == ["raw"]
has_raw = ours or foreign


def attr(config):
    return struct.pack("<IIQQQQQ", 1, 128, config, 1000000 if config == 0 else 1, SAMPLE_TYPE | (RAW if has_raw and config else 0), 0,
                       SAMPLE_ID_ALL) + b"\0" * 80


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(time):
    return struct.pack("<IIQIIQ", PID, PID, time, 0, 0, 1)


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


def raw(state, ns, tid, stack):
    if isinstance(state, tuple):  # of who ends a wait
        waiter, wake, how, waker = state
        payload = struct.pack("<4sIIIQQQ16s24s", b"wake", PID, waiter, how == b"thread", ns, 40000, wake, how, waker)
    elif ours:
        payload = struct.pack("<4sIQ16s", b"wait", 1, ns, state.encode())
        if kinds:
            kind, call, fd, on = of[state]
            payload += struct.pack("<16siiQQI24sIQ", kind, call, fd, fd if fd >= 0 else 0, 7 if on else 0, ON + (len(on) << 16), *woken[state]) + on
            payload += b"\0" * (-len(payload) % 8)
    else:
        ids = (PID, tid) if state == "sum" else (tid, PID)
        payload = struct.pack("<IIQQQ%dQQ" % len(stack), *ids, ns, len(stack) + 1, CONTEXT_USER, *stack, 0)
    return struct.pack("<I", len(payload) + 4) + payload + b"\0" * 4  # the size says how long it is with the fill


def sample(event, tid, time, period, stack, state=None):
    if foreign and event == 2:  # what is in front of the raw data is of whoever had the CPU, or of nobody
        ids, has, chain = (0, 0) if state == "sum" else (PID, PID), 1, [MAIN]
    else:
        ids, has, chain = (PID, tid), period, stack
    body = struct.pack("<QQIIQIIQ", event, chain[0], *ids, time, 0, 0, has)
    body += struct.pack("<QQ%dQ" % len(chain), len(chain) + 1, CONTEXT_USER, *chain)
    return record(9, 2, body + (raw(state, period, tid, stack) if has_raw and event >= 2 else b""))


# What it waited for: kind, number of the system call, descriptor and its name, which a file may have made to be believed on a terminal.
of = {"interruptible": (b"sleep", 35, -1, b""), "preempted": (b"preempted", -1, -1, b""), "uninterruptible": (b"read", 0, 3, b"/srv/a\x1b[2Jb")}

# Who ended it: a name, a thread, the number of the sample that has the rest.
woken = {state: (b"", 0, 0) for state in of}
if wakers:
    woken["interruptible"] = (b"[timer]", 0, 1)
    woken["uninterruptible"] = (b"wri\x1bter", PID + 2, 2)

# Thread 0 runs 4 ms of its 10; thread 1 waits 3 ms for a file.
data = record(3, 0, struct.pack("<II", PID, PID) + text("prog") + trailer(1000000))
data += record(3, 0, struct.pack("<II", PID, PID + 1) + text("reader") + trailer(1000000))
if ours:
    data += record(65, 0, b"WPwt" + struct.pack("<I", 1) + b"ns\0".ljust(80, b"\0"))  # event 1 weighs its field ns
for i in range(4):
    data += sample(1, PID, 2000000 + i * 1000000, 1000000, [SPIN, MAIN])
waits = [(PID, 11000000, 5000000, NAP, "interruptible"), (PID, 12000000, 1000000, SPIN, "preempted"),
         (PID + 1, 13000000, 3000000, READ, "uninterruptible")]
if wakers:
    data += record(65, 0, b"WPwt" + struct.pack("<I", 2) + b"ns\0".ljust(80, b"\0"))
    waits.append((PID + 1, 14000000, 2000000, READ, "uninterruptible"))  # of which nobody was seen
if foreign:  # the waits that perf keeps one by one, and a sum of shorter ones
    waits[1] = (PID + 1, NO_TIME, 1000000, SPIN, "sum")
for i, (tid, time, ns, where, state) in enumerate(waits):
    if wakers and i == 3:
        woken["uninterruptible"] = (b"[not seen]", 0, 0)
    if wakers and woken[state][2]:
        waker, by, number = woken[state]
        data += sample(3, by, time, ns, [WRITE, MAIN], (tid, number, b"thread" if by else b"timer", waker))
    data += sample(2, tid, time if ours or foreign else NO_TIME + i, ns, [where, MAIN], state)

attrs = 104 + 8 * (2 + wakers)
names = ["cpu-clock", "offcpu-time"] + ["wakers"] * wakers
begin = attrs + len(names) * 144
header = b"PERFILE2" + struct.pack("<QQ", 104, 144) + struct.pack("<6Q", attrs, len(names) * 144, begin, len(data), 0, 0) + struct.pack(
    "<4Q", 1 << EVENT_DESC, 0, 0, 0)
desc = struct.pack("<II", len(names), 128)
for i, name in enumerate(names):
    desc += attr(0 if i == 0 else 10) + struct.pack("<II", 1, 64) + name.encode().ljust(64, b"\0") + struct.pack("<Q", i + 1)
with open(sys.argv[1], "wb") as out:
    out.write(header + struct.pack("<%dQ" % len(names), *range(1, len(names) + 1)))
    for i, config in enumerate([0, 10, 10][:len(names)]):
        out.write(attr(config) + struct.pack("<QQ", 104 + 8 * i, 8))
    out.write(data + struct.pack("<QQ", begin + len(data) + 16, len(desc)) + desc)
