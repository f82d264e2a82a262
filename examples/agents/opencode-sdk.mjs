// The opencode SDK talks to a server: start the server below `unstuck run`. A tool that hangs is stopped alone, and the
// server goes on. What Unstuck reports is on stderr.
//   npm i @opencode-ai/sdk && node opencode-sdk.mjs 'Are the tests green?'
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createOpencodeClient } from '@opencode-ai/sdk';

const [prompt = 'Are the tests green?'] = process.argv.slice(2);

const serve = ['opencode', 'serve', '--hostname', '127.0.0.1', '--port', '0'];
const server = spawn('unstuck', ['run', '--kill-stuck', 'part', '--', ...serve], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const client = createOpencodeClient({ baseUrl: await addressOf(server.stdout) });
  const session = await client.session.create();
  const answer = await client.session.prompt({
    path: { id: session.data?.id ?? '' },
    body: { parts: [{ type: 'text', text: prompt }] },
  });
  for (const part of answer.data?.parts ?? []) if (part.type === 'text') console.log(part.text);
} finally {
  server.kill();
}

/** The server prints where it listens. @param {import('node:stream').Readable} output */
async function addressOf(output) {
  for await (const line of createInterface({ input: output })) {
    const address = /listening on (\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('opencode ended before it listened');
}
