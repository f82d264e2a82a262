import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { whySnapshot } from '../../../../src/control/why-snapshot.js';
import { Failure } from '../../../../src/model/failure.js';
import { collect, localShell, snapshotOf } from '../../../../src/probe/captures.js';
import type { Collected } from '../../../../src/probe/linux/capture/collect.js';
import type { Frame } from '../../../../src/probe/linux/capture/frames.js';
import { patienceMs } from '../../../support/patience.js';

/** A tree that stands still: a shell that waits for a child, which waits for input. */
const child = spawn('sh', ['-c', 'cat; :'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
const pid = child.pid ?? -1;
let whole: Collected;

beforeAll(async () => {
  await vi.waitFor(async () => {
    whole = await collect(pid, localShell());
    expect((await answer(whole.frames)).verdict.kind).toBe('needs-input');
  }, patienceMs);
});

afterAll(() => {
  process.kill(-pid, 'SIGKILL');
});

async function answer(frames: Frame[]) {
  return whySnapshot(await snapshotOf({ targetPid: whole.targetPid, frames }));
}

/** What a damaged capture leads to: an answer, or a Failure; anything else is thrown. */
async function outcome(frames: Frame[]): Promise<string> {
  try {
    return (await answer(frames)).verdict.certainty;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

/** A sequence of numbers that is the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let value = seed; ; ) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield value;
  }
}

describe('a damaged capture', () => {
  test('without a file of a process that matters nothing is certain', async () => {
    const vital = new RegExp(`^/proc/(${pid})/(task/\\d+/(syscall|schedstat)|status|fd|timers)$`);
    const names = whole.frames.filter(({ name }) => vital.test(name)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(4);
    for (const name of new Set(names))
      expect([name, await outcome(whole.frames.filter((frame) => frame.name !== name))]).not.toEqual([
        name,
        'certain',
      ]);
  });

  test('that is cut off anywhere is refused', async () => {
    const { frames } = whole;
    for (const share of [0, 0.2, 0.5, 0.9, 0.99])
      expect(await outcome(frames.slice(0, Math.floor(frames.length * share)))).toBe('bad-snapshot');
  });

  test('with changed bytes leads to an answer or an error, never to a crash', async () => {
    const next = numbers(7);
    const some = (below: number) => (next.next().value as number) % below;
    for (let round = 0; round < 20; round += 1) {
      const frames = whole.frames.map((frame) => ({ ...frame, bytes: Buffer.from(frame.bytes) }));
      for (let change = 0; change < 40; change += 1) {
        const { bytes } = frames[some(frames.length)] ?? { bytes: Buffer.alloc(0) };
        if (bytes.length > 0) bytes[some(bytes.length)] = some(256);
      }
      expect(await outcome(frames)).toMatch(/^[a-z-]+$/);
    }
  });

  test('with a field that no kernel writes is refused', async () => {
    for (const [from, to] of [
      [/SigCgt:\t./, 'SigCgt:\tx'],
      [/SigIgn:\t./, 'SigIgn:\tx'],
    ] as const) {
      const frames = whole.frames.map((frame) =>
        /\/status$/.test(frame.name)
          ? { ...frame, bytes: Buffer.from(frame.bytes.toString('latin1').replace(from, to), 'latin1') }
          : frame,
      );
      expect([to, await outcome(frames)]).toEqual([to, 'bad-snapshot']);
    }
  });

  test('with paths that lead elsewhere reads nothing of this machine', async () => {
    const extra = ['../../etc/passwd', '/proc/../etc/shadow', '/etc/passwd', '\0', '/proc/1/../2/stat'];
    const frames = [
      ...extra.map((name) => ({ letter: 'f', name, bytes: Buffer.from('x') })),
      ...whole.frames,
    ];
    const reads = (['openSync', 'readlinkSync', 'readdirSync', 'statSync', 'lstatSync'] as const).map(
      (name) => vi.spyOn(fs, name),
    );
    try {
      expect((await answer(frames)).verdict.kind).toBe('needs-input');
      for (const read of reads) expect(read).not.toHaveBeenCalled();
    } finally {
      for (const read of reads) read.mockRestore();
    }
  });
});
