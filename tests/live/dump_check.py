"""dump_check OUT KIND ORACLE [TRUTH]: what `wperf dump --json` printed (OUT) is what another tool said of the same sleeping
threads. KIND faulthandler: its file ORACLE; TRUTH says which thread is which, and the main one holds the GIL. KIND gdb: the
output of gdb_frames.py; TRUTH "registers": wperf had all of them. KIND waits: ORACLE is the truth of tests/workloads/py_waits.py.
KIND locals: ORACLE is the truth of tests/workloads/py_variables.py, but for what has "no_locals" if there is a WHY behind it.
KIND kernel: ORACLE is a folder with what /proc/TID/stack said, a file for each thread."""
import json
import os
import re
import sys

HEAD = re.compile(r"^(?:Current t|T)hread (0x[0-9a-f]+)")
PLACE = re.compile(r'^ *File "(.*)", line (\d+),? in (\S+)')


def short(name):
    """outer.<locals>.inner -> inner, as a traceback has it"""
    return name.rsplit(".", 1)[-1]


def faulthandler_frames(text, truth):
    by_ident = {thread["ident"]: thread["tid"] for thread in truth["threads"]}
    found, tid = {}, None
    for line in text.splitlines():
        match = HEAD.match(line)
        if match:
            tid = by_ident[int(match[1], 16)]
        match = PLACE.match(line)
        if match:
            found.setdefault(tid, []).append((match[3], match[1], int(match[2])))
    return found


def gdb_frames(text):
    """tid -> addresses; gdb does not go on behind where it knows no more, with an address of 0."""
    found, tid = {}, None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("thread "):
            tid = int(words[1])
        elif tid is not None and len(words) == 3 and words[0] != "0":
            found.setdefault(tid, []).append(int(words[0], 16))
    return found


def ours(thread, kind):
    if kind == "faulthandler":
        return [
            (short(f["function"]), f["file"], f["line"]) for f in thread["frames"] if f["kind"] == "python"
        ]
    return [int(f["address"], 16) for f in thread["frames"] if "address" in f]


def check_waits(threads, truth):
    failed = False
    for want in truth["threads"]:
        thread = threads[want["tid"]]
        fds = {fd["fd"]: fd.get("name") for fd in thread["syscall"].get("fds", [])}
        found = any(f.get("function") == want["function"] for f in thread["frames"])
        child = not want["fds"] and int(thread["syscall"]["args"][0], 16) == truth["child"]
        if fds != dict(zip(want["fds"], want["names"])) or not found or bool(fds) == child:
            failed = True
            print("  WRONG: %s: %s" % (want, thread["syscall"]))
    return failed


def check_kernel(threads, folder):
    """Lines "[<0>] name+0x1/0x2 [module]"."""
    failed, n = False, 0
    for tid, thread in threads.items():
        with open(os.path.join(folder, str(tid))) as file:
            want = [line.split()[1].partition("+")[0] for line in file]
        kernel = [i for i, frame in enumerate(thread["frames"]) if frame["kind"] == "kernel"]
        got = [thread["frames"][i].get("function") for i in kernel]
        n += len(got)
        if not got or got != want or kernel != list(range(len(kernel))) or thread["kernel_end"] != "complete":
            failed = True
            print("  WRONG: thread %d, %s: %s, not %s" % (tid, thread["kernel_end"], got, want))
    print("  %d threads, %d kernel frames" % (len(threads), n))
    return failed or not threads


def check_locals(threads, truth):
    thread = threads[truth["tid"]]
    frames = [f for f in thread["frames"] if f["kind"] == "python" and f["function"] not in ("<module>", "park")]
    names = [short(frame["function"]) for frame in frames]
    failed = thread["proof"] != "proven"
    if names != [frame["function"] for frame in truth["frames"]]:
        print("  WRONG: frames %s, not %s" % (names, [frame["function"] for frame in truth["frames"]]))
        failed = True
    if len(sys.argv) > 4:
        print("  no_locals: %s" % thread.get("no_locals"))
        return failed or sys.argv[4] not in thread.get("no_locals", "") or any("locals" in frame for frame in frames)
    n = 0
    for frame, want in zip(frames, truth["frames"]):
        got = {local["name"]: local["value"] for local in frame.get("locals", [])}
        n += len(got)
        for name in sorted(set(got) | set(want["locals"])):
            if got.get(name) != want["locals"].get(name):
                print("  WRONG: %s: %s = %s, not %s" % (want["function"], name, got.get(name), want["locals"].get(name)))
                failed = True
    print("  %d frames, %d variables" % (len(frames), n))
    return failed or "no_locals" in thread


def check_gil(threads, truth):
    main = [thread["tid"] for thread in truth["threads"] if thread["shape"] == "main"]
    held = [tid for tid, thread in threads.items() if thread.get("gil") == "held"]
    if held != main:
        print("  WRONG: the GIL is held by %s, not by %s" % (held, main))
    return held != main


def main():
    out, kind, oracle = sys.argv[1:4]
    if kind == "kernel":
        threads = {t["tid"]: t for p in json.load(open(out))["dump"]["processes"] for t in p["threads"]}
        sys.exit(check_kernel(threads, oracle))
    text = open(oracle).read()
    if kind == "locals":
        threads = {t["tid"]: t for p in json.load(open(out))["dump"]["processes"] for t in p["threads"]}
        sys.exit(check_locals(threads, json.loads(text)))
    if kind == "waits":
        threads = {t["tid"]: t for p in json.load(open(out))["dump"]["processes"] for t in p["threads"]}
        sys.exit(check_waits(threads, json.loads(text)))
    wanted = faulthandler_frames(text, json.load(open(sys.argv[4]))) if kind == "faulthandler" else gdb_frames(text)
    threads = {t["tid"]: t for p in json.load(open(out))["dump"]["processes"] for t in p["threads"]}
    failed = kind == "faulthandler" and check_gil(threads, json.load(open(sys.argv[4])))
    failed = failed or not wanted or (kind == "gdb" and set(wanted) != set(threads))
    for tid, frames in wanted.items():
        thread = threads.get(tid, {"frames": [], "proof": "missing"})
        got = ours(thread, kind)
        # Without its frame pointer, what ctypes called directly (libffi's code has one) has no callers.
        if kind == "gdb" and "registers" not in sys.argv and thread["native_end"] == "unreadable" and len(got) > 1:
            frames = frames[: len(got)]
        elif kind == "gdb" and thread["native_end"] != "complete":
            got = [thread["native_end"]] + got
        if got != frames or thread["proof"] != "proven":
            failed = True
            print("  WRONG: thread %d, %s, %s" % (tid, thread["proof"], thread.get("native_end")))
            print("    %s: %s\n    wperf: %s" % (kind, frames, got))
    print("  %d threads, %d frames, as %s has them" % (len(wanted), sum(map(len, wanted.values())), kind))
    sys.exit(failed)


main()
