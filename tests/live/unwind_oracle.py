#!/usr/bin/env python3
"""unwind_oracle.py UNWIND_PID PID [--times N] [--needs NAME] [--leaf NAME]

Stops a process N times, unwinds all its threads with UNWIND_PID and with gdb, and compares ip and stack pointer frame
by frame. A stack that we say is complete may be longer than gdb's (code that gdb knows nothing about), and gdb may go
past the outermost frame; all frames that both have must agree. --needs: a function that some stack must go through.
Prints one line and exits 1 when stacks differ.
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def stop(pid):
    os.kill(pid, signal.SIGSTOP)
    for _ in range(500):
        states = []
        for tid in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{tid}/stat", encoding="latin-1") as file:
                states.append(file.read().rsplit(")", 1)[1].split()[0])
        if all(state in "Tt" for state in states):
            return
        time.sleep(0.01)
    sys.exit(f"{pid} does not stop")


def ours(tool, tid):
    lines = subprocess.run([tool, tid], capture_output=True, text=True, check=False).stdout.splitlines()
    if not lines:
        sys.exit(f"{tool} says nothing of {tid}")
    return [(int(l.split()[0], 16), int(l.split()[1], 16), l.split(" ", 3)[3], l.split()[2]) for l in lines[:-1]], lines[-1]


def gdbs(pid):
    env = dict(os.environ, DEBUGINFOD_URLS="")
    out = subprocess.run(["gdb", "-nx", "-batch", "-p", str(pid), "-x", os.path.join(HERE, "gdb_frames.py")],
                         capture_output=True, text=True, check=False, env=env).stdout
    stacks, frames = {}, None
    for line in out.splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == "thread":
            frames = stacks.setdefault(words[1], [])
        elif frames is not None and len(words) >= 3:
            try:
                frames.append((int(words[0], 16), int(words[1], 16), words[2]))
            except ValueError:
                pass
    return stacks


def is_code(pid, address):
    with open(f"/proc/{pid}/maps", encoding="latin-1") as file:
        for line in file:
            begin, end = (int(part, 16) for part in line.split(" ", 1)[0].split("-"))
            if begin <= address < end:
                return "x" in line.split()[1]
    return False


def compare(got, end, want, pid):
    """equal, longer (than gdb's), blind (gdb, behind code of a JIT compiler), misled (both, by what a file says of its frames),
    cut (we say so), or the first difference."""
    if want and not want[-1][0]:
        want = want[:-1]  # gdb found nothing there: it guesses where code says nothing about its frame
    for i, (g, w) in enumerate(zip(got, want)):
        if g[:2] != w[:2] and i and (got[i - 1][3] in ("[anon]", "[jit]") or got[i - 1][2].startswith("Builtins_")):
            return "blind"
        if g[:2] != w[:2]:
            return f"frame {i}: {g[0]:x} {g[1]:x} {g[2]}, gdb has {w[0]:x} {w[1]:x} {w[2]}"
    if len(got) == len(want):
        return "equal"
    if end == "complete" and len(got) > len(want):
        return "longer"
    # gdb takes what lies above the outermost frame (argc) for one more.
    # It knows not that Go's runtime functions begin a stack either.
    if end == "complete" and (all(frame[2] == "-" for frame in want[len(got):]) or got[-1][2].startswith("runtime.")):
        return "equal"
    # Both have a return address that is no code: glibc's memcpy of i386 says nothing of the word that it has pushed.
    # gdb goes on from there by guessing.
    if end == "no-module" and got and not is_code(pid, got[-1][0]):
        return "misled"
    # A handler on a stack of its own: only that one was copied.
    if end == "cut":
        return "cut"
    return f"{end} after {len(got)} of {len(want)} frames, next {want[len(got):][:1]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("pid", type=int)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--needs")
    parser.add_argument("--name", default="")
    args = parser.parse_args()
    counts, wrong, seen, frames, complete = {}, [], False, 0, 0
    random.seed(args.pid)
    for _ in range(args.times):
        stop(args.pid)
        mine = {tid: ours(args.tool, tid) for tid in os.listdir(f"/proc/{args.pid}/task")}
        for tid, want in gdbs(args.pid).items():
            got, end = mine.get(tid, ([], "missing"))
            result = compare(got, end, want, args.pid)
            seen |= any(args.needs in frame[2] for frame in got) if args.needs else True
            frames += len(got)
            complete += end == "complete"
            kind = result if result in ("equal", "longer", "blind", "misled", "cut") else "different"
            counts[kind] = counts.get(kind, 0) + 1
            if kind == "different":
                wrong.append(result)
        os.kill(args.pid, signal.SIGCONT)
        time.sleep(random.random() / 20)
    total = sum(counts.values())
    print(f"{args.name}: {total} stacks, {frames} frames, {complete} complete; next to gdb: " +
          (", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())) or "no answer"))
    for line in wrong[:5]:
        print("  " + line)
    if not seen:
        print(f"  no stack went through {args.needs}")
    sys.exit(bool(wrong) or not seen or not total)


if __name__ == "__main__":
    main()
