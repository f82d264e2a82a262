import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { why } from '../../../../src/control/why.js';
import type { WhyAnswer } from '../../../../src/model/verdict.js';
import { compile } from '../../../support/compile.js';
import { findTool } from '../../../support/find-tool.js';

const boundMs = 10_000;
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

async function withProgram<T>(argv: string[], use: (pid: number) => Promise<T>): Promise<T> {
  const [file = '', ...args] = argv;
  const child = spawn(file, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    return await use(child.pid ?? -1);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** Asks until the answer is as wanted, for as long as the bound; then the last answer. */
async function askUntil(pid: number, isWanted: (answer: WhyAnswer) => boolean): Promise<WhyAnswer> {
  const untilMs = performance.now() + boundMs;
  for (;;) {
    const answer = await why(pid);
    if (isWanted(answer) || performance.now() > untilMs) return answer;
    await delay(100);
  }
}

const settled = new Set(['timer', 'service', 'event', 'lock']);

describe.each(Object.entries(programs))(
  '%s: threads that wait for each other',
  (_, { tool, argv, waits, names }) => {
    test.each(besides.map((beside, index) => [beside, waits[index % waits.length] ?? '']))(
      'are found beside a %s (%s), and not while one can still resolve it',
      async (beside, wait) => {
        if (findTool(tool) === null) return;
        const program = await argv();
        const stuck = await withProgram([...program, beside, wait, 'never'], (pid) =>
          askUntil(pid, ({ findings }) => findings.length > 0),
        );
        expect(stuck.findings).toMatchObject([{ kind: 'deadlock', inside: {} }]);
        expect(stuck.findings[0]?.inside?.threads.map(({ name }) => name).join()).toMatch(names);
        await withProgram([...program, beside, wait, '600000'], async (pid) => {
          let calm = 0;
          await askUntil(pid, ({ verdict, findings }) => {
            expect(findings).toEqual([]);
            calm = settled.has(verdict.kind) ? calm + 1 : 0;
            return calm === 3;
          });
          expect(calm).toBe(3);
        });
      },
      120_000,
    );
  },
);
