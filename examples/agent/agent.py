#!/usr/bin/env python3
"""An agent without a language model: a script that uses intents as tools of the Model Context Protocol (2026-07-28).

    agent.py [INTENTCTL-OPTION...]

It finds an entity, runs a long intent as a task, answers a question, renames a book and undoes the change, asks a person
for an approval, and cancels a run. With the example app Archive, it also passes a file from one tool to another. It needs
the example app Library, and only Python's standard library.
"""
import itertools
import json
import subprocess
import sys
import time


class Server:
    """The process `intentctl mcp`, with its standard input and output."""

    def __init__(self, options):
        self.process = subprocess.Popen(
            ["intentctl", *options, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ids = itertools.count(1)
        # The capabilities of this client: it fills in forms and follows tasks.
        self.capabilities = {"elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/tasks": {}}}

    def request(self, method, **params):
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        }
        number = next(self.ids)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        print(json.dumps(message), file=self.process.stdin, flush=True)
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == number and "method" not in answer:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']['message']}")
                return answer["result"]
        sys.exit("the server closed its output")

    def call(self, tool, **arguments):
        return self.request("tools/call", name=tool, arguments=arguments)

    def finished(self, result, answers=None):
        """Waits until a task has finished, and answers its questions."""
        shown = None
        while "taskId" in result and result["status"] not in ("completed", "cancelled"):
            if result["status"] == "input_required" and "inputRequests" in result and answers:
                key, form = next(iter(result["inputRequests"].items()))
                print(f"  asked: {form['params']['message'].splitlines()[0]}")
                response = {key: {"action": "accept", "content": answers}}
                self.request("tasks/update", taskId=result["taskId"], inputResponses=response)
            status = result.get("statusMessage")
            if status != shown:
                print(f"  {result['status']}: {status}", flush=True)
            shown = status
            time.sleep(0.3)
            result = self.request("tasks/get", taskId=result["taskId"])
        return result.get("result", result)


def text(result):
    return result["content"][0]["text"].splitlines()[0]


server = Server(sys.argv[1:])
tools = [tool["name"] for tool in server.request("tools/list")["tools"]]
print(f"{len(tools)} tools: {', '.join(tool for tool in tools if tool.startswith('Library'))}")

found = server.finished(server.call("Library_find_Book", text="moby"))["structuredContent"]["value"][0]
book = found["value"]
print(f"found {found['title']}: {book}")

task = server.call("Library_IndexBook", book=book)
print(f"task {task['taskId']}: indexing")
print(f"indexed: {text(server.finished(task, {'pages': 40}))}")

renamed = server.finished(server.call("Library_RenameBook", book=book, name="The Whale"))
print(f"renamed: {text(renamed)}")
print(f"undone: {text(server.finished(server.call('intent_undo', run=renamed['structuredContent']['run'])))}")

if "Archive_Compress" in tools:
    # A file can be in the URI itself; the result's file has a URI, too, which is the argument of the next tool.
    packed = server.finished(server.call("Archive_Compress", file="data:text/plain;name=note.txt,Call%20me%20Ishmael."))
    gzip = packed["structuredContent"]["files"][0]
    note = server.finished(server.call("Archive_Expand", file=gzip["uri"]))["structuredContent"]["files"][0]
    print(f"{gzip['name']} ({gzip['mimeType']}) has {note['name']}: {note['text']}")

del server.capabilities["elicitation"]  # Without this, a person must answer in another client.
asked = server.call("Library_DiscardBooks", entities=["emma"])
run = asked["structuredContent"]["run"]
print(f"discarding Emma: {text(asked)}", flush=True)
while (state := asked["structuredContent"]["state"]) == "waiting":
    asked = server.finished(server.call("intent_run_result", run=run, wait_s=30))
print(f"discarding Emma: {state}, {text(asked)}")

task = server.call("Library_IndexBook", book=book, pages=10000)
server.request("tasks/cancel", taskId=task["taskId"])
while (state := server.request("tasks/get", taskId=task["taskId"]))["status"] == "working":
    time.sleep(0.1)
print(f"cancelled: {state['status']}")
