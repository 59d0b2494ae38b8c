"""py_idle.py: threads that have nothing to do, and threads that wait for somebody: each says on standard error which it is.

Lines are JSON: thread, kind of wait, the innermost Python function there, and the rule (docs/events.md) by which it is idle, or null: it is not. CPython 2.7 and 3.6
to 3.15.
"""
import ctypes
import json
import os
import platform
import signal
import socket
import sys
import threading
import time

try:
    import queue
    import socketserver
except ImportError:
    import Queue as queue
    import SocketServer as socketserver
try:
    import asyncio
    import concurrent.futures
except ImportError:
    asyncio = None
import multiprocessing

GETTID = {"x86_64": 186, "aarch64": 178}[platform.machine()]
libc = ctypes.CDLL(None)
NAP = 0.15


def say(kind, function, rule):
    line = json.dumps({"tid": libc.syscall(GETTID), "kind": kind, "function": function, "rule": rule}) + "\n"
    os.write(2, line.encode())


tasks, replies, gate, done = queue.Queue(), queue.Queue(), threading.Condition(), threading.Event()
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen(1)
held = threading.Lock()


def gets_tasks():
    say("lock", "wait", "queue")
    while tasks.get():
        pass


def awaits_condition():
    say("lock", "wait", "condition")
    with gate:
        gate.wait()


def awaits_event():
    say("lock", "wait", None)
    done.wait()


def accepts():
    say("accept", "accept", "listener")
    listening.accept()


def asks():
    """A request that waits for its reply, two calls deep."""
    say("lock", "wait", None)
    ask()


def ask():
    replies.get()


def wants_lock():
    say("lock", "wants_lock", None)
    held.acquire()
    held.release()


def serves(server):
    say("poll", "_eintr_retry" if sys.version_info < (3,) else "select", "event loop")
    server.serve_forever(0.05)


def loops(loop):
    say("poll", "select", "event loop")
    loop.run_forever()


def awaits_signal():
    say("signal", "sigwait", "signal")
    signal.sigwait([signal.SIGUSR1])


async_work = """
async def naps():
    await asyncio.sleep(NAP)

def works_async():
    say("poll", "select", None)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(naps())
    loop.close()
"""
if asyncio:
    exec(async_work)


def pooled():
    say("read", "_recv" if sys.version_info >= (3,) else "get", "pool worker")


def executed():
    say("lock", "_worker" if sys.version_info >= (3, 7) else "wait", "pool worker")


def start(threads, target, *args):
    thread = threading.Thread(target=target, args=args)
    thread.daemon = True
    thread.start()
    threads.append(thread)


def main():
    # Processes first: a fork beside threads is nobody's friend.
    fork = multiprocessing.get_context("fork") if hasattr(multiprocessing, "get_context") else multiprocessing
    pool = fork.Pool(1)
    pool.apply(pooled)
    processes = None
    if asyncio:
        context = {"mp_context": fork} if sys.version_info >= (3, 7) else {}
        processes = concurrent.futures.ProcessPoolExecutor(1, **context)
        processes.submit(pooled).result()
    server = socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler)
    threads = []
    held.acquire()
    for target in gets_tasks, awaits_condition, awaits_event, accepts, asks, wants_lock:
        start(threads, target)
    start(threads, serves, server)
    if asyncio:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        start(threads, awaits_signal)
        loop = asyncio.new_event_loop()
        start(threads, loops, loop)
        executor = concurrent.futures.ThreadPoolExecutor(1)
        executor.submit(executed).result()
        busy = concurrent.futures.ThreadPoolExecutor(1)
        busy.submit(works_async).result()
    say("sleep", "main", None)
    time.sleep(NAP)
    tasks.put(1)
    time.sleep(NAP)
    tasks.put(0)
    replies.put(1)
    with gate:
        gate.notify_all()
    done.set()
    held.release()
    socket.create_connection(listening.getsockname()).close()
    server.shutdown()
    if asyncio:
        loop.call_soon_threadsafe(loop.stop)
        signal.pthread_kill(threads[-2].ident, signal.SIGUSR1)
        executor.shutdown()
        busy.shutdown()
        processes.shutdown()
    for thread in threads:
        thread.join()
    pool.close()
    pool.join()


main()
