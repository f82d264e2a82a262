# Two functions that nest two global locks in opposite order, beside a ticker. argv[1]: never, or after how many ms the ticker releases one of them;
# then the program ends.
import sys
import threading
import time

first, second = threading.Lock(), threading.Lock()
ticks = None if sys.argv[1] == "never" else int(sys.argv[1]) / 200


def tick():
    count = 0
    while True:
        time.sleep(0.2)
        count += 1
        if count == ticks:
            first.release()


def tick_for_ever():
    while True:
        time.sleep(0.2)


def one():
    with first:
        time.sleep(0.3)
        with second:
            pass


def other():
    with second:
        time.sleep(0.3)
        with first:
            pass


threading.Thread(target=tick_for_ever if ticks is None else tick, daemon=True).start()
threads = [threading.Thread(target=take, daemon=True) for take in (one, other)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
