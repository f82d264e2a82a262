import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { refineSuite } from '../../../src/diagnose/runners/refine-suite.js';
import { advanceSuite, startSuite, testOfOutput } from '../../../src/diagnose/runners/suite.js';
import { runnerRows } from '../../../src/diagnose/runners/table.js';
import type { Diagnosis } from '../../../src/model/run/health.js';
import type { Verdict } from '../../../src/model/verdict.js';

const read = (...lines: string[]) =>
  lines.reduce((state, line, index) => advanceSuite(state, line, index), startSuite);

const ends: [runner: string, line: string][] = [
  ['pytest', '============================== 1 passed in 4.14s ==============================='],
  ['pytest', '1 failed, 31 passed, 2 warnings in 0.84s'],
  ['unittest', 'Ran 2 tests in 0.000s'],
  ['jest', 'Jest did not exit one second after the test run has completed.'],
  ['vitest', '   Duration  439ms (import 40%, worker 25%, tests 18%, transform 16%)'],
  ['mocha', '  3 passing (4ms)'],
  ['node --test', '# duration_ms 45.1'],
  ['go test', 'ok  \thangs/held\t0.003s'],
  ['cargo test', 'test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out'],
];

describe('the output of a test runner', () => {
  it.each(ends)('%s has ended: %s', (runner, line) => {
    expect(read('something else', line)).toMatchObject({ runner, endedAtMs: 1, running: null });
  });

  it('the summary of jest is no end: its global teardown comes after it', () => {
    expect(read('Tests:       1 passed, 1 total', 'Ran all test suites.').endedAtMs).toBeNull();
  });

  it('a test that ends after the end of a suite begins another suite', () => {
    expect(read('  3 passing (4ms)', '  ✔ adds').endedAtMs).toBeNull();
  });

  it('a runner that waits for changes is watching', () => {
    expect(read(' PASS  Waiting for file changes...').watches).toBe(true);
  });

  it('the running test is the test that has begun and not ended', () => {
    const go = read('=== RUN   TestA', '--- PASS: TestA (0.00s)', '=== RUN   TestB');
    expect(testOfOutput(go, '')?.name).toBe('TestB');
    expect(testOfOutput(startSuite, 'test_a.py::test_many[4] ')?.name).toBe('test_a.py::test_many[4]');
    expect(testOfOutput(startSuite, 'test tests::adds ... ')?.name).toBe('tests::adds');
    expect(testOfOutput(startSuite, 'test_a (ut.T.test_a) ... ')?.name).toBe('test_a (ut.T.test_a)');
    expect(testOfOutput(startSuite, 'compiling')).toBeNull();
  });

  it('of runners that print a test at its end, the running test is the one after the last', () => {
    const node = read(
      '# Subtest: queue',
      '    # Subtest: takes a job',
      '    ok 1 - takes a job',
      '      ---',
    );
    expect(node.runner).toBe('node --test');
    expect(testOfOutput(node, '')).toEqual({ name: 'takes a job', file: null, line: null, from: 'after' });
    expect(testOfOutput(read('▶ queue', '  ✔ takes a job (0.823706ms)'), '')?.name).toBe('takes a job');
    const mocha = read('  queue', '    ✔ takes a job (41ms)');
    expect(mocha.runner).toBe('mocha');
    expect(testOfOutput(mocha, '')).toMatchObject({ name: 'takes a job', from: 'after' });
    expect(testOfOutput(read('    ✔ takes a job', '  1 passing (4ms)'), '')).toBeNull();
    // Several files run at once there, and each is printed when it has ended.
    expect(testOfOutput(read(' PASS  a.test.js'), '')).toBeNull();
    expect(testOfOutput(read(' ✓ a.test.js (3 tests) 4ms'), '')).toBeNull();
  });

  it('on a terminal vitest shows the file that runs', () => {
    expect(testOfOutput(read(' ❯ a.test.js 1/3'), '')).toMatchObject({ name: 'a.test.js', from: 'output' });
    expect(testOfOutput(read(' ❯ a.test.js 1/3', ' ✓ a.test.js (3 tests) 4ms'), '')).toBeNull();
  });

  property.prop([fc.array(fc.string({ unit: 'binary', maxLength: 700 }))])(
    'any lines are read, in bounded memory',
    (lines) => {
      const state = read(...lines);
      expect(JSON.stringify(state).length).toBeLessThan(2500);
    },
  );

  it('no pattern takes long on a long line', () => {
    const texts = ['a', ' ', '=', '✔ ', '\\', 'x.py::', '--- ', 'deps/-', '0', 'test '];
    for (const piece of texts) {
      const line = piece.repeat(20_000 / piece.length);
      const startedMs = performance.now();
      for (const { command } of runnerRows) command.test(line);
      advanceSuite(startSuite, line, 0);
      testOfOutput(startSuite, line);
      expect(performance.now() - startedMs).toBeLessThan(500);
    }
  });
});

