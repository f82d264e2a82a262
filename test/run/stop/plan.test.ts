import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { Member } from '../../../src/probe/linux/members/members.js';
import { type Order, TerminationPlan } from '../../../src/run/stop/plan.js';
import type { SendOutcome } from '../../../src/run/stop/send-signal.js';

/** How a process of the made-up world behaves. */
interface Nature {
  /** Looks it lives on after SIGTERM; null: ignores it. */
  endsAfter: number | null;
  /** Children it still forks, one at a time, while it is not stopped. */
  children: number;
  /** Only a fresh look finds it; later ones know it. */
  hidden: boolean;
  /** Never stops and never dies: blocked in the kernel. */
  blocked: boolean;
  permitted: boolean;
  /** Cannot be read at this many attempts. */
  unreadable: number;
  stopped: boolean;
}

interface Living {
  row: Member;
  nature: Nature;
  asked: number | null;
  /** SIGSTOP is on its way. */
  stopping: boolean;
  known: boolean;
}

const natures = fc.record<Nature>({
  endsAfter: fc.option(fc.nat(20), { nil: null }),
  children: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(12)),
  hidden: fc.boolean(),
  blocked: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.boolean()),
  permitted: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.boolean()),
  unreadable: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3)),
  stopped: fc.boolean(),
});

const options = fc.record({
  signal: fc.constantFrom<NodeJS.Signals[]>('SIGTERM', 'SIGINT', 'SIGKILL'),
  graceMs: fc.constantFrom(0, 1, 100, 5000),
  hurryAtLook: fc.option(fc.nat(30), { nil: null }),
});

class World {
  nowMs = 1000;
  looks = 0;
  readonly #living = new Map<number, Living>();
  #nextPid = 100;
  readonly sent: (Order & { atMs: number; outcome: SendOutcome })[] = [];
  #shown = new Set<string>();

  constructor(tree: readonly Nature[]) {
    for (const nature of tree) this.#start(nature);
  }

  get living(): Living[] {
    return [...this.#living.values()];
  }

  #start(nature: Nature): void {
    const pid = this.#nextPid++;
    const row: Member = {
      pid,
      startTicks: Math.floor(this.nowMs),
      parent: 1,
      group: 100,
      session: 100,
      name: 'made-up',
      state: nature.blocked ? 'D' : nature.stopped ? 'T' : 'S',
      ended: false,
      kernelThread: false,
      because: ['descendant'],
    };
    this.#living.set(pid, { row, nature, asked: null, stopping: false, known: false });
  }

  /** Time passes: a running process may fork, or end because of a signal. */
  pass(ms: number): void {
    this.nowMs += ms;
    for (const living of this.living) {
      const { row, nature, asked, stopping } = living;
      if (row.state !== 'S' || stopping) continue;
      this.#fork(nature);
      if (asked !== null && this.looks - asked >= (nature.endsAfter ?? Infinity))
        this.#living.delete(row.pid);
    }
  }

  #fork(nature: Nature): void {
    if (nature.children === 0) return;
    nature.children -= 1;
    this.#start({ ...nature, children: Math.floor(nature.children / 2), stopped: false });
  }

  /** Processes are listed first, then their states are read: a process that stops in between may have forked. */
  look(fresh: boolean): Member[] {
    this.looks += 1;
    const listed = this.living;
    for (const living of listed) {
      living.known ||= fresh || !living.nature.hidden;
      if (!living.stopping) continue;
      this.#fork(living.nature);
      living.stopping = false;
      living.row = { ...living.row, state: 'T' };
    }
    const rows = listed.filter(({ known }) => known).map(({ row }) => row);
    this.#shown = new Set(rows.map(({ pid, startTicks }) => `${pid} ${startTicks}`));
    return rows;
  }

  send(order: Order): SendOutcome {
    // Only a process that was among the members a moment ago is signalled.
    expect(this.#shown).toContain(`${order.member.pid} ${order.member.startTicks}`);
    const outcome = this.#deliver(order);
    this.sent.push({ ...order, atMs: this.nowMs, outcome });
    return outcome;
  }

  #deliver({ member, signal }: Order): SendOutcome {
    const target = this.#living.get(member.pid);
    if (target === undefined) return 'gone';
    if (target.nature.unreadable > 0) {
      target.nature.unreadable -= 1;
      return 'unproven';
    }
    if (!target.nature.permitted) return 'not-permitted';
    if (target.nature.blocked) return 'sent';
    if (signal === 'SIGSTOP') target.stopping = target.row.state !== 'T';
    if (signal === 'SIGCONT') target.row = { ...target.row, state: 'S' };
    if (signal === 'SIGKILL') this.#living.delete(member.pid);
    else if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') target.asked = this.looks;
    return 'sent';
  }
}

const looksMax = 20_000;

