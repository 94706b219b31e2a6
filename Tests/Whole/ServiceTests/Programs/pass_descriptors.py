"""Passes the last references to TCP sockets that linger to a daemon, over many connections.

    pass_descriptors.py SOCKET SECONDS

The daemon's pid comes on standard input, once "connected" was written. Each socket has bytes to send
to a peer that reads nothing, and SO_LINGER of so many seconds. Ends with status 0 when the daemon
has ended all connections before that time was over, with 1 where it was over, and with 2 where the
kernel refuses to pass a descriptor.
"""
import os
import signal
import socket
import struct
import sys
import time

peers = []


def lingering(seconds):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    sender = socket.socket()
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    sender.connect(listener.getsockname())
    peers.append(listener.accept()[0])
    sender.setblocking(False)
    try:
        while True:
            sender.send(bytes(65536))
    except BlockingIOError:
        pass
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, seconds))
    return sender


def main():
    path, seconds = sys.argv[1], int(sys.argv[2])
    connections = []
    for number in range(6):
        connections.append(socket.socket(socket.AF_UNIX))
        connections[-1].connect(path)
    batches = [[lingering(seconds) for _ in range(8)] for _ in connections]
    print("connected", flush=True)
    daemon = int(sys.stdin.readline())
    begin = time.monotonic()
    # Stopped, so that the last references are those that were passed.
    os.kill(daemon, signal.SIGSTOP)
    for number, (connection, batch) in enumerate(zip(connections, batches)):
        rights = struct.pack(f"{len(batch)}i", *[sender.fileno() for sender in batch])
        control = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)]
        try:
            connection.sendmsg([b"x"], control, socket.MSG_OOB if number % 2 else 0)
        except PermissionError:
            os.kill(daemon, signal.SIGCONT)
            os._exit(2)
        for sender in batch:
            sender.close()
        if number == 2:
            connection.close()
    os.kill(daemon, signal.SIGCONT)
    for connection in connections:
        try:
            while connection.fileno() >= 0 and connection.recv(4096):
                pass
        except ConnectionResetError:
            pass
    sys.exit(0 if time.monotonic() - begin < seconds else 1)


main()
