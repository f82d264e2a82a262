import { syscallNames } from '../proc/syscall.js';

/** `g ADDRESS LENGTH` of the collector, for a call whose number and arguments are $1 and $2 to $7. */
const spec = (argument: number, length: string | number): string => `g $${argument + 2} ${length}`;

const timespec = (argument: number): string => spec(argument, 16);
const path = (argument: number): string => spec(argument, 4096);
/** Past a thousand entries the set is left out, and missing. */
const pollSet = spec(0, '$(($3 < 1024 ? $3 * 8 : 0))');
const selectSets = [1, 2, 3].map((argument) => spec(argument, '$((($2 + 63) / 64 * 8 % 8192))'));

/**
 * The memory that a blocked call points to, as `snapshot/arguments.ts` decodes it. Buffers that a call reads or writes
 * are not among it: they are the user's data.
 */
const pointers: Record<string, readonly string[]> = {
  poll: [pollSet],
  ppoll: [pollSet, timespec(2)],
  select: [...selectSets, timespec(4)],
  pselect6: [...selectSets, timespec(4)],
  epoll_pwait2: [timespec(3)],
  nanosleep: [timespec(0)],
  clock_nanosleep: [timespec(2)],
  // The call that a stop interrupted may be a sleep, a futex or a poll.
  restart_syscall: [spec(0, 40), timespec(2), timespec(3)],
  futex: [spec(0, 40), timespec(3)],
  futex_waitv: [spec(0, '$(($3 < 128 ? $3 * 24 : 0))'), timespec(3)],
  rt_sigtimedwait: [spec(0, 8), timespec(2)],
  semtimedop: [timespec(3)],
  mq_timedreceive: [timespec(4)],
  mq_timedsend: [timespec(4)],
  io_uring_enter: [spec(4, 24)],
  io_getevents: [timespec(4)],
  connect: [spec(1, 110)],
  open: [path(0)],
  openat: [path(1)],
  openat2: [path(1)],
};

const shared = '0x?|0x??|0x1??';

/** Lines of a `case` of the shell, by the number of the call; `s`: a futex that other processes may share. */
function casesOf(arch: string): string {
  const lines: string[] = [];
  for (const [number, name] of syscallNames(arch) ?? []) {
    const reads = pointers[name];
    if (reads === undefined) continue;
    const shares = name === 'futex' ? [`case $3 in 0x8?|0x18?);; ${shared}) s=1;; esac`] : [];
    const waitv = name === 'futex_waitv' ? ['s=1'] : [];
    lines.push(`    ${number}) ${[...reads, ...shares, ...waitv].join('; ')};;`);
  }
  return lines.join('\n');
}

/** What `uname -m` prints, and Node's name for it. */
export const machines: Record<string, string> = {
  x86_64: 'x64',
  amd64: 'x64',
  aarch64: 'arm64',
  arm64: 'arm64',
  riscv64: 'riscv64',
};

/** The function `a` of the collector: reads the memory that the arguments of a call point to. */
export function argumentReader(): string {
  return `a() {
  case $M in
  x86_64|amd64) case $1 in
${casesOf('x64')}
  esac;;
  aarch64|arm64|riscv64) case $1 in
${casesOf('arm64')}
  esac;;
  esac
}`;
}
