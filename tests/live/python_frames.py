"""python_frames OUT TRUTH ORACLE KIND: the threads of tests/workloads/py_parked.py, frame by frame: what wperf (--threads -g
--json of every read(2)) says is what faulthandler or gdb's py-bt (KIND) said in the file ORACLE while they were waiting."""
import json
import re
import sys

PLACE = re.compile(r'^ *File "(.*)", line (\d+),? in (\S+)')


def short(name):
    return name.rsplit(".", 1)[-1]


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
            if row["tid"] == thread["tid"] and (row["total_count"] == 1 or thread["shape"] == "main")
        }
        lines = rows >= set(frames) if thread["shape"] == "main" else rows == set(frames)
        files = {file for _, file, _ in frames}
        order = [(name, file) for name, file, _ in reversed(frames)]
        chain = any([at for at in path if at[1] in files] == order for path in every)
        if not frames or not lines or not chain:
            failed = True
            print("  WRONG: %s: lines %s, order %s" % (thread["shape"], lines, chain))
            for only in sorted(set(frames) - rows):
                print("    only %s: %s" % (kind, only))
            if thread["shape"] != "main":
                for only in sorted(rows - set(frames)):
                    print("    only wperf: %s" % (only,))
        else:
            print("  %s: %d frames agree with %s" % (thread["shape"], len(frames), kind))
    sys.exit(failed)


main()
