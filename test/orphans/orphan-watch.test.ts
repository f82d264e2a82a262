import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Orphan, OrphanEvent, OrphanKill, OrphanResult } from '../../src/model/orphan.js';
import { OrphanWatch } from '../../src/orphans/orphan-watch.js';
import { sampleOrphan } from './sample-orphans.js';

/** Time that passes when it is told to. */
class FakeClock {
  ms = Date.parse('2026-01-02T03:04:05.000Z');
  #timers: { atMs: number; then: () => void }[] = [];

  nowMs = () => this.ms;

  after = (ms: number, then: () => void) => {
    const timer = { atMs: this.ms + ms, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  get pending(): number {
    return this.#timers.length;
  }

  async pass(ms: number): Promise<void> {
    this.ms += ms;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.ms);
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.ms);
    for (const { then } of due) then();
    // The look that was begun comes to its end.
    await new Promise(setImmediate);
  }
}

function killOf(results: OrphanResult[]): OrphanKill {
  const count = (wanted: OrphanResult['result']) => results.filter(({ result }) => result === wanted).length;
  const counts = { killed: count('killed'), skipped: count('skipped'), failed: count('failed') };
  return { results, ...counts, receipt: null, tip: null };
}

/** A machine with orphans, and a watch over it. */
function setUp({ autoKill = false, everyMs = 60_000, olderThanMs = 0 } = {}) {
  const clock = new FakeClock();
  const machine = {
    orphans: [] as Orphan[],
    liveRuns: 0,
    runsEnded: 0,
    finds: 0,
    kills: 0,
    killing: Promise.resolve(),
    unkillable: new Set<number>(),
  };
  const events: OrphanEvent[] = [];
  const errors: unknown[] = [];
  const watch = new OrphanWatch({
    everyMs,
    olderThanMs,
    autoKill,
    clock,
    find: async () => {
      machine.finds += 1;
      return { orphans: [...machine.orphans], liveRuns: machine.liveRuns };
    },
    runsEnded: () => machine.runsEnded,
    kill: async (ageMs) => {
      machine.kills += 1;
      await machine.killing;
      const old = machine.orphans.filter((orphan) => orphan.ageMs >= ageMs);
      const results = old.map((orphan): OrphanResult => {
        if (orphan.classification === 'suspected')
          return { ...orphan, result: 'skipped', because: 'not proven' };
        const isKilled = !machine.unkillable.has(orphan.pid);
        return { ...orphan, result: isKilled ? 'killed' : 'failed', because: isKilled ? null : 'EPERM' };
      });
      const killed = new Set(results.filter(({ result }) => result === 'killed').map(({ pid }) => pid));
      machine.orphans = machine.orphans.filter(({ pid }) => !killed.has(pid));
      return killOf(results);
    },
    report: (event) => events.push(event),
    failed: (error) => errors.push(error),
  });
  return { clock, machine, events, errors, watch };
}

const told = (events: OrphanEvent[]) => events.map(({ kind, orphan }) => `${kind} ${orphan.pid}`);

