import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { why } from '../../../../src/control/why.js';
import type { WhyAnswer } from '../../../../src/model/verdict.js';
import { askUntil } from '../../../support/ask-until.js';
import { compile } from '../../../support/compile.js';
import { findTool } from '../../../support/find-tool.js';
import { patienceMs } from '../../../support/patience.js';

/** For two programs, and for what they are compiled with. */
const boundMs = 3 * patienceMs;
const nested = fileURLToPath(new URL('../../../../bench/hangs/programs/nested-locks.py', import.meta.url));
const python = fileURLToPath(new URL('../../../../bench/hangs/programs/python-inside.py', import.meta.url));

/** Programs with threads or goroutines that wait for each other; the last argument: whether, and after how long, it is resolved. */
const programs: Record<
  string,
  { tool: string; argv: () => Promise<string[]>; waits: string[]; names: RegExp }
> = {
  go: {
    tool: 'go',
    argv: async () => [await compile('go-inside')],
    waits: ['locks', 'globals', 'channels', 'group'],
    names: /goroutine 1 \(main\)/,
  },
  java: {
    tool: 'javac',
    argv: async () => ['java', '-cp', await compile('java-inside'), 'Main'],
    waits: ['monitors', 'locks'],
    names: /\(first\)/,
  },
  python: {
    tool: 'python3',
    argv: async () => ['python3', python],
    waits: ['locks', 'recursive', 'join'],
    names: /thread \d+/,
  },
  c: {
    tool: 'gcc',
    argv: async () => [await compile('c-inside')],
    waits: ['normal', 'errorcheck'],
    names: /thread \d+/,
  },
};

const besides = ['ticker', 'listener', 'signal', 'pool'];

/** A child that the program started ends with it: it is in the same group. */
async function withProgram<T>(argv: string[], use: (pid: number) => Promise<T>): Promise<T> {
  const [file = '', ...args] = argv;
  const child = spawn(file, args, { stdio: 'ignore', detached: true });
  const ended = once(child, 'exit');
  try {
    return await use(child.pid ?? -1);
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}

const hasFinding = ({ findings }: WhyAnswer) => findings.length > 0;

const inside = fileURLToPath(new URL('../../../../bench/hangs/programs/node-inside.mjs', import.meta.url));

/** A program that is stuck beside a thread that only ticks, and the same program when one of its threads can still go on. */
const ticking: Record<
  string,
  { tool: string; stuck: () => Promise<string[]>; goesOn: () => Promise<string[]> }
> = {
  'Go: select with a context': {
    tool: 'go',
    stuck: async () => [await compile('go-inside'), 'metrics', 'context', 'never'],
    goesOn: async () => [await compile('go-inside'), 'metrics', 'context', '600000'],
  },
  'Java: lock and lockInterruptibly': {
    tool: 'javac',
    stuck: async () => ['java', '-cp', await compile('java-inside'), 'Main', 'scheduled', 'locks', 'never'],
    goesOn: async () => [
      'java',
      '-cp',
      await compile('java-inside'),
      'Main',
      'scheduled',
      'interruptibly',
      '600000',
    ],
  },
  'Python: a ticking thread that releases a lock in the end': {
    tool: 'python3',
    stuck: async () => ['python3', python, 'metrics', 'locks', 'never'],
    goesOn: async () => ['python3', python, 'releaser', 'locks', '600000'],
  },
  'Python: locks in functions so small that their frames name each lock twice': {
    tool: 'python3',
    stuck: async () => ['python3', nested, 'never'],
    goesOn: async () => ['python3', nested, '600000'],
  },
  'C: a timed wait for a condition': {
    tool: 'gcc',
    stuck: async () => [await compile('c-inside'), 'metrics', 'recursive', 'never'],
    goesOn: async () => [await compile('c-inside'), 'metrics', 'condition', '600000'],
  },
  'Node: a child that main waits for': {
    tool: 'python3',
    stuck: async () => ['node', inside, 'ticking', 'never'],
    goesOn: async () => ['node', inside, 'ticking', '600000'],
  },
};

const settled = new Set(['timer', 'service', 'event', 'lock']);

/** Settles without a finding in any answer. */
async function staysCalm(argv: string[]): Promise<void> {
  await withProgram(argv, async (pid) => {
    let calm = 0;
    const { verdict } = await askUntil(
      () => why(pid),
      ({ verdict, findings }) => {
        expect(findings).toEqual([]);
        calm = settled.has(verdict.kind) ? calm + 1 : 0;
        return calm === 3;
      },
    );
    expect(calm, `${verdict.kind}: ${verdict.reason}`).toBe(3);
  });
}

describe.each(Object.entries(programs))(
  '%s: threads that wait for each other',
  (_, { tool, argv, waits, names }) => {
    test.each(besides.map((beside, index) => [beside, waits[index % waits.length] ?? '']))(
      'are found beside a %s (%s), and not while one can still resolve it',
      async (beside, wait) => {
        if (findTool(tool) === null) return;
        const program = await argv();
        const stuck = await withProgram([...program, beside, wait, 'never'], (pid) =>
          askUntil(() => why(pid), hasFinding),
        );
        expect(stuck.findings).toMatchObject([{ kind: 'deadlock', inside: {} }]);
        expect(stuck.findings[0]?.inside?.threads.map(({ name }) => name).join()).toMatch(names);
        await staysCalm([...program, beside, wait, '600000']);
      },
      boundMs,
    );
  },
);

test.each(Object.entries(ticking))(
  '%s: a thread that only ticks hides no deadlock, and no deadlock is reported that can be resolved',
  async (_, { tool, stuck, goesOn }) => {
    if (findTool(tool) === null) return;
    const answer = await withProgram(await stuck(), (pid) => askUntil(() => why(pid), hasFinding));
    expect(answer.findings).toMatchObject([{ kind: 'deadlock' }]);
    await staysCalm(await goesOn());
  },
  boundMs,
);
