import type { IOType } from 'node:child_process';
import type { PseudoTerminal } from './pseudo-terminal.js';

/** The numbers that the shim uses for itself. The command does not get them. */
export interface ShimDescriptors {
  /** Reports the identity of the command (it may end before it can be read elsewhere) and its end to the supervisor. */
  control: number;
  /** stderr on its way past the drain of stdout. */
  aux: number;
  /** To the supervisor. */
  out: number;
  err: number;
  /** stderr of the command, while that of the shell goes to a file. */
  said: number;
  /** The two ends of a terminal, if the command gets one. */
  slave: number;
  master: number;
}

/** A run in the background inherits none, so it has fixed numbers (shim-pump.ts uses them too). */
export const fixedDescriptors: ShimDescriptors = {
  control: 3,
  aux: 4,
  out: 5,
  err: 6,
  said: 7,
  slave: 8,
  master: 9,
};

/** Most shells know only descriptors of one digit in a redirection. bash knows all. */
const digits = [3, 4, 5, 6, 7, 8, 9];
const highMin = 20;

const names = Object.keys(fixedDescriptors) as (keyof ShimDescriptors)[];
/** A run without a terminal does not use the ends of one; one with a terminal has a single stream. */
const unused = { pty: ['aux'], pipes: ['slave', 'master'] } as const;

export interface Allotment {
  fd: ShimDescriptors;
  /** Descriptors of the command that get lost, because there is no bash. */
  lost: number[];
  needsBash: boolean;
}

/** Chooses numbers that the command does not need. */
export function allotDescriptors(
  taken: readonly number[],
  { isPty, hasBash }: { isPty: boolean; hasBash: () => boolean },
): Allotment {
  const skipped: readonly string[] = isPty ? unused.pty : unused.pipes;
  const wanted = names.filter((name) => !skipped.includes(name));
  const free = digits.filter((digit) => !taken.includes(digit));
  const allot = (numbers: readonly number[]): ShimDescriptors => ({
    ...fixedDescriptors,
    ...Object.fromEntries(wanted.map((name, index) => [name, numbers[index]])),
  });
  if (free.length >= wanted.length) return { fd: allot(free), lost: [], needsBash: false };
  if (!hasBash())
    return { fd: fixedDescriptors, lost: digits.filter((digit) => taken.includes(digit)), needsBash: false };
  const high: number[] = [];
  for (let number = highMin; high.length < wanted.length; number += 1) {
    if (!taken.includes(number)) high.push(number);
  }
  return { fd: allot(high), lost: [], needsBash: true };
}

type Stdio = (IOType | number)[];

interface ShimStreams {
  /** 0, 1 and 2 of the shim. */
  ends: Stdio;
  control: IOType;
  terminal: PseudoTerminal | null;
  /** Descriptors of this process that the command gets under the same numbers. */
  passed?: readonly number[];
}

/** Node marks only its lower descriptors as its own. Those above this are inherited without being named. */
const namedMax = 1024;

/** The descriptors of the shim, as an argument for `spawn`. */
export function shimStdio(fd: ShimDescriptors, { ends, control, terminal, passed = [] }: ShimStreams): Stdio {
  const given = new Map<number, IOType | number>([
    ...passed.filter((number) => number <= namedMax).map((number): [number, number] => [number, number]),
    [fd.control, control],
    ...(terminal === null
      ? []
      : ([
          [fd.slave, terminal.slave],
          [fd.master, terminal.master],
        ] as const)),
  ]);
  const length = Math.max(...given.keys()) + 1;
  return Array.from({ length }, (_, number) => ends[number] ?? given.get(number) ?? 'ignore');
}
