import type { ProcessState } from '../../../model/facts/snapshot.js';

export interface Stat {
  pid: number;
  name: string;
  state: ProcessState;
  parent: number;
  group: number;
  session: number;
  terminal: number;
  foregroundGroup: number;
  flags: number;
  utimeTicks: number;
  stimeTicks: number;
  childTicks: number;
  threads: number;
  startTicks: number;
  residentPages: number;
  /** The CPU it last ran on. */
  processor: number;
  exitStatus: number;
}

const kernelThreadFlag = 0x00200000;
/** Letters of today's kernels; older kernels had more (W, x, K). */
const states: ReadonlySet<string> = new Set('RSDTtZXIP');
const openParenthesis = 40;
const closeParenthesis = 41;

export function isKernelThread(stat: Stat): boolean {
  return (stat.flags & kernelThreadFlag) !== 0;
}

/** A process may have any name, `) R 1 (` included: the name ends at the last parenthesis (proc(5)). */
function fieldsAfterName(bytes: Buffer, close: number): string[] {
  return bytes
    .subarray(close + 2)
    .toString('latin1')
    .trim()
    .split(' ');
}

/**
 * Where the code and the stack of the program began in memory: random for each start of a program, and the same in all
 * copies of that memory. null: the kernel does not show it to this user.
 */
export function memoryOrigin(bytes: Buffer): string | null {
  const fields = fieldsAfterName(bytes, bytes.lastIndexOf(closeParenthesis));
  const [code = '0', stack = '0'] = [fields[26 - 3], fields[28 - 3]];
  return stack === '0' ? null : `${code} ${stack}`;
}

const space = 32;

/** What is asked of each thread; the rest of the line is not parsed. */
export type TaskStat = Pick<Stat, 'name' | 'state' | 'processor'>;

export function parseTaskStat(bytes: Buffer): TaskStat | null {
  const open = bytes.indexOf(openParenthesis);
  const close = bytes.lastIndexOf(closeParenthesis);
  if (open < 0 || close < open || close + 2 >= bytes.length) return null;
  let field = 3;
  let at = close + 2;
  while (field < 39 && at < bytes.length) if (bytes[at++] === space) field += 1;
  if (field < 39) return null;
  return {
    name: bytes.toString('utf8', open + 1, close),
    state: stateOf(String.fromCharCode(bytes[close + 2] ?? 0)),
    processor: Number.parseInt(bytes.toString('latin1', at, at + 10), 10),
  };
}

const stateOf = (letter: string): ProcessState => (states.has(letter) ? (letter as ProcessState) : '?');

/** Field numbers below are those of the manual page, less the three fields up to the state. */
export function parseStat(bytes: Buffer): Stat | null {
  const open = bytes.indexOf(openParenthesis);
  const close = bytes.lastIndexOf(closeParenthesis);
  if (open < 0 || close < open) return null;
  const fields = fieldsAfterName(bytes, close);
  const field = (number: number): number => Number(fields[number - 3] ?? 0);
  if (fields.length < 20) return null;
  const [letter = '?'] = fields;
  return {
    pid: Number(bytes.subarray(0, open).toString('latin1')),
    name: bytes.subarray(open + 1, close).toString('utf8'),
    state: stateOf(letter),
    parent: field(4),
    group: field(5),
    session: field(6),
    terminal: field(7),
    foregroundGroup: field(8),
    flags: field(9),
    utimeTicks: field(14),
    stimeTicks: field(15),
    childTicks: field(16) + field(17),
    threads: field(20),
    startTicks: field(22),
    residentPages: field(24),
    processor: field(39),
    exitStatus: field(52),
  };
}
