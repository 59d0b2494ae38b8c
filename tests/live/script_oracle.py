#!/usr/bin/env python3
"""Compares `wperf script` with `perf script` line by line, over every field that both know.

script_oracle.py WPERF NAME FILE PERF...: PERF... is the command of a perf, NAME what the recording is called here. A list of
fields that this perf cannot print of the recording is passed over, unless it is one of those that every recording has. Lines
that differ must have a cause of CAUSES; how many have which is printed. Exit status 1 for one without, or for more than its bound.
"""
import collections
import os
import re
import subprocess
import sys

# Every recording has these, ...
ALWAYS = ["comm,tid", "pid,tid,event", "comm,pid,tid,period,event"]
# ... and these where they were recorded.
LISTS = ALWAYS + [
    "comm,pid,tid,cpu,time,period,event", "time,event,trace", "pid,time,trace", "tid,time,addr", "time,data_src", "time,weight",
    "time,ins_lat", "time,iregs", "time,uregs", "time,phys_addr", "time,data_page_size", "time,code_page_size", "time,cgroup",
    "time,brstack", "event,addr,weight,phys_addr,data_page_size", "cpu,time,addr,iregs,uregs"]
STACK = "pid,tid,time,ip,sym,symoff,dso"
HEAD = re.compile(r"\s*(-?\d+)/(-?\d+)\s+(\d+\.\d+):(.*)$")
FRAME = re.compile(r"\s*([0-9a-f]+) (.*?)(?: \(([^()]*(?:\([^()]*\))?)\))?$")
PAGE = 4096

# Why a line may differ: what is taken out of both lines, what stands there instead, percent of the lines at most.
CAUSES = [
    # A recording without CPUs: perf prints one that does not exist.
    ("no cpu recorded", r"\[-01\] ", "", 100),
    # The number is the same; perf's versions have other words for it.
    ("another version's words for data_src", r"(: [0-9a-f]+) \|?(OP|N/A).*", r"\1", 100),
    # perf has not seen who forked it; wperf has its parent's name.
    ("perf knows no name of the task", None, "", 25),
]
# And of frames: why one differs, and percent of the frames at most.
FRAME_BOUNDS = {
    # Several symbols begin at one address (fstatat, fstatat64): the offset is the same.
    "another name of the same symbol": 100,
    # perf names a caller by the address behind the call: the next function, where the call was the last instruction.
    "the function behind a last call": 100,
    # A symbol ends before the next one begins, or has no size.
    "another symbol": 3,
    # perf reads no symbols of some files, wperf of others: those that are gone, or have none of their own.
    "perf knows no name": 50,
    # A switch inside exec(): the task has the new program's memory and still the old one's registers, those of the call of
    # execve. perf looks the address up in mappings that are gone.
    "the program before an exec": 15,
    "wperf knows no name": 5,
    # The kernel's chain is empty or ends before user space: wperf has the sample's address, and the user's that the registers say.
    "the user's place, of its registers": 100,
    "the sample's own address, without a chain": 5,
    # perf goes on where frame pointers lead nowhere.
    "perf follows no code": 20,
}


