"""dump_tasks_check JSON TRUTH [RUNNING]: the tasks of `wperf dump --async --json` are those that tests/workloads/py_waiting_tasks.py says there are,
with the frames it says."""
import collections
import json
import sys

dump, truth = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
process = dump["dump"]["processes"][0]
said, told, wrong = collections.Counter(), collections.Counter(), []
for task in truth["tasks"]:
    said[json.dumps([task["name"].replace("\x1b", "\\x1b"), task["frames"]])] += 1
awaited_by = {task["name"]: task["awaited_by"] for task in truth["tasks"]}
for task in process.get("tasks", []):
    name = task["name"].rsplit(" (", 1)[0]
    frames = [[frame["function"], frame["line"]] for frame in task["frames"]]
    if name in truth["running"]:
        wrong += ["%s does not run: %s" % (name, task)] if task["state"] not in ("runs", "not_known") else []
        continue
    if name in truth["new"]:
        wrong += ["%s is not new: %s" % (name, task)] if task["state"] not in ("new", "not_known") else []
        continue
    told[json.dumps([name, frames])] += 1
    if awaited_by.get(name) and [one.rsplit(" (", 1)[0] for one in task.get("awaited_by", [])][:1] != [awaited_by[name]]:
        wrong.append("%s is awaited by %s, not by %s" % (name, task.get("awaited_by"), awaited_by[name]))
    if task["state"] not in ("waits", "not_known"):
        wrong.append("%s %s" % (name, task["state"]))
wrong += ["%d times, not told: %s" % (n, task) for task, n in (said - told).items()]
wrong += ["%d times, but nobody says so: %s" % (n, task) for task, n in (told - said).items()]
if process.get("tasks_proof") != "proven":
    wrong.append("proof: %s" % process.get("tasks_proof"))
print("  %d tasks, of %d kinds; %d differences" % (sum(told.values()), len(said), len(wrong)))
for what in wrong[:8]:
    print("  WRONG: %s" % what)
sys.exit(bool(wrong) or sum(told.values()) < 50)
