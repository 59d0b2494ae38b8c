"""The first thread ends (pthread_exit) after a fifth of the time, another one works on: py_headless.py SECONDS"""
import ctypes
import os
import sys
import threading
import time

seconds = float(sys.argv[1])


def innermost():
    return sum(range(2000))


def work():
    end = time.time() + seconds
    while time.time() < end:
        innermost()
    os._exit(0)


threading.Thread(target=work).start()
time.sleep(seconds / 5)
ctypes.CDLL(None).pthread_exit(None)
