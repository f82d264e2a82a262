import { expect, test } from 'vitest';
import { FileHolders } from '../../../../src/probe/linux/holders/file-holders.js';
import { LateHolders } from '../../../../src/probe/linux/holders/late-holders.js';
import type { KernelFiles } from '../../../../src/probe/linux/kernel/kernel.js';
import { parseStat } from '../../../../src/probe/linux/proc/stat.js';

const [resting, running, youngest] = [7, 9, 30];
const gone = { absent: 'gone' } as const;
const pipe = 'pipe:[5]';
const socket = 'socket:[6]';

/** A machine where the links of open files, the last pid and the messages may change between two looks. */
class Machine implements KernelFiles {
  links: Record<number, string[]> = { [resting]: [socket], [running]: [socket] };
  last = running;
  sent = 0;

  numbers(path: string) {
    if (path === '/proc') return [resting, running];
    const links = this.links[Number(/^\/proc\/(\d+)\/fd$/.exec(path)?.[1])];
    return links === undefined ? gone : [...links.keys()];
  }

  link(path: string) {
    const [, pid, fd] = /^\/proc\/(\d+)\/fd\/(\d+)$/.exec(path) ?? [];
    return this.links[Number(pid)]?.[Number(fd)] ?? gone;
  }

  bytes() {
    return gone;
  }

  text(path: string) {
    if (path === '/proc/loadavg') return `0.1 0.1 0.1 1/100 ${this.last}\n`;
    // The number of a thread of the youngest process is its own plus one.
    if (path === `/proc/${youngest + 1}/status`) return `Name:\tx\nTgid:\t${youngest}\n`;
    return path.includes('/fdinfo/') ? `pos:\t0\nscm_fds: ${this.sent}\n` : gone;
  }
}

const stat = parseStat(Buffer.from(`9 (one) S 1 ${Array(47).fill(1).join(' ')}\n`));

async function searched(machine: Machine): Promise<LateHolders> {
  const stampOf = (pid: number) => ({
    isUnchanged: () => true,
    stoodStill: () => true,
    hasRun: () => pid === running,
  });
  const holders = new FileHolders({
    files: machine,
    native: { sameFiles: () => null },
    takeStamp: (pid) => ({ stat, stamp: stampOf(pid) }),
    readerPid: 1,
  });
  await holders.search(() => true);
  expect([...holders.of('pipe:5')]).toEqual([]);
  return new LateHolders(holders);
}

test('a process that ran and got the file after the search is found, and one that did not run is not read again', async () => {
  const machine = new Machine();
  const late = await searched(machine);
  machine.links = { [resting]: [socket, pipe], [running]: [socket, pipe] };
  late.look();
  expect([...late.of('pipe:5')]).toEqual([running]);
  machine.links = { [resting]: [socket], [running]: [socket] };
  late.look();
  expect([...late.of('pipe:5')]).toEqual([running]);
});

test('a file in a message to a process that ran is noticed, also when it is received at once', async () => {
  const machine = new Machine();
  const late = await searched(machine);
  late.look();
  expect([...late.messages]).toEqual([]);
  machine.sent = 1;
  late.look();
  machine.sent = 0;
  late.look();
  expect([...late.messages]).toMatchObject([{ inode: 6, family: 'unix', unreadFiles: 1 }]);
});

test('the youngest process is found by its number, and counts as itself when a thread has the last one', async () => {
  const machine = new Machine();
  const late = await searched(machine);
  machine.links[youngest] = [pipe];
  machine.last = youngest + 1;
  late.look();
  expect([...late.of('pipe:5')]).toEqual([youngest]);
});
