"""dump_many_check OUT KIND TRUTH... [-- PID...]: the processes that `wperf dump --json` printed (OUT) are those that
tests/workloads/py_named.py told of (TRUTH), with the same threads. KIND all: others may be there, too, but for the PIDs; KIND family: none. KIND all-named, family-named: threads
have the names that threading has, and none where it has none."""
import json
import sys


def check_names(process, truth):
    names = {str(thread["tid"]): thread.get("python_name") for thread in process["threads"]}
    wrong = {tid: name for tid, name in names.items() if name != truth["threads"].get(tid)}
    for tid, name in sorted(wrong.items()):
        print("  WRONG: process %d: thread %s is %r, not %r" % (truth["pid"], tid, truth["threads"].get(tid), name))
    return bool(wrong)


def check_process(process, truth, named):
    failed = False
    tids = {str(thread["tid"]) for thread in process["threads"]}
    if tids != set(truth["threads"]):
        print("  WRONG: process %d: threads %s, not %s" % (truth["pid"], sorted(tids), sorted(truth["threads"])))
        failed = True
    if named:
        failed = check_names(process, truth) or failed
    if process.get("python", "").split()[:1] != [truth["python"]]:
        print("  WRONG: process %d: CPython %s, not %s" % (truth["pid"], process.get("python"), truth["python"]))
        failed = True
    return failed


def main():
    out, kind = sys.argv[1:3]
    named = kind.endswith("named")
    rest = sys.argv[3:]
    end = rest.index("--") if "--" in rest else len(rest)
    truths = [json.load(open(name)) for name in rest[:end]]
    others = {int(pid) for pid in rest[end + 1 :]}
    processes = json.load(open(out))["dump"]["processes"]
    pids = [process["pid"] for process in processes]
    failed = len(set(pids)) != len(pids) or bool(others & set(pids))
    if kind.startswith("all"):
        failed = failed or pids != sorted(pids)
    else:
        failed = failed or set(pids) != {truth["pid"] for truth in truths}
    if failed:
        print("  WRONG: processes %s, others %s" % (pids, sorted(others)))
    for truth in truths:
        found = [process for process in processes if process["pid"] == truth["pid"]]
        if not found:
            print("  WRONG: process %d is missing" % truth["pid"])
        failed = not found or check_process(found[0], truth, named) or failed
    print("  %d processes" % len(pids))
    sys.exit(failed)


main()
