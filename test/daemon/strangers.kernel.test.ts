import { execFile } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { askUntil } from '../support/ask-until.js';
import { patienceMs } from '../support/patience.js';
import { makeHome, useDaemons } from './daemon-home.js';

useDaemons();

const isRoot = process.getuid?.() === 0;
const as = (uid: number) => ['setpriv', '--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups'];

/** Asks past the client, which would not even try. */
const ask = `
  const http = require('node:http');
  const options = { socketPath: process.argv[1], path: '/v1/hello', agent: false };
  http.get(options, async (response) => {
    let body = '';
    for await (const chunk of response) body += chunk;
    console.log(JSON.stringify({ status: response.statusCode, body: JSON.parse(body) }));
  }).on('error', ({ code }) => console.log(JSON.stringify({ code })));`;

describe.runIf(isRoot)('another user', () => {
  it('another user is kept out by the mode of the socket, and refused with a message where that fails; root too', async () => {
    const home = makeHome();
    chownSync(home.home, 65_534, 65_534);
    await home.start({ before: as(65_534) });
    const askAs = async (uid: number) => {
      const [file = '', ...rest] = [...as(uid), process.execPath, '-e', ask, home.file('daemon.sock')];
      return JSON.parse((await promisify(execFile)(file, rest, { timeout: patienceMs })).stdout);
    };
    // A second daemon that was started meanwhile makes the directory private again before it ends.
    const askOpen = (uid: number, ...open: string[]) => {
      for (const place of open) chmodSync(place, 0o777);
      return askAs(uid);
    };
    expect(await askAs(65_533)).toEqual({ code: 'EACCES' });
    expect(await askOpen(65_533, home.home)).toEqual({ code: 'EACCES' });
    for (const uid of [65_533, 0]) {
      const answer = await askUntil(
        () => askOpen(uid, home.home, home.file('daemon.sock')),
        ({ code }) => code !== 'EACCES',
      );
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'not-yours' } } });
    }
    expect(await askAs(65_534)).toMatchObject({ status: 200 });
  });

  it('a home of another user is refused, by root too, and nothing is started', async () => {
    const home = makeHome();
    chownSync(home.home, 65_534, 65_534);
    for (const args of [
      ['daemon', 'start'],
      ['daemon', 'status'],
      ['daemon', 'run'],
      ['daemon', 'stop'],
    ]) {
      const { code, stderr } = await home.run(args);
      expect({ args, code, stderr }).toMatchObject({
        code: 125,
        stderr: expect.stringMatching(/belongs to another user \(uid 65534\)\nhint: set UNSTUCK_HOME/),
      });
    }
    expect((await home.call('echo')).json.code).toBe('not-yours');
    expect(home.daemons).toEqual([]);
  });
});
