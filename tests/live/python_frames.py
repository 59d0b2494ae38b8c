"""python_frames OUT TRUTH ORACLE KIND: the threads of tests/workloads/py_parked.py, frame by frame: what wperf (--threads -g
--json of every read(2)) says is what faulthandler or gdb's py-bt (KIND) said in the file ORACLE while they were waiting."""
import json
import os
import re
import sys

PLACE = re.compile(r'^ *File "(.*)", line (\d+),? in (\S+)')


def short(name):
    """outer.<locals>.inner (file.py:3) -> inner"""
    return name.split(" (", 1)[0].rsplit(".", 1)[-1]


def threads_of(text, kind, truth):
    """tid -> [(function, file, line)], innermost first."""
    by_ident = {thread["ident"]: thread["tid"] for thread in truth["threads"]}
    head = {
        "faulthandler": re.compile(r"^(?:Current t|T)hread (0x[0-9a-f]+)"),
        "gdb": re.compile(r"^Thread \d+ \(.*LWP (\d+)\)?"),
    }[kind]
    found, tid = {}, None
    for line in text.splitlines():
        match = head.match(line)
        if match:
            tid = by_ident.get(int(match[1], 16)) if kind == "faulthandler" else int(match[1])
        match = PLACE.match(line)
        if match and tid is not None:
            found.setdefault(tid, []).append((short(match[3]), match[1], int(match[2])))
    return found


def paths(node, above):
    path = above + [(short(node["symbol"]), node["module"])]
    if not node["children"]:
        yield path
    for child in node["children"]:
        yield from paths(child, path)


def main():
    out, truth, oracle, kind = sys.argv[1:]
    event = json.load(open(out))["sampling"]["events"][0]
    truth = json.load(open(truth))
    wanted = threads_of(open(oracle).read(), kind, truth)
    every = [path for root in event["call_tree"] for path in paths(root, [])]
    failed = False
    for thread in truth["threads"]:
        frames = wanted.get(thread["tid"], [])
        rows = {
            (short(row["function"]), row["file"], row["line"])
            for row in event["python_lines"]
            if row["tid"] == thread["tid"]
        }
        # The main thread read modules, and ctypes a file, before they waited; the others nothing.
        reads = thread["shape"] in ("main", "calling_c")
        lines = rows >= set(frames) if reads else rows == set(frames)
        if kind == "gdb" and rows != set(frames):
            # The script of 3.8 takes steps back to an earlier line for steps forward: 256 lines too far.
            ours = {row[:2] + (row[2] % 256,): row for row in rows}
            frames = [ours.get((name, file, line % 256), (name, file, line)) for name, file, line in frames]
            lines = rows >= set(frames) if reads else rows == set(frames)
        files = {os.path.basename(file) for _, file, _ in frames}
        order = [(name, os.path.basename(file)) for name, file, _ in reversed(frames)]
        chain = any([at for at in path if at[1] in files] == order for path in every)
        if not frames or not lines or not chain:
            failed = True
            print("  WRONG: %s: lines %s, order %s" % (thread["shape"], lines, chain))
            for only in sorted(set(frames) - rows):
                print("    only %s: %s" % (kind, only))
            if not reads:
                for only in sorted(rows - set(frames)):
                    print("    only wperf: %s" % (only,))
        else:
            print("  %s: %d frames agree with %s" % (thread["shape"], len(frames), kind))
    sys.exit(failed)


main()
