# py_exact [N]: events that happen a known number of times, on known lines: the first write to each page of a mapping, a
# thread giving up its CPU, read(2). The counts are in $PY_TRUTH; with $PY_GO it starts when that file is there.
import mmap
import os
import resource
import sys
import threading
import time

from py_truth import line_of, report, truth

PAGE = mmap.PAGESIZE
BYTE = b"x"[0]


def wait_for_go():
    for _ in range(500):  # what the interpreter needs for this itself
        os.path.exists(os.environ["PY_GO"])
        time.sleep(0)
    open(os.environ["PY_GO"] + ".waits", "w").close()
    while not os.path.exists(os.environ["PY_GO"]):
        time.sleep(0.01)


def one_by_one(pages, n):
    for i in range(n):
        pages[i * PAGE] = BYTE  # faults


def in_one_call(pages, block):
    pages.write(block)  # block


def ordered(values, pages):
    return sorted(values, key=lambda i: pages.__setitem__(i * PAGE, BYTE) or i)  # key


def reader(fd, n):
    for _ in range(n):
        os.read(fd, 1)  # reads


def other_reader(fd, n):
    for _ in range(n):
        os.read(fd, 1)  # other reads


def generated(fd, n):
    for _ in range(n):
        yield os.read(fd, 1)  # generated reads


def sleeper(n):
    for _ in range(n):
        time.sleep(0.0005)  # sleeps


# A switch in this function's own lines may be before or after the numbers were read.
def around(n):
    before = resource.getrusage(1)
    sleeper(n)
    after = resource.getrusage(1)
    return after.ru_nvcsw - before.ru_nvcsw, after.ru_nivcsw - before.ru_nivcsw


def expect(event, name, line, count, most=None):
    truth["counts"].append({"event": event, "function": name, "line": line, "count": count, "most": most or count})


def faults_of(function, *args):
    """How many the kernel itself counts: a page of the interpreter that is wanted for the first time is one, too."""
    before = resource.getrusage(1)
    function(*args)
    after = resource.getrusage(1)
    return after.ru_minflt + after.ru_majflt - before.ru_minflt - before.ru_majflt


def fault(n):
    own = [0, 0, 0]
    for count in (10, n):  # the first time warms up what the interpreter needs itself
        own[0] += faults_of(one_by_one, mmap.mmap(-1, n * PAGE), count)
        own[1] += faults_of(in_one_call, mmap.mmap(-1, n * PAGE), b"x" * (count * PAGE))
        own[2] += faults_of(ordered, list(range(count)), mmap.mmap(-1, n * PAGE))
    expect("page-faults", "one_by_one", line_of(one_by_one, "faults"), n + 10, own[0])
    expect("page-faults", "in_one_call", line_of(in_one_call, "block"), n + 10, own[1])
    # The lambda is on the line of its caller, and has a name of its own.
    expect("page-faults", "<lambda>", line_of(ordered, "key"), n + 10, own[2])


def read(n):
    fd = os.open("/dev/zero", os.O_RDONLY)
    reader(fd, n)
    threads = [threading.Thread(target=other_reader, args=(fd, n // 2)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in generated(fd, n):
        pass
    for function, marker, count in ((reader, "reads", n), (other_reader, "other reads", n // 2 * 3), (generated, "generated reads", n)):
        expect("syscalls:sys_enter_read", function.__name__, line_of(function, marker), count)


def sleep(n):
    given, taken = around(n)
    truth["switches"] = {
        "function": "sleeper",
        "around": "around",
        "line": line_of(sleeper, "sleeps"),
        "slept": n,
        "given": given,
        "taken": taken,
    }


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    truth["counts"] = []
    if "PY_GO" in os.environ:
        wait_for_go()
    fault(n)
    read(n)
    sleep(n)
    truth["file"] = __file__
    report()


main()
