import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { SocketFacts } from '../../../../src/model/facts/sockets.js';
import { loadLibc } from '../../../../src/probe/linux/native/libc.js';
import { parseNet } from '../../../../src/probe/linux/sockets/net.js';
import { diagTcp, diagUnix } from '../../../../src/probe/linux/sockets/sock-diag.js';
import { ssUnix } from '../../../../src/probe/linux/sockets/ss.js';
import { findTool } from '../../../support/find-tool.js';

const libc = loadLibc();
const ss = findTool('ss');
const open: { destroy?(): unknown; close?(): unknown }[] = [];

afterEach(() => {
  for (const one of open.splice(0)) {
    one.destroy?.();
    one.close?.();
  }
});

function listen(options: net.ListenOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => open.push(socket)).listen(options, () => resolve(server));
    server.once('error', reject);
    open.push(server);
  });
}

function connect(options: net.NetConnectOpts): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(options, () => resolve(socket));
    socket.once('error', reject);
    open.push(socket);
  });
}

const hasV6 = (() => {
  try {
    return readFileSync('/proc/net/if_inet6', 'utf8').includes(' lo');
  } catch {
    return false;
  }
})();

function ownSockets(): Set<number> {
  const inodes = new Set<number>();
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      const match = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`));
      if (match !== null) inodes.add(Number(match[1]));
    } catch {
      // the directory's own descriptor is gone again
    }
  }
  return inodes;
}

const key = ({ state, local, remote, inode }: SocketFacts) => `${inode} ${state} ${local} ${remote}`;

describe.skipIf(libc === null)('sock_diag gives the same sockets as other sources', () => {
  async function compareTcp(host: string): Promise<void> {
    if (libc === null) return;
    const server = await listen({ host, port: 0 });
    const { port } = server.address() as AddressInfo;
    const client = await connect({ host, port });
    client.write('hello');
    const mine = ownSockets();
    await expect.poll(() => open.length).toBe(3);
    const fromDiag = diagTcp(libc)?.filter(({ inode }) => mine.has(inode) || ownSockets().has(inode)) ?? [];
    const files = ['tcp', 'tcp6'].map((file) => readFileSync(`/proc/net/${file}`, 'utf8'));
    const fromProc = files.flatMap((text) => parseNet(text, 'tcp', 'own'));
    const ours = fromDiag.filter(
      ({ local, remote }) => local.endsWith(`:${port}`) || remote.endsWith(`:${port}`),
    );
    expect(ours.map(({ state }) => state).sort()).toEqual(['ESTABLISHED', 'ESTABLISHED', 'LISTEN']);
    for (const socket of ours) expect(fromProc.map(key)).toContain(key(socket));
    const sender = ours.find(({ remote, state }) => state === 'ESTABLISHED' && remote.endsWith(`:${port}`));
    await expect
      .poll(() => diagTcp(libc)?.find(({ inode }) => inode === sender?.inode)?.tcp?.bytesAcked)
      .toBeGreaterThanOrEqual(5);
    if (ss === null) return;
    const address = host.includes(':') ? `[${host}]` : host;
    const rows = execFileSync(ss, ['-tnH', 'state', 'established'], { encoding: 'utf8' });
    expect(rows).toContain(`${address}:${client.localPort}`);
    expect(sender?.local).toBe(`${address}:${client.localPort}`);
  }

  test('TCP over IPv4: each socket is in /proc/net, the connection in ss', () => compareTcp('127.0.0.1'));

  test.skipIf(!hasV6)('TCP over IPv6: each socket is in /proc/net, the connection in ss', () =>
    compareTcp('::1'),
  );

  test.skipIf(ss === null)('unix sockets and their other ends: the same as ss', async () => {
    if (libc === null) return;
    const path = join(tmpdir(), `unstuck-diag-${process.pid}.sock`);
    const server = await listen({ path });
    const client = await connect({ path });
    await expect.poll(() => open.includes(client) && open.length).toBe(3);
    const mine = ownSockets();
    const pick = (rows: SocketFacts[] | null) =>
      (rows ?? [])
        .filter(({ inode }) => mine.has(inode))
        .map(({ inode, state, local, peer }) => ({ inode, state, local, peer: peer ?? 0 }))
        .sort((a, b) => a.inode - b.inode);
    const [diag, other] = [pick(diagUnix(libc)), pick(ssUnix())];
    server.close();
    rmSync(path, { force: true });
    expect(diag).toEqual(other);
    expect(
      diag
        .filter(({ local }) => local === path)
        .map(({ state }) => state)
        .sort(),
    ).toEqual(['ESTABLISHED', 'LISTEN']);
    const accepted = diag.find(({ local, state }) => local === path && state === 'ESTABLISHED');
    expect(diag.find(({ inode }) => inode === accepted?.peer)?.peer).toBe(accepted?.inode);
  });
});
