"""The trivial tool of the benchmarks, as a function in fastmcp's server: nothing isolates it.

mcp_server.py [COUNT [PORT]]: with COUNT, the server has as many more tools, each with four parameters. With PORT, it serves
HTTP on 127.0.0.1 instead of pipes.
"""

import sys

from fastmcp import FastMCP

server = FastMCP("peer")


@server.tool
def answer(number: int) -> int:
    return number + 1


def add(index):
    def tool(text: str, count: int = 1, isUrgent: bool = False, share: float = 0.5) -> int:
        """Counts something."""
        return count

    server.tool(tool, name=f"tool_{index}", description=f"Counts something, number {index}.")


for index in range(int(sys.argv[1]) if len(sys.argv) > 1 else 0):
    add(index)

if len(sys.argv) > 2:
    server.run(
        transport="http", host="127.0.0.1", port=int(sys.argv[2]), stateless_http=True, json_response=True,
        show_banner=False, log_level="critical"
    )
else:
    server.run(transport="stdio", show_banner=False)
