import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/model/run/run.js';
import { readRecord } from '../../src/store/read-record.js';

const good: RunRecord = {
  version: 1,
  id: 'run_0123456789ab',
  label: 'dev',
  command: 'npm run dev',
  cwd: '/',
  startedAt: '2026-01-02T03:04:05.000Z',
  identity: null,
  supervisor: { bootId: 'b', pid: 7, startTicks: 8 },
  logs: [{ file: 'output.log', stream: 'both', start: 10 }],
  background: { owner: null, task: null, tags: [], input: 'none', options: {}, notify: null, lease: null },
};

describe('run.json may hold anything', () => {
  test('what we wrote is read', () => {
    expect(readRecord(JSON.parse(JSON.stringify(good)))).toEqual(good);
    expect(readRecord({ ...good, background: null })).toEqual({ ...good, background: null });
  });

  test.each([
    ['missing', null],
    ['a number', 1],
    ['another version', { ...good, version: 2 }],
    ['a log outside of the directory', { ...good, logs: [{ file: '../x.log', stream: 'both', start: 0 }] }],
    ['a time that is none', { ...good, startedAt: 'yesterday' }],
    ['an id that is none', { ...good, id: '../../etc' }],
    ['no logs', { ...good, logs: undefined }],
  ])('%s: a reason instead', (_name, content) => {
    expect(readRecord(content)).toMatch(/^run\.json/);
  });

  property.prop([fc.jsonValue()])('never throws', (content) => {
    expect(['string', 'object']).toContain(typeof readRecord(content));
  });
});
