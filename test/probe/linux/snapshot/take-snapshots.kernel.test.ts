import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { judge } from '../../../../src/diagnose/judge.js';
import { FileHolders } from '../../../../src/probe/linux/holders/file-holders.js';
import { liveFiles } from '../../../../src/probe/linux/kernel/live-files.js';
import { takeSnapshots } from '../../../../src/probe/linux/snapshot/take-snapshots.js';
import { openFiles } from '../../../support/open-files.js';
import { patienceMs } from '../../../support/patience.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { processOf } from '../../contract.js';
import { python, startProgram, untilNamed, untilState } from '../../start-program.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A process that has not run for longer than this is remembered. */
const rememberedMs = 1100;

const nowhere = () => false;

/** Readers of pipes into which nothing is written; each has its writer outside of its tree. */
async function startReaders(count: number): Promise<number[]> {
  const script = `for i in $(seq ${count}); do sleep 1000 | cat >/dev/null & p="$p $!"; done; echo $p; wait`;
  const { pid: shell, line } = await startProgram(['sh', '-c', script], { line: true });
  const children = fs.readFileSync(`/proc/${shell}/task/${shell}/children`, 'latin1').trim().split(' ');
  const pids = line.split(' ').map(Number);
  for (const pid of children.map(Number)) await untilNamed(pid, pids.includes(pid) ? 'cat' : 'sleep');
  return pids;
}

/** In its call on the pipe: it has nothing else to do. */
async function untilReading(pid: number): Promise<void> {
  const isReading = () => /pipe_read$/.test(fs.readFileSync(`/proc/${pid}/wchan`, 'latin1'));
  await vi.waitUntil(isReading, { timeout: patienceMs, interval: 10 });
}

/** Calls that ask the kernel, while `read` goes on. */
async function countReads(read: () => Promise<unknown>): Promise<string[]> {
  // Lists and links are read through the C library.
  const spies = [
    vi.spyOn(fs, 'openSync'),
    ...(['numbers', 'link'] as const).map((name) => vi.spyOn(liveFiles, name)),
  ];
  await read();
  const paths = spies.flatMap((spy) => spy.mock.calls.map(([path]) => String(path)));
  vi.restoreAllMocks();
  return paths;
}

const ring = `
import os, sys, time
(r1, w1), (r2, w2) = os.pipe(), os.pipe()
def reader(mine, other, *rest):
    pid = os.fork()
    if pid == 0:
        for fd in rest: os.close(fd)
        os.close(0); os.setsid(); os.read(mine, 1)
    return pid
pids = reader(r1, w2, w1, r2), reader(r2, w1, w2, r1)
for fd in (r1, w1, r2, w2): os.close(fd)
print(*pids, flush=True)
time.sleep(1000)
`;

const forker = `
import os, signal, sys, time
r, w = os.pipe()
pid = os.fork()
if pid == 0:
    os.close(w); os.dup2(r, 0); os.read(0, 1)
signal.signal(signal.SIGUSR1, lambda *_: os.fork())
os.close(r)
print(pid, flush=True)
while True: time.sleep(1000)
`;

