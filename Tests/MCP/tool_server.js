// An MCP server with one tool, in Node.js, which generates code at run time. Without any package.
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const answers = {
    "server/discover": () => ({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }),
    "tools/list": () => ({ tools: [{ name: "double", inputSchema: { type: "object", properties: { n: { type: "integer" } } } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: String(2 * params.arguments.n) }] }),
  };
  if (id === undefined) return;
  const answer = answers[method]
    ? { result: { resultType: "complete", ...answers[method]() } }
    : { error: { code: -32601, message: "Method not found" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
lines.on("close", () => process.exit(0));
