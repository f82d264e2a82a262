import { describe, expect, test } from 'vitest';
import { SocketIndex } from '../../../src/model/facts/socket-index.js';
import type { SocketFacts } from '../../../src/model/facts/sockets.js';

function socket(facts: Partial<SocketFacts>): SocketFacts {
  return {
    inode: 1,
    space: 'net:[1]',
    family: 'tcp',
    state: 'ESTABLISHED',
    local: '127.0.0.1:80',
    remote: '127.0.0.1:4000',
    receiveQueue: 0,
    sendQueue: 0,
    ...facts,
  };
}

const client = socket({ inode: 2, local: '127.0.0.1:4000', remote: '127.0.0.1:80' });
const elsewhere = { space: 'net:[2]' };

describe('two network namespaces that use the same addresses', () => {
  const server = socket({ inode: 3 });
  const listener = socket({ inode: 4, state: 'LISTEN', local: '0.0.0.0:80', remote: '0.0.0.0:0' });
  const index = new SocketIndex([server, listener]);

  test('the other end of a connection is in the same namespace', () => {
    expect(index.reverse(client)).toBe(server);
    expect(index.reverse({ ...client, ...elsewhere })).toBeUndefined();
  });

  test('a listener accepts connections of its own namespace only', () => {
    expect(index.listenerFor(client)).toBe(listener);
    expect(index.listenerFor({ ...client, ...elsewhere })).toBeUndefined();
    expect(index.isAccepted(server)).toBe(true);
    expect(index.isAccepted({ ...server, ...elsewhere })).toBe(false);
  });

  test('a unix socket with a path is reached from both namespaces, with an abstract name it is not', () => {
    const unix = { family: 'unix', state: 'LISTEN', remote: '' } as const;
    const path = socket({ inode: 5, ...unix, local: '/run/x.sock' });
    const abstract = socket({ inode: 6, ...unix, local: '@x' });
    const both = new SocketIndex([path, abstract]);
    expect(both.unixListener('net:[2]', '/run/x.sock')).toBe(path);
    expect(both.unixListener('net:[1]', '@x')).toBe(abstract);
    expect(both.unixListener('net:[2]', '@x')).toBeUndefined();
  });
});

test('the exact address is found before the wildcard', () => {
  const all = socket({ inode: 7, state: 'LISTEN', local: '[::]:80', remote: '[::]:0' });
  const one = socket({ inode: 8, state: 'LISTEN', local: '127.0.0.1:80', remote: '0.0.0.0:0' });
  expect(new SocketIndex([all, one]).listenerFor(client)).toBe(one);
});

test('sockets without an inode are found by address and never by inode', () => {
  const waiting = socket({ inode: 0 });
  const index = new SocketIndex([waiting]);
  expect(index.reverse(client)).toBe(waiting);
  expect(index.byInode(0)).toBeUndefined();
});
