import { expect, test } from 'vitest';
import { type StuckTool, toolHint, toolNotice } from '../../../src/diagnose/explain/tool-words.js';
import type { Finding } from '../../../src/model/verdict.js';

const finding: Finding = {
  kind: 'service',
  certainty: 'high',
  pid: 12,
  name: 'node',
  command: 'node server.mjs',
  reason: 'node is a service with nothing to do: it listens on 127.0.0.1:3000',
  evidence: [],
  next: [],
  instead: 'start it in the background: unstuck start -- COMMAND',
  chain: [],
  sinceMs: 1000,
  root: { pid: 10, startTicks: 1 },
  end: { pid: 12, startTicks: 1 },
  owner: null,
  members: [10, 12],
  runs: 3,
};

const tool: StuckTool = {
  agent: 'claude',
  command: 'npm run dev',
  finding,
  forMs: 41_000,
  action: 'stopped',
};

test('a hint says what hung, what was done, and what to do instead', () => {
  expect(toolHint(tool)).toBe(
    [
      'Unstuck: this command does not end by itself: node is a service with nothing to do: it listens on 127.0.0.1:3000. It was stopped 41 s after it began.',
      'Instead: start it in the background: unstuck start -- npm run dev.',
    ].join('\n'),
  );
});

test('a command that a shell must read is not put into the advice', () => {
  expect(toolHint({ ...tool, command: 'cd x && npm run dev' })).toContain('unstuck start -- COMMAND');
});

test('what was not stopped is not called stopped', () => {
  expect(toolHint({ ...tool, action: 'reported' })).toContain('It was not stopped');
  expect(toolHint({ ...tool, action: 'answerable' })).toContain('you can type the answer');
  expect(toolNotice({ ...tool, action: 'reported' })).not.toContain('it was stopped');
});

test('a notice is one short line', () => {
  const text = toolNotice({ ...tool, command: `npm run dev\n${'x'.repeat(500)}` });
  expect(text).toMatch(
    /^a tool of claude runs a server in the foreground: .*; it was stopped \(npm run dev\\nx+…\)$/,
  );
});

test('a hint is bounded', () => {
  const long = { ...finding, reason: 'x'.repeat(10_000) };
  expect(toolHint({ ...tool, finding: long }).length).toBeLessThanOrEqual(1500);
});
