import { expect, it } from 'vitest';
import { addJob } from '../../../src/control/fleet/add-job.js';
import { followEvents } from '../../../src/control/fleet/events.js';

/** Nothing listens there: what is refused for another reason was refused before. */
const env = { UNSTUCK_HOME: '/nonexistent', UNSTUCK_FLEET_URL: 'nats://127.0.0.1:1' };

const follow = (options: { consumer: string; webhook?: string }) =>
  followEvents({ ...options, signal: new AbortController().signal }, env).next();

it('a consumer whose name cannot be one is called a consumer', async () => {
  await expect(follow({ consumer: 'a.b' })).rejects.toThrow('not a name of a consumer: "a.b"');
});

it.each(['nonsense', 'http://example.org/hook', 'ftp://127.0.0.1/'])(
  'a webhook that cannot be used (%s) is refused before anything is read',
  async (webhook) => {
    await expect(follow({ consumer: 'c', webhook })).rejects.toMatchObject({
      code: 'bad-input',
      hint: 'use https://…, or http://127.0.0.1:PORT/… for a server on this machine',
    });
  },
);

it.each([
  { command: ['true'], label: 'x'.repeat(300) },
  { command: [''] },
  { command: '   ' },
  { command: ['true'], env: { A: 1 as unknown as string } },
  { command: ['true'], cwd: 'here' },
  { command: ['true'], options: { timeout: 'soon' } },
  { command: ['true'], options: { nonsense: true } as object },
])('a job that no host can start is not added: %j', async (job) => {
  await expect(addJob(job, { env })).rejects.toMatchObject({
    code: expect.stringMatching(/^bad-(input|config)$/),
  });
});
