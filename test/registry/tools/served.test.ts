import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/model/verdict.js';
import { nextServed, type Served } from '../../../src/registry/tools/served.js';

const server = (pid: number): Finding =>
  ({
    kind: 'service',
    root: { pid, startTicks: 1 },
    end: { pid: pid + 1, startTicks: 2 },
    members: [pid, pid + 1],
  }) as Finding;

/** One snapshot every five seconds: what it shows, and for how long the tool ran and waited for a CPU until then. */
function follow(...snapshots: [Finding[], ranMs: number, delayedMs?: number][]): Served[] {
  let served: Served[] = [];
  for (const [at, [findings, ranMs, delayedMs = 0]] of snapshots.entries())
    served = nextServed(served, findings, () => ({ cpuTicks: ranMs / 10, ranMs, delayedMs }), at * 5000);
  return served;
}

describe('a server in the foreground', () => {
  const one = server(7);

  it('is followed while it rests, also when it runs now and then', () => {
    const [found, ...others] = follow([[one], 300], [[one], 340], [[one], 480]);
    expect(found).toMatchObject({ finding: one, samples: 3, missed: 0 });
    expect(others).toEqual([]);
  });

  it('is followed anew after work', () => {
    expect(follow([[one], 300], [[one], 300], [[one], 700])).toMatchObject([{ samples: 1 }]);
    expect(follow([[one], 300], [[], 700], [[one], 700])).toMatchObject([{ samples: 1 }]);
  });

  it('works when it waits for a CPU most of the time, and rests when it hardly runs then', () => {
    expect(follow([[one], 0], [[one], 50, 1000], [[one], 100, 2000])).toMatchObject([{ samples: 1 }]);
    expect(follow([[one], 0], [[one], 5, 1000], [[one], 10, 2000])).toMatchObject([{ samples: 3 }]);
  });

  it('may be missing in two snapshots in a row', () => {
    expect(follow([[one], 0], [[], 0], [[], 0], [[one], 0])).toMatchObject([{ samples: 2, missed: 0 }]);
    expect(follow([[one], 0], [[], 0], [[], 0], [[], 0])).toEqual([]);
  });

  it('is another one with another process, or with one process more', () => {
    expect(follow([[one], 0], [[server(70)], 0])).toMatchObject([{ samples: 1 }, { samples: 1, missed: 1 }]);
    const more = { ...one, members: [...one.members, 9] };
    expect(follow([[one], 0], [[more], 0])[0]).toMatchObject({ finding: more, samples: 1 });
  });
});
