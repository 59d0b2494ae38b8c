#!/usr/bin/env python3
"""mem_oracle.py OURS.json THEIRS: what `wperf mem --sort thread --json` says of each thread follows from the samples that
`perf script --itrace=M -F tid,weight,data_src` prints: how many, loads and stores, walks, latencies and their percentiles."""
import collections
import json
import re
import sys

SAMPLE = re.compile(r"^\s*(\d+)\s+[0-9a-f]+ \|OP (\w+)\|.*?\|TLB ([^|]*)\|.*\|BLK\s+N/A\s+(\d+)\s*$")


def percentile(latencies, percent):
    return latencies[(len(latencies) * percent + 99) // 100 - 1]


threads = collections.defaultdict(list)
for line in open(sys.argv[2]):
    found = SAMPLE.match(line)
    if found:
        threads[found[1]].append((found[2], found[3], int(found[4])))
want = {}
for tid, samples in threads.items():
    latencies = sorted(s[2] for s in samples if s[2])
    want[tid] = {
        "count": len(samples), "loads": sum(s[0] == "LOAD" for s in samples), "stores": sum(s[0] == "STORE" for s in samples),
        "walks": sum("miss" in s[1] for s in samples), "mean": round(sum(latencies) / len(latencies), 1), "p50": percentile(latencies, 50),
        "p90": percentile(latencies, 90), "p99": percentile(latencies, 99), "max": latencies[-1],
    }
rows = json.load(open(sys.argv[1]))["memory"]["groups"][0]["rows"]
got = {re.search(r"\((\d+)\)$", row["thread"])[1]: {key: row[key] for key in want[next(iter(want))]} for row in rows}
for row in got.values():
    row["mean"] = round(row["mean"], 1)
print("%d threads, %d samples" % (len(want), sum(len(s) for s in threads.values())))
for tid in sorted(set(want) | set(got)):
    if want.get(tid) != got.get(tid):
        print("  thread %s: perf %s\n  wperf %s" % (tid, want.get(tid), got.get(tid)))
sys.exit(want != got or len(want) < 2)
