# py_parked: threads that each make a shape of frames and then wait in read(2) for ever, all but one without the GIL; the
# main thread waits holding it. SIGUSR1 makes faulthandler say where all of them are, in the file $PY_DUMP; $PY_TRUTH names
# the threads when all are parked. It ends when its standard input does. CPython 3.6 to 3.15.
import ctypes
import faulthandler
import functools
import os
import signal
import sys
import threading
import time

from py_truth import report, truth

GETTID = {"x86_64": 186, "aarch64": 178}[os.uname()[4]]
libc = ctypes.CDLL(None)
holding = ctypes.PyDLL(None)
never, _ = os.pipe()


def park(_=None):
    os.read(never, 1)


def descend(n):
    if n:
        return descend(n - 1)
    return park()


def recursion():
    descend(20)


def generator():
    yield park()


def delegating():
    yield from generator()


def generators():
    for _ in delegating():
        pass


async def innermost():
    park()


async def outer():
    await innermost()


def coroutines():
    outer().send(None)


def key(x):
    return park(x)


def callbacks():
    sorted([3, 1, 2], key=key)


def reducing():
    functools.reduce(lambda a, b: park(), [1, 2, 3])


def comprehensions():
    [park() for _ in range(3)]


def executing():
    exec(compile("\n\nfor x in range(2):\n    park()\n", "<made up>", "exec"), {"park": park})


def compare(a, b):
    park()
    return 0


def calling_c():
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    function = kind(compare)
    array = (ctypes.c_int * 4)(4, 3, 2, 1)
    libc.qsort(array, 4, 4, function)


class Indexed(object):
    def __getitem__(self, index):
        return self.missing

    def __getattr__(self, name):
        park()


def slots():
    Indexed()[
        1
    ]


def decorate(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        with Context():
            return function(*args, **kwargs)

    return wrapper


class Context(object):
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


@decorate
@decorate
def decorated():
    try:
        raise KeyError(1)
    except KeyError:
        park()
    finally:
        pass


SHAPES = [recursion, generators, coroutines, callbacks, reducing, comprehensions, executing, calling_c, slots, decorated]


def begin(shape, names):
    names.append({"shape": shape.__name__, "ident": threading.current_thread().ident, "tid": libc.syscall(GETTID)})
    shape()


def asleep(tid):
    with open("/proc/self/task/%d/syscall" % tid) as file:
        return file.read().split()[0] in ("0", "63")  # read on x86-64 and arm64


def hold_it():
    holding.read(0, ctypes.create_string_buffer(1), ctypes.c_size_t(1))
    os._exit(0)


def main():
    names = []
    dump = open(os.environ["PY_DUMP"], "w") if "PY_DUMP" in os.environ else sys.stderr
    faulthandler.register(signal.SIGUSR1, file=dump, all_threads=True)
    for shape in SHAPES:
        thread = threading.Thread(target=begin, args=(shape, names))
        thread.daemon = True
        thread.start()
    while len(names) < len(SHAPES) or not all(asleep(name["tid"]) for name in names):
        time.sleep(0.01)
    names.append({"shape": "main", "ident": threading.current_thread().ident, "tid": os.getpid()})
    truth["threads"] = names
    truth["file"] = __file__
    report()
    hold_it()


main()
