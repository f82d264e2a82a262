import { expect, test } from 'vitest';
import { FileHolders } from '../../../../src/probe/linux/holders/file-holders.js';
import { FileIdentities } from '../../../../src/probe/linux/holders/file-identities.js';
import { SharedSearch } from '../../../../src/probe/linux/holders/shared-search.js';
import type { KernelFiles, NativeFacts } from '../../../../src/probe/linux/kernel/kernel.js';
import { parseStat } from '../../../../src/probe/linux/proc/stat.js';

const loop = 'anon_inode:[eventpoll]';
const [waiter, mover] = [7, 9];
const gone = { absent: 'gone' } as const;

/** What the mover has open: `wanted` is the event loop of the waiter, the others are files of its own. */
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
  stamp: pid === mover ? null : { isUnchanged: () => true, stoodStill: () => true },
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