function run(
  tree: readonly Nature[],
  { signal, graceMs, hurryAtLook }: { signal: NodeJS.Signals; graceMs: number; hurryAtLook: number | null },
) {
  const world = new World(tree.map((nature) => ({ ...nature })));
  const plan = new TerminationPlan({ signal, graceMs });
  const startedMs = world.nowMs;
  let hurryMs = Infinity;
  let fresh = true;
  for (let looks = 0; looks < looksMax; looks += 1) {
    const hurry = hurryAtLook !== null && looks >= hurryAtLook;
    if (hurry) hurryMs = Math.min(hurryMs, world.nowMs);
    const move = plan.next(world.look(fresh), world.nowMs, hurry);
    for (const order of move.orders) plan.note(order, world.send(order));
    if (move.done) return { world, plan, startedMs, hurryMs };
    fresh = move.fresh === true;
    world.pass(Math.max(0.05, move.waitMs));
  }
  throw new Error('never done');
}

const trees = fc.array(natures, { maxLength: 12 });

describe('the plan', () => {
  property.prop([trees, options])('ends in time, and kills everything that can be killed', (tree, how) => {
    const { world, plan, startedMs } = run(tree, how);
    expect(world.nowMs - startedMs).toBeLessThan(how.graceMs + 16_000);
    const left = world.living;
    expect(left.filter(({ nature }) => nature.permitted && !nature.blocked)).toEqual([]);
    const survivors = plan.results().filter(({ result }) => result !== 'ended');
    expect(new Set(survivors.map(({ member }) => member.pid))).toEqual(
      new Set(left.map(({ row }) => row.pid)),
    );
    for (const { member, result } of survivors) {
      const nature = left.find(({ row }) => row.pid === member.pid)?.nature;
      expect(result).toBe(nature?.permitted === false ? 'not-permitted' : 'survived');
    }
  });

  property.prop([trees, options])(
    'signals every process once, and kills none within the grace',
    (tree, how) => {
      const { world, plan, startedMs, hurryMs } = run(tree, how);
      const graceEndsMs = how.signal === 'SIGKILL' ? startedMs : Math.min(startedMs + how.graceMs, hurryMs);
      for (const { signal, atMs } of world.sent) {
        if (signal === 'SIGSTOP' || signal === 'SIGKILL') expect(atMs).toBeGreaterThanOrEqual(graceEndsMs);
      }
      for (const { signals } of plan.results()) expect(new Set(signals).size).toBe(signals.length);
      if (how.signal === 'SIGKILL' || how.hurryAtLook === 0) return;
      const asked = new Set(
        world.sent.filter(({ signal }) => signal === how.signal).map(({ member }) => member.pid),
      );
      for (const index of tree.keys()) expect(asked).toContain(100 + index);
    },
  );

  property.prop([trees, options])(
    'freezes each process before its kill, and all before the first kill',
    (tree, how) => {
      const plain = tree.map((nature) => ({ ...nature, permitted: true, hidden: false }));
      const { world } = run(plain, how);
      const sent = world.sent.filter(({ outcome }) => outcome === 'sent').map(({ signal }) => signal);
      const firstKill = sent.indexOf('SIGKILL');
      if (firstKill >= 0) expect(sent.lastIndexOf('SIGSTOP')).toBeLessThan(firstKill);
      for (const { signals } of run(tree, how).plan.results()) {
        if (signals.includes('SIGKILL')) expect(signals.at(-2)).toBe('SIGSTOP');
      }
    },
  );

  property.prop([trees, options])('leaves no process frozen', (tree, how) => {
    const { world } = run(tree, how);
    const by = (wanted: NodeJS.Signals) =>
      new Set(
        world.sent
          .filter(({ signal, outcome }) => signal === wanted && outcome === 'sent')
          .map((o) => o.member.pid),
      );
    const killed = by('SIGKILL');
    const alive = new Set(world.living.map(({ row }) => row.pid));
    for (const pid of by('SIGSTOP')) if (alive.has(pid)) expect(killed).toContain(pid);
  });

  property.prop([trees])('continues each stopped process right after its signal', (tree) => {
    const { plan } = run(tree, { signal: 'SIGTERM', graceMs: 100, hurryAtLook: null });
    for (const [index, { stopped, blocked, permitted }] of tree.entries()) {
      if (!permitted || blocked) continue;
      const signals = plan.results()[index]?.signals ?? [];
      expect(signals.includes('SIGCONT')).toBe(stopped);
      if (stopped) expect(signals.indexOf('SIGCONT')).toBe(signals.indexOf('SIGTERM') + 1);
    }
  });

  test('a single empty scan is no proof: the last process may have forked since it began', () => {
    const plan = new TerminationPlan({ signal: 'SIGTERM', graceMs: 0 });
    expect(plan.next([], 0, false)).toMatchObject({ done: false, fresh: true });
    expect(plan.next([], 1, false)).toMatchObject({ done: true });
  });

  test('the grace begins when the tree gets the signal, however long the first scan took', () => {
    const world = new World([
      {
        endsAfter: null,
        children: 0,
        hidden: false,
        blocked: false,
        permitted: true,
        unreadable: 0,
        stopped: false,
      },
    ]);
    const plan = new TerminationPlan({ signal: 'SIGTERM', graceMs: 100 });
    const signalsAt = (nowMs: number) =>
      plan.next(world.look(true), nowMs, false).orders.map((order) => {
        plan.note(order, world.send(order));
        return order.signal;
      });
    expect([signalsAt(10_000), signalsAt(10_099), signalsAt(10_100)]).toEqual([['SIGTERM'], [], ['SIGSTOP']]);
  });
});
