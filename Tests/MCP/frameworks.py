"""What frameworks of others hand on to a model: frameworks.py FRAMEWORK COMMAND...

Prints one row of the table client × capability, and fails if a capability is missing. The server has the apps Probe and
Archive, and asks a person before it performs Probe_Add."""

import asyncio
import contextlib
import json
import os
import sys

# The tests send nothing to other machines.
for switch in ("CREWAI_DISABLE_TELEMETRY", "OTEL_SDK_DISABLED"):
    os.environ[switch] = "true"
os.environ["MCP_USE_ANONYMIZED_TELEMETRY"] = "false"

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@contextlib.asynccontextmanager
async def langchain(command):
    from langchain_mcp_adapters.client import MultiServerMCPClient
    from langchain_mcp_adapters.tools import load_mcp_tools

    client = MultiServerMCPClient({"i": {"command": command[0], "args": command[1:], "transport": "stdio"}})
    async with client.session("i") as session:
        tools = {tool.name: tool for tool in await load_mcp_tools(session)}

        async def call(name, arguments):
            return (await tools[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})).content

        yield set(tools), call


@contextlib.asynccontextmanager
async def openai(command):
    from agents import RunContextWrapper
    from agents.mcp import MCPServerStdio, MCPUtil

    params = {"command": command[0], "args": command[1:]}
    async with MCPServerStdio(params=params, client_session_timeout_seconds=60) as server:
        tools = {tool.name: tool for tool in await server.list_tools()}
        # A tool that the strict conversion does not take stays as it is.
        strict = {
            name for name, tool in tools.items()
            if MCPUtil.to_function_tool(tool, server, convert_schemas_to_strict=True).strict_json_schema
        }

        async def call(name, arguments):
            context = RunContextWrapper(context=None)
            return await MCPUtil.invoke_mcp_tool(server, tools[name], context, json.dumps(arguments))

        yield strict, call


@contextlib.asynccontextmanager
async def pydantic(command):
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.mcp import MCPToolset

    async with MCPToolset(StdioTransport(command[0], command[1:])) as toolset:
        tools = {tool.name for tool in await toolset.list_tools()}
        yield tools, toolset.direct_call_tool


@contextlib.asynccontextmanager
async def autogen(command):
    from autogen_core import CancellationToken
    from autogen_ext.tools.mcp import StdioServerParams, mcp_server_tools

    server = StdioServerParams(command=command[0], args=command[1:], read_timeout_seconds=60)
    tools = {tool.name: tool for tool in await mcp_server_tools(server)}

    async def call(name, arguments):
        text = tools[name].return_value_as_string(await tools[name].run_json(arguments, CancellationToken()))
        return json.dumps(json.loads(text), ensure_ascii=False)

    yield set(tools), call


@contextlib.asynccontextmanager
async def smolagents(command):
    from mcp import StdioServerParameters
    from smolagents import MCPClient

    def connect():
        client = MCPClient(StdioServerParameters(command=command[0], args=command[1:]), structured_output=True)
        return client, {tool.name: tool for tool in client.get_tools()}

    client, tools = await asyncio.to_thread(connect)

    async def call(name, arguments):
        return await asyncio.to_thread(lambda: tools[name](**arguments))

    yield set(tools), call
    await asyncio.to_thread(client.disconnect)


@contextlib.asynccontextmanager
async def llama(command):
    from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

    spec = McpToolSpec(client=BasicMCPClient(command[0], args=command[1:]))
    tools = {tool.metadata.name: tool for tool in await spec.to_tool_list_async()}

    async def call(name, arguments):
        return (await tools[name].acall(**arguments)).content

    yield set(tools), call


@contextlib.asynccontextmanager
async def strands(command):
    from mcp import StdioServerParameters, stdio_client
    from strands.tools.mcp import MCPClient

    client = MCPClient(lambda: stdio_client(StdioServerParameters(command=command[0], args=command[1:])))
    with client:
        tools = {tool.tool_name for tool in await asyncio.to_thread(client.list_tools_sync)}

        async def call(name, arguments):
            result = await asyncio.to_thread(lambda: client.call_tool_sync(tool_use_id="1", name=name, arguments=arguments))
            return result["content"]

        yield tools, call


