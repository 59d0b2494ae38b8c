# Computes for a fifth of a second by the clock of the CPU, or as long as the first argument says, from its first line on.
import sys
import time


def work(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


clock = getattr(time, "process_time", None) or time.clock  # 2.7
until = clock() + float(sys.argv[1] if len(sys.argv) > 1 else 0.2)
while clock() < until:
    work(2000)
