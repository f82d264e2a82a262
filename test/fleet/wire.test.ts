import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { fleetNames, parseHandle, parseQueueSubject } from '../../src/fleet/names.js';
import { withoutPassword } from '../../src/fleet/settings.js';
import { AnswerParts, cutAnswer, outputOf, parsePart, parseRequest } from '../../src/fleet/wire.js';
import { Failure } from '../../src/model/failure.js';

describe('messages between hosts', () => {
  test.prop([fc.json(), fc.integer({ min: 1, max: 64 })])(
    'any answer arrives whole, in any order',
    (json, bytes) => {
      const body = JSON.parse(json) as unknown;
      const pieces = cutAnswer({ status: 200, body }, bytes).map((data, index) => ({ data, index }));
      fc.pre(pieces.length <= 1024);
      const parts = new AnswerParts();
      const answers = pieces
        .reverse()
        .map(({ data, index }) => parts.add({ index, count: pieces.length }, data))
        .filter((answer) => answer !== null);
      expect(answers).toEqual([{ status: 200, body }]);
    },
  );

  test.prop([fc.uint8Array({ maxLength: 200 })])('garbage is refused, never crashes a host', (bytes) => {
    expect(() => parseRequest(bytes)).toThrow(Failure);
  });

  test.prop([fc.string()])('a header that is not a part is none', (text) => {
    const part = parsePart(text);
    expect(part === null || part.index < part.count).toBe(true);
  });

  it('a newer host is refused with what to do', () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ version: 2, requestId: 'x', input: {} }));
    expect(() => parseRequest(bytes)).toThrow(/does not understand requests of version 2/);
  });

  it('a failure of a host is the same failure here, with its name', () => {
    const body = { error: { code: 'no-such-run', message: 'no run x', hint: 'list them' } };
    expect(() => outputOf('build1', { status: 404, body })).toThrow('build1: no run x');
  });
});

describe('names', () => {
  test.prop([fc.string()])('only a plain name before the slash is a host', (text) => {
    const handle = parseHandle(text);
    if (handle !== null) expect(handle.host).toMatch(/^[\w-]{1,63}$/);
  });

  it('a queue subject says which labels are needed', () => {
    const subject = fleetNames('f').queueSubject('build', ['gpu', 'arch=arm64']);
    expect(parseQueueSubject(subject)).toEqual({ queue: 'build', needs: ['arch=arm64', 'gpu'] });
    expect(parseQueueSubject(fleetNames('f').queueSubject('q', []))).toEqual({ queue: 'q', needs: [] });
  });

  it('a password in an address is taken out of it', () => {
    const { url, login } = withoutPassword({ url: 'nats://me:p%40ss@h:1,h2', fleet: 'f', login: {} });
    expect(url).toBe('nats://h:1,nats://h2');
    expect(login).toEqual({ user: 'me', password: 'p@ss' });
  });
});
