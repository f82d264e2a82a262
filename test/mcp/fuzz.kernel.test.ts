import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BackgroundHome } from '../support/background-home.js';
import { Agent, type Answered } from './agent.js';

const fields = {
  start: [
    'command',
    'cmd',
    'cwd',
    'env',
    'label',
    'watch',
    'timeout',
    'killOn',
    'notifyEvery',
    'tags',
    'waitS',
  ],
  process: [
    'id',
    'ids',
    'session_id',
    'data',
    'timeout_ms',
    'until',
    'match',
    'port',
    'limit',
    'search',
    'tag',
  ],
  why: ['id', 'pid', 'all'],
  notices: ['ack'],
} as const;

const actions = [
  'list',
  'poll',
  'log',
  'wait',
  'kill',
  'write',
  'submit',
  'close',
  'dance',
  '__proto__',
  7,
  null,
];

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(
    '',
    '/(/',
    '/(a+)+$/',
    '[',
    '{}',
    '\ud800',
    '\u202e\u0000',
    'run_',
    'run_000000000000',
    '-1',
    '5m',
  ),
  fc.constantFrom(-1, 0, 1.5, 2 ** 53, 1e300, true, null),
  fc.constant('x'.repeat(100_000)),
);

const callOf = fc.constantFrom(...(Object.keys(fields) as (keyof typeof fields)[])).chain((tool) =>
  fc
    .record({
      action: fc.constantFrom(...actions),
      entries: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...fields[tool]), fc.string()), value), {
        maxLength: 4,
      }),
    })
    .map(({ action, entries }) => ({
      tool,
      // No wait is long, and nothing may be started: a text may mean something to a shell.
      input: { ...Object.fromEntries(entries), ...(tool === 'process' && { action, timeoutS: 0 }) },
    })),
);

test('whatever is sent to a tool is answered, and an error says what to send instead', async () => {
  const home = new BackgroundHome();
  const agent = await Agent.connect(home, { name: 'fuzz', args: ['--allow', 'nothing'] });
  try {
    const calls = fc.sample(callOf, 300);
    const answers: Answered[] = await Promise.all(calls.map(({ tool, input }) => agent.call(tool, input)));
    for (const [index, { isError, structuredContent }] of answers.entries()) {
      if (!isError) continue;
      const { code, message, hint } = structuredContent.error;
      const about = `${JSON.stringify(calls[index]).slice(0, 300)}: ${message}`;
      expect(code, about).not.toBe('internal');
      expect(hint, about).toMatch(/\w/);
      expect(`${message}${hint}`.length, about).toBeLessThan(2000);
    }
    expect(answers.filter(({ isError }) => isError).length).toBeGreaterThan(100);
    expect(agent.stderr).not.toContain('internal error');
    expect(await agent.ask('process', { action: 'list', all: true })).toMatchObject({ runs: [] });
  } finally {
    await agent.close();
    await home.end();
  }
});
