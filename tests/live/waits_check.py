"""waits_check.py FILE KIND LEAST MOST [FUNCTION [ON]]: so many waits of a kind, of that Python function, on what begins so, in a report of --waits."""
import json
import sys

name, kind, least, most = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
function, on = (sys.argv[5:] + ["", ""])[:2]
rows = [row for event in json.load(open(name))["sampling"]["events"] for row in event.get("waits", [])]
for row in rows[:8]:
    print("  %s: %d, %d ns, %s %s, %s" % (row["kind"], row["waits"], row["ns"], row["fd"], row["on"], row["function"]))
n = sum(row["waits"] for row in rows if row["kind"] == kind and (not function or row["function"] == function) and row["on"].startswith(on))
sys.exit(not least <= n <= most)
