import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NoticeLog, type NoticeLogOptions } from '../../../src/store/notices/notice-log.js';
import { draft, runId } from './notice-drafts.js';

const day = 24 * 60 * 60_000;
const now = Date.parse('2030-01-10T00:00:00Z');

let home: string;
let file: string;
const opened: NoticeLog[] = [];

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-notices-'));
  file = path.join(home, 'notices.jsonl');
});

afterEach(() => {
  for (const log of opened.splice(0)) log.close();
  fs.rmSync(home, { recursive: true, force: true });
});

function open(options: NoticeLogOptions = {}): NoticeLog {
  const log = NoticeLog.open(home, { nowMs: now, ...options });
  opened.push(log);
  return log;
}

const all = (log: NoticeLog) => log.since(0, 100_000).notices;
const seqs = (log: NoticeLog) => all(log).map(({ seq }) => seq);

describe('notices are durable and numbered', () => {
  test('numbers go on after every opening, and earlier notices stay the same', () => {
    const first = open();
    expect(first.append(draft('a'), now)).toMatchObject({ seq: 1, key: 'a', at: '2030-01-10T00:00:00.000Z' });
    const exit = { code: 3, signal: null, provenance: 'recorded' } as const;
    first.append(draft('b', { kind: 'exit', exit, tags: ['x'], suppressed: 4, offset: 9 }), now);
    const second = open();
    expect(all(second)).toEqual(all(first));
    expect(second.last).toBe(2);
    expect(second.append(draft('c'), now)?.seq).toBe(3);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  test('an event found again after a crash is reported once; the same key of another run is another event', () => {
    open().append(draft('a'), now);
    const log = open();
    expect(log.append(draft('a'), now)).toBeNull();
    expect([log.has(runId, 'a'), log.has(null, 'a'), log.has(runId, 'b')]).toEqual([true, false, false]);
    expect(log.append(draft('a', { runId: 'run_ffffffffffff' }), now)?.seq).toBe(2);
    expect(log.append(draft('a', { runId: null }), now)?.seq).toBe(3);
    expect(log.append(draft('a', { runId: null }), now)).toBeNull();
    expect(log.last).toBe(3);
  });

  test('since: after a number, bounded, of a run, a task or an owner', () => {
    const log = open();
    for (let n = 1; n <= 10; n++) {
      log.append(draft(`k${n}`, { task: n % 2 ? 'odd' : null, owner: n > 8 ? 'me' : null }), now);
    }
    expect(log.since(3, 2)).toMatchObject({ notices: [{ seq: 4 }, { seq: 5 }], more: 5 });
    expect(log.since(3, 100, { task: 'odd' }).notices.map(({ seq }) => seq)).toEqual([5, 7, 9]);
    expect(log.since(0, 1, { owner: 'me' })).toMatchObject({ notices: [{ seq: 9 }], more: 1 });
    expect(log.since(0, 9, { runId: 'run_ffffffffffff' })).toEqual({ notices: [], more: 0 });
    expect(log.since(10, 9)).toEqual({ notices: [], more: 0 });
    expect(log.since(99, 9)).toEqual({ notices: [], more: 0 });
  });

  test('a last line that was not written completely is no notice', () => {
    open().append(draft('a'), now);
    const whole = fs.readFileSync(file);
    const line = `${JSON.stringify({ ...draft('b'), seq: 2, at: new Date(now).toISOString() })}\n`;
    for (const cut of [1, 20, line.length - 1]) {
      fs.writeFileSync(file, Buffer.concat([whole, Buffer.from(line.slice(0, cut))]));
      const log = open();
      expect(seqs(log)).toEqual([1]);
      expect(fs.readFileSync(file)).toEqual(whole);
      expect(log.append(draft('b'), now)?.seq).toBe(2);
      expect(seqs(open())).toEqual([1, 2]);
    }
  });

  test('a long notice is cut, a notice that is still too long is refused', () => {
    const log = open();
    const long = log.append(draft('a', { text: 'x'.repeat(1e6), output: 'y'.repeat(1e6) }), now);
    expect((long?.text.length ?? 0) + (long?.output.length ?? 0)).toBeLessThan(10_000);
    expect(() => log.append(draft('b', { tags: ['z'.repeat(1e6)] }), now)).toThrow(/bytes/);
    expect(log.append(draft('b'), now)?.seq).toBe(2);
    expect(seqs(open())).toEqual([1, 2]);
  });
});

describe('the file may be anything', () => {
  test.each([
    ['', 0],
    ['\n\n', 2],
    ['{', 0],
    ['[]\nnull\n1\n"x"\n{}\n', 5],
    ['{"next":-1}\n{"next":1e300}\n{"next":"x"}\n', 3],
    [`{"seq":9007199254740991,"at":"x"}\n`, 1],
    [`${'x'.repeat(3_000_000)}\n`, 1],
    ['\0'.repeat(5000), 0],
    [`${JSON.stringify({ ...draft('z'), seq: 2 ** 53 - 1, at: new Date(now).toISOString() })}\n`, 1],
  ])('%# what is not ours is skipped and counted', (content, skipped) => {
    const ours = `${JSON.stringify({ ...draft('a'), seq: 7, at: new Date(now).toISOString() })}\n`;
    fs.writeFileSync(file, ours + content);
    const log = open();
    expect(seqs(log)).toEqual([7]);
    expect(log.skipped).toBe(skipped);
    expect(log.append(draft('b'), now)?.seq).toBe(8);
    expect(open().skipped).toBe(0);
    expect(seqs(open())).toEqual([7, 8]);
  });

  test('the same number or the same key twice: the first counts', () => {
    const at = new Date(now).toISOString();
    const lines = [
      { ...draft('a'), seq: 3, at },
      { ...draft('b'), seq: 3, at },
      { ...draft('a'), seq: 5, at },
      { ...draft('c'), seq: 2, at },
    ];
    fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const log = open();
    expect(all(log).map(({ seq, key }) => [seq, key])).toEqual([
      [2, 'c'],
      [3, 'a'],
    ]);
    expect(log.append(draft('d'), now)?.seq).toBe(6);
  });

  test.each(['directory', 'link', 'FIFO-like'])('a %s in its place is set aside', (what) => {
    if (what === 'directory') fs.mkdirSync(file);
    else fs.symlinkSync(what === 'link' ? path.join(home, 'elsewhere') : '/dev/full', file);
    expect(open().append(draft('a'), now)?.seq).toBe(1);
    expect(fs.existsSync(path.join(home, 'elsewhere'))).toBe(false);
    expect(seqs(open())).toEqual([1]);
  });

  test.each(['removed', 'emptied', 'replaced'])('%s under us: made again, and numbers go on', (what) => {
    const log = open();
    log.append(draft('a'), now);
    log.append(draft('b'), now);
    if (what === 'removed') fs.rmSync(file);
    else if (what === 'emptied') fs.truncateSync(file);
    else {
      fs.writeFileSync(`${file}.new`, 'nothing of ours\n');
      fs.renameSync(`${file}.new`, file);
    }
    expect(log.append(draft('c'), now)?.seq).toBe(3);
    expect(seqs(open())).toEqual([1, 2, 3]);
    expect(open().append(draft('a'), now)).toBeNull();
  });

  test('a log that is removed while no daemon runs: numbers go on from those of the consumers', () => {
    open().append(draft('a'), now);
    fs.rmSync(file);
    expect(open({ after: 41 }).append(draft('b'), now)?.seq).toBe(42);
  });
});

describe('it does not grow without bound', () => {
  test('notices and their file are bounded; numbers are never given again', () => {
    const limits = { noticesMax: 100 };
    const log = open({ limits });
    let sizeMax = 0;
    for (let n = 1; n <= 2000; n++) {
      log.append(draft(`k${n}`), now);
      sizeMax = Math.max(sizeMax, fs.statSync(file).size);
    }
    expect(seqs(log)).toEqual(Array.from({ length: 100 }, (_, at) => 1901 + at));
    const line = Buffer.byteLength(JSON.stringify(all(log)[0])) + 1;
    expect(sizeMax).toBeLessThan(202 * line + 64 * 1024);
    expect(log.append(draft('k1950'), now)).toBeNull();
    expect(seqs(open({ limits })).length).toBe(100);
    expect(open({ limits }).last).toBe(2000);
  });

  test('removes acknowledged notices after 8 days; the next number is kept', () => {
    const log = open();
    for (let n = 0; n < 5; n++) log.append(draft(`k${n}`), now);
    const later = { nowMs: now + 8 * day, acked: () => 5 };
    expect(seqs(open(later))).toEqual([]);
    expect(open(later).last).toBe(5);
    expect(open(later).append(draft('k1'), later.nowMs)?.seq).toBe(6);
    expect(seqs(open(later))).toEqual([6]);
  });

  test('a clock that jumps takes nothing away that was not acknowledged', () => {
    let acked = 0;
    const log = open({ acked: () => acked });
    for (let n = 1; n <= 5; n++) log.append(draft(`k${n}`), now);
    const years = now + 4000 * day;
    log.append(draft('k6'), years);
    expect(seqs(log)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(seqs(open({ nowMs: years }))).toEqual([1, 2, 3, 4, 5, 6]);
    acked = 3;
    log.append(draft('k7'), years);
    expect(seqs(log)).toEqual([4, 5, 6, 7]);
  });

  test('the bytes are bounded', () => {
    const log = open({ limits: { bytesMax: 50_000 } });
    for (let n = 1; n <= 100; n++) log.append(draft(`k${n}`, { output: 'x'.repeat(2000) }), now);
    expect(seqs(log).at(-1)).toBe(100);
    expect(seqs(log).length).toBeGreaterThan(15);
    expect(seqs(log).length).toBeLessThan(25);
  });
});
