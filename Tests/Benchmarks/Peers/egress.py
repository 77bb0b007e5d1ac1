"""Measures connections of Python to a server of its own.

  egress.py serve FILE                            serves on a port of 127.0.0.1, and writes its number to FILE
  egress.py measure PORT FILE COUNT [PROXY]       connects to the port COUNT times, PROXY is the port of a CONNECT proxy;
                                                  writes {"connect": [ms], "trip": [ms], "bulk": [MB/s]} to FILE

A connection sends one byte first, then an echo of each byte `e`, and for `b` 256 MiB."""
import json
import os
import socket
import sys
import threading
import time

BULK = 256 << 20


def serve(connection):
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(b"x")
        block = bytes(1 << 20)
        while word := connection.recv(1):
            if word == b"e":
                connection.sendall(word)
            else:
                for _ in range(BULK // len(block)):
                    connection.sendall(block)


def connect(port, proxy):
    connection = socket.create_connection(("127.0.0.1", proxy or port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if proxy:
        connection.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (port, port))
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        if b" 200 " not in head.split(b"\r\n")[0]:
            sys.exit("the proxy answers " + head.decode())
    if connection.recv(1) != b"x":
        sys.exit("the connection was closed")
    return connection


def measure(port, path, count, proxy=0):
    figures = {"connect": [], "trip": [], "bulk": []}
    for _ in range(count):
        begin = time.monotonic()
        connection = connect(port, proxy)
        figures["connect"].append((time.monotonic() - begin) * 1000)
        connection.close()
    with connect(port, proxy) as connection:
        for _ in range(count * 5):
            begin = time.monotonic()
            connection.sendall(b"e")
            connection.recv(1)
            figures["trip"].append((time.monotonic() - begin) * 1000)
        for _ in range(4):
            begin, rest, room = time.monotonic(), BULK, bytearray(1 << 20)
            connection.sendall(b"b")
            while rest:
                rest -= connection.recv_into(room, min(rest, len(room)))
            figures["bulk"].append(BULK / 1e6 / (time.monotonic() - begin))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(figures, file)


if sys.argv[1] == "serve":
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    with open(sys.argv[2] + ".new", "w", encoding="utf-8") as file:
        file.write(str(listener.getsockname()[1]))
    os.rename(sys.argv[2] + ".new", sys.argv[2])
    while True:
        threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()
else:
    port, path, count, *proxy = sys.argv[2:]
    measure(int(port), path, int(count), *map(int, proxy))
