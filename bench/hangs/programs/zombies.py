# Has a dead child. argv[1] late: collects it after argv[2] ms, and ends; polled: waits until its pid is gone, which it never is, as nothing
# collects it.
import os
import sys
import time

child = os.fork()
if child == 0:
    os._exit(0)
if sys.argv[1] == "late":
    time.sleep(int(sys.argv[2]) / 1000)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
try:
    while True:
        os.kill(child, 0)
        time.sleep(0.1)
except ProcessLookupError:
    print("not reached")
