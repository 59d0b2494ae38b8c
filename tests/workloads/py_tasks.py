"""py_tasks SECONDS [KIND]: asyncio tasks that await each other in every way there is, each burning time in a coroutine of its
own. KIND: "uvloop" runs them in that loop; "mixed" with tasks written in Python among asyncio's C functions, as nest_asyncio
does; "pure" without any of these. PY_TRUTH gets, for each of those coroutines, who is behind it, outwards: functions of this
file and tasks; from 3.14 on held against asyncio.capture_call_graph()."""
import json
import os
import sys
import threading
import time

KIND = sys.argv[2] if len(sys.argv) > 2 else "c"
if KIND == "pure":
    sys.modules["_asyncio"] = None
import asyncio

if KIND == "mixed":
    asyncio.Task = asyncio.tasks._CTask = asyncio.tasks.Task = asyncio.tasks._PyTask
    asyncio.Future = asyncio.futures._CFuture = asyncio.futures.Future = asyncio.futures._PyFuture
KNOWS = sys.version_info >= (3, 14) and KIND in ("c", "uvloop")  # asyncio itself knows who awaits

truth, wrong = {}, []


def own(graph):
    """capture_call_graph() as the names of this file."""
    names = [entry.frame.f_code.co_name for entry in graph.call_stack if entry.frame.f_code.co_filename == __file__]
    coro = graph.future.get_coro() if isinstance(graph.future, asyncio.Task) else None
    if coro and coro.cr_code.co_filename == __file__:
        names.append("task %s (%s)" % (graph.future.get_name(), coro.__qualname__))
    return names + (own(graph.awaited_by[0]) if graph.awaited_by else [])


def burn(*chain, seconds=0.03, exact=True):
    leaf = sys._getframe(1).f_code.co_name
    if leaf not in truth:
        truth[leaf] = list(chain)
        if exact and KNOWS:
            said = own(asyncio.capture_call_graph())
            if said != ["burn", leaf, *chain]:
                wrong.append([leaf, said, chain])
    end = time.thread_time() + seconds  # of CPU: a busy machine takes the time that it is given
    while time.thread_time() < end:
        sum(range(50))


def start(coro, name):
    return asyncio.get_running_loop().create_task(coro, name=name)


ROOT = ["task Task-1 (main)"]


async def direct_leaf():
    burn("direct", "main", *ROOT)


async def direct():
    await direct_leaf()


async def awaited_leaf():
    burn("awaited", "task one (awaited)", "awaits", "main", *ROOT)


async def awaited():
    await awaited_leaf()


async def awaits():
    await start(awaited(), "one")


async def gathered_leaf():
    burn("task left (gathered_leaf)", "gathers", "main", *ROOT)


async def gathers():
    await asyncio.gather(start(gathered_leaf(), "left"), asyncio.sleep(0), start(asyncio.sleep(0), "right"))


async def regathered_leaf():
    burn("task inner (regathered_leaf)", "regathers", "main", *ROOT)


async def regathers():
    inner = asyncio.gather(start(regathered_leaf(), "inner"), asyncio.sleep(0))
    await asyncio.gather(inner, asyncio.sleep(0))


async def grouped_leaf():
    burn("grouped", "task member (grouped)", "groups", "task group (groups)", "outer_group", "main", *ROOT)


async def grouped():
    await grouped_leaf()


async def groups():
    async with asyncio.TaskGroup() as group:
        group.create_task(grouped(), name="member")
        group.create_task(asyncio.sleep(0.01))


async def outer_group():
    await start(groups(), "group")


async def limited_leaf():
    task = ["task %s (limited_leaf)" % asyncio.current_task().get_name()] if sys.version_info < (3, 12) else []
    burn(*task, "limits", "main", *ROOT)


async def limits():
    await asyncio.wait_for(limited_leaf(), 60)


async def limited_task_leaf():
    burn("task slow (limited_task_leaf)", "limits_task", "main", *ROOT)


async def limits_task():
    await asyncio.wait_for(start(limited_task_leaf(), "slow"), 60)


