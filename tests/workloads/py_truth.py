# py_truth: what the py_* programs share. A program says what a profiler must find in the file that $PY_TRUTH names, one
# JSON object: {"python": version, "functions": [...], "lines": [...], "counts": {...}}. CPythons 2.7 to 3.15.
import json
import os
import sys
import time

if hasattr(time, "thread_time"):
    clock = time.thread_time
elif sys.version_info[0] == 2:
    clock = time.clock
else:
    clock = time.process_time  # 3.6: of all threads

truth = {"python": "%d.%d.%d" % sys.version_info[:3], "pid": os.getpid()}


def burn(n):
    x = 0
    for i in range(n):
        x += i & 7
    return x


def line_of(function, marker):
    """The number of the line of a function that ends in the comment '# marker'."""
    code = function.__code__
    with open(code.co_filename, "rb") as file:
        lines = file.read().decode("utf-8").splitlines()
    for number in range(code.co_firstlineno, len(lines) + 1):
        if lines[number - 1].endswith("# " + marker):
            return number
    raise KeyError(marker)


def shares(spent):
    """Seconds by key -> percent by key."""
    whole = sum(spent.values()) or 1.0
    return dict((key, 100.0 * value / whole) for key, value in spent.items())


def report():
    name = os.environ.get("PY_TRUTH")
    if name:
        with open(name, "w") as file:
            json.dump(truth, file)
