"""The scenario of sdk_2.py over HTTP: sdk_http.py auto|legacy URL HEADER-FILE."""

import asyncio
import sys

import httpx2
import mcp.types as types
import scenario
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main():
    mode, url = sys.argv[1], sys.argv[2]
    name, value = open(sys.argv[3]).read().strip().split(": ", 1)
    asked = []

    async def answer(_, params):
        asked.append(params.message)
        return types.ElicitResult(action="accept", content=scenario.form_answer(params.requested_schema))

    http = httpx2.AsyncClient(headers={name: value}, timeout=120)
    transport = streamable_http_client(url, http_client=http)
    async with Client(transport, mode=mode, elicitation_callback=answer) as client:
        assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
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
        [read] = (await client.read_resource(file["uri"])).contents
        assert read.text == "x" * 100_001
        # A client that gives up closes the connection or sends a cancellation.
        try:
            await client.call_tool("Probe_Slow", {"seconds": 600}, read_timeout_seconds=1)
            raise SystemExit("the call did not end")
        except Exception as error:
            print(type(error).__name__)
        scenario.value(await client.call_tool("Probe_Echo", {"text": "on"}), "on")
        print(client.protocol_version)


asyncio.run(asyncio.wait_for(main(), 120))
