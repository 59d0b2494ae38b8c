"""Runs short pieces of Python of many kinds, for ever; touches the file that READY names before that."""
import os


class Thing:
    count = 0

    def __init__(self, n):
        self.n = n

    @property
    def half(self):
        return self.n / 2


def loop(n):
    total = 0
    for i in range(n):
        total += i * 2 if i % 3 else guarded(i)
    return total


def guarded(i):
    try:
        if i > 4:
            raise ValueError(i)
        return [i, str(i)][0] + len("x" * i)
    except ValueError as error:
        return error.args[0]
    finally:
        Thing.count += 1


def numbers(n):
    i = 0
    while i < n:
        yield i
        i += 1


def inner(n):
    yield from numbers(n)


def many(a, b=2, *rest, **named):
    a, b = b, a
    x = y = a
    return x + y + b + len(rest) + len(named)


made = compile("z = [i for i in (1, 2)]", "made", "exec")  # once: compiling is a hundred thousand instructions
open(os.environ["READY"], "w").close()
while True:
    loop(7)
    sum(inner(5))
    letters = {key: value for key, value in zip("abc", numbers(3))}
    sorted([3, 1, 2], key=lambda x: -x)
    many(1, 3, 4, c=letters) and Thing(3).half
    exec(made)
