import { expect, test } from 'vitest';
import { FileHolders } from '../../../../src/probe/linux/holders/file-holders.js';
import { FileIdentities } from '../../../../src/probe/linux/holders/file-identities.js';
import { SharedSearch } from '../../../../src/probe/linux/holders/shared-search.js';
import type { KernelFiles, NativeFacts } from '../../../../src/probe/linux/kernel/kernel.js';
import { parseStat } from '../../../../src/probe/linux/proc/stat.js';

const loop = 'anon_inode:[eventpoll]';
const [waiter, mover] = [7, 9];
const gone = { absent: 'gone' } as const;

/** What the mover has open: `wanted` is the event loop of the waiters, the others are files of its own. */
type Table = Readonly<Record<number, 'wanted' | 'other loop' | 'null'>>;

const ownOf = (pid: number): Table => ({ 0: 'null', 3: pid === waiter ? 'wanted' : 'other loop' });

/** The mover may have another table at each reading. */
function kernel(next: () => Table) {
  const tableOf = (pid: number): Table => (pid === mover ? next() : ownOf(pid));
  const files: KernelFiles = {
    numbers: (path) => {
      if (path === '/proc') return [waiter, mover];
      const pid = Number(/^\/proc\/(\d+)\/fd$/.exec(path)?.[1]);
      return Number.isNaN(pid) ? gone : Object.keys(tableOf(pid)).map(Number);
    },
    link: (path) => {
      const [, pid, fd] = /^\/proc\/(\d+)\/fd\/(\d+)$/.exec(path) ?? [];
      const open = tableOf(Number(pid))[Number(fd)];
      return open === undefined ? gone : open === 'null' ? '/dev/null' : loop;
    },
    bytes: () => gone,
    text: () => gone,
  };
  const native = {
    sameFiles: () => null,
    orderOfFiles: (a, aFd, b, bFd) => {
      const [one, other] = [tableOf(a)[aFd], tableOf(b)[bFd]];
      if (one === undefined || other === undefined) return null;
      return one === other ? 0 : one < other ? -1 : 1;
    },
  } as Partial<NativeFacts> as NativeFacts;
  return { files, native };
}

const stat = parseStat(Buffer.from(`9 (loop) S 1 ${Array(47).fill(1).join(' ')}\n`));
const takeStamp = (pid: number) => ({
  stat,
  stamp: pid === mover ? null : { isUnchanged: () => true, stoodStill: () => true, hasRun: () => false },
});

/** Whether the mover is known to have the file of the waiter, or might have it. */
async function isSuspected(next: () => Table): Promise<boolean> {
  const { files, native } = kernel(next);
  const holders = new FileHolders({ files, native, takeStamp, readerPid: 1 });
  const search = new SharedSearch(holders, native, new FileIdentities(native), () => true);
  await search.made();
  const { same, unknown } = search.openersOf({ task: waiter, fd: 3, link: loop, object: 'epoll:7:3' });
  return holders.restless.has(mover) || unknown.has(mover) || [...same].includes(mover);
}

/** Numbers of a fixed series, so that the test is the same each time. */
function* series(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const movers: { title: string; tables: Table[]; overlookedMax: number }[] = [
  {
    title: 'moves a file to other numbers',
    tables: [
      { 0: 'null', 4: 'wanted' },
      { 0: 'null', 5: 'wanted' },
      { 0: 'null', 6: 'wanted' },
    ],
    overlookedMax: 0,
  },
  {
    title: 'redirects, as a shell does,',
    tables: [
      { 0: 'null', 4: 'wanted' },
      { 0: 'null', 4: 'null', 10: 'wanted' },
    ],
    overlookedMax: 10,
  },
  {
    title: 'exchanges the files of its numbers',
    tables: [
      { 0: 'null', 4: 'wanted', 5: 'other loop', 6: 'other loop' },
      { 0: 'null', 4: 'other loop', 5: 'wanted', 6: 'other loop' },
      { 0: 'null', 4: 'other loop', 5: 'other loop', 6: 'wanted' },
    ],
    overlookedMax: 10,
  },
];

test.each(movers)(
  'a process that $title at random between all readings has the file, or might have it, nearly always',
  async ({ tables, overlookedMax }) => {
    const numbers = series(1);
    const next = () => tables[Math.floor(numbers.next().value * tables.length)] ?? {};
    let overlooked = 0;
    for (let time = 0; time < 1000; time += 1) if (!(await isSuspected(next))) overlooked += 1;
    expect(overlooked).toBeLessThanOrEqual(overlookedMax);
  },
);

test.each<Table>([{ 0: 'null', 4: 'other loop' }, { 0: 'null' }])(
  'a process that runs and has other files is not suspected: %j',
  async (table) => {
    expect(await isSuspected(() => table)).toBe(false);
  },
);

/** How often a link of the mover is read, until the sharers of the files that these processes wait for are known. */
async function linksRead(waiters: number[], openBy: (pid: number) => string): Promise<number> {
  let count = 0;
  const { files, native } = kernel(() => ({ 0: 'null', 4: 'other loop' }));
  const counting: KernelFiles = {
    ...files,
    numbers: (path) => (path === '/proc' ? [...waiters, mover] : files.numbers(path)),
    link: (path) => {
      if (path.startsWith(`/proc/${mover}/`)) count += 1;
      return files.link(path);
    },
  };
  const nameOf = (pid: number): string => (pid === mover ? 'other loop' : openBy(pid));
  const comparing: NativeFacts = {
    ...native,
    orderOfFiles: (a, _, b) => (nameOf(a) === nameOf(b) ? 0 : nameOf(a) < nameOf(b) ? -1 : 1),
  };
  const holders = new FileHolders({ files: counting, native: comparing, takeStamp, readerPid: 1 });
  const search = new SharedSearch(holders, comparing, new FileIdentities(comparing), () => true);
  await search.made();
  const all = waiters.map((task) => ({ task, fd: 3, link: loop, object: `epoll:${task}:3` }));
  search.expect(all);
  for (const wanted of all) expect([...search.openersOf(wanted).unknown]).toEqual([]);
  return count;
}

test.each([
  { title: 'one file', openBy: () => 'wanted' },
  { title: 'a file each', openBy: (pid: number) => `wanted ${pid}` },
])('a process that runs is read as often for 200 that wait for $title as for one', async ({ openBy }) => {
  const waiters = Array.from({ length: 200 }, (_, index) => 100 + index);
  expect(await linksRead(waiters, openBy)).toBe(await linksRead([100], openBy));
});

test('a process that has another file by now under the same number is not told what was found for the first', async () => {
  const { files, native } = kernel(() => ({ 0: 'null', 4: 'other loop' }));
  const open = new Map([
    [waiter, 'wanted'],
    [8, 'wanted'],
    [mover, 'other loop'],
  ]);
  const nameOf = (pid: number): string => open.get(pid) ?? '';
  const comparing: NativeFacts = {
    ...native,
    orderOfFiles: (a, _, b) => (nameOf(a) === nameOf(b) ? 0 : nameOf(a) < nameOf(b) ? -1 : 1),
  };
  const holders = new FileHolders({ files, native: comparing, takeStamp, readerPid: 1 });
  const search = new SharedSearch(holders, comparing, new FileIdentities(comparing), () => true);
  await search.made();
  const sharers = (task: number) => [
    ...search.openersOf({ task, fd: 3, link: loop, object: `epoll:${task}:3` }).same,
  ];
  expect([sharers(8), sharers(waiter)]).toEqual([[waiter], [waiter]]);
  open.set(waiter, 'other loop');
  expect(sharers(waiter)).toContain(mover);
});
