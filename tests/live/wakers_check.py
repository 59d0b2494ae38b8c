"""wakers_check.py REPORT TRUTH [more]: each wait that the program told of was ended by whom it says (report --wakers --threads --json). more: waits for the GIL
are waits for a lock like others."""
import json
import sys

rows = [row for event in json.load(open(sys.argv[1]))["sampling"]["events"] for row in event.get("wakers", [])]
bad, more = not rows, sys.argv[3:] == ["more"] # CPython up to 3.6
for line in open(sys.argv[2]):
    want = json.loads(line)
    name = lambda text: text.rsplit(".")[-1]
    of = [r for r in rows if r["tid"] == want["tid"] and r["kind"] == want["kind"] and name(r["function"]) == want["function"]]
    right = lambda r: (r["waker"] == "[timer]" and not r["waker_tid"]) if not want["waker"] else (
        r["waker_tid"] == want["waker"] and name(r["waker_function"]) in (want["by"], "notify_all", "notifyAll", "set"))
    n, wrong = sum(r["waits"] for r in of if right(r)), [r for r in of if not right(r)]
    print("  %-5s in %-6s by %-7s %d of %d, %d otherwise" % (want["kind"], want["function"], want["by"] or "timer", n, want["n"], len(wrong)))
    for r in wrong:
        print("   ", r)
    # Where the host takes the CPUs away for longer than a nap, the other one has been there before, and nobody waits.
    bad |= n < (want["n"] + 3) // 4
    if not more or want["kind"] != "lock":
        bad |= bool(wrong) or n > want["n"]
sys.exit(bad)
