"""Calls a tool of an MCP server over pipes, without intentd: server_peer.py TOOL ARGUMENTS COMMAND..."""

import json
import sys
import time

import peer
from mcp_client import Server

tool, arguments, command = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
servers = []


def prepare():
    servers.append(Server(command))
    servers[0].calls(tool, 5, arguments)


def start():
    server = Server(command)
    server.ask("server/discover")
    server.ask("tools/list")
    return server


def first(count, pause):
    """The time of the first call to a server that has started and has waited for the pause in microseconds, like a spare's."""
    samples = []
    for _ in range(count):
        server = start()
        time.sleep(pause / 1_000_000)
        samples += server.calls(tool, 1, arguments)
        server.stop()
    return samples


def fresh(count):
    """The time from the start of a server to its answer."""
    samples = []
    for _ in range(count):
        time.sleep(peer.PAUSE)
        begin = time.perf_counter()
        server = start()
        server.ask("tools/call", name=tool, arguments=arguments)
        samples.append((time.perf_counter() - begin) * 1000)
        server.stop()
    return samples


peer.serve(
    prepare, {"running": lambda count: servers[0].calls(tool, count, arguments), "first": first, "fresh": fresh}
)
