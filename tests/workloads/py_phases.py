"""py_phases.py FOLDER: computes in first() until FOLDER/second is there, then in second() until FOLDER/end is; another thread sleeps, since
FOLDER/began is there.
A phase looks for its end outside of its own function."""
import os
import sys
import threading
import time


def first():
    total = 0
    for i in range(20000):
        total += i * i
    return total


def second():
    text = ""
    for i in range(20000):
        text = str(i) + "x"
    return text


folder = sys.argv[1]
threading.Thread(target=time.sleep, args=(600,), name="sleeper", daemon=True).start()
open(os.path.join(folder, "began"), "w").close()
for work, end in ((first, "second"), (second, "end")):
    while not os.path.exists(os.path.join(folder, end)):
        work()
