"""The trivial tool of the benchmarks, as a function in fastmcp's server: nothing isolates it."""

from fastmcp import FastMCP

server = FastMCP("peer")


@server.tool
def answer(number: int) -> int:
    return number + 1


server.run(transport="stdio", show_banner=False)
