import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useProgram } from '../run/input/programs.js';
import { findTool } from '../support/find-tool.js';
import { removeDirectory } from '../support/remove-directory.js';

const attempt = useProgram(new URL('./deliver-attempt.program.ts', import.meta.url));

const openssl = findTool('openssl');

describe.skipIf(openssl === null)('servers that a webhook over https is sent to', () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-tls-'));
  const cert = path.join(dir, 'cert.pem');
  let server: https.Server;
  let requests = 0;

  beforeAll(async () => {
    const key = path.join(dir, 'key.pem');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync(openssl ?? '', [...made, '-days', '2', ...subject, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    server = https.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) }, (_, response) => {
      requests += 1;
      response.end();
    });
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await removeDirectory(dir);
  });

  async function tell(host: string, ...env: string[]): Promise<unknown> {
    const { port } = server.address() as AddressInfo;
    const { stdout } = await attempt.finish(['env', ...env], `https://${host}:${port}/hook`);
    return JSON.parse(stdout);
  }

  it('a server whose certificate is trusted', async () => {
    expect(await tell('localhost', `NODE_EXTRA_CA_CERTS=${cert}`)).toEqual({ kind: 'delivered' });
    expect(requests).toBe(1);
  });

  it.each([
    ['its certificate is self-signed', 'localhost', [], /SELF_SIGNED/],
    [
      'its certificate is self-signed, and Node would accept it',
      'localhost',
      ['NODE_TLS_REJECT_UNAUTHORIZED=0'],
      /SELF_SIGNED/,
    ],
    ['its certificate has another name', '127.0.0.1', [`NODE_EXTRA_CA_CERTS=${cert}`], /ALTNAME/],
  ])('no other: %s', async (_, host, env, reason) => {
    const before = requests;
    expect(await tell(host, ...env)).toEqual({ kind: 'failed', reason: expect.stringMatching(reason) });
    expect(requests).toBe(before);
  });
});