describe('the watch for orphans', () => {
  it('checks soon, then every 60 s; reports each orphan once; kills nothing', async () => {
    const { clock, machine, events, watch } = setUp();
    expect(watch.statistics).toEqual({ watching: true, lastCheckAt: null, detected: 0, killed: 0 });
    machine.orphans = [sampleOrphan()];
    await clock.pass(5000);
    expect(watch.statistics).toEqual({
      watching: true,
      lastCheckAt: '2026-01-02T03:04:10.000Z',
      detected: 1,
      killed: 0,
    });
    await clock.pass(59_999);
    expect(machine.finds).toBe(1);
    machine.orphans.push(sampleOrphan({ pid: 5000, classification: 'suspected' }));
    await clock.pass(1);
    expect(machine.finds).toBe(2);
    expect(told(events)).toEqual(['detected 4371', 'detected 5000']);
    expect(machine.kills).toBe(0);
    expect(watch.found.map(({ pid }) => pid)).toEqual([4371, 5000]);
  });

  it('a process with a reused pid is another orphan', async () => {
    const { clock, machine, events } = setUp();
    for (const startTicks of [1, 2]) {
      machine.orphans = [sampleOrphan({ startTicks })];
      await clock.pass(60_000);
    }
    expect(told(events)).toEqual(['detected 4371', 'detected 4371']);
  });

  it('autoKill stops and reports confirmed orphans, and reports a failure only once', async () => {
    const { clock, machine, events, watch } = setUp({ autoKill: true });
    machine.orphans = [1001, 1002, 1003].map((pid) =>
      sampleOrphan({ pid, classification: pid === 1003 ? 'suspected' : 'confirmed' }),
    );
    machine.unkillable.add(1002);
    for (let look = 0; look < 3; look++) await clock.pass(60_000);
    expect(told(events)).toEqual([
      'detected 1001',
      'detected 1002',
      'detected 1003',
      'killed 1001',
      'failed 1002',
    ]);
    expect(watch.statistics).toMatchObject({ detected: 3, killed: 1 });
    expect(watch.found.map(({ pid }) => pid)).toEqual([1002, 1003]);
  });

  it('a check that fails is reported, and the next check is made', async () => {
    const { clock, machine, errors, events } = setUp();
    const broken = new Error('EMFILE');
    Object.defineProperty(machine, 'orphans', {
      configurable: true,
      get: () => {
        throw broken;
      },
    });
    await clock.pass(5000);
    expect(errors).toEqual([broken]);
    Object.defineProperty(machine, 'orphans', { value: [sampleOrphan()] });
    await clock.pass(60_000);
    expect(told(events)).toEqual(['detected 4371']);
  });

  it('after stop nothing is checked or reported, also when a check is under way', async () => {
    const { clock, machine, events, watch } = setUp({ autoKill: true });
    machine.orphans = [sampleOrphan()];
    const passing = clock.pass(5000);
    await watch.stop();
    await passing;
    await clock.pass(600_000);
    expect(machine).toMatchObject({ finds: 1, kills: 0 });
    expect(events).toEqual([]);
    expect(clock.pending).toBe(0);
    expect(watch.statistics.watching).toBe(false);
  });

  it('a kill that is under way when it is stopped comes to its end and is reported', async () => {
    const { clock, machine, events, watch } = setUp({ autoKill: true });
    let finish: () => void = () => {};
    machine.killing = new Promise((resolve) => {
      finish = resolve;
    });
    machine.orphans = [sampleOrphan()];
    await clock.pass(5000);
    expect(told(events)).toEqual(['detected 4371']);
    let isStopped = false;
    const stopping = watch.stop().then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    finish();
    await stopping;
    expect(told(events)).toEqual(['detected 4371', 'killed 4371']);
    expect(clock.pending).toBe(0);
  });

  it('has work before the first check, and while an orphan is too young to be reported', async () => {
    const { clock, machine, events, watch } = setUp({ autoKill: true, olderThanMs: 30 * 60_000 });
    expect(watch.hasWork).toBe(true);
    await clock.pass(5000);
    expect(watch.hasWork).toBe(false);
    machine.orphans = [sampleOrphan({ ageMs: 1000 })];
    // A run has ended since the last check: what it left is not known yet.
    machine.runsEnded += 1;
    expect(watch.hasWork).toBe(true);
    for (let minute = 0; minute < 29; minute++) {
      await clock.pass(60_000);
      expect(watch.hasWork).toBe(true);
      machine.orphans = machine.orphans.map((orphan) => ({ ...orphan, ageMs: orphan.ageMs + 60_000 }));
    }
    expect(events).toEqual([]);
    machine.orphans = machine.orphans.map((orphan) => ({ ...orphan, ageMs: orphan.ageMs + 60_000 }));
    await clock.pass(60_000);
    expect(told(events)).toEqual(['detected 4371', 'killed 4371']);
    expect(watch.hasWork).toBe(false);
    await watch.stop();
    machine.runsEnded += 1;
    expect(watch.hasWork).toBe(false);
  });

  it('a run that goes on is work only for a watch that stops what the run may leave', async () => {
    for (const autoKill of [false, true]) {
      const { clock, machine, watch } = setUp({ autoKill });
      machine.liveRuns = 1;
      await clock.pass(5000);
      expect(watch.hasWork).toBe(autoKill);
      machine.liveRuns = 0;
      await clock.pass(60_000);
      expect(watch.hasWork).toBe(false);
    }
  });

  it('a first check that fails does not keep the program', async () => {
    const { clock, machine, watch, errors } = setUp();
    Object.defineProperty(machine, 'orphans', {
      get: () => {
        throw new Error('EMFILE');
      },
    });
    await clock.pass(5000);
    expect(errors.length).toBe(1);
    expect(watch.hasWork).toBe(false);
  });

  const change = fc.record({
    pid: fc.integer({ min: 100, max: 106 }),
    startTicks: fc.integer({ min: 1, max: 2 }),
    classification: fc.constantFrom('confirmed' as const, 'suspected' as const),
    ageMs: fc.integer({ min: 0, max: 200 }),
    appears: fc.boolean(),
    unkillable: fc.boolean(),
    passMs: fc.integer({ min: 0, max: 130_000 }),
  });

  property.prop([fc.array(change, { maxLength: 40 }), fc.boolean()])(
    'whatever comes and goes: each event once, of orphans that are old enough, detection first, kills only of confirmed orphans with autoKill',
    async (changes, autoKill) => {
      const olderThanMs = 100;
      const { clock, machine, events, watch } = setUp({ autoKill, olderThanMs });
      for (const { pid, startTicks, classification, ageMs, appears, unkillable, passMs } of changes) {
        machine.orphans = machine.orphans.filter((orphan) => orphan.pid !== pid);
        if (appears) machine.orphans.push(sampleOrphan({ pid, startTicks, classification, ageMs }));
        if (unkillable) machine.unkillable.add(pid);
        await clock.pass(passMs);
        // Looks never pile up.
        expect(clock.pending).toBe(1);
      }
      const keys = events.map(({ kind, orphan }) => `${kind} ${orphan.pid} ${orphan.startTicks}`);
      expect(new Set(keys).size).toBe(keys.length);
      for (const [index, { kind, orphan }] of events.entries()) {
        expect(orphan.ageMs).toBeGreaterThanOrEqual(olderThanMs);
        if (kind === 'detected') continue;
        expect(autoKill && orphan.classification === 'confirmed').toBe(true);
        expect(keys.slice(0, index)).toContain(`detected ${orphan.pid} ${orphan.startTicks}`);
      }
      if (!autoKill) expect(machine.kills).toBe(0);
      const { detected, killed } = watch.statistics;
      expect(detected).toBe(events.filter(({ kind }) => kind === 'detected').length);
      expect(killed).toBeGreaterThanOrEqual(events.filter(({ kind }) => kind === 'killed').length);
      await watch.stop();
    },
  );
});
