# py_threads: four threads at a time that begin, call themselves after their kernel's number ("tid 17"), and end, one
# after the other where the one before was in memory. It ends when its standard input does. CPython 2.7 to 3.15.
import ctypes
import os
import sys
import threading
import time

GETTID = {"x86_64": 186, "aarch64": 178}[os.uname()[4]]
libc = ctypes.CDLL(None)
os.closerange(3, 256)


def live():
    threading.current_thread().name = "tid %d" % libc.syscall(GETTID)
    time.sleep(0.01)


def follow():
    while True:
        thread = threading.Thread(target=live)
        thread.start()
        thread.join()


for _ in range(4):
    thread = threading.Thread(target=follow, name="follow")
    thread.daemon = True
    thread.start()
sys.stdin.read()
os._exit(0)
