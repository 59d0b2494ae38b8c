"""A program that does much at once: threads, forks, short-lived code, imports, other programs, and itself anew: chaos_target.py SEED

Ends after some seconds. For every CPython from 2.7 on.
"""
import os
import random
import sys
import threading
import time

END = time.time() + 5


def burn():
    return sum(i * i for i in range(random.randrange(20000)))


def made():
    names = {}
    exec(compile("def made(n):\n return sum(range(n))\n", "made_%d.py" % random.randrange(1000), "exec"), names)
    return names["made"](10000)


def deep():
    def down(n):
        return down(n - 1) if n else burn()

    return down(random.randrange(200))


def threads():
    some = [threading.Thread(target=burn) for _ in range(random.randrange(1, 20))]
    for one in some:
        one.start()
    for one in some:
        one.join()


def fork():
    pid = os.fork()
    if pid == 0:
        try:
            for _ in range(random.randrange(20)):
                burn()
            if random.random() < 0.3:
                os.execl("/bin/true", "true")
        finally:
            os._exit(0)
    if random.random() < 0.8:
        os.waitpid(pid, 0)


def again():
    if random.random() < 0.1:
        os.execv(sys.executable, [sys.executable, "-B", __file__, str(random.randrange(1 << 30))])


def imports():
    for name in ("json", "decimal", "email", "xml"):
        for known in [key for key in sys.modules if key.split(".")[0] == name]:
            del sys.modules[known]
        __import__(name)


random.seed(int(sys.argv[1]))
while time.time() < END:
    random.choice([burn, burn, made, deep, threads, fork, again, imports])()
