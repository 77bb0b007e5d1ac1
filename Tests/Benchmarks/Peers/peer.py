"""What every peer in Python shares: its commands, its Redis, and the processes that must end with it.

A peer is started by the measuring program with a socket at descriptor 3. A line is a command and its numbers, the
answer a line of JSON: {"samples": [...]} or {"problem": "..."}. It ends when the socket does.
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
"""Seconds between two calls, as with intentd."""

_children = []
_folder = None


def start(command, **more):
    """Starts a program that ends with this one."""
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
    """A Redis on a socket of its own, without a disk behind it; its path."""
    path = f"{folder()}/redis.sock"
    start(["redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no"])
    wait_until(lambda: os.path.exists(path), "redis-server does not start")
    return path


def wait_until(condition, problem, seconds=20):
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise RuntimeError(problem)
        time.sleep(0.002)


def wait_for_end(process, seconds=20):
    """Waits until a process that is nobody's child here is gone; the instant of CLOCK_MONOTONIC."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return time.monotonic()
    try:
        if not select.select([descriptor], [], [], seconds)[0]:
            raise RuntimeError("it does not end")
        return time.monotonic()
    finally:
        os.close(descriptor)


def private_dirty_megabytes(process):
    with open(f"/proc/{process}/smaps_rollup") as file:
        for line in file:
            if line.startswith("Private_Dirty:"):
                return int(line.split()[1]) / 1024
    raise RuntimeError("its memory cannot be read")


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
    """Prepares, and answers commands until nobody asks any more."""
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
