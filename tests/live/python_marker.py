"""python_marker SAMPLES TRUTH: every sample that python_probe -T brought of tests/workloads/py_marker.py is held to what the
program was doing at that instant: function, line, depth. Lines come from the interpreter's own tables."""
import bisect
import json
import sys

OWN = ("on", "off", "clock")  # the marker's own work, at the ends of an interval


def samples_of(name):
    for text in open(name):
        head, bar, frames = text.partition(" |")
        words = head.split()
        if bar and len(words) == 5:
            frames = [frame.rsplit(".", 1)[-1].rsplit("@", 1) for frame in frames.split() if frame != "|"]
            yield int(words[0]), words[1], int(words[4]) * 1e-9, [(name, int(at)) for name, at in frames]


def line_at(lines, at):
    for start, end, line in lines:
        if start <= max(at, 0) < end:
            return line
    return None


class Truth:
    def __init__(self, name):
        with open(name) as file:
            truth = json.load(file)
        self.functions = {one["name"]: one["lines"] for one in truth["functions"].values()}
        self.name = {int(number): one["name"] for number, one in truth["functions"].items()}
        self.of_thread = {}
        for tid, function, line, depth, start, end in truth["intervals"]:
            self.of_thread.setdefault(tid, []).append((start, end, function, line, depth))
        for intervals in self.of_thread.values():
            intervals.sort()

    def at(self, tid, time):
        intervals = self.of_thread.get(tid, [])
        index = bisect.bisect(intervals, (time,)) - 1
        return intervals[index] if index >= 0 and time <= intervals[index][1] else None

    def wrong(self, want, frames):
        """What differs, or ""; and whether the line is the very one."""
        _, _, function, line, depth = want
        at_work = [frame for frame in frames if frame[0] not in OWN]
        name, at = at_work[0] if at_work else ("nothing", 0)
        if name != self.name[function]:
            return "in %s, not %s" % (name, self.name[function]), False
        # Being marked is on the lines before and behind.
        got = line_at(self.functions[name], at)
        if got is None or abs(got - line) > 1:
            return "line %s, not %d" % (got, line), False
        deep = 0
        while deep < len(at_work) and at_work[deep][0] in self.functions:
            deep += 1
        if deep != depth or at_work[deep][0] != "work":
            return "%d deep, not %d" % (deep, depth), False
        return "", got == line


def main():
    truth = Truth(sys.argv[2])
    checked = exact = flagged = whole = 0
    bad = {}
    for tid, end, time, frames in samples_of(sys.argv[1]):
        whole += 1
        want = truth.at(tid, time)
        if end.startswith(("partial", "unreadable", "damaged", "cut")):
            flagged += 1
        elif want:
            checked += 1
            why, same = truth.wrong(want, frames)
            exact += same
            if why:
                bad[why] = bad.get(why, 0) + 1
    print(
        "  %d samples, %d in a marked line, %d of them wrong, %.1f %% on the very line, %d said to be partial"
        % (whole, checked, sum(bad.values()), 100.0 * exact / (checked or 1), flagged)
    )
    for why in sorted(bad, key=bad.get, reverse=True)[:5]:
        print("    %d: %s" % (bad[why], why))
    sys.exit(bool(bad) or checked < 50 or exact < 0.9 * checked or flagged > 0.01 * whole)


main()
