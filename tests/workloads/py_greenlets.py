# py_greenlets KIND SECONDS (of the CPU's clock): four workers that burn in greenlets of a switcher of that kind ("greenlet", "gevent", "eventlet"), each
# with a helper below it; another one is started deep in one of them, so that stacks overlap. "threads": gevent's, in place of
# threading's, which are called green-0 to green-2. 77: that kind is not installed.
import sys
import time


def burn():
    x = 0
    for i in range(20000):
        x += i * i
    return x


def helper(n):
    return helper(n - 1) if n else burn()


def work(end, switch, spawn):
    started = 0
    while time.process_time() < end:
        helper(3)
        if spawn and not started:
            started = deep(20, spawn)
        switch()


def deep(n, spawn):
    return deep(n - 1, spawn) if n else (spawn() or 1)


def by_gevent(seconds):
    from gevent import monkey

    monkey.patch_all()
    import gevent

    end = time.process_time() + seconds
    def switch():
        gevent.sleep(0)

    later = []
    first = [gevent.spawn(work, end, switch, lambda: later.append(gevent.spawn(work, end, switch, None))) for _ in range(3)]
    gevent.joinall(first)
    gevent.joinall(later)


def by_threads(seconds):
    from gevent import monkey

    monkey.patch_all()
    import threading

    end = time.process_time() + seconds
    threads = [threading.Thread(target=work, args=(end, lambda: time.sleep(0), None), name="green-%d" % i) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def by_eventlet(seconds):
    import eventlet

    end = time.process_time() + seconds
    pool = eventlet.GreenPool()

    def switch():
        eventlet.sleep(0)

    for _ in range(3):
        pool.spawn(work, end, switch, lambda: pool.spawn(work, end, switch, None))
    pool.waitall()


def by_greenlet(seconds):
    import greenlet

    end = time.process_time() + seconds
    main = greenlet.getcurrent()
    workers = [greenlet.greenlet(work) for _ in range(3)]

    def spawn():
        one = greenlet.greenlet(work, main)
        workers.append(one)
        one.switch(end, main.switch, None)

    for one in list(workers):
        one.switch(end, main.switch, spawn)
    while any(workers):
        for one in workers:
            if one:
                one.switch()


try:
    kinds = {"greenlet": by_greenlet, "gevent": by_gevent, "eventlet": by_eventlet, "threads": by_threads}
    kinds[sys.argv[1]](float(sys.argv[2]))
except ImportError as missing:
    sys.exit(77)
