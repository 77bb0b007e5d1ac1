"""Calls the tools of two MCP servers over pipes: intentctl mcp, and one made with fastmcp.

mcp_peer.py SOCKET INTENTCTL TOOL LISTER PYTHON: TOOL is a trivial tool of intentctl's daemon at SOCKET, LISTER the socket of a
daemon with many tools. PYTHON has fastmcp; without it, fastmcp's commands report a problem.
"""

import sys
from pathlib import Path

import peer
from mcp_client import Server

servers = {}
socket, intentctl, tool, lister, *python = sys.argv[1:]


def prepare():
    servers["intentctl"] = Server([intentctl, "--socket", socket, "mcp"])
    servers["lister"] = Server([intentctl, "--socket", lister, "mcp"])
    servers["intentctl"].calls(tool, 20)
    servers["lister"].list()
    if python:
        servers["fastmcp"] = Server([python[0], str(Path(__file__).with_name("mcp_server.py"))])
        servers["fastmcp"].calls("answer", 20)
        servers["fastmcp-lister"] = Server([python[0], str(Path(__file__).with_name("mcp_server.py")), "600"])
        servers["fastmcp-lister"].list()


peer.serve(
    prepare,
    {
        "intentctl": lambda count: servers["intentctl"].calls(tool, count),
        "fastmcp": lambda count: servers["fastmcp"].calls("answer", count),
        "list": lambda count: [servers["lister"].list() for _ in range(count)],
        "fastmcp-list": lambda count: [servers["fastmcp-lister"].list() for _ in range(count)],
        "intentctl-memory": lambda: servers["intentctl"].megabytes(),
        "fastmcp-memory": lambda: servers["fastmcp"].megabytes(),
    },
)
