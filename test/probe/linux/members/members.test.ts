import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { longAgo, mayHaveTurnedOver } from '../../../../src/probe/linux/machine/pid-turnover.js';
import {
  type Claim,
  confirmClaims,
  takeRelatives,
  tiesOf,
} from '../../../../src/probe/linux/members/membership.js';

/** Few numbers, so that most rows have to do with each other. */
const number = fc.integer({ min: 0, max: 12 });
const tables = fc.uniqueArray(fc.record({ pid: number, parent: number, group: number, session: number }), {
  selector: ({ pid }) => pid,
});
type Row = { pid: number; parent: number; group: number; session: number };
const tiedIn = (rows: readonly Row[]) => (number: number) =>
  rows.filter(({ parent, group, session }) => [parent, group, session].includes(number));
const ours = fc.set(number, { maxLength: 3 });

describe('relatives of a process', () => {
  property.prop([tables, ours])(
    'every process with a tie is taken, and no process without',
    (rows, numbers) => {
      const owned = new Set(numbers);
      const taken = new Set<number>();
      const relatives = takeRelatives(tiedIn(rows), { owned, taken });
      expect(taken).toEqual(new Set(relatives.map(({ pid }) => pid)));
      expect(taken.size).toBe(relatives.length);
      expect(owned).toEqual(new Set([...numbers, ...relatives.map(({ pid }) => pid)]));
      for (const { parent, group, session } of rows.filter(({ pid }) => !taken.has(pid))) {
        expect([parent, group, session].some((tie) => owned.has(tie))).toBe(false);
      }
      // Every process that is taken is tied to a process taken before it, or to the given pids.
      const known = new Set(numbers);
      for (const { pid, parent, group, session } of relatives) {
        expect([parent, group, session].some((tie) => known.has(tie))).toBe(true);
        known.add(pid);
      }
    },
  );

  property.prop([tables, ours])('the order of the table does not change the answer', (rows, numbers) => {
    const pids = (table: typeof rows) =>
      new Set(
        takeRelatives(tiedIn(table), { owned: new Set(numbers), taken: new Set() }).map(({ pid }) => pid),
      );
    expect(pids(rows.toReversed())).toEqual(pids(rows));
  });

  property.prop([tables, ours])('a group or session of its own is no tie', (rows, numbers) => {
    for (const row of rows) {
      const ties = tiesOf({ ...row, group: row.pid, session: row.pid }, numbers);
      expect(ties).toEqual(numbers.has(row.parent) ? ['descendant'] : []);
    }
  });
});

describe('the owner of a pid', () => {
  /** Member 7 led session 7; member 8 was in it at the last look. */
  const member = { pid: 8, startTicks: 200, group: 8, session: 7 };
  const stranger = { pid: 7, startTicks: 900, group: 7, session: 7 };
  const turned = () => true;
  const fresh = () => false;

  function claimed(rows: (typeof member)[], mayHaveTurnedOver: () => boolean, unread: number[] = []) {
    const claims = new Map<number, Claim>([[7, { startTicks: 100, confirmedAt: 1 }]]);
    const owned = confirmClaims(claims, {
      rowOf: (pid) => rows.find((row) => row.pid === pid),
      unread: new Set(unread),
      before: new Map([[8, member]]),
      forks: 5,
      mayHaveTurnedOver,
    });
    return { owned: owned.has(7), confirmedAt: claims.get(7)?.confirmedAt };
  }

  it('the member itself has it', () => {
    expect(claimed([{ ...stranger, startTicks: 100 }], turned)).toEqual({ owned: true, confirmedAt: 5 });
  });

  it('another process has the pid: the session is not ours', () => {
    expect(claimed([stranger, member], fresh)).toEqual({ owned: false, confirmedAt: undefined });
  });

  it('the pid is free: the session is ours while a member has always been in it', () => {
    expect(claimed([member], turned)).toEqual({ owned: true, confirmedAt: 5 });
    expect(claimed([{ ...member, startTicks: 300 }], turned).owned).toBe(false);
    expect(claimed([{ ...member, session: 8 }], turned).owned).toBe(false);
    expect(claimed([{ ...member, pid: 9 }], turned).owned).toBe(false);
  });

  it('the pid is free and its session is empty: ours until the pid can have been reused', () => {
    expect(claimed([], fresh)).toEqual({ owned: true, confirmedAt: 1 });
    expect(claimed([], turned).owned).toBe(false);
  });

  it('a process that could not be read keeps its claim, from which nothing else follows', () => {
    expect(claimed([], turned, [7])).toEqual({ owned: false, confirmedAt: 1 });
    expect(claimed([], turned)).toEqual({ owned: false, confirmedAt: undefined });
  });

  it('pids are reused after all others, or when nothing is known of them', () => {
    const max = 32_768;
    expect(mayHaveTurnedOver(1000, 1000, max)).toBe(false);
    expect(mayHaveTurnedOver(1000, 1000 + max / 2 - 1, max)).toBe(false);
    expect(mayHaveTurnedOver(1000, 1000 + max / 2, max)).toBe(true);
    expect(mayHaveTurnedOver(1001, 1000, max)).toBe(true);
    expect(mayHaveTurnedOver(longAgo, 1000, max)).toBe(true);
    expect(mayHaveTurnedOver(1000, longAgo, max)).toBe(true);
    expect(mayHaveTurnedOver(longAgo, longAgo, max)).toBe(true);
    // It could not be read how many numbers there are.
    expect(mayHaveTurnedOver(1000, 1000, 0)).toBe(true);
  });
});
