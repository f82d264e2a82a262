# Takes one connection and lets it vanish without a packet, as when a machine loses its power. Prints its port.
import socket
import time

TCP_REPAIR = 19

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
peer, _ = listener.accept()
time.sleep(0.3)
peer.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
peer.close()
time.sleep(1000)
