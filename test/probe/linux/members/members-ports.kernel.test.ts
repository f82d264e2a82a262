import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePorts, listeningPorts } from '../../../../src/probe/linux/sockets/listening-ports.js';

it.each(['127.0.0.1', '::'])(
  'a port on %s is taken while a process listens, and free afterwards',
  async (host) => {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(listeningPorts([process.pid])).toContain(port);
    expect(listeningPorts([])).toEqual([]);
    expect(freePorts([port])).toEqual(new Set());
    server.close();
    await once(server, 'close');
    expect(listeningPorts([process.pid])).not.toContain(port);
    expect(freePorts([port])).toEqual(new Set([port]));
  },
);
