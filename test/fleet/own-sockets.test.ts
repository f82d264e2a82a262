import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closingSockets } from '../../src/fleet/own-sockets.js';

const server = net.createServer();
beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
afterAll(() => void server.close());

/** Connects to a server that is silent. */
async function connected(): Promise<net.Socket> {
  const { port } = server.address() as net.AddressInfo;
  const accepted = once(server, 'connection');
  const socket = net.connect(port, '127.0.0.1');
  await accepted;
  return socket;
}

it('the socket of an attempt that fails is closed, and no other', async () => {
  const before = await connected();
  let own: net.Socket | undefined;
  const attempt = closingSockets(async () => {
    own = await connected();
    throw new Error('timeout');
  });
  await expect(attempt).rejects.toThrow('timeout');
  expect([own?.destroyed, before.destroyed]).toEqual([true, false]);
  before.destroy();
});

it('a connection that was made stays, and so does what it opens later', async () => {
  const socket = await closingSockets(connected);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});