const verdict: Verdict = {
  kind: 'service',
  certainty: 'high',
  pid: 7,
  command: 'python3 -m pytest',
  reason: 'python3 is a service with nothing to do: it listens on 127.0.0.1:80',
  evidence: ['python3(7) blocked in accept4'],
  next: [],
};
const diagnosis = {
  health: 'healthy',
  confidence: 'medium',
  severity: 'info',
  reason: 'last output 20 s ago',
  safeToKill: false,
  recommendation: '',
  needsAnswer: false,
  numbers: { silentMs: 20_000, cpuPercent: 0.1 },
  verdict,
  findings: [],
  evidence: [],
} as unknown as Diagnosis;

describe('a suite that has ended and is held open', () => {
  const suite = read('1 passed in 4.14s');
  const facts = {
    suite,
    test: null,
    nowMs: 20_000,
    patienceMs: 15_000,
    commands: () => ['python3 -m pytest'],
  };
  const refine = (more: Partial<typeof facts> = {}, of: Partial<Diagnosis> = {}) =>
    refineSuite({ ...diagnosis, ...of }, { ...facts, ...more });

  it('is reported, with what keeps it open and what helps', () => {
    const { health, confidence, reason, recommendation, verdict: found, safeToKill } = refine();
    expect({
      health,
      confidence,
      reason,
      recommendation,
      kind: found?.kind,
      safeToKill,
    }).toMatchInlineSnapshot(`
      {
        "confidence": "medium",
        "health": "likely-stuck",
        "kind": "lingering",
        "reason": "pytest has ended its tests 20 s ago and still runs: python3 is a service with nothing to do: it listens on 127.0.0.1:80",
        "recommendation": "end its threads in a fixture, or start them with daemon=True, or its tests are over, stop it: kill 7",
        "safeToKill": false,
      }
    `);
  });

  it.each([
    ['it has just ended', { nowMs: 14_000 }, {}],
    ['the runner is gone and something else runs', { commands: () => ['sleep 100'] }, {}],
    ['it watches files', { commands: () => ['node jest --watch', 'pytest'] }, {}],
    ['it said that it waits for changes', { suite: { ...suite, watches: true } }, {}],
    ['it works', {}, { verdict: { ...verdict, kind: 'working' as const } }],
    ['no snapshot was taken', {}, { verdict: null }],
    ['a timer may still end it', {}, { verdict: { ...verdict, kind: 'timer' as const } }],
    ['no end was printed', { suite: startSuite }, {}],
  ])('is not reported when %s', (_, more, of) => {
    expect(refine(more, of).health).toBe('healthy');
  });

  it('a test process of its own that only listens is reported without an end', () => {
    const test = { name: 'a.test.js', file: 'a.test.js', line: null, from: 'arguments' as const };
    const found = refine({ suite: startSuite }, { verdict: { ...verdict, test } });
    expect(found.health).toBe('likely-stuck');
    expect(found.reason).toMatch(/^the process of a test file only listens since 20 s/);
    const numbers = { ...diagnosis.numbers, cpuPercent: 1.3 };
    expect(refine({ suite: startSuite }, { verdict: { ...verdict, test }, numbers }).health).toBe('healthy');
    const last = { name: 'takes a job', file: null, line: null, from: 'after' as const };
    const named = refineSuite(
      { ...diagnosis, verdict: { ...verdict, test } },
      { ...facts, suite: startSuite, test: last },
    );
    expect(named.reason).toMatch(/; running test: the one after “takes a job” \(a\.test\.js\)$/);
    expect(named.verdict?.test).toEqual({ ...last, file: 'a.test.js' });
  });

  it('what the output names counts only where nothing better does', () => {
    const test = { name: 'TestB', file: null, line: null, from: 'output' as const };
    const bad = { health: 'suspicious' as const, reason: 'no output for 5 min' };
    expect(refineSuite({ ...diagnosis, ...bad }, { ...facts, suite: startSuite, test }).reason).toBe(
      'no output for 5 min; running test: TestB',
    );
    const known = { ...verdict, test: { ...test, name: 'a.TestB', from: 'stack' as const } };
    const kept = refineSuite({ ...diagnosis, ...bad, verdict: known }, { ...facts, suite: startSuite, test });
    expect(kept.reason).toBe('no output for 5 min');
  });
});
