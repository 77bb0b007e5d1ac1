#!/usr/bin/env python3
"""An MCP server for tests, without any package: tool_server.py ERA [FAULT...]

ERA is `handshake` (revisions up to 2025-11-25), `request` (revision 2026-07-28), or `strict`, which ends when the first
message is not `initialize`. Each FAULT makes the server misbehave in one way, from the first message on.
"""
import json
import os
import sys
import time

era, faults = sys.argv[1], set(sys.argv[2:])
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
calls = {}


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def text(words):
    return {"type": "text", "text": words}


def schema(required=(), **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


TOOLS = [
    {
        "name": "echo",
        "title": "Echo",
        "description": "Returns its argument.",
        "inputSchema": schema(["text"], text={"type": "string", "pattern": "^[^!]*$"}, times={"type": "integer", "default": 1}),
        "annotations": {"readOnlyHint": True, "destructiveHint": False},
    },
    {"name": "fail", "inputSchema": schema()},
    {"name": "add", "inputSchema": schema(["a", "b"], a={"type": "number"}, b={"type": "number"}),
     "outputSchema": schema(["result"], result={"type": "number"})},
    {"name": "facts", "inputSchema": schema(), "outputSchema": schema(["user"], user={"type": "string"}, pid={"type": "integer"})},
    {"name": "files", "inputSchema": schema()},
    {"name": "count", "inputSchema": schema(steps={"type": "integer"})},
    {"name": "wait", "inputSchema": schema(file={"type": "string"})},
    {"name": "ask", "inputSchema": schema()},
    {"name": "sample", "inputSchema": schema()},
    {"name": "roots", "inputSchema": schema()},
    {"name": "log", "inputSchema": schema()},
    {"name": "nested", "inputSchema": {
        "type": "object",
        "$defs": {"Leaf": schema(["name"], name={"type": "string", "maxLength": 3})},
        "properties": {"leaf": {"$ref": "#/$defs/Leaf"},
                       "choice": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]},
                       "maybe": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": None},
                       "colour": {"enum": ["red", "green"]}},
    }},
    {"name": "a.b/c", "inputSchema": schema()},
    {"name": "a_b_c", "inputSchema": schema()},
]
if "invisible" in faults:
    TOOLS[0]["description"] = "Returns\u202e its\u200b argument."
    TOOLS[0]["inputSchema"]["properties"]["te\u200bxt"] = {"type": "string"}
    TOOLS[1]["name"] = "fa\u200bil"


def fault_before_start():
    if "noise" in faults:
        write("Starting up...\n\n")
    if "noise-flood" in faults:
        write("noise\n" * 5000)
    if "huge-line" in faults:
        write('{"jsonrpc":"2.0","x":"' + "x" * (9 << 20))
        time.sleep(600)
    if "silent" in faults:
        time.sleep(600)
    if "exit" in faults:
        print("no configuration file", file=sys.stderr)
        sys.exit(3)
    if "network" in faults:
        import socket
        socket.create_connection(("192.0.2.1", 80), timeout=3)
    if "error-flood" in faults:
        sys.stderr.write("x" * (4 << 20))


def elicit(request, message, properties):
    """Asks with a form, in the way of the era. Returns None if the call is to be repeated."""
    form = {"mode": "form", "message": message, "requestedSchema": schema(list(properties), **properties)}
    if era == "request":
        responses = request["params"].get("inputResponses")
        if responses is None:
            send({"id": request["id"], "result": {
                "resultType": "input_required", "requestState": "s1",
                "inputRequests": {"k": {"method": "elicitation/create", "params": form}}}})
            return None
        assert request["params"]["requestState"] == "s1"
        return responses["k"]
    return ask("elicitation/create", form)


def ask(method, params):
    send({"id": "q-1", "method": method, "params": params})
    while True:
        answer = receive()
        if answer.get("id") == "q-1":
            return answer.get("result", answer.get("error"))


