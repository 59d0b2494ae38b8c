# Computes for a fifth of a second, or as long as the first argument says, from its first line on.
import sys
import time


def work(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


until = time.time() + float(sys.argv[1] if len(sys.argv) > 1 else 0.2)
while time.time() < until:
    work(2000)
