# -*- coding: utf-8 -*-
"""thread_names.py SECONDS FILE: threads with names of all kinds, each of them busy; writes "NAME" lines to FILE."""
import sys
import threading
import time

try:
    from concurrent.futures import ThreadPoolExecutor
except ImportError:  # 2.7
    ThreadPoolExecutor = None

end = time.time() + float(sys.argv[1])
names = []


def burn(name=None):
    if name:
        threading.current_thread().name = name
    names.append(threading.current_thread().name)
    x = 0
    while time.time() < end:
        for i in range(1000):
            x += i


class Subclass(threading.Thread):
    def __init__(self, name):
        self.first, self.second = 1, 2
        threading.Thread.__init__(self, name=name)

    def run(self):
        burn()


threads = [Subclass("subclass"), Subclass("materialized"), threading.Thread(target=burn, name="wörker 世界"),
           threading.Thread(target=burn, name="a name that is longer than 15 bytes"),
           threading.Thread(target=burn, args=("renamed",)), threading.Thread(target=burn)]
for i in range(40):  # more attributes than an object keeps beside itself
    setattr(threads[1], "attribute_%d" % i, i)
for thread in threads:
    thread.daemon = True
    thread.start()
try:
    from _thread import start_new_thread
except ImportError:
    from thread import start_new_thread
start_new_thread(burn, ())  # becomes a _DummyThread
if ThreadPoolExecutor:
    ThreadPoolExecutor(1, thread_name_prefix="pool").submit(burn)
burn()
with open(sys.argv[2], "wb") as out:
    for name in names:
        out.write((name if isinstance(name, bytes) else name.encode("utf-8")) + b"\n")
