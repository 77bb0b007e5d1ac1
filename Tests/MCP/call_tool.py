"""One call with the official SDK 2.x: call_tool.py TOOL ARGUMENTS COMMAND... prints the tools, then the text of the result."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def main():
    tool, arguments = sys.argv[1], json.loads(sys.argv[2])
    async with Client(StdioServerParameters(command=sys.argv[3], args=sys.argv[4:])) as client:
        tools = []
        page = await client.list_tools()
        tools += page.tools
        while page.next_cursor:
            page = await client.list_tools(cursor=page.next_cursor)
            tools += page.tools
        print(len(tools), "tools")
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result
        print(json.dumps(result.structured_content))
        print("\n".join(block.text for block in result.content if block.type == "text"))


asyncio.run(asyncio.wait_for(main(), 120))
