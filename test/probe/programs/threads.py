# As many threads as asked for, asleep in different ways; prints how many there are with the first one.
import os, select, signal, sys, threading, time
count = int(sys.argv[1])
never, _keep = os.pipe()
gone = threading.Event()
ready = threading.Semaphore(0)
def wait(how):
    ready.release()
    if how == 0:
        os.read(never, 1)
    elif how == 1:
        gone.wait()
    elif how == 2:
        select.select([never], [], [])
    elif how == 3:
        poll = select.poll()
        poll.register(never, select.POLLIN)
        poll.poll()
    else:
        time.sleep(1_000_000)
threading.stack_size(128 * 1024)
for index in range(count - 1):
    threading.Thread(target=wait, args=(index % 5,), daemon=True).start()
for index in range(count - 1):
    ready.acquire()
print(len(os.listdir("/proc/self/task")), flush=True)
signal.pause()
