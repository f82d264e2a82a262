import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NoticeLog } from '../../../src/store/notices/notice-log.js';
import { useProgram } from '../../run/input/programs.js';
import { removeDirectory } from '../../support/remove-directory.js';

const writer = useProgram(new URL('./notice-append.program.ts', import.meta.url));

let home: string;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-notices-'));
});

afterEach(() => removeDirectory(home));

/** What a writer was sure of before it was killed at some moment. */
async function appendUntilKilled(from: number, noticesMax: number): Promise<[seq: number, key: string][]> {
  const child = writer.start(home, String(from), String(noticesMax));
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout ?? child, 'data'), closed]);
  await delay(Math.random() * 12);
  child.kill('SIGKILL');
  await closed;
  expect(child.signalCode).toBe('SIGKILL');
  const lines = said.split('\n').slice(0, -1);
  return lines.map((line) => [Number(line.split(' ')[0]), line.split(' ')[1] ?? '']);
}

test.each([
  ['all are kept', 15, 1_000_000],
  ['the file is made smaller all the time', 20, 20],
])(
  'killed at any moment, no number and no key is given twice and nothing is lost; %s',
  async (_, rounds, noticesMax) => {
    const told = new Map<number, string>();
    const keys = new Set<string>();
    let from = 0;
    for (let round = 0; round < rounds; round++) {
      const sure = await appendUntilKilled(from, noticesMax);
      const log = NoticeLog.open(home, { limits: { noticesMax: 1_000_000 } });
      const kept = new Map(log.since(0, 1_000_000).notices.map(({ seq, key }) => [seq, key]));
      log.close();
      for (const [seq, key] of sure) {
        expect(told.has(seq), `number ${seq} again`).toBe(false);
        expect(keys.has(key), `key ${key} again`).toBe(false);
        told.set(seq, key);
        keys.add(key);
      }
      // A notice that was written but not printed any more is there, too, and is not given again.
      const [lastSeq, lastKey] = [...kept].at(-1) ?? [0, 'k-1'];
      told.set(lastSeq, lastKey);
      keys.add(lastKey);
      for (const [seq, key] of [...told].slice(-20)) {
        if (seq > lastSeq - noticesMax) expect(kept.get(seq), `number ${seq}`).toBe(key);
      }
      // As after a crash: what was found last is found again.
      from = Math.max(0, Number(lastKey.slice(1)) - 5);
    }
    const seqs = [...told.keys()].sort((a, b) => a - b);
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, at) => at + 1));
    expect(seqs.length).toBeGreaterThan(rounds);
    expect(fs.readdirSync(home).filter((name) => !/^notices\.jsonl(\.tmp)?$/.test(name))).toEqual([]);
  },
);
