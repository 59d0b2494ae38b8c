# py_deep DEPTH MS LIBRARY: so many Python frames deep, each of another function, in a thread of its own, with 15 native frames:
# prints what a page fault took in MS milliseconds (ns, the fifth percentile), and how many there were.
# py_deep DEPTH MS: works instead, about so long; prints its CPU seconds.
import sys
import time

import _thread

depth, ms = int(sys.argv[1]), int(sys.argv[2])


def deep(leaf, n):
    """A function that calls leaf, n others between them."""
    for i in range(n, 0, -1):
        names = {"leaf": leaf}
        exec("def level_%d(n):\n    return leaf(n)\n" % i, names)
        leaf = names["level_%d" % i]
    return leaf


def work(turns):
    total = 0
    for i in range(turns):
        total += i * i & 7
    return total


def main():
    run = deep(work, max(depth - 3, 0))
    start = time.process_time()
    run(ms * 8000)
    print(time.process_time() - start)


def watch(library):
    import ctypes

    n = ctypes.c_long()
    place = ctypes.addressof(n)
    faults = ctypes.PyDLL(library).faults_ns
    faults.argtypes = ctypes.c_long, ctypes.c_void_p, ctypes.c_int
    call = deep(lambda unused: faults(ms, place, 1), max(depth - 2, 0))
    done = _thread.allocate_lock()
    done.acquire()

    def run(unused):
        print(call(0), n.value)
        done.release()

    _thread.start_new_thread(run, (0,))
    done.acquire()


watch(sys.argv[3]) if len(sys.argv) > 3 else main()
