import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { why } from '../../src/control/why.js';
import { askUntil } from '../support/ask-until.js';
import { startReady } from '../watchdog/start-child.js';

const api = fileURLToPath(new URL('../support/scripted-api/server.mjs', import.meta.url));

/** Prints its pid once the answer has begun, and waits for the rest of it. */
const clientOf = (port: string) => `exec node -e "
  const body = JSON.stringify({ stream: true, tools: [{ name: 'Bash' }] });
  fetch('http://127.0.0.1:${port}/v1/messages', { method: 'POST', body }).then(async (answer) => {
    console.log(process.pid);
    for await (const chunk of answer.body) if (chunk.length === 0) break;
  });
"`;

/** Another client of the same server, which asks its own user first. */
const idleClientOf = (port: string) => `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}; echo $$; read -r line'`;

it.each([
  ['is silent', '{"kind":"silent"}'],
  ['answers slowly', '{"kind":"slow","text":"one two three","everyMs":60000}'],
])('a chain ends at a server outside that %s, and not at its other clients', async (_, turn) => {
  const server = await startReady(`exec node '${api}' '[${turn}]'`);
  const other = await startReady(idleClientOf(server.line));
  const { line } = await startReady(clientOf(server.line));
  const waits = `waits for an answer from node(${server.child.pid})`;
  // Client and server may both still be at work on what was sent.
  const { verdict, chain, findings } = await askUntil(
    () => why(Number(line)),
    ({ verdict }) => verdict.kind === 'network' && verdict.reason.includes(waits),
  );
  expect(verdict).toMatchObject({ kind: 'network', command: expect.stringContaining('node') });
  expect(verdict.reason).toContain(waits);
  expect(chain.map(({ pid }) => pid)).not.toContain(Number(other.line));
  expect(findings).toEqual([]);
});
