import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { Libc } from '../../../../src/probe/linux/native/libc.js';
import { diagTcp, diagUnix } from '../../../../src/probe/linux/sockets/sock-diag.js';

/** A kernel that answers each request with the given datagrams, and counts what is left open. */
function kernel(...datagrams: Buffer[]): { libc: Libc; open: () => number } {
  let open = 0;
  let queue: Buffer[] = [];
  const libc = {
    socket: () => {
      open += 1;
      return 50;
    },
    send: (_fd: number, _bytes: Buffer, length: number) => {
      queue = [...datagrams];
      return length;
    },
    recv: (_fd: number, bytes: Buffer) => {
      const next = queue.shift();
      if (next === undefined) return -1;
      return next.copy(bytes);
    },
    close: () => {
      open -= 1;
      return 0;
    },
  } as Partial<Libc> as Libc;
  return { libc, open: () => open };
}

function message(type: number, payload: Buffer, claimed = 16 + payload.length): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(claimed, 0);
  header.writeUInt16LE(type, 4);
  return Buffer.concat([header, payload, Buffer.alloc((4 - (payload.length % 4)) % 4)]);
}

function attribute(type: number, value: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(4 + value.length, 0);
  header.writeUInt16LE(type, 2);
  return Buffer.concat([header, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

const u32 = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer);
const done = message(3, Buffer.alloc(4));

function unixSocket(inode: number, state: number, ...attributes: Buffer[]): Buffer {
  const fixed = Buffer.alloc(16);
  fixed[0] = 1;
  fixed[2] = state;
  fixed.writeUInt32LE(inode, 4);
  return message(20, Buffer.concat([fixed, ...attributes]));
}

describe('sock_diag: the other end of a unix socket', () => {
  test('name, peer and queues, over several datagrams', () => {
    const { libc, open } = kernel(
      Buffer.concat([
        unixSocket(11, 1, attribute(2, u32(12)), attribute(4, u32(5, 6))),
        unixSocket(13, 10, attribute(0, Buffer.from('/run/x.sock\0'))),
      ]),
      Buffer.concat([unixSocket(14, 7, attribute(0, Buffer.from('\0hidden'))), done]),
    );
    const sockets = diagUnix(libc)?.map(({ inode, state, local, peer, receiveQueue, sendQueue }) => [
      inode,
      state,
      local,
      peer,
      receiveQueue,
      sendQueue,
    ]);
    expect(sockets).toEqual([
      [11, 'ESTABLISHED', '', 12, 5, 6],
      [13, 'LISTEN', '/run/x.sock', undefined, 0, 0],
      [14, 'UNCONNECTED', '@hidden', undefined, 0, 0],
    ]);
    expect(open()).toBe(0);
  });

  test('half an answer is no answer', () => {
    expect(diagUnix(kernel(unixSocket(11, 1)).libc)).toBeNull();
    expect(diagUnix(kernel(Buffer.concat([unixSocket(11, 1), message(2, u32(1))])).libc)).toBeNull();
    expect(diagTcp(kernel().libc)).toBeNull();
  });

  test('a socket that cannot be opened', () => {
    const { libc } = kernel(done);
    expect(diagUnix({ ...libc, socket: () => -1 })).toBeNull();
    expect(diagUnix({ ...libc, send: () => -1 })).toBeNull();
  });

  test('a dump without an end does not hang us', () => {
    const { libc } = kernel();
    const endless = { ...libc, recv: (_fd: number, bytes: Buffer) => unixSocket(1, 1).copy(bytes) };
    expect(diagUnix(endless)).toBeNull();
  });

  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 400 }))
      .map(([bytes, claimed]) => message(20, Buffer.from(bytes), claimed)),
    fc
      .tuple(fc.integer({ min: 0, max: 5 }), fc.uint8Array({ maxLength: 9 }))
      .map(([type, value]) => unixSocket(7, 1, attribute(type, Buffer.from(value)))),
    fc.constant(done),
  );

  property.prop([fc.array(piece, { maxLength: 6 })])(
    'malformed messages: rows or nothing, and all is closed',
    (pieces) => {
      const { libc, open } = kernel(...pieces);
      expect(() => diagUnix(libc)).not.toThrow();
      expect(() => diagTcp(libc)).not.toThrow();
      expect(open()).toBe(0);
    },
  );
});
