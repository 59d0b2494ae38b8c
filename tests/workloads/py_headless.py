"""The first thread ends (pthread_exit) after a fifth of the time (or of a second), another one works on,
for so long by the clock of the CPU: py_headless.py SECONDS"""
import ctypes
import os
import sys
import threading
import time

seconds = float(sys.argv[1])


def innermost():
    return sum(range(2000))


def work():
    end = time.process_time() + seconds
    while time.process_time() < end:
        innermost()
    os._exit(0)


threading.Thread(target=work).start()
time.sleep(min(seconds, 1) / 5)
ctypes.CDLL(None).pthread_exit(None)