def run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def lines_of(text):
    """Columns are perf's own: a space is as good as ten."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


class Oracle:
    def __init__(self, wperf, name, file, perf):
        self.wperf, self.name, self.file, self.perf = wperf, name, file, perf
        self.is_pipe = open(file, "rb").read(16)[8] == 16 if os.path.isfile(file) else False
        self.equal, self.causes, self.failures = 0, collections.Counter(), []

    def fail(self, fields, what, theirs="", ours=""):
        self.failures.append("%s -F %s: %s\n    perf : %s\n    wperf: %s" % (self.name, fields, what, theirs, ours))

    def both(self, fields):
        status, theirs, why = run(self.perf + ["script", "--no-inline", "--max-stack", "1024", "-i", self.file, "-F", fields])
        if status:
            if fields in ALWAYS:
                self.fail(fields, "perf refuses: " + why.strip()[-200:])
            return None
        status, ours, why = run([self.wperf, "script", "-i", self.file, "-F", fields])
        if status:
            self.fail(fields, "wperf refuses: " + why.strip()[-200:])
            return None
        return theirs, ours

    def explain(self, theirs, ours):
        for cause, pattern, put, _ in CAUSES:
            if pattern is None:
                if theirs.startswith(":") and theirs.split()[1:] == ours.split()[1:]:
                    return cause
            elif re.sub(pattern, put, theirs) == re.sub(pattern, put, ours):
                return cause
        return None

    def compare_lines(self, fields):
        texts = self.both(fields)
        if not texts:
            return
        theirs, ours = map(lines_of, texts)
        if self.is_pipe:  # perf prints stacks of a pipe's samples whatever -F says: frames begin with a tab
            theirs = lines_of("\n".join(line for line in texts[0].splitlines() if not line.startswith("\t")))
        if len(theirs) != len(ours):
            self.fail(fields, "%d lines, wperf %d" % (len(theirs), len(ours)))
            return
        excuses = collections.Counter()
        for a, b in zip(theirs, ours):
            cause = a == b or self.explain(a, b)
            if cause is True:
                self.equal += 1
            elif cause:
                excuses[cause] += 1
            else:
                self.fail(fields, "a line differs", a, b)
                return
        self.bound(fields, excuses, {cause: percent for cause, _, _, percent in CAUSES}, len(theirs))

    def bound(self, fields, excuses, bounds, n):
        self.causes.update(excuses)
        for cause, times in excuses.items():
            if times > 3 and 100 * times > bounds[cause] * n:
                self.fail(fields, "%d of %d: %s" % (times, n, cause))

    @staticmethod
    def stacks(text):
        """[key, frames], a frame being (address, name, file, offset). perf has the address of a sample without a call chain in its
        first line."""
        found = []
        for line in text.splitlines():
            head = HEAD.match(line)
            if head:
                found.append(((head[1], head[2], head[3]), []))
                line = head[4]
            frame = FRAME.match(line) if found and line.strip() else None
            if frame and frame[3] != "inlined":
                name, _, offset = frame[2].rpartition("+0x")
                file = (frame[3] or "").replace(" (deleted)", "")
                found[-1][1].append((int(frame[1], 16), name or frame[2], file, int(offset, 16) if name else None))
        return found

    def frame_differs(self, theirs, ours):
        """Another file, or another address: user space has the one in the file, which lies whole pages from perf's."""
        if theirs[2].endswith(".python"):  # Python functions, which perf has as those of a file
            return theirs[1] != ours[1]
        if ours[2] in ("[unknown]", "//anon"):
            return (theirs[0] - ours[0]) % PAGE not in (0, PAGE - 1)
        if ours[2] == "[kernel]":
            return not theirs[2].startswith("[") or theirs[0] != ours[0]
        if theirs[2] != ours[2] and not re.match(r"\[|//anon|/tmp/perf-\d+\.map$", theirs[2]):
            return True
        return (theirs[0] - ours[0]) % PAGE not in (0, PAGE - 1)  # perf's unwinder has callers' addresses less 1

    @staticmethod
    def name_cause(theirs, ours):
        if theirs[1] == ours[1]:
            return None
        if ours[2] == "[unknown]" and re.search("exec", theirs[1]):
            return "the program before an exec"
        if theirs[1] == "[unknown]":
            return "perf knows no name"
        if ours[1] == "[unknown]":
            return "wperf knows no name"
        if theirs[3] == ours[3]:
            return "another name of the same symbol"
        return "the function behind a last call" if theirs[3] == 0 else "another symbol"

    @staticmethod
    def same_depth(theirs, ours, excuses):
        """Both, without what only one of them shows for a known reason."""
        while len(theirs) > len(ours) and theirs[-1][2] == "[unknown]":
            theirs = theirs[:-1]
            excuses["perf follows no code"] += 1
        if len(ours) == len(theirs) + 1 and not theirs:
            ours = []
            excuses["the sample's own address, without a chain"] += 1
        elif len(ours) == len(theirs) + 1 and theirs[-1][0] >> 63 and ours[-1][2] != "[kernel]":
            ours = ours[:-1]
            excuses["the user's place, of its registers"] += 1
        return theirs, ours

    def compare_stacks(self):
        texts = self.both(STACK)
        if not texts:
            return
        theirs, ours = map(self.stacks, texts)
        if [key for key, _ in theirs] != [key for key, _ in ours]:
            self.fail(STACK, "other samples: %d, wperf %d" % (len(theirs), len(ours)))
            return
        excuses, n = collections.Counter(), 0
        for (key, a), (_, b) in zip(theirs, ours):
            if "dwarf" in self.name:  # how far who follows is recording_oracle.py's; the innermost frame is the sample's own
                a, b = a[:1], b[:1]
            a, b = self.same_depth(a, b, excuses)
            if len(a) != len(b) or any(map(self.frame_differs, a, b)):
                at = next((i for i, pair in enumerate(zip(a, b)) if self.frame_differs(*pair)), min(len(a), len(b)))
                self.fail(STACK, "another stack of %s, %d and %d frames" % (" ".join(key), len(a), len(b)), a[at:at + 1], b[at:at + 1])
                return
            n += len(a)
            excuses.update(filter(None, map(self.name_cause, a, b)))
        self.equal += n - sum(excuses[cause] for cause in excuses if "name" in cause or "symbol" in cause or "last call" in cause)
        self.bound(STACK, excuses, FRAME_BOUNDS, n)


def main():
    oracle = Oracle(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
    for fields in LISTS:
        oracle.compare_lines(fields)
    oracle.compare_stacks()
    for failure in oracle.failures[:4]:
        print("  " + failure)
    if oracle.causes:
        print("  %s: %d equal; %s" % (oracle.name, oracle.equal, ", ".join("%d %s" % (n, c) for c, n in oracle.causes.most_common())))
    if not oracle.equal and not oracle.failures:
        print("  %s: nothing to compare" % oracle.name)
    sys.exit(bool(oracle.failures) or not oracle.equal)


main()
