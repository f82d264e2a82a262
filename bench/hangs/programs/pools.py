# argv[1] threads, processes: a pool of workers that has work every argv[2] ms; ticker: two threads lock two locks in opposite order, and a third
# one only counts the time.
import sys
import threading
import time

mode = sys.argv[1]
ms = int(sys.argv[2]) if len(sys.argv) > 2 else 100


def nothing(_):
    return 0


def lock_both(first, second, both_have_one):
    with first:
        both_have_one.wait()
        with second:
            print("not reached")


if mode == "ticker":
    locks = threading.Lock(), threading.Lock()
    both_have_one = threading.Barrier(2)
    for pair in (locks, locks[::-1]):
        threading.Thread(target=lock_both, args=(*pair, both_have_one)).start()
    threading.Thread(target=lambda: [time.sleep(ms / 1000) for _ in iter(int, 1)], daemon=True).start()
elif mode == "threads":
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        while True:
            list(pool.map(nothing, range(8)))
            time.sleep(ms / 1000)
else:
    import multiprocessing

    with multiprocessing.Pool(2) as pool:
        while True:
            pool.map(nothing, range(8))
            time.sleep(ms / 1000)
