"""A scenario with the official SDK 2.x, in both eras: sdk_2.py auto|legacy COMMAND..."""

import asyncio
import sys

import mcp.types as types
import scenario
from mcp import Client, StdioServerParameters


async def main():
    mode = sys.argv[1]
    asked = []

    async def answer(_, params):
        asked.append(params.message)
        return types.ElicitResult(action="accept", content=scenario.form_answer(params.requested_schema))

    server = StdioServerParameters(command=sys.argv[2], args=sys.argv[3:])
    async with Client(server, mode=mode, elicitation_callback=answer) as client:
        assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
        print(client.protocol_version)
        scenario.check_tools((await client.list_tools()).tools)

        async def progress(tool, arguments):
            steps = []

            async def step(amount, total, message):
                steps.append(amount)

            await client.call_tool(tool, arguments, progress_callback=step)
            return steps

        await scenario.perform(client.call_tool, progress)
        assert len(asked) == 3, asked
        made = await client.call_tool("Probe_MakeFile", {"place": "memory", "text": "x" * 100_001})
        [file] = scenario.structured(made)["files"]
        assert file["uri"] in scenario.text(made) and file["size"] == 100_001
        [read] = (await client.read_resource(file["uri"])).contents
        assert read.text == "x" * 100_001
        part = await client.call_tool("intent_read_file", {"uri": file["uri"], "offset": 99_999})
        assert scenario.structured(part)["value"]["text"] == "xx", part
        if mode == "auto":
            async with client.listen(tools_list_changed=True, resource_subscriptions=["intent-run://a/value"]) as changes:
                assert changes.honored.tools_list_changed and not changes.honored.resource_subscriptions, changes.honored
                scenario.value(await client.call_tool("Probe_Echo", {"text": "meanwhile"}), "meanwhile")
        # A client that gives up sends a cancellation; the connection continues.
        try:
            await client.call_tool("Probe_Slow", {"seconds": 600}, read_timeout_seconds=1)
            raise SystemExit("the call did not end")
        except Exception as error:
            print(type(error).__name__)
        scenario.value(await client.call_tool("Probe_Echo", {"text": "on"}), "on")


asyncio.run(asyncio.wait_for(main(), 120))