async def waited_leaf():
    burn("task waited (waited_leaf)", "waits", "main", *ROOT)


async def waits():
    await asyncio.wait([start(waited_leaf(), "waited")], timeout=60)


async def shielded_leaf():
    burn("task shielded (shielded_leaf)", "shields", "main", *ROOT)


async def shields():
    await asyncio.shield(start(shielded_leaf(), "shielded"))


async def timed_leaf():
    burn("times", "main", *ROOT)


async def times():
    async with asyncio.timeout(60):
        await timed_leaf()


async def produces(queue):
    burn("task producer (produces)")
    await queue.put(None)


async def queues():
    queue = asyncio.Queue()
    producer = start(produces(queue), "producer")
    await queue.get()
    await producer


async def shared_leaf():
    await asyncio.sleep(0)
    burn("task shared (shared_leaf)", "shares", "task first (shares), one of several", "both", "main", *ROOT, exact=False)


async def shares(task):
    await task


async def both():
    task = start(shared_leaf(), "shared")
    await asyncio.gather(start(shares(task), "first"), start(shares(task), "first"), asyncio.sleep(0))


async def generates():
    burn("iterates", "main", *ROOT, exact=False)
    yield 1


async def iterates():
    async for _ in generates():
        pass


async def sent():
    burn("sends", "main", *ROOT, exact=False)


async def sends():
    try:
        sent().send(None)
    except StopIteration:
        pass


class Entered:
    async def __aenter__(self):
        burn("enters", "main", *ROOT)

    async def __aexit__(self, *_):
        pass


async def enters():
    async with Entered():
        pass


class Awaitable:
    def __await__(self):
        return through().__await__()


async def through():
    burn("awaitable", "main", *ROOT)


async def awaitable():
    await Awaitable()


async def discarded_leaf():
    await asyncio.sleep(0)
    burn("task discarded (discarded_leaf)", "discards", "main", *ROOT)


async def discards():
    """Callbacks of the program's own say nothing about who awaits."""
    kept, other, future = set(), start(asyncio.sleep(60), "other"), asyncio.get_running_loop().create_future()
    task = start(discarded_leaf(), "discarded")
    kept.update((task, other))
    for callback in (kept.discard, other.cancel, lambda _: future.done()):
        task.add_done_callback(callback)
    start(shares(future), "nobody")
    await task
    future.set_result(None)
    await asyncio.gather(other, return_exceptions=True)


async def eager_leaf():
    burn("task %s (eager_leaf)" % asyncio.current_task().get_name(), "start", "eager", "main", *ROOT, exact=False)


async def eager():
    loop = asyncio.get_running_loop()
    loop.set_task_factory(asyncio.eager_task_factory)
    try:
        await start(eager_leaf(), "eager")
    finally:
        loop.set_task_factory(None)


class Task(asyncio.Task):
    pass


async def derived_leaf():
    burn("task derived (derived_leaf)", "derives", "main", *ROOT)


async def derives():
    await Task(derived_leaf(), name="derived")


async def named_leaf():
    burn("task na\u00efve \u4efb\u52a1 %s (named_leaf)" % ("x" * 60), "names", "main", *ROOT)


async def names():
    await start(named_leaf(), "na\u00efve \u4efb\u52a1 " + "x" * 60)


async def threaded_leaf():
    burn("task inside (threaded_leaf)", "threaded", "task of-thread (threaded)")


async def threaded():
    asyncio.current_task().set_name("of-thread")
    await start(threaded_leaf(), "inside")


async def deep_leaf(depth):
    if depth:
        return await deep_leaf(depth - 1)
    burn(*["deep_leaf"] * 20, "deep", "main", *ROOT)


async def deep():
    await deep_leaf(20)


def each_burns(function, *chain, **options):
    """A coroutine like burns() with a name of its own, which tells its chain apart."""

    async def leaf():
        burn("task only (leaf)", *chain, **options)

    name = function.__name__ + "_leaf"
    leaf.__code__ = leaf.__code__.replace(co_name=name, co_qualname=name)
    leaf.__qualname__ = "leaf"
    return leaf()


