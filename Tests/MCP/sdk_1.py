"""A scenario with the official SDK 1.x: sdk_1.py COMMAND..."""

import asyncio
import sys

import mcp.types as types
import scenario
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    asked = []

    async def answer(_, params):
        asked.append(params.message)
        return types.ElicitResult(action="accept", content=scenario.form_answer(params.requestedSchema))

    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with stdio_client(server) as streams, ClientSession(*streams, elicitation_callback=answer) as session:
        print((await session.initialize()).protocolVersion)
        scenario.check_tools((await session.list_tools()).tools)
        await session.send_ping()

        async def progress(tool, arguments):
            steps = []

            async def step(amount, total, message):
                steps.append(amount)

            await session.call_tool(tool, arguments, progress_callback=step)
            return steps

        await scenario.perform(session.call_tool, progress)
        assert len(asked) == 3, asked
        made = await session.call_tool("Probe_MakeFile", {"place": "memory", "text": "x" * 100_001})
        [file] = scenario.structured(made)["files"]
        assert file["uri"] in scenario.text(made) and file["size"] == 100_001
        [read] = (await session.read_resource(file["uri"])).contents
        assert read.text == "x" * 100_001
        part = await session.call_tool("intent_read_file", {"uri": file["uri"], "offset": 99_999})
        assert scenario.structured(part)["value"]["text"] == "xx", part


asyncio.run(asyncio.wait_for(main(), 120))
