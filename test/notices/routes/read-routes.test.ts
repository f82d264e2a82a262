import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../../src/model/failure.js';
import { readRoutes } from '../../../src/notices/routes/read-routes.js';
import { eventsOf, routesTo } from '../../../src/notices/routes/route.js';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-routes-'));
afterAll(() => fs.rmSync(place, { recursive: true }));

function fileWith(content: unknown, mode = 0o600): string {
  const file = path.join(place, 'routes.json');
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  fs.chmodSync(file, mode);
  return file;
}

const about = { label: 'api', task: 'pr-42', owner: null, tags: ['chat=42', 'nightly'] };

describe('routes.json', () => {
  it('is read with defaults', () => {
    const routes = readRoutes(
      fileWith({
        routes: {
          team: { tag: 'chat=*', slack: 'https://hooks.slack.com/services/x' },
          log: { kinds: ['match'], command: 'cat >/dev/null' },
        },
      }),
    );
    expect(routes).toEqual([
      {
        name: 'team',
        match: { tag: 'chat=*' },
        kinds: ['exit', 'needs-input', 'stuck', 'stalled'],
        target: { kind: 'slack', url: 'https://hooks.slack.com/services/x' },
      },
      { name: 'log', match: {}, kinds: ['match'], target: { kind: 'command', line: 'cat >/dev/null' } },
    ]);
    expect(readRoutes(path.join(place, 'missing.json'))).toEqual([]);
  });

  it.each([
    ['not JSON', '{', /is not JSON/],
    ['a list', [], /is no JSON object/],
    ['an unknown key', { route: {} }, /unknown key "route"/],
    ['a misspelt key', { routes: { a: { slak: 'https://x' } } }, /unknown key "slak"/],
    ['no target', { routes: { a: { tag: 'x' } } }, /has no target/],
    ['two targets', { routes: { a: { slack: 'https://x', command: 'x' } } }, /has two targets/],
    ['an unencrypted address', { routes: { a: { slack: 'http://example.com/x' } } }, /is not encrypted/],
    ['a wrong kind', { routes: { a: { kinds: ['ended'], command: 'x' } } }, /not a list of kinds/],
    ['a relative path', { routes: { a: { telegram: { tokenFile: 'x', chat: '1' } } } }, /relative path/],
    ['a name that leads elsewhere', { routes: { '../x': { command: 'x' } } }, /is not a name/],
    ['a NUL byte', { routes: { a: { command: 'x\0y' } } }, /is not a text/],
  ])('with %s is refused with its place and a hint', (_, content, message) => {
    const read = () => readRoutes(fileWith(content));
    expect(read).toThrow(message);
    try {
      read();
    } catch (error) {
      expect((error as Failure).hint).not.toBe('');
    }
  });

  it('that others may change is refused: it holds commands', () => {
    expect(() => readRoutes(fileWith({ routes: {} }, 0o622))).toThrow(/can be changed by other users/);
  });

  test.prop([fc.json()])('of any content is read or refused', (content) => {
    try {
      readRoutes(fileWith(content));
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
    }
  });
});

describe('a route', () => {
  it.each([
    [{}, true],
    [{ tag: 'chat=*' }, true],
    [{ tag: 'chat=*', task: 'pr-*' }, true],
    [{ tag: 'chat=43' }, false],
    [{ owner: 'claude' }, false],
    [{ label: 'api', tag: 'weekly' }, false],
  ])('that matches %j', (match, expected) => {
    expect(routesTo({ match }, about)).toBe(expected);
  });

  it('asks a run for the events among its kinds', () => {
    const target = { kind: 'command', line: 'x' } as const;
    const routes = [
      { name: 'a', match: {}, kinds: ['match', 'stuck'] as const, target },
      { name: 'b', match: { task: 'other' }, kinds: ['exit'] as const, target },
    ];
    expect(eventsOf(routes, about)).toEqual(['stuck']);
  });
});
