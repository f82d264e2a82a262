import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { connectFleet } from '../../src/fleet/connect.js';
import type { FleetLogin } from '../../src/fleet/settings.js';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-login-'));
afterAll(() => fs.rmSync(dir, { recursive: true }));

function file(name: string, content: string): string {
  fs.writeFileSync(path.join(dir, name), content);
  return path.join(dir, name);
}

/** Nothing listens there: a login that is tried at the server fails with another message. */
const tried = (login: FleetLogin) =>
  connectFleet({ url: 'nats://127.0.0.1:1', fleet: 'default', login }, { name: 'test' });

describe('a login that cannot be one is refused before the server is asked', () => {
  const garbage = file('garbage', 'garbage\n');
  const empty = file('empty', '\n');
  it.each<[what: string, login: FleetLogin, message: RegExp, hint: RegExp]>([
    ['no credentials', { creds: garbage }, /creds file .*garbage cannot be used: unable/, /--creds FILE/],
    ['no seed', { nkey: garbage }, /nkey file .*garbage cannot be used/, /--nkey FILE/],
    ['no password', { user: 'me' }, /user name, "me", and no password/, /--password-file FILE/],
    ['no user', { passwordFile: garbage }, /a password and no user name/, /--user NAME/],
    ['an empty password', { user: 'me', passwordFile: empty }, /empty cannot be used: it is empty/, /FILE/],
    ['no key', { tlsCert: garbage, tlsKey: garbage }, /files for TLS on this machine/, /--tls-key/],
    ['no file', { tlsCa: path.join(dir, 'none') }, /cannot read the tls-ca file .*none/, /--tls-ca FILE/],
  ])('%s', async (_what, login, message, hint) => {
    const failure = expect.objectContaining({
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
    await expect(tried(login)).rejects.toThrow(failure);
  });

  it('others are tried', async () => {
    await expect(tried({ user: 'me', passwordFile: garbage })).rejects.toThrow(
      /cannot reach the NATS server/,
    );
  });
});
