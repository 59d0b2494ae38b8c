# py_shares [SECONDS]: functions with 50, 30 and 20 % of the time, then a function whose three lines have 50, 30 and 20 %.
# The truth is the program's own clock of CPU time.
import sys

from py_truth import burn, clock, line_of, report, shares, truth

UNIT = 12000


def half():
    burn(5 * UNIT)


def third():
    burn(3 * UNIT)


def fifth():
    burn(2 * UNIT)


class Lines(object):
    def __init__(self):
        self.data = [list(range(n * UNIT * 4)) for n in (5, 3, 2)]
        self.spent = {"half": 0.0, "third": 0.0, "fifth": 0.0}

    def step(self):
        a, b, c = self.data
        spent = self.spent
        t0 = clock()
        sum(a)  # half
        t1 = clock()
        sum(b)  # third
        t2 = clock()
        sum(c)  # fifth
        t3 = clock()
        spent["half"] += t1 - t0
        spent["third"] += t2 - t1
        spent["fifth"] += t3 - t2


class Loops(object):
    """Bytecode alone, on one line each."""

    def __init__(self):
        self.data = [list(range(n * UNIT)) for n in (5, 3, 2)]
        self.spent = {"half": 0.0, "third": 0.0, "fifth": 0.0}

    def step(self):
        a, b, c = self.data
        spent = self.spent
        t0 = clock()
        for x in a: x = x & 7 | x ^ 3  # half
        t1 = clock()
        for x in b: x = x & 7 | x ^ 3  # third
        t2 = clock()
        for x in c: x = x & 7 | x ^ 3  # fifth
        t3 = clock()
        spent["half"] += t1 - t0
        spent["third"] += t2 - t1
        spent["fifth"] += t3 - t2


def functions(seconds):
    spent = {"half": 0.0, "third": 0.0, "fifth": 0.0}
    end = clock() + seconds
    now = clock()
    while now < end:
        for function in (half, third, fifth):
            function()
            then, now = now, clock()
            spent[function.__name__] += now - then
    return spent


def lines(subject, seconds):
    end = clock() + seconds
    while clock() < end:
        subject.step()
    return subject.spent


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    rows = []
    for name, spent in (
        ("functions", functions(seconds)),
        ("Lines", lines(Lines(), seconds)),
        ("Loops", lines(Loops(), seconds)),
    ):
        subject = {"functions": None, "Lines": Lines.step, "Loops": Loops.step}[name]
        for key, share in shares(spent).items():
            row = {"of": name, "name": key, "share": share}
            if subject:
                row["line"] = line_of(subject, key)
            rows.append(row)
    truth["shares"] = rows
    truth["file"] = __file__
    report()


main()
