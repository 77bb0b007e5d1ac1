"""Shared by all peers in Python: commands, Redis, and processes that must exit with the peer.

The measuring program starts a peer with a socket at descriptor 3. Each command is a line with a name and numbers, and each
answer a line of JSON: {"samples": [...]} or {"problem": "..."}. The peer exits when the socket is closed.
"""

import atexit
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PAUSE = 0.003
"""The pause between two calls in seconds, as for intentd."""

_children = []
_folder = None


def start(command, **more):
    """Starts a program that is stopped when this one exits."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(f"{folder()}/log", "ab"), **more
    )
    _children.append(process)
    return process


def folder():
    global _folder
    if _folder is None:
        _folder = tempfile.mkdtemp(prefix="intentd-peer-")
    return _folder


def start_redis():
    """Starts a Redis without persistence. Returns the path of its Unix socket."""
    path = f"{folder()}/redis.sock"
    start(["redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no"])
    wait_until(lambda: os.path.exists(path), "redis-server did not start")
    return path


def wait_until(condition, problem, seconds=20):
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise RuntimeError(problem)
        time.sleep(0.002)


def wait_for_end(process, seconds=20):
    """Waits until a process that is not a child has exited. Returns the time of CLOCK_MONOTONIC."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return time.monotonic()
    try:
        if not select.select([descriptor], [], [], seconds)[0]:
            raise RuntimeError("the process did not exit")
        return time.monotonic()
    finally:
        os.close(descriptor)


def private_dirty_megabytes(process):
    with open(f"/proc/{process}/smaps_rollup") as file:
        for line in file:
            if line.startswith("Private_Dirty:"):
                return int(line.split()[1]) / 1024
    raise RuntimeError("cannot read the memory of the process")


def children(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        return [int(word) for word in file.read().split()]


def _clean_up():
    for process in reversed(_children):
        process.terminate()
    for process in reversed(_children):
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if _folder:
        shutil.rmtree(_folder, ignore_errors=True)


def serve(prepare, commands):
    """Prepares the peer, and answers commands until the socket is closed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    atexit.register(_clean_up)
    connection = socket.socket(fileno=3).makefile("rw")

    def answer(function, *numbers):
        try:
            reply = {"samples": function(*numbers) or []}
        except Exception as error:
            reply = {"problem": f"{type(error).__name__}: {error}"}
        connection.write(json.dumps(reply) + "\n")
        connection.flush()

    answer(prepare)
    for line in connection:
        name, *numbers = line.split()
        answer(commands[name], *map(int, numbers))
