"""python_check OUT TRUTH CHECK [ARGUMENT...]: holds what wperf --json said of a Python program (OUT) to what the program
itself said (TRUTH, see tests/workloads/py_truth.py). Prints what differs; the exit status says whether anything did.

  shares OF POINTS      the shares of functions, or of the lines of a class's step()
  cases PERCENT         that many of the samples of each case have its chain of callers, none missing, none doubled
  counts                events with a known number, exactly; of page faults those that the interpreter itself had besides may be more
  switches              every sched_switch of the sleeper
  clean [FOLDER...]     every function is where its file says, no unresolved ones, at most 0.1 % damaged
  broken PERCENT        at most that many samples have Python frames that are partial or unreadable
  lost PERCENT          at most that many samples have no Python frames because they came before the walker knew the process
"""
import json
import os
import re
import sys
import threading


JSON_DEPTH = 200  # of a call tree in JSON


def short(name):
    """The last part of a qualified name: outer.<locals>.inner (file.py:3) -> inner."""
    return name.split(" (", 1)[0].rsplit(".", 1)[-1]


class Check:
    def __init__(self, out, truth):
        with open(out) as file:
            self.sampling = json.load(file)["sampling"]
        self.truth = {}
        if os.path.exists(truth):
            with open(truth) as file:
                self.truth = json.load(file)
        self.events = self.sampling["events"]
        self.failed = False

    def say(self, good, text):
        print("  %s%s" % ("" if good else "WRONG: ", text))
        self.failed |= not good

    def python(self):
        self.say("python" in self.sampling, "Python was met")
        return self.sampling.get("python", {})

    def shares(self, of, points):
        rows = [row for row in self.truth["shares"] if row["of"] == of]
        event = self.events[0]
        got = {}
        for row in rows:
            if "line" in row:
                got[row["name"]] = sum(
                    r["count"]
                    for r in event["python_lines"]
                    if r.get("line") == row["line"] and short(r["function"]) == "step"
                )
            else:
                got[row["name"]] = sum(
                    r["total_count"] for r in event["python_functions"] if short(r["function"]) == row["name"]
                )
        whole = sum(got.values())
        self.say(whole > 500, "%s: %d samples" % (of, whole))
        for row in rows:
            share = 100.0 * got[row["name"]] / (whole or 1)
            self.say(
                abs(share - row["share"]) <= float(points),
                "%s.%s: %.2f %%, by its own clock %.2f %%" % (of, row["name"], share, row["share"]),
            )

    def is_python(self, node):
        module = node["module"]
        return module.endswith(".py") or module.startswith("<") or module == self.truth.get("file")

    def paths(self, node, above):
        """(Python frames outermost first, samples that end there) of every node."""
        path = above + [short(node["symbol"])] if self.is_python(node) else above
        here = node["samples"] - sum(child["samples"] for child in node["children"])
        if here > 0:
            yield path, here
        for child in node["children"]:
            yield from self.paths(child, path)

    def ends_with(self, path, chain):
        def same(name, want):
            return name in want if isinstance(want, list) else name == want

        return len(path) >= len(chain) and all(same(a, b) for a, b in zip(path[-len(chain) :], chain))

    def cases(self, percent):
        every = [one for root in self.events[0]["call_tree"] for one in self.paths(root, [])]
        roots = {case["chain"][0] for case in self.truth["cases"]}
        for case in self.truth["cases"]:
            self.case(every, case, float(percent))
        lost = sum(n for path, n in every if "leaf" in path and not roots.intersection(path))
        whole = sum(n for path, n in every)
        self.say(lost * 1000 <= whole, "%d of %d samples have a leaf without its case" % (lost, whole))

    def case(self, every, case, percent):
        chain = case["chain"]
        whole = good = 0
        odd = {}
        if len(chain) > JSON_DEPTH:  # test_python_marker counts such frames
            chain = [chain[0]] + [chain[1]] * 100
        innermost = chain[-1]
        for path, n in every:
            if chain[0] not in path or innermost not in path:
                continue
            if len(chain) > 100:
                path = path[: path.index(chain[0]) + len(chain)]
            # What the innermost one calls (the clock, an import) is below it.
            inner = path[: len(path) - path[::-1].index(innermost)]
            whole += n
            going_down = len(chain) > 100 and inner[inner.index(chain[0]) :] == chain[: len(inner) - inner.index(chain[0])]
            if self.ends_with(inner, chain) or going_down:
                good += n
            else:
                odd[" ".join(inner[-6:])] = odd.get(" ".join(inner[-6:]), 0) + n
        share = 100.0 * good / (whole or 1)
        self.say(whole > 30 and share >= percent, "%s: %.2f %% of %d samples" % (case["name"], share, whole))
        for path in sorted(odd, key=odd.get, reverse=True)[:5]:
            print("    %d of: ... %s" % (odd[path], path))

    def event(self, name):
        for event in self.events:
            if event["type"] == name:
                return event
        self.say(False, "no event %s" % name)
        return {"python_lines": [], "samples": []}

    def counts(self):
        for row in self.truth["counts"]:
            n = sum(
                r["count"]
                for r in self.event(row["event"])["python_lines"]
                if r.get("line") == row["line"] and short(r["function"]) == row["function"]
            )
            self.say(
                row["count"] <= n <= row["most"],
                "%s in %s: %d of %d, %d by the kernel's count" % (row["event"], row["function"], n, row["count"], row["most"]),
            )

    def switches(self):
        want = self.truth["switches"]
        rows = self.event("sched:sched_switch")["python_lines"]

        def of(function):
            return [r for r in rows if short(r["function"]) == function]

        n = sum(r["count"] for r in of(want["function"]) if r.get("line") == want["line"])
        # A page of the interpreter that is read from disk switches on whatever line it is wanted.
        elsewhere = sum(r["count"] for r in of(want["function"])) - n
        # Beside the two calls that read the program's own numbers: inside of what they count, or not.
        around = sum(r["count"] for r in of(want["around"]))
        own = want["given"] + want["taken"]
        self.say(
            n + elsewhere <= own <= n + elsewhere + around and n >= min(want["given"], want["slept"]),
            "switches in the sleeper: %d on its line, %d elsewhere in it, %d beside the reading of its own numbers, "
            "which are %d given, %d taken" % (n, elsewhere, around, want["given"], want["taken"]),
        )

    def source(self, name, folders):
        for folder in folders:
            path = folder + name
            if os.path.exists(path):
                with open(path, "rb") as file:
                    return file.read().decode("utf-8", "replace").splitlines()
        return None

    def unresolved(self, head):
        """Of what was read late the code object may be gone, and is said to be unknown; of nothing else."""
        n, late = head.get("unresolved_frames"), head.get("late", 0)
        for event in self.events:
            samples = sum(row["total_count"] for row in event["python_functions"] if row["function"] == "unknown")
            self.say(n == 0 if late == 0 else samples <= late, "%s unresolved in %d of %d late" % (n, samples, late))

    def clean(self, *folders):
        head = self.python()
        self.unresolved(head)
        # Said of a sample that was taken while the interpreter changed its frames; `broken` holds their share to what a test allows.
        self.say(head.get("damaged", 0) <= 0.001 * head.get("samples", 0), "%s damaged" % head.get("damaged"))
        functions = lines = 0
        for event in self.events:
            for row in event["python_functions"]:
                functions += 1
                self.function_is_there(row, folders)
            for row in event["python_lines"]:
                lines += 1
                text = self.source(row["file"], folders)
                if text is not None and row.get("line") and row["line"] > len(text):
                    self.say(False, "%(file)s has no line %(line)d" % row)
        self.say(functions > 0, "%d functions and %d lines are where their files say" % (functions, lines))

    def function_is_there(self, row, folders):
        name = short(row["function"])
        if not re.match(r"^([^\W\d]\w*|<\w+>)$", name) or any(ord(c) < 32 for c in row["file"]):
            self.say(False, "garbage: %r in %r" % (row["function"], row["file"]))
            return
        text = self.source(row["file"], folders)
        if text is None:
            return
        first = row.get("line") or 1
        if name.startswith("<"):
            good = first <= len(text)
        else:  # decorators stand above the name
            name = re.sub(r"^_[^_]+(?=__)", "", name)
            good = any(re.search(r"\b(def|class) +\w*%s\b" % re.escape(name), line) for line in text[first - 1 : first + 20])
        if not good:
            self.say(False, "%(function)s is not at %(file)s:%(line)s" % dict(row, line=first))

    def broken(self, percent):
        head = self.python()
        bad = sum(head.get(key, 0) for key in ("partial", "unreadable", "damaged", "cut", "late"))
        share = 100.0 * bad / (head.get("samples") or 1)
        detail = " ".join("%s %s" % (key, head[key]) for key in head if key not in ("transport",))
        self.say(head.get("samples", 0) > 0 and share <= float(percent), "%.3f %% are not whole: %s" % (share, detail))

    def lost(self, percent):
        head = self.python()
        share = 100.0 * head.get("lost", 0) / (head.get("samples") or 1)
        self.say(share <= float(percent), "%.3f %% are lost: %s" % (share, head.get("lost")))


def main():
    out, truth, what = sys.argv[1:4]
    status = 1
    try:
        check = Check(out, truth)
        getattr(check, what)(*sys.argv[4:])
        status = int(check.failed)
    except Exception as error:  # such as no JSON at all
        print("  WRONG: %s: %s" % (type(error).__name__, error))
    sys.stdout.flush()
    os._exit(status)


sys.setrecursionlimit(1000000)
threading.stack_size(768 << 20)
threading.Thread(target=main).start()
