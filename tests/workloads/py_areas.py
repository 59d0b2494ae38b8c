"""Two functions take turns, each of which has numbers of its own, for some seconds of CPU time; prints the pages where only these lie."""
import collections
import sys
import time


def first(numbers):
    total = 0
    for i in range(len(numbers)):
        total += numbers[i]
    return total


def second(numbers):
    total = 0
    for i in range(len(numbers)):
        total += numbers[i]
    return total


def pages(numbers):
    """Pages whose every block of 32 bytes is one of them."""
    counts = collections.Counter(id(number) >> 12 for number in numbers)
    return [page for page, count in counts.items() if count == 128]


one = [1 << 40 | i for i in range(20000)]
two = [1 << 40 | i for i in range(20000)]
for name, numbers in ("first", one), ("second", two):
    for page in pages(numbers):
        print(name, hex(page << 12), hex(page + 1 << 12))
sys.stdout.flush()
one, two = one * 10, two * 10
while time.process_time() < float(sys.argv[1]):
    first(one)
    second(two)