describe('several snapshots at once', () => {
  test.skipIf(python === null)('two trees that wait for each other are proven to', async () => {
    const { line } = await startProgram([python ?? '', '-c', ring], { line: true });
    const pids = line.split(' ').map(Number);
    for (const pid of pids) await untilReading(pid);
    const holders = new FileHolders({ remember: true });
    // On a busy machine a search may be cut: then nothing is certain, and nothing is compared.
    await vi.waitFor(
      async () => {
        const together = await Promise.all(takeSnapshots(pids, {}, holders));
        expect(together.map(({ searched }) => searched.cut)).toEqual([null, null]);
        for (const snapshot of together) {
          // An alarm, which only root can exclude, may end the one and let the other go on.
          const certainty = snapshot.alarms === false ? 'certain' : 'high';
          expect(judge(snapshot)).toMatchObject({ kind: 'deadlock', certainty });
          expect(new Set(snapshot.processes.map(({ pid }) => pid))).toEqual(new Set(pids));
        }
      },
      { timeout: patienceMs },
    );
  });

  test('a single search serves all snapshots', async () => {
    const pids = await startReaders(20);
    const [first = 0] = pids;
    // Whatever is loaded once is loaded now.
    await Promise.all(takeSnapshots([first]));
    const one = await countReads(() => Promise.all(takeSnapshots([first])));
    const all = await countReads(() => Promise.all(takeSnapshots(pids)));
    const listings = (paths: string[]) => paths.filter((path) => path === '/proc').length;
    // Once for all processes, once for those that came meanwhile.
    expect(listings(one)).toBe(2);
    expect(listings(all)).toBe(2);
    expect(all.filter((path) => path === `/proc/${process.pid}/fd`)).toHaveLength(1);
    expect(all.length).toBeLessThan(one.length * 12);
  });

  test('a process that does not exist, or ends during the search, does not affect other snapshots', async () => {
    const [ending = 0, staying = 0] = await startReaders(2);
    const holders = new FileHolders();
    const search = holders.search.bind(holders);
    holders.search = (isNear) => {
      process.kill(ending, 'SIGKILL');
      return search(isNear);
    };
    const results = await Promise.allSettled(takeSnapshots([2 ** 22 + 1, ending, staying], {}, holders));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    const [none, ended, stayed] = results;
    expect(none).toMatchObject({ reason: { code: 'no-such-process' } });
    if (ended?.status !== 'fulfilled' || stayed?.status !== 'fulfilled') throw new Error('not taken');
    expect(processOf(ended.value, ending).changed).toBe('ended');
    expect(processOf(stayed.value, staying).changed).toBeNull();
    expect(stayed.value.processes.map(({ name }) => name).sort()).toEqual(['cat', 'sleep']);
  });

  test.skipIf(python === null)(
    'a holder that appears after the search is in the snapshot, or its maker is seen to have run',
    async () => {
      const { pid: holder, line } = await startProgram([python ?? '', '-c', forker], { line: true });
      const reader = Number(line);
      await untilReading(reader);
      await untilState(holder, 'S');
      const fork = async () => {
        const children = () => fs.readFileSync(`/proc/${holder}/task/${holder}/children`, 'latin1');
        const before = children();
        process.kill(holder, 'SIGUSR1');
        await vi.waitUntil(() => children() !== before, { timeout: patienceMs, interval: 5 });
        await untilState(holder, 'S');
      };
      const holders = new FileHolders();
      const search = holders.search.bind(holders);
      // All processes have been searched; the holder has not been read yet.
      holders.search = async (isNear) => {
        const cut = await search(isNear);
        await fork();
        return cut;
      };
      const [early] = await Promise.all(takeSnapshots([reader], {}, holders));
      if (early === undefined) throw new Error('not taken');
      expect(processOf(early, holder).threads[0]?.moved).toBe(false);
      expect(early.processes.filter(({ parent }) => parent === holder)).toHaveLength(2);

      const later = new FileHolders();
      const searchNew = later.searchNew.bind(later);
      // Now it has.
      later.searchNew = async () => {
        const found = await searchNew();
        await fork();
        return found;
      };
      const [late] = await Promise.all(takeSnapshots([reader], {}, later));
      if (late === undefined) throw new Error('not taken');
      expect(processOf(late, holder).threads[0]?.moved).toBe(true);
    },
  );
});

describe('open files are remembered for processes that have not run', () => {
  test('files of a process that has not run are not read again, of a process that has run they are', async () => {
    const directory = fs.mkdtempSync('/tmp/unstuck-holders-');
    try {
      const [file, bell] = [`${directory}/file`, `${directory}/bell`];
      const script = `exec 3>${file}; sleep 1000 & trap 'exec 4>${bell}' USR1; echo ready; wait; wait; wait`;
      const { pid } = await startProgram(['sh', '-c', script], { line: true });
      const [idle = 0] = await startReaders(1);
      await untilReading(idle);
      const holders = new FileHolders({ remember: true });
      await holders.search(nowhere);
      expect([...holders.of(`file:${file}`)]).toContain(pid);
      await delay(rememberedMs);
      const quiet = await countReads(() => holders.search(nowhere));
      expect(quiet.filter((path) => path.startsWith(`/proc/${idle}/fd`))).toEqual([]);
      expect([...holders.of(`file:${file}`)]).toContain(pid);
      expect([...holders.of(`file:${bell}`)]).toEqual([]);
      process.kill(pid, 'SIGUSR1');
      // A file has its name before any process has it open.
      await vi.waitUntil(() => openFiles(pid).includes(bell), { timeout: patienceMs });
      await holders.search(nowhere);
      expect([...holders.of(`file:${bell}`)]).toEqual([pid]);
    } finally {
      await removeDirectory(directory);
    }
  });

  test('an ended process holds nothing any more', async () => {
    const [pid = 0] = await startReaders(1);
    const pipe = fs.readlinkSync(`/proc/${pid}/fd/0`).replace('[', '').replace(']', '');
    const holders = new FileHolders({ remember: true });
    await holders.search(nowhere);
    expect([...holders.of(pipe)]).toContain(pid);
    process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => !fs.existsSync(`/proc/${pid}`), { timeout: patienceMs });
    await holders.search(nowhere);
    expect([...holders.of(pipe)]).not.toContain(pid);
  });

  test('a long search lets others have their turn', async () => {
    await startReaders(20);
    const holders = new FileHolders();
    const original = fs.readdirSync;
    // As on a machine with very many processes.
    vi.spyOn(fs, 'readdirSync').mockImplementation(((path: string) => {
      const until = performance.now() + 3;
      while (performance.now() < until);
      return original(path);
    }) as typeof fs.readdirSync);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const cut = await holders.search(nowhere);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
    if (cut !== null) expect(cut).toContain('was stopped after');
  });
});
