"""Checks what a server wrote: validate.py REQUESTS ANSWERS, two files of JSON lines.

Each message is checked against the models of the official schema that the package mcp-types ships, for the message's
revision, and each schema of a tool against its own dialect.
"""

import json
import sys

import jsonschema
from mcp_types import jsonrpc, methods

try:
    from fastmcp_tasks.client_models import ClientCreateTaskResult, ClientGetTaskResult
except ImportError:
    ClientCreateTaskResult = ClientGetTaskResult = None

VERSION = "io.modelcontextprotocol/protocolVersion"


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check_result(method, version, result):
    if result.get("resultType") == "task":
        return ClientCreateTaskResult and ClientCreateTaskResult.model_validate(result, by_name=False)
    if method == "tasks/get":
        if result.get("status") == "completed":
            methods.parse_server_result("tools/call", version, result["result"])
        return ClientGetTaskResult and ClientGetTaskResult.model_validate(result, by_name=False)
    if method.startswith("tasks/"):
        assert result == {"resultType": "complete"}, result
        return None
    methods.parse_server_result(method, version, result)
    for tool in result.get("tools", []):
        for name in ("inputSchema", "outputSchema"):
            assert tool[name]["type"] == "object", tool
            jsonschema.Draft202012Validator.check_schema(tool[name])


requests = {}
for message in lines(sys.argv[1]):
    if "id" in message and "method" in message:
        requests[message["id"]] = message
answers = lines(sys.argv[2])
handshake = None
for message in answers:
    jsonrpc.jsonrpc_message_adapter.validate_python(message)
    if "method" in message:
        version = handshake or "2026-07-28"
        assert handshake or "id" not in message, f"the revision permits no request of a server: {message}"
        parse = methods.parse_server_request if "id" in message else methods.parse_server_notification
        parse(message["method"], version, message.get("params"))
    elif "result" in message:
        request = requests[message["id"]]
        if request["method"] == "initialize":
            handshake = message["result"]["protocolVersion"]
        version = request.get("params", {}).get("_meta", {}).get(VERSION, handshake)
        check_result(request["method"], version, message["result"])
    else:
        assert message.get("id") is None or message["id"] in requests, message
assert answers, "the server wrote nothing"
print(f"{len(answers)} messages are valid")
