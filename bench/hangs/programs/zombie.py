# Does not collect its dead child, and waits for a signal that nobody sends.
import os
import signal

if os.fork() == 0:
    os._exit(3)
signal.pause()
