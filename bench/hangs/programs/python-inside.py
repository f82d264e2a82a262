# Threads that wait for each other in a program that lives. argv[1]: what lives beside them (ticker, listener, signal, pool, metrics, eventloop,
# releaser: a ticker that releases a lock in the end). argv[2]: what they wait for (locks, recursive, join). argv[3]: never, or after how many ms it
# is resolved; then the program ends.
import asyncio
import os
import signal
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

beside, what, when = sys.argv[1:4]
later = None if when == "never" else int(when) / 1000


def tick():
    while True:
        time.sleep(0.05)


def measure():
    never = threading.Event()
    while True:
        never.wait(1)


async def loop_for_ever():
    while True:
        await asyncio.sleep(1)


def release_later(lock, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.2)
    lock.release()
    time.sleep(0.2)
    os._exit(0)


def lock_both(first, second, both, wait):
    with first:
        both.wait()
        if wait is None:
            with second:
                pass
        else:
            # One that gives up after a while resolves it.
            second.acquire(timeout=wait)
            os._exit(0)


def join(threads, index, both):
    both.wait()
    threads[index].join()


def live():
    if beside == "ticker":
        threading.Thread(target=tick, daemon=True).start()
    elif beside == "metrics":
        threading.Thread(target=measure, daemon=True).start()
    elif beside == "eventloop":
        threading.Thread(target=asyncio.run, args=(loop_for_ever(),), daemon=True).start()
    elif beside == "releaser":
        pass
    elif beside == "listener":
        server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=server.accept, daemon=True).start()
    elif beside == "signal":
        signal.signal(signal.SIGTERM, lambda *_: None)
        # A process whose threads are all stuck is stuck as a whole: one waits for the time.
        threading.Thread(target=time.sleep, args=(100_000,), daemon=True).start()
    else:
        pool = ThreadPoolExecutor(3)
        for _ in range(3):
            pool.submit(time.sleep, 0.01)
        threading.Thread(target=time.sleep, args=(100_000,), daemon=True).start()


live()
both = threading.Barrier(2)
if what == "join":
    threads = []
    for index in (1, 0):
        threads.append(threading.Thread(target=join, args=(threads, index, both), daemon=True))
    if later is not None:
        threads[1] = threading.Thread(target=lambda: (both.wait(), time.sleep(later)), daemon=True)
else:
    make = threading.RLock if what == "recursive" else threading.Lock
    first, second = make(), make()
    if beside == "releaser":
        threading.Thread(target=release_later, args=(first, later), daemon=True).start()
        later = None
    threads = [
        threading.Thread(target=lock_both, args=(first, second, both, None), daemon=True),
        threading.Thread(target=lock_both, args=(second, first, both, later), daemon=True),
    ]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
