import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { OrphanFacts, ProcessFacts, RunFacts } from '../../src/orphans/facts.js';
import { judgeOrphans } from '../../src/orphans/judge-orphans.js';
import { patternsOf } from '../../src/orphans/patterns.js';

const a = 'run_00000000000a';
const b = 'run_00000000000b';

function process(pid: number, about: Partial<ProcessFacts> = {}): ProcessFacts {
  return {
    pid,
    startTicks: pid,
    parent: 1,
    group: pid,
    session: pid,
    name: 'job',
    state: 'S',
    ended: false,
    kernelThread: false,
    mark: null,
    command: null,
    ...about,
  };
}

function run(id: string, about: Partial<RunFacts> = {}): RunFacts {
  return { id, state: 'over', leader: null, shimSession: null, endedTicks: null, lineage: [], ...about };
}

function factsOf(processes: ProcessFacts[], runs: RunFacts[], never: number[] = []): OrphanFacts {
  const init = process(1, { name: 'init', session: 1 });
  return {
    processes: new Map([init, ...processes].map((one) => [one.pid, one])),
    runs: new Map(runs.map((one) => [one.id, one])),
    never: new Set(never),
    patterns: patternsOf(),
  };
}

const judged = (...given: Parameters<typeof factsOf>) =>
  judgeOrphans(factsOf(...given)).map(({ pid, classification, evidence }) => [
    pid,
    classification,
    ...evidence,
  ]);

describe('confirmed or suspected', () => {
  it('a session belongs to the command only if a member started before the end of the run', () => {
    const leader = { pid: 500, startTicks: 500 };
    const over = run(a, { leader, endedTicks: 700 });
    const inSession = (pid: number, startTicks: number) =>
      process(pid, { startTicks, session: 500, group: pid });
    expect(judged([inSession(600, 600), inSession(900, 900)], [over])).toEqual([
      [600, 'suspected', 'session'],
      [900, 'suspected', 'session'],
    ]);
    expect(judged([inSession(900, 900)], [over])).toEqual([]);
    // Another process has the pid of the command now: the session belongs to it.
    expect(judged([process(500, { startTicks: 650 }), inSession(660, 660)], [over])).toEqual([]);
    expect(judged([process(500), inSession(900, 900)], [over])).toEqual([
      [500, 'confirmed', 'recorded'],
      [900, 'suspected', 'session'],
    ]);
  });

  it('the shim and its helpers are no orphans, unless the pid of the shim was reused', () => {
    const over = run(a, { leader: { pid: 500, startTicks: 500 }, shimSession: 499 });
    const helper = process(510, { session: 499, mark: b });
    expect(judged([process(499), helper], [over, run(b)])).toEqual([]);
    expect(judged([helper], [over, run(b)])).toEqual([]);
    expect(judged([process(499, { startTicks: 600 }), helper], [over, run(b)])).toEqual([
      [510, 'confirmed', 'run-id'],
    ]);
    expect(judged([process(511, { session: 499, mark: a })], [over])).toEqual([[511, 'confirmed', 'run-id']]);
  });

  it('descendants of orphans are suspected, but no process of a running run', () => {
    const tree = [
      process(500, { mark: a }),
      process(501, { parent: 500 }),
      process(502, { parent: 501 }),
      process(503, { parent: 501, mark: b }),
      process(504, { parent: 503 }),
    ];
    expect(judged(tree, [run(a), run(b, { state: 'lives' })])).toEqual([
      [500, 'confirmed', 'run-id'],
      [501, 'suspected', 'descendant'],
      [502, 'suspected', 'descendant'],
    ]);
  });

  it('by its command line, only a process that was reparented is suspected', () => {
    const command = 'tail -f x';
    const shell = process(500, { parent: 400, name: 'sh' });
    const terminal = process(400, { parent: 1 });
    const kept = process(501, { parent: 500, session: 500, command });
    const left = process(502, { parent: 400, session: 500, command });
    const leads = process(503, { command });
    const started = process(504, { parent: 500, command });
    const below = process(505, { parent: 502, session: 500 });
    expect(judged([terminal, shell, kept, left, leads, started, below], [])).toEqual([
      [502, 'suspected', 'pattern'],
      [503, 'suspected', 'pattern'],
      [505, 'suspected', 'descendant'],
    ]);
    // A run that lives was seen with it: it is looked after.
    const lineage = [{ pid: 502, startTicks: 502 }];
    expect(judged([terminal, shell, left], [run(a, { state: 'lives', lineage })])).toEqual([]);
  });
});

const anyPid = fc.integer({ min: 2, max: 130 });
const anyProcess = fc
  .record({
    pid: anyPid,
    startTicks: fc.integer({ min: 0, max: 50 }),
    parent: anyPid,
    group: anyPid,
    session: anyPid,
    ended: fc.boolean(),
    kernelThread: fc.boolean(),
    mark: fc.constantFrom(null, null, a, b),
    command: fc.constantFrom(null, 'tail -f x', 'claude', 'ls'),
  })
  .map(({ pid, ...about }) => process(pid, about));
const anyRun = (id: string) =>
  fc
    .record({
      state: fc.constantFrom('lives' as const, 'adrift' as const, 'over' as const, 'gone' as const),
      leader: fc.option(fc.record({ pid: anyPid, startTicks: fc.integer({ min: 0, max: 50 }) })),
      shimSession: fc.option(anyPid),
      endedTicks: fc.option(fc.integer({ min: 0, max: 50 })),
      lineage: fc.array(fc.record({ pid: anyPid, startTicks: fc.integer({ min: 0, max: 50 }) }), {
        maxLength: 3,
      }),
    })
    .map((about) => run(id, about));

property.prop([
  fc.uniqueArray(anyProcess, { selector: ({ pid }) => pid, maxLength: 30 }),
  anyRun(a),
  anyRun(b),
  fc.array(anyPid, { maxLength: 4 }),
])(
  'whatever the facts, no protected process is an orphan, and none is confirmed without proof',
  (processes, one, other, never) => {
    const facts = factsOf(processes, [one, other], never);
    for (const { pid, classification, evidence, runId } of judgeOrphans(facts)) {
      const found = facts.processes.get(pid);
      const marked = found?.mark == null ? undefined : facts.runs.get(found.mark);
      expect(pid).toBeGreaterThanOrEqual(100);
      expect(never).not.toContain(pid);
      expect(found).toMatchObject({ ended: false, kernelThread: false });
      expect(marked?.state).not.toBe('lives');
      expect(evidence.length).toBeGreaterThan(0);
      const leads = [one, other].some(
        ({ leader }) => leader?.pid === pid && leader.startTicks === found?.startTicks,
      );
      if (classification === 'confirmed') expect(marked !== undefined || leads).toBe(true);
      else expect(evidence).not.toContain('run-id');
      if (evidence.includes('pattern')) expect(found?.command).toMatch(/tail|claude/);
      if (classification === 'confirmed') expect(runId).not.toBeNull();
    }
  },
);
