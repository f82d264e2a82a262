# gpg-agent in the foreground, as systemd starts it: with a listening socket as descriptor 3.
import os
import socket

home = os.path.abspath("keys")
os.mkdir(home, 0o700)
listener = socket.socket(socket.AF_UNIX)
listener.bind(home + "/S.gpg-agent")
listener.listen()
if listener.fileno() == 3:
    os.set_inheritable(3, True)
else:
    os.dup2(listener.fileno(), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="std")
os.execvp("gpg-agent", ["gpg-agent", "--homedir", home, "--supervised"])
