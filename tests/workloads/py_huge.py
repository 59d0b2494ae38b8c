# One function of 12,000 lines, whose line table is longer than what is copied at first, in a program that ends a moment later.
import os
import signal
import sys
import time


def work(n):
    total = 0
    for i in range(n):
        total += i
    return total


names = {}
exec(compile("def big(work):\n" + "    work(50)\n" * 12000, "huge.py", "exec"), names)
if "stop" in sys.argv:  # whoever watches, until somebody lets it go on
    os.kill(os.getppid(), signal.SIGSTOP)
clock = getattr(time, "process_time", None) or time.clock  # 2.7
until = clock() + 0.05
while clock() < until:
    names["big"](work)
