"""Calls the tools of two MCP servers over HTTP: intentd-web, and one made with fastmcp.

http_peer.py SOCKET INTENTCTL TOOL PYTHON: TOOL is a trivial tool of intentd at SOCKET. PYTHON has fastmcp; without it,
fastmcp's commands report a problem.
"""

import http.client
import os
import socket
import sys
from pathlib import Path

import peer
from mcp_client import HTTPServer

servers = {}
path, intentctl, tool, *python = sys.argv[1:]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def answers(port):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/")
        connection.getresponse()
        return True
    except OSError:
        return False


def serve(name, port, command, headers=dict):
    peer.start(command)
    peer.wait_until(lambda: answers(port), f"{name} does not listen", 60)
    servers[name] = HTTPServer(port, headers())


def prepare():
    port, file = free_port(), f"{peer.folder()}/header"
    serve(
        "intentd", port,
        [intentctl, "--socket", path, "web", "--api", "--port", str(port), "--header-file", file],
        lambda: dict([open(file).read().strip().split(": ", 1)]),
    )
    servers["intentd"].calls(tool, 20)
    if python:
        port = free_port()
        serve("fastmcp", port, [python[0], str(Path(__file__).with_name("mcp_server.py")), "0", str(port)])
        servers["fastmcp"].calls("answer", 20)


peer.serve(
    prepare,
    {
        "intentd": lambda count: servers["intentd"].calls(tool, count),
        "fastmcp": lambda count: servers["fastmcp"].calls("answer", count),
    },
)
