"""wakers_oracle.py WAITS PERF TIDS: the waker of each wait (wperf script -F tid,time,event,trace) is who sched:sched_waking names last before it ended
(perf script -F tid,time,trace --ns of another recording of that run), in the waits of those threads."""
import bisect
import re
import sys

wakings = {}
for line in open(sys.argv[2]):
    m = re.match(r"\s*(\d+)\s+(\d+)\.(\d{9}):\s.*\bpid=(\d+)", line)
    if m:
        wakings.setdefault(int(m[4]), []).append((int(m[2]) * 10**9 + int(m[3]), int(m[1])))
seen = same = timers = unseen = 0
tids = {int(tid) for tid in open(sys.argv[3]).read().split()}
for line in open(sys.argv[1]):
    m = re.match(r"\s*(\d+)\s+(\d+)\.(\d{6}): offcpu-time: .*\bwaker=(.*) waker_tid=(\d+)", line)
    if not m or int(m[1]) not in tids or not m[4]:
        continue
    times = wakings.get(int(m[1]), [])
    at = bisect.bisect_right(times, (int(m[2]) * 10**9 + int(m[3]) * 1000 + 1000, 1 << 32)) - 1
    if m[4].startswith("[n") or at < 0:
        unseen += m[4] == "[not seen]"
        continue
    seen += 1
    timers += m[4].startswith("[") # perf names whoever was interrupted
    same += not m[4].startswith("[") and times[at][1] == int(m[5])
print("  %d waits: %d as sched:sched_waking says, %d by interrupts, %d not seen" % (seen, same, timers, unseen))
# in the interrupts of some threads the kernel calls no program (test_wakers.sh)
sys.exit(unseen > 3 or seen < 20 or same + timers != seen or same < 10)
