"""Calls a tool of Tests/MCP/tool_server.py over pipes, without intentd: server_peer.py SERVER."""

import sys
import time

import peer
from mcp_client import Server

command = ["/usr/bin/python3", sys.argv[1], "request"]
servers = []


def prepare():
    servers.append(Server(command))
    servers[0].calls("echo", 5, {"text": "a"})


def fresh(count):
    """The time from the start of a server to its answer."""
    samples = []
    for _ in range(count):
        time.sleep(peer.PAUSE)
        begin = time.perf_counter()
        server = Server(command)
        server.ask("server/discover")
        server.ask("tools/list")
        server.ask("tools/call", name="echo", arguments={"text": "a"})
        samples.append((time.perf_counter() - begin) * 1000)
        server.stop()
    return samples


peer.serve(prepare, {"running": lambda count: servers[0].calls("echo", count, {"text": "a"}), "fresh": fresh})
