import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { listHosts } from '../../../src/control/fleet/list.js';
import type { FleetLogin } from '../../../src/fleet/settings.js';
import { findTool } from '../../support/find-tool.js';
import { FleetMachine } from '../../support/fleet-machine.js';
import { makeCertificates, makeNkey, makeOperator } from '../../support/nats-logins.js';
import { removeDirectory } from '../../support/remove-directory.js';

const hasTools = findTool('nats-server') !== null && findTool('openssl') !== null;
const password = 'correct horse @ battery';

describe.skipIf(!hasTools)('logins to a real NATS server', () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  const machine = new FleetMachine();
  const file = (name: string, content: string) => {
    fs.writeFileSync(path.join(dir, name), content, { mode: 0o600 });
    return path.join(dir, name);
  };
  let secure: NatsServers;
  let operated: NatsServers;
  let tls: FleetLogin;

  /** The word that comes back: how many hosts there are, or the failure. */
  const ask = async (url: string, login: FleetLogin) => {
    const names = {
      user: 'USER',
      password: 'PASSWORD',
      passwordFile: 'PASSWORD_FILE',
      token: 'TOKEN',
      creds: 'CREDS',
    };
    const files = { nkey: 'NKEY', tlsCa: 'TLS_CA', tlsCert: 'TLS_CERT', tlsKey: 'TLS_KEY' };
    const keys = Object.entries({ ...names, ...files }).map(([key, name]) => [
      `UNSTUCK_FLEET_${name}`,
      login[key as keyof FleetLogin],
    ]);
    const env = { ...process.env, UNSTUCK_HOME: dir, UNSTUCK_FLEET_URL: url, ...Object.fromEntries(keys) };
    try {
      return (await listHosts({ env })).length;
    } catch (error) {
      const { message, hint } = error as Error & { hint: string };
      expect(`${message} ${hint}`).not.toContain('battery');
      return `${message} ${hint}`;
    }
  };

  beforeAll(async () => {
    const { ca, server, client } = makeCertificates(dir);
    tls = { tlsCa: ca, tlsCert: client.cert, tlsKey: client.key };
    const nkey = makeNkey(path.join(dir, 'user.nk'));
    makeNkey(path.join(dir, 'stranger.nk'));
    const users = `{ user: me, password: ${JSON.stringify(password)} }, { nkey: ${nkey} }`;
    // By itself a server gives a client 2 s, which may have to wait for a CPU.
    const config = `tls { cert_file: "${server.cert}", key_file: "${server.key}", ca_file: "${ca}", verify: true, timeout: 60 }
      authorization { timeout: 60, users: [${users}] }`;
    secure = await NatsServers.begin(path.join(dir, 'secure'), { config });
  });

  afterAll(async () => {
    await machine.end();
    await secure?.end();
    await operated?.end();
    await removeDirectory(dir);
  });

  it('a password over TLS with certificates on both sides', async () => {
    expect(await ask(secure.url, { ...tls, user: 'me', password })).toBe(0);
    const { tlsCa: _, ...noAuthority } = tls;
    expect(await ask(secure.url, { ...noAuthority, user: 'me', password })).toContain('--tls-ca FILE');
    expect(await ask(secure.url, { tlsCa: tls.tlsCa as string, user: 'me', password })).toMatch(
      /cannot reach|TLS|tls/,
    );
    expect(await ask(secure.url, { ...tls, user: 'me', password: 'battery' })).toContain(
      'refuses this login',
    );
    expect(await ask(secure.url, tls)).toContain('refuses this login');
    expect(await ask(secure.url, { ...tls, tlsKey: path.join(dir, 'none') })).toContain('none');
  });

  it('an nkey', async () => {
    expect(await ask(secure.url, { ...tls, nkey: path.join(dir, 'user.nk') })).toBe(0);
    expect(await ask(secure.url, { ...tls, nkey: path.join(dir, 'stranger.nk') })).toContain(
      'refuses this login',
    );
    expect(await ask(secure.url, { ...tls, nkey: file('broken.nk', 'SUABROKEN') })).toContain('--nkey');
    expect(await ask(secure.url, { ...tls, nkey: path.join(dir, 'none') })).toContain(
      'cannot read the nkey file',
    );
  });

  it('a credentials file', async () => {
    const { config, known, stranger } = makeOperator();
    operated = await NatsServers.begin(path.join(dir, 'operated'), { config });
    expect(await ask(operated.url, { creds: file('known.creds', known()) })).toBe(0);
    expect(await ask(operated.url, { creds: file('other.creds', stranger()) })).toContain(
      'refuses this login',
    );
    expect(await ask(operated.url, { creds: file('cut.creds', known().slice(0, 300)) })).toContain('--creds');
    expect(await ask(operated.url, {})).toContain('refuses this login');
    expect(await ask(operated.url.replaceAll('nats:', 'tls:'), {})).toContain('this server has no TLS');
  });

  it('a member keeps no more than was typed, readable by its owner only, and prints none of it', async () => {
    const passwordFile = file('password', `${password}\n`);
    const flags = ['--tls-ca', tls.tlsCa, '--tls-cert', tls.tlsCert, '--tls-key', tls.tlsKey].map(String);
    const login = ['--user', 'me', '--password-file', passwordFile, ...flags];
    const { code, stdout, stderr } = await machine.cli('join', secure.url, '--name', 'build', ...login);
    expect(code, stderr).toBe(0);
    const stored = path.join(machine.path, 'fleet.json');
    expect(fs.statSync(stored).mode & 0o777).toBe(0o600);
    expect(JSON.parse(fs.readFileSync(stored, 'utf8')).login.passwordFile).toBe(passwordFile);
    const written = fs.readdirSync(machine.path, { withFileTypes: true }).filter((one) => one.isFile());
    const texts = written.map(({ name }) => fs.readFileSync(path.join(machine.path, name), 'utf8'));
    for (const text of [stdout, stderr, ...texts]) expect(text).not.toContain('battery');
    expect((await machine.json('ps', '--fleet', '--json')).hosts).toMatchObject([{ name: 'build' }]);
  });
});
