# py_churn SECONDS: code objects come and go: modules are imported and forgotten, code is compiled, run and freed, so that
# addresses are used again by others all the time.
import importlib
import sys
import time

seconds = float(sys.argv[1])
modules = ("colorsys", "textwrap", "string", "shlex", "csv", "calendar", "bisect", "heapq", "fractions", "statistics")
source = """
def outer_%d(n):
    def inner_%d(k):
        total = 0
        for i in range(k):
            total += i & 3
        return total
    return sum(inner_%d(j) for j in range(n))
outer_%d(12)
"""
end = time.time() + seconds
turn = 0
while time.time() < end:
    for name in modules:
        sys.modules.pop(name, None)
        importlib.import_module(name)
    for i in range(40):
        turn += 1
        exec(compile("\n" * (turn % 50) + source % ((turn,) * 4), "<turn %d>" % turn, "exec"), {})
