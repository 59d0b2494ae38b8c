"""A callback of sorted(), deep in calls, for ever."""
import random


def key(x):
    s = 0
    for i in range(50):
        s += i * x
    return s


def deep(n):
    return deep(n - 1) if n else sorted([random.random() for _ in range(2000)], key=key)


while True:
    deep(5)
