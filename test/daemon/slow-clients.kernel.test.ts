import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exchange } from '../../src/control/client/exchange.js';
import { HttpHome } from './http-home.js';

/** Long enough that nothing of this ends by itself. */
const patient = { headersMs: 60_000, requestMs: 60_000, checkEveryMs: 100 };
const limits = { ...patient, connectionsMax: 200, unaskedMax: 150, idleMax: 40, idleMsMin: 100 };
const clients = 400;

let home: HttpHome;

beforeEach(async () => {
  home = new HttpHome(limits);
  await home.listen();
});

afterEach(() => home.end());

const ask = (operation: string, input: unknown) =>
  exchange(home.path, { method: 'POST', path: `/v1/${operation}`, body: JSON.stringify(input) });

describe('clients that connect and do not ask', () => {
  test.each([
    ['nothing at all', ''],
    ['half a head', 'POST /v1/echo HTTP/1.1\r\nHost: a\r\n'],
    ['half a body', 'POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"te'],
    ['a request, and then nothing', 'GET /v1/hello HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('many clients that send %s keep no other client waiting', async (_, words) => {
    for (let n = 0; n < clients; n += 1) {
      const socket = await home.connect(words);
      socket.resume();
      if (n % 50 !== 49) continue;
      const startMs = performance.now();
      expect((await ask('echo', { text: 'abc' })).status).toBe(200);
      expect(performance.now() - startMs).toBeLessThan(patient.headersMs);
    }
  });

  test('a request that is being worked on is not let go for them', async () => {
    const mark = path.join(home.path, 'mark');
    const hanging = ask('hang', { text: mark }).then(
      () => 'answered',
      () => 'lost',
    );
    await expect.poll(() => fs.existsSync(mark)).toBe(true);
    for (let n = 0; n < clients; n += 1) await home.connect('POST /v1/ec');
    expect((await ask('echo', {})).status).toBe(200);
    expect(fs.readFileSync(mark, 'utf8')).toBe('hangs');
    expect(await Promise.race([hanging, Promise.resolve('hangs')])).toBe('hangs');
  });
});