def call(request):
    params = request["params"]
    name, arguments = params["name"], params.get("arguments", {})
    token = params.get("_meta", {}).get("progressToken")
    if name == "echo":
        if "wrong-id" in faults:
            send({"id": 4711, "result": {"content": [text("lie")]}})
        if "not-utf8" in faults:
            sys.stdout.buffer.write(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\xff"}]}}\n' % request["id"])
            sys.stdout.flush()
        return {"content": [text(arguments["text"] * arguments.get("times", 1))]}
    if name == "fail":
        return {"content": [text("no such table: \u202ecustomers")], "isError": True}
    if name == "add":
        total = arguments["a"] + arguments["b"]
        return {"content": [text(str(total))], "structuredContent": {"result": "seven" if "false-output" in faults else total}}
    if name == "facts":
        return {"content": [], "structuredContent": {"user": os.environ["USER"], "pid": os.getpid()}}
    if name == "files":
        return {"content": [
            text("two files"), {"type": "image", "data": PIXEL, "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "memo://notes/../../today.txt", "mimeType": "text/plain", "text": "lunch"}},
            {"type": "resource_link", "uri": "memo://later", "name": "later.txt"}]}
    if name == "count":
        for step in range(1, arguments.get("steps", 3) + 1):
            send({"method": "notifications/progress", "params": {
                "progressToken": token, "progress": step, "total": 3, "message": f"step {step}"}})
        return {"content": [text("counted")]}
    if name == "wait":
        send({"method": "notifications/progress", "params": {"progressToken": token, "progress": 1, "total": 2, "message": "waiting"}})
        message = receive()
        print("cancelled because of", message["params"]["reason"], file=sys.stderr)
        receive()
    if name == "ask":
        reply = elicit(request, "Which table?", {"table": {"type": "string", "title": "Table"}, "rows": {"type": "integer", "minimum": 1}})
        return None if reply is None else {"content": [text(json.dumps(reply, sort_keys=True))]}
    if name == "sample":
        return {"content": [text(json.dumps(ask("sampling/createMessage", {"messages": [], "maxTokens": 5})))]}
    if name == "roots":
        return {"content": [text(json.dumps(ask("roots/list", {})))]}
    if name == "log":
        send({"method": "notifications/message", "params": {"level": "info", "logger": "db", "data": "connected"}})
        print("printed to stderr", file=sys.stderr)
        return {"content": [text("logged")]}
    return {"content": [text(json.dumps(arguments, sort_keys=True))]}


fault_before_start()
while True:
    message = receive()
    method, identifier = message.get("method"), message.get("id")
    if era == "strict" and method == "server/discover":
        sys.exit("expected initialize")
    if identifier is None:
        continue
    if method == "server/discover" and era == "request":
        result = {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private"}
    elif method == "initialize" and era != "request":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "test", "version": "1"}}
    elif method == "tools/list":
        # Pages of five tools.
        start = int(message["params"].get("cursor", "0"))
        result = {"tools": TOOLS[start:start + 5]}
        if start + 5 < len(TOOLS) or "endless-pages" in faults:
            result["nextCursor"] = str(start + 5)
        if "many-tools" in faults:
            result = {"tools": [{"name": f"t{n}", "inputSchema": schema()} for n in range(2000)]}
    elif method == "tools/call":
        result = call(message)
        if result is None:
            continue
        if era == "request":
            result["resultType"] = "complete"
    elif method == "resources/read":
        result = {"contents": [{"uri": message["params"]["uri"], "mimeType": "text/plain", "text": "read later"}]}
    else:
        send({"id": identifier, "error": {"code": -32601, "message": "Method not found"}})
        continue
    send({"id": identifier, "result": result})
    if method == "tools/call" and "after-end" in faults:
        for _ in range(100):
            send({"id": identifier, "result": {"content": [text("again")]}})
            send({"method": "notifications/progress", "params": {"progressToken": identifier, "progress": 99}})
