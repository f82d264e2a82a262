# Two threads take two locks in opposite order.
import threading
import time

first, second = threading.Lock(), threading.Lock()


def take(one, other):
    with one:
        time.sleep(0.3)
        with other:
            pass


threads = [threading.Thread(target=take, args=order) for order in ((first, second), (second, first))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
