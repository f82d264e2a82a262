import { describe, expect, it } from 'vitest';
import { stackLines } from '../../src/model/facts/stack.js';
import type { RunEvent } from '../../src/model/run/run.js';
import { patienceMs } from '../support/patience.js';
import { isSecondPass } from '../support/second-pass.js';
import { startRunCli } from '../support/start-run-cli.js';
import { type Runner, runners } from './runner-suites.js';

type Health = Extract<RunEvent, { kind: 'health' }>['diagnosis'];

/** The defaults, five to ten times as fast. */
const quick = [
  '--json',
  '--sample',
  '500ms',
  '--activity-window',
  '3s',
  '--silence',
  '6s',
  '--heartbeat',
  '0',
];
/** Longer than other waits: a runner has to start, and its silence to be noticed, on a machine with other work. */
const boundMs = 2 * patienceMs;

function start({ command, env }: Runner, suite: string, ...more: string[]) {
  const args = [...quick, '--timeout', '150s', ...more, '--', ...command];
  return startRunCli(args, { env: { ...env, SUITE: suite, SECONDS: '9' } });
}

/** The first report that fits; what was reported instead, where none does. */
async function untilReported(
  run: ReturnType<typeof start>,
  fits: (health: Health) => boolean,
): Promise<Health> {
  const healths = () => run.events.flatMap((event) => (event.kind === 'health' ? [event.diagnosis] : []));
  const untilMs = performance.now() + boundMs;
  try {
    while (performance.now() < untilMs) {
      const found = healths().find(fits);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    await stop(run);
  }
  throw new Error(`not reported; instead: ${JSON.stringify(healths().map(({ reason }) => reason))}`);
}

/** The first signal is passed on, the second one kills the whole tree: nothing outlives the test. */
async function stop(run: ReturnType<typeof start>): Promise<void> {
  run.child.kill('SIGTERM');
  const again = setInterval(() => run.child.kill('SIGTERM'), 500);
  await run.done.finally(() => clearInterval(again));
}

const isStuck = ({ health }: Health): boolean => health === 'likely-stuck' || health === 'confirmed-stuck';
const isNoticed = ({ health }: Health): boolean => health !== 'healthy';

function placeOf({ verdict, findings }: Health): { test: string | undefined; stack: string } {
  const all = [...findings, verdict];
  return {
    test: all.find((one) => one?.test !== undefined)?.test?.name,
    stack: stackLines(all.find((one) => one?.stack !== undefined)?.stack).join('\n'),
  };
}

describe.concurrent('a deadlocked test is reported with its name and the code it stands in', () => {
  it('pytest', async (context) => {
    const found = await untilReported(start(runners.pytest(context), 'deadlock'), isStuck);
    const { test, stack } = placeOf(found);
    expect(found.verdict?.kind).toBe('deadlock');
    expect(found.reason).toContain('running test: ');
    expect(test).toMatch(/test_hangs\.py::test_chosen$/);
    expect(stack).toMatch(/Thread\.join \(threading\.py:\d+\)\n {2}deadlock \(test_hangs\.py:\d+\)/);
    expect(stack).toContain('take (test_hangs.py:');
  });

  it('pytest-xdist: a stuck part, in the worker that runs it', async (context) => {
    const found = await untilReported(start(runners.xdist(context), 'deadlock'), isStuck);
    const { test, stack } = placeOf(found);
    expect(found.findings).toMatchObject([{ kind: 'deadlock', owner: { name: 'python3' } }]);
    expect(test).toMatch(/test_hangs\.py::test_chosen$/);
    expect(stack).toContain('deadlock (test_hangs.py');
  });

  it('cargo test', async (context) => {
    const found = await untilReported(start(await runners['cargo test'](context), 'deadlock'), isStuck);
    expect(found.verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
    expect(placeOf(found).test).toBe('suite::chosen');
  });

  it('junit', async (context) => {
    const found = await untilReported(start(await runners.junit(context), 'deadlock'), isStuck);
    const { test, stack } = placeOf(found);
    expect(test).toBe('ChosenTest.chosen');
    expect(stack).toContain('ChosenTest.take (ChosenTest.java:11)');
  });

  it('go test: noticed at its silence at the latest', async (context) => {
    const { test, stack } = placeOf(
      await untilReported(start(await runners['go test'](context), 'deadlock'), isNoticed),
    );
    expect(test).toBe('hangs.TestChosen');
    expect(stack).toMatch(/sync\.\(\*WaitGroup\)\.Wait .*\n {2}hangs\.TestChosen \(hangs_test\.go:\d+\)/);
  });

  it('vitest: a worker that is blocked is a stuck part', async () => {
    // While a machine is busy, the silence of the runner may be reported before. Where the runner has no timer of its own, the
    // part is the state of the whole.
    const isFound = ({ findings, verdict }: Health) =>
      findings.some(({ kind }) => kind === 'deadlock') || verdict?.kind === 'deadlock';
    await untilReported(start(runners.vitest(), 'atomics'), (health) => isStuck(health) && isFound(health));
  });

  it('vitest: an asynchronous deadlock is named where Node may be asked', async () => {
    const found = await untilReported(start(runners.vitest(), 'deadlock', '--stacks', 'ask'), isNoticed);
    expect(placeOf(found)).toMatchObject({
      test: 'the chosen one',
      stack: expect.stringContaining('no JavaScript runs'),
    });
  });
});

const polled = /^\w+\(\d+\) polls 127\.0\.0\.1:\d+, on which no process has listened for \d/;

describe.concurrent('a test that waits for a port that never opens is reported, before its silence where memory shows the port', () => {
  it('pytest', async (context) => {
    const found = await untilReported(start(runners.pytest(context), 'port'), isNoticed);
    expect(found.health).toBe('suspicious');
    const { test, stack } = placeOf(found);
    expect(test).toMatch(/test_hangs\.py::test_chosen$/);
    // A thread that polls may run whenever it is read, on a busy machine.
    if (stack !== '') expect(stack).toContain('wait_for_port (test_hangs.py:');
  });

  it('node --test: its file, and in its own output nothing of ours', async () => {
    const run = start(runners['node --test'](), 'port', '--silence', '1m');
    const { reason, health, verdict } = await untilReported(run, isNoticed);
    expect({ health, verdict }).toMatchObject({
      health: 'suspicious',
      verdict: { kind: 'network', certainty: 'medium' },
    });
    expect(reason).toMatch(polled);
    expect(reason).toContain('test file: suite.spec.mjs');
    const output = run.events.flatMap((event) => (event.kind === 'output' ? [event.text] : [])).join('');
    expect(output).not.toContain('Debugger');
  });

  it('junit', async (context) => {
    const { test, stack } = placeOf(
      await untilReported(start(await runners.junit(context), 'port'), isNoticed),
    );
    expect(test).toBe('ChosenTest.chosen');
    expect(stack).toContain('ChosenTest.waitForPort (ChosenTest.java:');
  });
});

it.skipIf(isSecondPass)(
  'a test whose port opens later is never called stuck: at most as waiting for that port',
  async () => {
    const run = start(runners['node --test'](), 'latePort', '--silence', '1m');
    expect(await run.done).toBe(0);
    const healths = run.events.flatMap((event) => (event.kind === 'health' ? [event.diagnosis] : []));
    expect(healths.filter(isStuck)).toEqual([]);
    for (const { confidence, reason } of healths.filter(isNoticed)) {
      expect(confidence).toBe('low');
      expect(reason).toMatch(polled);
    }
  },
);

describe.skipIf(isSecondPass).concurrent('a suite that has ended and is held open is reported', () => {
  it('pytest: by a thread that serves', async (context) => {
    const found = await untilReported(start(runners.pytest(context), 'held'), isStuck);
    expect(found.verdict?.kind).toBe('lingering');
    expect(found.reason).toMatch(/^pytest has ended its tests .* and still runs: .* listens on 127\.0\.0\.1/);
    expect(placeOf(found).stack).toContain('serve (test_hangs.py:');
  });

  it('node --test: by a process that a test has left behind, and that keeps its output open', async () => {
    const run = start(runners['node --test'](), 'left', '--leftovers', 'kill');
    const found = await untilReported(run, isStuck);
    expect(found.findings).toMatchObject([{ kind: 'lingering', name: 'sleep', owner: { name: 'node' } }]);
    expect(found.reason).toContain('keeps its output open, so node waits for the end of it');
    expect(found.reason).not.toContain('running test');
  });

  it('node --test: not while what was left behind ends soon', async () => {
    const run = start(runners['node --test'](), 'leftShort');
    expect(await run.done).toBe(0);
    expect(run.events.filter(({ kind }) => kind === 'finding')).toEqual([]);
  });

  it('node --test: by a server', async () => {
    const found = await untilReported(start(runners['node --test'](), 'held'), isStuck);
    expect(found.reason).toContain('the process of a test file only listens');
  });
});

describe.concurrent('a slow test is never called stuck', () => {
  const all = ['pytest', 'go test', 'junit', 'xdist', 'node --test', 'vitest', 'cargo test'] as const;
  it.for(isSecondPass ? all.slice(0, 3) : all)('%s', async (name, context) => {
    const run = start(await runners[name](context), 'slow');
    expect(await run.done).toBe(0);
    const healths = run.events.flatMap((event) => (event.kind === 'health' ? [event.diagnosis] : []));
    expect(healths.filter(isStuck).map(({ reason }) => reason)).toEqual([]);
  });
});