@contextlib.asynccontextmanager
async def agent_framework(command):
    from agent_framework import MCPStdioTool

    # Its prompts are functions, too, and would have the names of tools.
    async with MCPStdioTool("i", command[0], args=command[1:], load_prompts=False, request_timeout=60) as server:
        tools = {tool.name: tool for tool in server.functions}

        async def call(name, arguments):
            contents = [content.to_dict() for content in await tools[name].invoke(arguments=arguments)]
            # The text is the structured part as JSON with escapes, which a model reads.
            return [json.loads(content["text"]) if content["type"] == "text" else content for content in contents]

        yield set(tools), call


@contextlib.asynccontextmanager
async def adk(command):
    from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
    from mcp import StdioServerParameters

    server = StdioServerParameters(command=command[0], args=command[1:])
    toolset = McpToolset(connection_params=StdioConnectionParams(server_params=server, timeout=60))
    tools = {tool.name: tool for tool in await toolset.get_tools()}

    async def call(name, arguments):
        return await tools[name].run_async(args=arguments, tool_context=None)

    # The declaration is the schema as Gemini receives it.
    yield {name for name, tool in tools.items() if tool._get_declaration().description}, call
    await toolset.close()


@contextlib.asynccontextmanager
async def crewai(command):
    from crewai_tools import MCPServerAdapter
    from mcp import StdioServerParameters

    adapter = await asyncio.to_thread(MCPServerAdapter, StdioServerParameters(command=command[0], args=command[1:]))
    # It writes all names in snake case.
    def plain(name):
        return name.lower().replace("_", "")

    tools = {plain(tool.name): tool for tool in adapter.tools}

    async def call(name, arguments):
        return await asyncio.to_thread(lambda: tools[plain(name)].run(**arguments))

    known = {"Probe_Echo", "Archive_Compress", "intent_run_result", "intent_runs"}
    yield {name for name in known if plain(name) in tools} | {tool.name for tool in adapter.tools}, call
    await asyncio.to_thread(adapter.stop)


@contextlib.asynccontextmanager
async def mcp_use(command):
    from mcp_use import MCPClient
    from mcp_use.agents.adapters.langchain_adapter import LangChainAdapter

    client = MCPClient({"mcpServers": {"i": {"command": command[0], "args": command[1:]}}})
    tools = {tool.name: tool for tool in await LangChainAdapter().create_tools(client)}

    async def call(name, arguments):
        return await tools[name].ainvoke(arguments)

    yield set(tools), call
    await client.close_all_sessions()


def words(error):
    return "\n".join(map(words, error.exceptions)) if hasattr(error, "exceptions") else str(error)


async def main(name, command):
    row = {}
    async with globals()[name](command) as (tools, call):

        async def shown(tool, **arguments):
            """What the model sees, also of an error."""
            try:
                return str(await call(tool, arguments))
            except Exception as error:
                return words(error)

        # A framework may rename no tool, and must load every one.
        row["list"] = {"Probe_Echo", "Archive_Compress", "intent_run_result", "intent_runs"} <= tools and len(tools) > 60
        row["call, Unicode"] = "héllo 🐋" in await shown("Probe_Echo", text="héllo 🐋")
        row["wrong argument"] = "for example: file:///" in await shown("Archive_Compress", file="nonsense")
        row["failure reason"] = "the pot is empty" in await shown("Probe_Throws", message="the pot is empty")
        waiting = await shown("Probe_Add", first=1, second=2)
        row["waiting"] = "intentctl answer" in waiting and "intent_run_result" in waiting
        row["text file"] = "a small file" in await shown("Probe_MakeFile", place="memory", text="a small file")
        picture = await shown("Probe_EchoFile", file=f"data:image/png;name=a.png;base64,{PNG}")
        row["image"] = "intent-run://" in picture or PNG[:20] in picture or "image" in picture.lower()
        row["large file"] = "intent_read_file" in await shown("Probe_MakeFile", place="memory", text="x" * 100_001)
    print(f"| {name} | " + " | ".join(f"{'✓' if ok else '✗'} {what}" for what, ok in row.items()) + " |")
    missing = [what for what, ok in row.items() if not ok]
    if missing:
        sys.exit(f"{name} does not hand on: {', '.join(missing)}")


asyncio.run(asyncio.wait_for(main(sys.argv[1], sys.argv[2:]), 120))
