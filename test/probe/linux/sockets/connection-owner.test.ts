import { once } from 'node:events';
import net from 'node:net';
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import {
  connectionOwner,
  ownerInFiles,
  parseOwner,
} from '../../../../src/probe/linux/sockets/connection-owner.js';

const head =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (local: string, remote: string, uid: number, inode: number) =>
  `   1: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000 ${uid}        0 ${inode} 1 0000 20 4 30 10 -1`;

test('the user of one end of a connection, and not that of the other', () => {
  const text = [
    head,
    row('0100007F:1F90', '0100007F:A2B4', 0, 5),
    row('0100007F:A2B4', '0100007F:1F90', 1000, 6),
  ].join('\n');
  expect(parseOwner(text, '127.0.0.1:41652', '127.0.0.1:8080')).toBe(1000);
  expect(parseOwner(text, '127.0.0.1:8080', '127.0.0.1:41652')).toBe(0);
  expect(parseOwner(text, '127.0.0.1:41652', '127.0.0.1:8081')).toBeNull();
});

test('an end that was closed has no user, though it is shown as that of root', () => {
  expect(
    parseOwner(row('0100007F:A2B4', '0100007F:1F90', 0, 0), '127.0.0.1:41652', '127.0.0.1:8080'),
  ).toBeNull();
});

test('an IPv4 connection of an IPv6 socket', () => {
  const text = row('0000000000000000FFFF00000100007F:A2B4', '0000000000000000FFFF00000100007F:1F90', 7, 9);
  expect(parseOwner(text, '127.0.0.1:41652', '127.0.0.1:8080')).toBe(7);
});

test.prop([fc.string()])('any text is read', (text) => {
  expect(parseOwner(text, '127.0.0.1:41652', '127.0.0.1:8080')).toBeNull();
});

test('the kernel and its files name the same user for both ends, and none for a connection that is not there', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  for (const [host, family] of [
    ['127.0.0.1', 4],
    ['::ffff:127.0.0.1', 6],
  ] as const) {
    const client = net.connect({ port, host, family });
    await once(client, 'connect');
    const near = { address: '127.0.0.1', port: client.localPort ?? 0 };
    const far = { address: '127.0.0.1', port };
    const own = process.getuid?.();
    expect([connectionOwner(near, far), connectionOwner(far, near)], host).toEqual([own, own]);
    expect(ownerInFiles(`127.0.0.1:${near.port}`, `127.0.0.1:${port}`), host).toBe(own);
    expect(connectionOwner(near, { ...far, port: near.port }), host).toBeNull();
    // A listening socket is no end of this connection.
    expect(connectionOwner(far, { ...near, port: 1 }), host).toBeNull();
    client.destroy();
    await once(client, 'close');
    expect(connectionOwner(near, far), host).toBeNull();
  }
  server.close();
});
