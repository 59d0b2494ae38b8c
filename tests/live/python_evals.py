#!/usr/bin/env python3
"""python_evals TOOLS FRAMES -- COMMAND...: how many activations of the evaluation loop a program with a known number has.

The program runs callbacks nested FRAMES deep (sorted(key=)) and then bytecode alone. It is stopped again and again; the
native frames that lie in the ranges of python_plan are counted, which is the right number only when the ranges have every
part of the loop: return addresses and the interrupted instruction lie in all of them. Also: what the plan says of the
process's own pthread key.
"""
import subprocess
import sys
import time

PROGRAM = """
import sys
def spin():
    s = 0
    d = {}
    sys.stdout.write("ready\\n"); sys.stdout.flush()
    while True:
        for i in range(1000):
            s += i & 3
            d[i & 7] = s
            s = d[i & 7] ^ len("abc")
def nest(n):
    if n == 0:
        spin()
    sorted([n], key=lambda x: nest(x - 1))
nest(%d)
"""
STOPS = 25


def main():
    tools, depth = sys.argv[1], int(sys.argv[2])
    program = subprocess.Popen(sys.argv[4:] + ["-c", PROGRAM % depth], stdout=subprocess.PIPE)
    try:
        program.stdout.readline()
        plan, ranges = {}, []
        text = subprocess.run([tools + "/python_plan", "-p", str(program.pid)], capture_output=True, text=True).stdout
        for key, value in (line.split("=", 1) for line in text.splitlines()):
            if key == "eval":
                ranges.append([int(word, 16) + int(plan["delta"], 0) for word in value.split("-")])
            plan[key] = value
        if "version" not in plan:
            print("no plan:", text)
            return 1
        version = int(plan["version"], 0)
        # 3.11 and newer run Python's calls of Python in one activation.
        want = depth + 1 if version >= 0x030B0000 else 2 * depth + 3
        counts, leaves, complete = {}, set(), 0
        for _ in range(STOPS):
            text = subprocess.run([tools + "/unwind_pid", str(program.pid)], capture_output=True, text=True).stdout
            ips = [int(line.split()[0], 16) for line in text.splitlines() if len(line.split()) >= 4]
            hits = [next((i for i, r in enumerate(ranges) if r[0] <= ip < r[1]), -1) for ip in ips]
            n = sum(hit >= 0 for hit in hits)
            counts[n] = counts.get(n, 0) + 1
            leaves.update(hit for hit in hits if hit >= 0)
            complete += text.rstrip().endswith("complete")
            time.sleep(0.005)
        has_key = plan["tss_key"] != "0x0"
        print(f"{plan['name']}: {STOPS} stops, want {want} activations, got {counts}; {len(ranges)} ranges, "
              f"frames in {len(leaves)} of them; {'a' if has_key else 'no'} key")
        wrong = set(counts) != {want} or has_key != (0x03060000 <= version < 0x030F0000 and plan["tsd"] != "0")
        if plan["code_type"] == "0x0":
            print("the type of code objects is not known")
            wrong = True
        return 1 if wrong else 0
    finally:
        program.kill()


sys.exit(main())
