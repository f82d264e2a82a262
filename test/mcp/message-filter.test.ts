import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { type BadMessage, MessageFilter } from '../../src/mcp/message-filter.js';

const ping = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;

async function filtered(chunks: readonly Buffer[], bytesMax = 1000) {
  const refused: BadMessage[] = [];
  const filter = new MessageFilter(bytesMax, (bad) => refused.push(bad));
  for (const chunk of chunks) filter.write(chunk);
  filter.end();
  const passed = await filter.toArray();
  return { passed: Buffer.concat(passed).toString(), refused };
}

test.prop([fc.array(fc.nat(200))])('what is passed on does not depend on how it is cut', async (cuts) => {
  const all = Buffer.from(`${ping(1)}no JSON ä\n${ping(2)}\n{"id":"x"}\n${ping(3)}`);
  const ends = [...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length];
  const { passed, refused } = await filtered(ends.map((end, at) => all.subarray(ends[at - 1] ?? 0, end)));
  expect(passed).toBe(ping(1) + ping(2) + ping(3));
  expect(refused).toMatchObject([
    { id: null, code: -32700 },
    { id: 'x', code: -32600 },
  ]);
});

test('a line that is too long is left to the transport', async () => {
  const long = Buffer.alloc(600, 'x');
  expect((await filtered([long, long])).passed).toHaveLength(1200);
});
