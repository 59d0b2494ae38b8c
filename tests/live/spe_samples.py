#!/usr/bin/env python3
"""spe_samples.py OURS THEIRS [low]: samples of memory that wperf script and perf script --itrace=M print of one recording are the same.

Both of fields pid,tid,time,cpu,ip,addr,data_src. A store has no data source on these cores: perf 6.1 says of its level "N/A", wperf what
its events say, which is left out of the comparison. With `low`, of addresses of code the last three digits are compared: of samples without a
stack perf prints the process's addresses, wperf the module's.
"""
import re
import sys

# pid/tid cpu time addr data_src |text| ip
SAMPLE = re.compile(r"(\d+/\d+) +\[(\d+)\] +([\d.]+): +([0-9a-f]+) +([0-9a-f]+) \|(OP \w+).*?\|BLK\s+N/A\s+([0-9a-f]+)", re.S)
TLB, OPERATION = 0x7f << 26, 0x1f


def samples(path):
    out = []
    for thread, cpu, time, address, source, kind, ip in SAMPLE.findall(open(path).read()):
        bits = int(source, 16)
        out.append((time, cpu, thread, address, kind, ip[-3:] if low else ip, bits if "LOAD" in kind else bits & (TLB | OPERATION)))
    return sorted(out)


low = len(sys.argv) > 3
ours, theirs = samples(sys.argv[1]), samples(sys.argv[2])
different = [pair for pair in zip(ours, theirs) if pair[0] != pair[1]]
print("%d samples of memory and %d, %d of them different" % (len(ours), len(theirs), len(different)))
for one, other in different[:8]:
    print("  ours %s %x\n  perf %s %x" % (one[:-1], one[-1], other[:-1], other[-1]))
sys.exit(1 if different or len(ours) != len(theirs) or not ours else 0)
