"""The scenario of fastmcp's client over HTTP, with tasks: fastmcp_http.py URL HEADER-FILE."""

import asyncio
import sys

import scenario
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp_tasks import call_tool_task


async def main():
    name, value = open(sys.argv[2]).read().strip().split(": ", 1)

    async def answer(message, response_type, params, context):
        return scenario.form_answer(params.requested_schema)

    async with Client(StreamableHttpTransport(sys.argv[1], headers={name: value}), elicitation_handler=answer) as client:
        scenario.check_tools(await client.list_tools())

        async def call(tool, arguments):
            return await client.call_tool(tool, arguments, raise_on_error=False)

        async def progress(tool, arguments):
            steps = []

            async def step(amount, total, message):
                steps.append(amount)

            await client.call_tool(tool, arguments, progress_handler=step)
            return steps

        await scenario.perform(call, progress)
        task = await call_tool_task(client, "Probe_Background", {"seconds": 600})
        assert (await task.status()).status == "working"
        await task.cancel()
        while (state := await task.status()).status == "working":
            await asyncio.sleep(0.1)
        assert state.status == "cancelled", state
        print("tasks")


asyncio.run(asyncio.wait_for(main(), 120))
