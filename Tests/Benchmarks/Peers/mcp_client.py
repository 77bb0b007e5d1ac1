"""Clients of an MCP server over pipes and over HTTP, revision 2026-07-28."""

import http.client
import json
import subprocess
import time

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

    def calls(self, tool, count, arguments={"number": 1}):
        samples = []
        for _ in range(count):
            time.sleep(peer.PAUSE)
            samples.append(self.ask("tools/call", name=tool, arguments=arguments)[1])
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

    def stop(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()


class HTTPServer:
    """A server over HTTP, on a connection that stays open."""

    def __init__(self, port, headers={}):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.headers = headers | {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
        }
        self.last_id = 0

    def call(self, tool):
        """Calls a tool, and returns the time in milliseconds, which does not include decoding the answer."""
        self.last_id += 1
        params = {"name": tool, "arguments": {"number": 1}, "_meta": META}
        body = json.dumps({"jsonrpc": "2.0", "id": self.last_id, "method": "tools/call", "params": params})
        begin = time.perf_counter()
        self.connection.request("POST", "/mcp", body, self.headers | {"Mcp-Method": "tools/call", "Mcp-Name": tool})
        response = self.connection.getresponse()
        answer = response.read().decode()
        elapsed = (time.perf_counter() - begin) * 1000
        if response.getheader("Content-Type", "").startswith("text/event-stream"):
            answer = [line for line in answer.split("\n") if line.startswith("data:")][-1][5:]
        answer = json.loads(answer)
        if answer.get("id") != self.last_id or answer.get("result", {}).get("isError", "error" in answer):
            raise RuntimeError(f"unexpected answer: {json.dumps(answer)[:300]}")
        return elapsed

    def calls(self, tool, count):
        samples = []
        for _ in range(count):
            time.sleep(peer.PAUSE)
            samples.append(self.call(tool))
        return samples