UNKNOWN = [] if KNOWS else ["await (not known)"]


async def completes():
    """as_completed() wakes through a queue of its own. It tells the tasks who awaits them only in late releases of 3.14."""
    method = asyncio.tasks._AsCompletedIterator.__init__ if KNOWS else completes
    chain = ["completes", "main", *ROOT] if "future_add_to_awaited_by" in method.__code__.co_names else UNKNOWN
    for each in asyncio.as_completed([start(each_burns(completes, *chain), "only")]):
        await each


async def wakes():
    """A callback of the program's own sets what is awaited."""
    future = asyncio.get_running_loop().create_future()
    task = start(each_burns(wakes, *UNKNOWN), "only")
    task.add_done_callback(lambda _: future.set_result(None))
    await future


async def locks():
    """Those who wait for a lock do not await the task that has it; nor those who wait for an event the one that sets it."""
    lock, event = asyncio.Lock(), asyncio.Event()

    async def waits_for_both():
        async with lock:
            await event.wait()

    async with lock:
        waiting = start(waits_for_both(), "waiting")
        await asyncio.sleep(0)
        await start(each_burns(locks, "locks", "main", *ROOT), "only")
    setter = start(each_burns(waits_for_both), "only")
    setter.add_done_callback({setter}.discard)
    while not setter.done():
        await asyncio.sleep(0)
    event.set()
    await waiting


async def conditions():
    condition, holds = asyncio.Condition(), asyncio.Semaphore(1)

    async def notified():
        async with condition:
            await condition.wait()

    waiting = start(notified(), "waiting")
    await asyncio.sleep(0)
    async with holds, condition:
        await start(each_burns(conditions, "conditions", "main", *ROOT), "only")
        condition.notify_all()
    await waiting


async def wide():
    """Many awaited by one, and one by many."""
    await asyncio.gather(*[asyncio.sleep(0) for _ in range(100)], start(each_burns(wide, "wide", "main", *ROOT), "only"))


async def wide_group():
    async with asyncio.TaskGroup() as group:
        for _ in range(100):
            group.create_task(asyncio.sleep(0))
        group.create_task(each_burns(wide_group, "wide_group", "main", *ROOT), name="only")


async def many_leaf():
    await asyncio.sleep(0)
    burn("task shared (many_leaf)", "shares", "task many (shares), one of several", "many", "main", *ROOT, exact=False)


async def many():
    task = start(many_leaf(), "shared")
    await asyncio.gather(*[start(shares(task), "many") for _ in range(40)])


async def links_end():
    burn(*["links", "task link (links)"] * 256, "await (cut)", exact=False)


async def links(n):
    await (start(links(n - 1), "link") if n else links_end())


async def long_chain():
    await start(links(300), "link")


async def nested_leaf():
    burn("task nested (nested_leaf)", "await (cut)", *["nests"] * 254, "deeply_nested", "main", *ROOT, exact=False)


async def nests(n):
    await (nests(n - 1) if n else start(nested_leaf(), "nested"))


async def deeply_nested():
    await nests(299)


EVERY = [direct, awaits, gathers, regathers, outer_group, limits, limits_task, waits, shields, times, queues, both, iterates,
         sends, enters, awaitable, discards, derives, names, deep, completes, wakes, locks, conditions, wide, wide_group, many,
         long_chain, deeply_nested]
if sys.version_info >= (3, 12):
    EVERY.append(eager)


async def main():
    end = time.perf_counter() + float(sys.argv[1])
    while time.perf_counter() < end:
        for one in EVERY:
            await one()


thread = threading.Thread(target=lambda: [asyncio.run(threaded()) for _ in range(5)])
thread.start()
thread.join()
loop = (__import__("uvloop") if KIND == "uvloop" else asyncio).new_event_loop()
loop.run_until_complete(loop.create_task(main(), name="Task-1"))
with open(os.environ["PY_TRUTH"], "w") as file:
    json.dump({"chains": truth, "wrong": wrong, "version": sys.version_info[:2]}, file)
