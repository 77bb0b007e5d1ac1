"""Calls the tools of two MCP servers over pipes: intentctl mcp, and one made with fastmcp.

mcp_peer.py SOCKET INTENTCTL TOOL LISTER PYTHON: TOOL is a trivial tool of intentctl's daemon at SOCKET, LISTER the socket of a
daemon with many tools. PYTHON has fastmcp; without it, fastmcp's commands report a problem.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import peer

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.last_id = 0

    def ask(self, method, **params):
        """Returns the result and the time in milliseconds, which does not include decoding it."""
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": {**params, "_meta": META}}
        line = (json.dumps(message) + "\n").encode()
        begin = time.perf_counter()
        self.process.stdin.write(line)
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        elapsed = (time.perf_counter() - begin) * 1000
        if not answer:
            raise RuntimeError("the server has exited")
        answer = json.loads(answer)
        if answer.get("id") != self.last_id or answer.get("result", {}).get("isError", "error" in answer):
            raise RuntimeError(f"unexpected answer: {json.dumps(answer)[:300]}")
        return answer["result"], elapsed

    def calls(self, tool, count):
        samples = []
        for _ in range(count):
            time.sleep(peer.PAUSE)
            samples.append(self.ask("tools/call", name=tool, arguments={"number": 1})[1])
        return samples

    def list(self):
        """The time of a list of all tools, page by page."""
        result, elapsed = self.ask("tools/list")
        tools = len(result["tools"])
        while "nextCursor" in result:
            result, more = self.ask("tools/list", cursor=result["nextCursor"])
            tools += len(result["tools"])
            elapsed += more
        if tools < 500:
            raise RuntimeError(f"there are only {tools} tools")
        return elapsed

    def megabytes(self):
        return [peer.private_dirty_megabytes(self.process.pid)]


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
