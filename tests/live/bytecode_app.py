"""Runs functions of every kind for a while, 2.7 to the newest: bytecode_app.py SECONDS OUT. At its end it writes what its own dis says
of their bytecode, as it is then, and how long each of two costly operations took by its own clock."""
import dis
import json
import sys
import time

now = getattr(time, "process_time", None) or time.clock  # what cpu-clock counts
spent = {"multiply": 0.0, "divide": 0.0}
LARGE, LARGER = 7 ** 4000, 11 ** 6000


def work_costs():
    start = now()
    LARGE * LARGE
    middle = now()
    LARGER % LARGE
    spent["multiply"] += middle - start
    spent["divide"] += now() - middle


def work_chain(n, a):
    t = 0
    for _ in range(n):
        t = t + a; t = t + a; t = t + a; t = t + a; t = t + a; t = t + a; t = t + a; t = t + a
        t = t - a; t = t - a; t = t - a; t = t - a; t = t - a; t = t - a; t = t - a; t = t - a
    return t


class Thing(object):
    def __init__(self, n):
        self.n = n
        self.table = {"a": 1, "b": 2.5}
        self.row = [1, 2, 3]

    def step(self, by=1):
        self.n += by
        return self.n


def work_names(n):
    thing, total = Thing(1), 0
    for i in range(n):
        total += thing.step() + thing.step(by=2) + len(thing.row) + thing.row[1]
        thing.table["a"] = thing.table["a"] + i % 7
        if total > 1000 and i != 5:
            total = -thing.n
        text = "%s" % i
        if text in thing.table:
            continue
        first, second = thing.row[0], thing.table["b"] * 2.0
        total += int(first + second)
    return total


def work_try(n):
    seen = []
    for i in range(n):
        try:
            if i % 3 == 0:
                raise ValueError(i)
            seen.append(i)
        except ValueError as error:
            seen.extend(error.args)
        finally:
            seen = seen[-4:]
    return seen


def work_yield(n):
    for i in range(n):
        yield i * i


def make_closure(add):
    def work_closure(n):
        total = 0
        for value in work_yield(n):
            total += value + add
        return total
    return work_closure


# Made once: calls of what is made anew each time change their form again and again.
work_closure = make_closure(3)


# More constants than an argument of one byte counts.
scope = {}
exec(compile("def work_wide():\n t = 0\n" + "".join(" t += %d if t != %d else 0\n" % (n + 1000, n + 7000) for n in range(400))
             + " return t\n", "<wide>", "exec"), scope)
work_wide = scope["work_wide"]


def names_of(code):
    """[offset, opcode, what it is a form of, argument] of each instruction."""
    if sys.version_info < (3, 4):
        import re
        from StringIO import StringIO
        sys.stdout, kept = StringIO(), sys.stdout
        dis.dis(code)
        text, sys.stdout = sys.stdout.getvalue(), kept
        found = re.findall(r"(?m)^ *(?:\d+ +)?(?:>> +)?(\d+) ([A-Z][\w+]*)(?: +(\d+))?", text)
        return [[int(at), name, name, int(arg) if arg else None] for at, name, arg in found]
    adaptive = {"adaptive": True} if sys.version_info >= (3, 11) else {}
    rows = []
    for it in dis.get_instructions(code, **adaptive):
        base = getattr(it, "baseopname", None) or it.opname
        if sys.version_info[:2] in ((3, 11), (3, 12)):
            base = dis._all_opname[dis._deoptop(dis._all_opmap[it.opname])]
        rows.append([it.offset, it.opname, base, it.arg])
    return rows


def line_at(code, at):
    if sys.version_info >= (3, 10):
        return next((line for begin, end, line in code.co_lines() if begin <= at < end), None)
    return [line for begin, line in dis.findlinestarts(code) if begin <= at][-1]


works = [work_costs, work_chain, work_names, work_try, work_yield, work_closure, work_wide]
if __name__ == "__main__":
    end = now() + float(sys.argv[1])
    while now() < end:
        work_costs()
        work_chain(60, 1)
        work_names(40)
        work_try(40)
        work_closure(60)
        work_wide()
    said = {}
    for work in works:
        said[work.__name__] = [row + [line_at(work.__code__, row[0])] for row in names_of(work.__code__)]
    with open(sys.argv[2], "w") as file:
        json.dump({"functions": said, "spent": spent, "version": "%d.%d" % sys.version_info[:2]}, file)
