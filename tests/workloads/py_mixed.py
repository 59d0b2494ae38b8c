# py_mixed SECONDS [deep] [faults] [thread]: recursion, comparisons called from C, parsing and regular expressions for that much CPU
# time; "deep": a stack of 150 functions, too; "faults": large blocks of memory; "thread": the parsing in another thread, as long.
import json
import re
import sys
import threading
import time


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


class Row:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v < other.v


def deep(n):
    return fib(8) if n == 0 else deep(n - 1)


def parse_rows():
    return json.loads(json.dumps([{"a": i, "b": [i] * 5} for i in range(50)]))


def parse_until(end):
    while time.thread_time() < end:
        parse_rows()


def drive(seconds, parts):
    thread = threading.Thread(target=parse_until, args=(seconds,)) if "thread" in parts else None
    if thread:
        thread.start()
    while time.thread_time() < seconds:
        fib(12)
        sorted(Row(i * 7919 % 1009) for i in range(300))
        re.sub(r"(\w+) (\d+)", lambda m: m.group(2), "word 12 " * 50)
        if "deep" in parts:
            deep(150)
        if "faults" in parts:
            bytearray(3000000)
        if not thread:
            parse_rows()
    if thread:
        thread.join()


drive(float(sys.argv[1]), sys.argv[2:])
