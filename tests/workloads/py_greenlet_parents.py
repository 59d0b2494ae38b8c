# py_greenlet_parents KIND SECONDS (of the CPU's clock): greenlets of a switcher of that kind ("greenlet", "gevent", "eventlet", "asyncio") that burn, each
# with a leaf of its own. PY_TRUTH: a file for what greenlet itself says of each leaf: the frames of its parent, of that one's parent and so on up to
# the main greenlet, innermost first, "greenlet" before each; behind coroutines the tasks and what awaits those, as asyncio says.
import inspect
import json
import os
import sys
import time

import greenlet

truth, awaited_by = {}, {}


def frames_of(one):
    frame, names = one.gr_frame, []
    while frame:
        names.append("%s:%d" % (frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    return names


def tasks_of(task):
    """A task and who awaits it, each of which is in one coroutine."""
    names = []
    while task:
        names.append("task %s (%s):%d" % (task.get_name(), task.get_coro().__qualname__, task.get_coro().cr_code.co_firstlineno))
        task = awaited_by.get(task.get_name())
        if task:
            names.append("%s:%d" % (task.get_coro().__name__, task.get_coro().cr_frame.f_lineno))
    return names


def with_tasks(one):
    """What a greenlet waits in, with the running task behind its coroutines."""
    frame, names, coroutines = one.gr_frame, frames_of(one), 0
    while frame and frame.f_code.co_flags & inspect.CO_COROUTINE:
        coroutines, frame = coroutines + 1, frame.f_back
    if coroutines:
        import asyncio

        names[coroutines:coroutines] = tasks_of(asyncio.current_task())
    return names


def note(leaf):
    chain, one = [], greenlet.getcurrent()
    while one.parent is not None:
        one = one.parent
        if one.gr_frame or not one.dead:
            chain += ["greenlet"] + with_tasks(one)
    truth.setdefault(leaf, set()).add(tuple(chain))


def burner(leaf):
    def burn():
        x = 0
        for i in range(20000):
            x += i * i
        return x

    burn = type(burn)(burn.__code__.replace(co_name=leaf, **({"co_qualname": leaf} if hasattr(burn.__code__, "co_qualname") else {})), globals())

    def work():
        note(leaf)
        burn()

    return work


def run(leaf, end, switch):
    work = burner(leaf)
    while time.process_time() < end:
        work()
        switch()


def nested(names, end, switch):
    """Each is started by the one before, which waits for it, and burns before that."""
    work = burner(names[0])
    first = time.process_time() + 0.1
    while time.process_time() < first:
        work()
    if names[1:]:
        inner = greenlet.greenlet(nested)
        inner.switch(names[1:], end, switch)
        while inner:
            work()
            inner.switch()
    else:
        while time.process_time() < end:
            work()
            greenlet.getcurrent().parent.switch()


def by_greenlet(end):
    nested(["main", "outer", "middle", "inner"], end, None)
    # One that has ended is passed over.
    gone = greenlet.greenlet(lambda: None)
    gone.switch()
    orphan = greenlet.greenlet(run, gone)
    orphan.switch("orphan", time.process_time() + 0.2, lambda: None)


def by_gevent(end):
    import gevent

    def waiter():
        gevent.spawn(run, "inner", end, lambda: gevent.sleep(0)).join()

    gevent.joinall([gevent.spawn(run, "one", end, lambda: gevent.sleep(0)), gevent.spawn(waiter)])
    gevent.spawn(run, "threads", time.process_time() + 0.2, lambda: gevent.get_hub().threadpool.apply(int)).get()


def by_eventlet(end):
    import eventlet

    pool = eventlet.GreenPool()
    for name in ("one", "other"):
        pool.spawn(run, name, end, lambda: eventlet.sleep(0))
    pool.waitall()


def by_asyncio(end):
    """As SQLAlchemy does it: functions run in greenlets, which switch to their tasks when something is to be awaited."""
    import asyncio

    async def spawn(*args):
        inner = greenlet.greenlet(run)
        awaited = inner.switch(*args)
        while inner:
            awaited = inner.switch(await awaited)

    async def query(leaf):
        await spawn(leaf, end, lambda: greenlet.getcurrent().parent.switch(asyncio.sleep(0)))

    async def request(leaf):
        task = asyncio.create_task(query(leaf), name="query." + leaf)
        awaited_by[task.get_name()] = asyncio.current_task()
        await task

    async def main():
        tasks = [asyncio.create_task(request("one"), name="of one"), asyncio.create_task(query("other"), name="of nobody")]
        awaited_by["of one"] = asyncio.current_task()
        await tasks[0]
        while not tasks[1].done():
            await asyncio.sleep(0)

    asyncio.run(main())


kinds = {"greenlet": by_greenlet, "gevent": by_gevent, "eventlet": by_eventlet, "asyncio": by_asyncio}
kinds[sys.argv[1]](time.process_time() + float(sys.argv[2]))
with open(os.environ["PY_TRUTH"], "w") as file:
    json.dump({leaf: sorted(chains) for leaf, chains in truth.items()}, file)
