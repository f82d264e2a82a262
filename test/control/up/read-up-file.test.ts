import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, expect, it } from 'vitest';
import { readUpFile } from '../../../src/control/up/read-up-file.js';
import { Failure } from '../../../src/model/failure.js';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-up-'));
afterAll(() => fs.rmSync(dir, { recursive: true }));

function read(text: string, name = 'unstuck-up.yaml') {
  const file = path.join(dir, name);
  fs.writeFileSync(file, text);
  return readUpFile(file);
}

describe('a file of commands', () => {
  it('has services in the order in which they can start', () => {
    const plan = read(`
services:
  web: { command: [npm, start], after: [db, seed], ready: { match: listening }, restart: on-failure, restartMax: 3 }
  seed: { command: ./seed.sh, after: db, ready: { exit: true }, readyTimeout: 1m30s }
  db: { command: redis-server, cwd: data, env: { A: 1 }, ready: { port: 6379 } }
parallel: 2`);
    expect(plan.parallel).toBe(2);
    expect(plan.services.map(({ name }) => name)).toEqual(['db', 'seed', 'web']);
    expect(plan.services).toMatchObject([
      { cwd: 'data', env: { A: '1' }, ready: { kind: 'port', port: 6379 }, restart: null },
      { command: './seed.sh', after: ['db'], ready: { kind: 'exit' }, readyMs: 90_000 },
      {
        command: ['npm', 'start'],
        ready: { kind: 'match', match: 'listening' },
        restart: { on: 'on-failure', max: 3 },
      },
    ]);
  });

  it('a missing key with a name that is nearly the same', () => {
    expect(() => read('services: { a: { comand: x } }')).toThrow(
      expect.objectContaining({ hint: 'write command instead of comand' }),
    );
  });

  it('JSON is read like YAML, a Procfile line by line', () => {
    expect(read('{"services": {"a": {"command": "x"}}}', 'unstuck-up.json').services[0]?.name).toBe('a');
    const plan = read('# a comment\nweb: npm start\n\nworker:  node worker.js --x: y\n', 'Procfile');
    expect(plan.services).toMatchObject([
      { name: 'web', command: 'npm start' },
      { name: 'worker', command: 'node worker.js --x: y' },
    ]);
  });

  it('the common part of a process-compose file', () => {
    const plan = read(
      `
version: "0.5"
environment: ["A=1"]
processes:
  api:
    command: ./api
    working_dir: srv
    environment: ["B=2"]
    depends_on: { migrate: { condition: process_completed_successfully }, db: { condition: process_healthy } }
    availability: { restart: on_failure, backoff_seconds: 2, max_restarts: 5 }
    ready_log_line: up
  migrate: { command: ./migrate }
  db: { command: pg, readiness_probe: { http_get: { host: 127.0.0.1, port: 5432 }, period_seconds: 1 } }
  off: { command: x, disabled: true }`,
      'process-compose.yaml',
    );
    expect(plan.services).toMatchObject([
      { name: 'migrate', ready: { kind: 'exit' }, env: { A: '1' } },
      { name: 'db', ready: { kind: 'port', port: 5432 } },
      {
        name: 'api',
        cwd: 'srv',
        env: { A: '1', B: '2' },
        after: ['migrate', 'db'],
        ready: { kind: 'match', match: 'up' },
        restart: { on: 'on-failure', max: 5, delayS: 2 },
      },
    ]);
  });

  it.each([
    ['an unknown key', 'services: { a: { command: x, afer: [b] } }', /a has an unknown key "afer"/],
    ['an unknown key of the file', 'services: { a: { command: x } }\nparalel: 2', /unknown key "paralel"/],
    [
      'a cycle',
      'services: { a: { command: x, after: [b] }, b: { command: x, after: [a] } }',
      /wait for each other.*a, b/,
    ],
    ['itself', 'services: { a: { command: x, after: [a] } }', /wait for each other.*a/],
    [
      'two with one name',
      'services:\n  a: { command: x }\n  a: { command: y }',
      /two entries have one name at line 3/,
    ],
    [
      'one that is not there',
      'services: { a: { command: x, after: [b] } }',
      /comes after b, which is not there/,
    ],
    [
      'a number in a command',
      'services: { a: { command: [sleep, 9] } }',
      /a.command must be a list of texts/,
    ],
    ['no command', 'services: { a: { cwd: x } }', /a has no command/],
    ['an empty command', 'services: { a: { command: [] } }', /a.command is empty/],
    ['no services', 'services: {}', /it has no commands/],
    ['a bad port', 'services: { a: { command: x, ready: { port: 99999 } } }', /port must be a whole number/],
    ['a bad name', 'services: { "a b": { command: x } }', /"a b" is not a name/],
    ['no YAML', 'services: [', /unstuck-up.yaml/],
    [
      'a pattern that is none',
      "services: { a: { command: x }, b: { command: x, ready: { match: '/(/' } } }",
      /^unstuck-up.yaml: b.ready.match: the pattern '\/\(\/' is not a regular expression/,
    ],
    [
      'a pattern that is none, of process-compose',
      "processes: { b: { command: x, ready_log_line: '/(/' } }",
      /b.ready_log_line: the pattern/,
    ],
    ['a list', '- a', /must be an object/],
    [
      'a probe that is not supported',
      'processes: { a: { command: x, readiness_probe: { exec: { command: y } } } }',
      /without http_get/,
    ],
  ])('%s is refused', (_, text, message) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'bad-config', message: expect.stringMatching(message) }),
    );
  });

  it('two lines of a Procfile with one name are refused', () => {
    expect(() => read('a: x\na: y', 'Procfile')).toThrow('two commands are named a');
  });

  test.prop([fc.oneof(fc.string(), fc.json())])('any text is a plan or a Failure', (text) => {
    for (const name of ['unstuck-up.yaml', 'Procfile']) {
      try {
        expect(read(text, name).services.length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }
  });
});
