// An MCP server that has one tool and waits for requests on its standard input: never stuck.
import { createInterface } from 'node:readline';

/** @type {Record<string, (params: Record<string, unknown>) => object>} */
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'idle', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'rest', description: 'does nothing', inputSchema: { type: 'object' } }],
  }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params ?? {}) ?? {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
