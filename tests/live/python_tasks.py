"""python_tasks OUT TRUTH: who is behind each coroutine of tests/workloads/py_tasks.py, in every sample (record --async -g
--json, whose trees are cut at 200 frames, or a folded export), is who the program says is."""
import collections
import json
import re
import sys

sys.setrecursionlimit(10000)
NUMBER = re.compile(r"^task Task-\d+ (?!\(main\))")  # those who were given no name


def is_ours(node):
    return node["module"].endswith("py_tasks.py") or node["symbol"].startswith("await (")


def paths(node, above):
    path = above + [node]
    if node["self"] > 0:
        yield path
    for child in node["children"]:
        yield from paths(child, path)


def of_json(file):
    event = json.load(file)["sampling"]["events"][0]
    for path in (path for root in event["call_tree"] for path in paths(root, [])):
        yield [node["symbol"] for node in path if is_ours(node)], round(path[-1]["self"] * 1000)


def of_folded(file):
    for line in file:
        stack, n = line.rsplit(" ", 1)
        yield [name for name in stack.split(";") if "(py_tasks.py" in name or name.startswith("await (")], int(n)


def main():
    folded = sys.argv[1].endswith(".folded")
    stacks = (of_folded if folded else of_json)(open(sys.argv[1]))
    truth = json.load(open(sys.argv[2]))
    seen, failed = collections.defaultdict(collections.Counter), bool(truth["wrong"])
    for each in truth["wrong"]:
        print("  WRONG: asyncio itself says of %s: %s, not %s" % tuple(each))
    for path, weight in stacks:
        names = [name.split(" (py_tasks.py")[0] for name in path]
        names = [NUMBER.sub("task Task-N ", name) for name in names]
        names = [name.rsplit(".", 1)[-1] if not name.startswith("task ") else name for name in reversed(names)]
        if "burn" in names:
            leaf, *chain = names[names.index("burn") + 1 :]
            while chain and chain[-1] in ("<module>", "<lambda>", "<listcomp>"):
                chain.pop()
            seen[leaf][tuple(chain)] += weight
    for leaf, chain in truth["chains"].items():
        chain = [NUMBER.sub("task Task-N ", name) for name in chain]
        if not folded and len(chain) > 180:
            continue
        total = sum(seen[leaf].values())
        good = seen[leaf][tuple(chain)]
        if total and good == total:
            continue
        failed = True
        print("  WRONG: %s: %.1f %% of its samples; wanted %s" % (leaf, 100 * good / max(1, total), chain))
        for other, weight in seen[leaf].most_common(3):
            if list(other) != chain:
                print("    %.1f %%: %s" % (100 * weight / total, list(other)))
    if not failed:
        print("  %d coroutines, each with its tasks in every sample" % len(truth["chains"]))
    sys.exit(failed)


main()
