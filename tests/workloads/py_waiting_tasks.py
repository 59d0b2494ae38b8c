# py_waiting_tasks PY_TRUTH: asyncio's tasks that wait in every way there is, two event loops, and what each task says of itself: its name, its
# coroutines, innermost first, and who awaits it, where the program knows. Then everybody waits until standard input ends.
import asyncio
import json
import os
import sys
import threading
import types

truth = {"tasks": [], "running": []}
awaited_by = {}
generators = []  # asynchronous ones, all at the same place


def frames_of(coro):
    """Outermost first: what is awaited is a coroutine, a generator, or the iterator that stands for one."""
    names = []
    while coro is not None:
        if type(coro).__name__ == "async_generator_asend":  # which does not say whose it is
            coro = generators[0]
        for prefix in ("cr", "gi", "ag"):
            if hasattr(coro, prefix + "_frame"):
                break
        else:
            break
        frame = getattr(coro, prefix + "_frame")
        if frame is not None:
            names.append([getattr(frame.f_code, "co_qualname", frame.f_code.co_name), frame.f_lineno])
        coro = getattr(coro, "gi_yieldfrom" if prefix == "gi" else prefix + "_await")
    return names[::-1]


def note(tasks):
    for task in tasks:
        truth["tasks"].append({"name": task.get_name(), "frames": frames_of(task.get_coro()), "awaited_by": awaited_by.get(task.get_name())})


def start(coro, name):
    return asyncio.get_running_loop().create_task(coro, name=name)


async def leaf():
    await asyncio.sleep(1000)


async def middle():
    await leaf()


@types.coroutine
def old_style(future):
    yield from future


async def by_generator():
    await old_style(asyncio.get_running_loop().create_future())


async def numbers():
    while True:
        await asyncio.sleep(1000)
        yield 1


async def by_async_generator():
    generators.append(numbers())
    async for _ in generators[-1]:
        pass


async def by_lock(lock):
    async with lock:
        pass


async def by_queue(queue):
    await queue.get()


async def by_event(event):
    await event.wait()


async def by_executor(event):
    await asyncio.get_running_loop().run_in_executor(None, event.wait)


async def by_stream(reader):
    await reader.readline()


async def by_task(task):
    await task


async def by_gather(tasks):
    await asyncio.gather(*tasks)


async def by_group():
    async with asyncio.TaskGroup() as group:
        awaited_by["in group"] = "group"
        group.create_task(middle(), name="in group")


async def by_wait_for():
    await asyncio.wait_for(leaf(), 900)


async def connection(n):
    await leaf()


async def all_kinds(event):
    lock, queue, reader = asyncio.Lock(), asyncio.Queue(), asyncio.StreamReader()
    await lock.acquire()
    kinds = {
        "sleep": leaf(), "chain": middle(), "generator": by_generator(), "async generator": by_async_generator(), "lock": by_lock(lock),
        "queue": by_queue(queue), "event": by_event(asyncio.Event()), "executor": by_executor(event), "stream": by_stream(reader),
        "wait_for": by_wait_for(), 'na"me\x1b[31m \N{SNOWMAN}': leaf(),
    }
    tasks = [start(coro, name) for name, coro in kinds.items()]
    tasks += [start(connection(n), "connection %d" % n) for n in range(20)]
    inner = start(leaf(), "inner")
    awaited_by["inner"] = "outer"
    tasks += [inner, start(by_task(inner), "outer")]
    gathered = [start(leaf(), "gathered %d" % n) for n in range(3)]
    awaited_by.update((task.get_name(), "gathering") for task in gathered)
    tasks += gathered + [start(by_gather(gathered), "gathering")]
    if hasattr(asyncio, "TaskGroup"):
        tasks.append(start(by_group(), "group"))
    if hasattr(asyncio.tasks, "_PyTask"):
        tasks.append(asyncio.tasks._PyTask(middle(), loop=asyncio.get_running_loop(), name="written in Python"))
    gone = start(asyncio.sleep(0), "gone")
    await gone
    return tasks, gone


async def main(event, ready, name):
    asyncio.current_task().set_name(name)
    kept, gone = await all_kinds(event)
    for _ in range(5):
        await asyncio.sleep(0.01)
    asyncio.get_running_loop().call_later(0.05, finish, ready, kept)
    await asyncio.get_running_loop().create_future()
    return kept, gone


def finish(ready, kept):
    note(asyncio.all_tasks() | set(kept))  # 3.14 does not tell of those written in Python
    ready.set()


async def main_that_blocks(event, ready):
    asyncio.current_task().set_name("blocks")
    kept = start(leaf(), "new")
    truth["running"].append("blocks")
    truth["new"] = ["new"]
    ready.set()
    event.wait()
    return kept


def loop_in_thread(main, *args):
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(main(*args),), daemon=True)
    thread.start()
    return thread


event = threading.Event()
for number, one in enumerate([main, main, main_that_blocks]):
    ready = threading.Event()
    loop_in_thread(one, event, ready, *(["main %d" % number] if one is main else []))
    ready.wait()
with open(os.environ["PY_TRUTH"] + ".new", "w") as file:
    json.dump(truth, file)
os.rename(os.environ["PY_TRUTH"] + ".new", os.environ["PY_TRUTH"])
sys.stdin.read()
os._exit(0)
