"""Enters the evaluation loop from C in many ways, for ever; touches the file that READY names before that."""
import functools
import os
import re
import threading


def key(x):
    return -x


def pair(a, b):
    return (a > b) - (a < b)


def numbers(n):
    for i in range(n):
        yield i


def delegating(n):
    yield from map(key, numbers(n))


class Thing:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value

    def __getattr__(self, name):
        return self.value

    @property
    def half(self):
        return self.value / 2

    @functools.cached_property
    def twice(self):
        return sum(map(key, [self.value] * 2))


def inner(data):
    """Begins where key() was when its caller sorted itself."""
    return sorted(data, key=key)


def outer(data):
    sorted(data, key=key)
    inner(data)
    list(map(inner, [data]))
    return list(map(lambda x: sorted([x, 1], key=functools.cmp_to_key(pair)), data))


def deep(n):
    return max(map(deep, [n - 1])) if n else len(sorted("abc", key=str.lower))


def mixed():
    things = sorted(Thing(i % 5) for i in range(9))
    re.sub("a", lambda match: match.group(0), "abracadabra")
    functools.reduce(pair, range(9))
    list(filter(key, numbers(9)))
    return sum(t.half + t.twice + t.nothing for t in things)


async def wait(n):
    return await wait(n - 1) if n else 1


def run(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value


open(os.environ["READY"], "w").close()
while True:
    outer(list(range(5)))
    deep(12)
    mixed()
    sum(delegating(7))
    next(map(next, [numbers(2)]))
    run(wait(3))
    exec("sorted([3, 1, 2], key=key); inner([1, 2])")
    sorted([3, 1, 2], key=key)
    list(map(inner, [[2, 1]]))
