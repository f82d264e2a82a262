# A child that has ended and is never collected; prints its pid.
import os, signal, sys
child = os.fork()
if child == 0:
    os._exit(3)
os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
print(child, flush=True)
signal.pause()
