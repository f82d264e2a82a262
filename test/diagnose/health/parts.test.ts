import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { nextParts, type StuckPart } from '../../../src/diagnose/health/parts.js';
import type { Finding } from '../../../src/model/verdict.js';
import { grown, minute, observe, second, tickAt, verdictLine, verdictOf } from './observe.js';

function partOf(over: Partial<Finding> = {}): Finding {
  return {
    ...verdictOf('deadlock', 'certain', 70),
    name: 'python3',
    chain: [],
    sinceMs: 54_000,
    root: { pid: 60, startTicks: 1 },
    end: { pid: 70, startTicks: 2 },
    owner: { pid: 42, name: 'claude', command: 'claude -p' },
    members: [60, 70],
    runs: 12,
    ...over,
  };
}

const busy = { printed: true, cpuPercent: 20, verdict: verdictOf('timer') };

describe('a stuck part of a tree that goes on', () => {
  it('is reported after three samples, whatever the rest prints and does', () => {
    const run = grown();
    expect(verdictLine(run.tick({ ...busy, findings: [partOf()] }))).toBe('healthy, high');
    expect(verdictLine(run.tick({ ...busy, findings: [partOf()] }))).toBe('healthy, high');
    const diagnosis = run.tick({ ...busy, findings: [partOf()] });
    expect(verdictLine(diagnosis)).toBe('likely-stuck, high');
    expect(diagnosis).toMatchObject({ safeToKill: false, evidence: ['node(70) shows deadlock'] });
    expect(diagnosis.findings).toEqual([partOf()]);
    expect(diagnosis.reason).toContain('claude(42)');
    expect(diagnosis.recommendation).toBe('stop that part only: kill 70');
  });

  it('counts from the beginning when it has run in between', () => {
    const run = grown();
    for (const runs of [12, 12, 13]) run.tick({ ...busy, findings: [partOf({ runs })] });
    expect(verdictLine(run.tick({ ...busy, findings: [partOf({ runs: 13 })] }))).toBe('healthy, high');
    expect(verdictLine(run.tick({ ...busy, findings: [partOf({ runs: 13 })] }))).toBe('likely-stuck, high');
  });

  it('counts from the beginning when other threads of the same process are stuck', () => {
    const inside = (name: string) => ({
      inside: { threads: [{ name, waitsFor: 'a lock', at: null, sinceMs: null }], beside: 'timer' as const },
    });
    const run = grown();
    for (const name of ['thread 1', 'thread 1', 'thread 2'])
      run.tick({ ...busy, findings: [partOf(inside(name))] });
    expect(verdictLine(run.tick({ ...busy, findings: [partOf(inside('thread 2'))] }))).toBe('healthy, high');
    const diagnosis = run.tick({ ...busy, findings: [partOf(inside('thread 2'))] });
    expect(verdictLine(diagnosis)).toBe('likely-stuck, high');
    expect(diagnosis.reason).toContain('some of its threads are stuck');
  });

  it('counts what was left behind also when that has run: it keeps the output open all the same', () => {
    const run = grown();
    for (const runs of [12, 14]) run.tick({ ...busy, findings: [partOf({ kind: 'lingering', runs })] });
    const diagnosis = run.tick({ ...busy, findings: [partOf({ kind: 'lingering', runs: 19 })] });
    expect(verdictLine(diagnosis)).toBe('likely-stuck, high');
  });

  it('is forgotten when its topmost process has ended', () => {
    const run = observe();
    run.stay(15 * second, { ...busy, findings: [partOf()] });
    expect(verdictLine(run.tick(busy))).toBe('healthy, low');
    run.stay(15 * second, { ...busy, findings: [partOf()] });
    expect(run.tick({ printed: true, living: { has: () => false } }).findings).toEqual([]);
  });

  it('is confirmed when the rest of the tree does nothing either', () => {
    const run = grown();
    const still = { verdict: verdictOf('timer'), findings: [partOf()] };
    expect(verdictLine(run.stay(15 * second, still))).toBe('likely-stuck, high');
    expect(verdictLine(run.stay(2 * minute, still))).toBe('confirmed-stuck, high');
  });

  it('is no fault while a person can answer its question', () => {
    const asks = partOf({ kind: 'needs-input' });
    const answered = observe().stay(15 * second, { ...busy, findings: [asks], canAnswer: true });
    expect(answered.findings).toEqual([]);
    expect(observe().stay(15 * second, { ...busy, findings: [asks] }).findings).toEqual([asks]);
  });

  const seen = fc.record({
    kind: fc.constantFrom('deadlock', 'stopped', 'needs-input' as const),
    root: fc.record({ pid: fc.integer({ min: 60, max: 62 }), startTicks: fc.integer({ min: 1, max: 2 }) }),
    runs: fc.integer({ min: 1, max: 2 }),
  });
  const ticks = fc.array(fc.option(fc.uniqueArray(seen, { selector: ({ root }) => root.pid, maxLength: 3 })));

  test.prop([ticks])('never counts more samples than it was found in without a change', (story) => {
    let parts: readonly StuckPart[] = [];
    const found: (readonly Finding[])[] = [];
    for (const findings of story) {
      const list = findings?.map((over) => partOf(over as Partial<Finding>)) ?? null;
      parts = nextParts(parts, tickAt(0, { findings: list }), true);
      if (list === null) continue;
      found.push(list);
      for (const { finding, samples } of parts) {
        const last = found.slice(-samples);
        expect(last).toHaveLength(samples);
        const isSame = (one: Finding): boolean =>
          one.root.pid === finding.root.pid &&
          one.root.startTicks === finding.root.startTicks &&
          one.kind === finding.kind &&
          one.runs === finding.runs;
        expect(last.every((one) => one.some(isSame))).toBe(true);
      }
    }
  });
});
