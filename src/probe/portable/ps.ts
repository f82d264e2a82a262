import type { ProcessState } from '../../model/facts/snapshot.js';

/** A line of ps: what Linux, macOS and the BSDs all print. */
export interface PsRow {
  pid: number;
  parent: number;
  group: number;
  /** 0: not known. Only Linux prints the session's id; macOS prints an address or 0 under the same name. */
  session: number;
  foregroundGroup: number;
  /** null: it has no terminal. */
  terminal: string | null;
  uid: number;
  memoryKb: number;
  cpuMs: number;
  /** The resolution of the CPU time: whole seconds on Linux, hundredths elsewhere. */
  cpuStepMs: number;
  /** Seconds since 1970; Linux computes it from the time of boot, and it may be one off between two calls. */
  startedAtS: number;
  state: ProcessState;
  /** A leader that ended while its threads go on appears as a zombie: only this distinguishes them (Linux). */
  threaded: boolean;
  wchan: string | null;
  command: string;
}

/**
 * An `-o` for each column: on the BSDs everything after a `=` is a heading, commas included. Only `command` may hold
 * spaces, so it comes last; the short name needs a call of its own.
 */
export function psArguments(platform: NodeJS.Platform): string[] {
  const wchan = platform === 'linux' ? 'wchan:32' : 'wchan';
  const columns = [
    'pid',
    'ppid',
    'pgid',
    'sess',
    'tpgid',
    'tty',
    'uid',
    'rss',
    'time',
    'lstart',
    'stat',
    wchan,
    'command',
  ];
  return ['-A', '-ww', ...columns.flatMap((column) => ['-o', `${column}=`])];
}

export const psNameArguments = ['-A', '-ww', '-o', 'pid=', '-o', 'ucomm='];

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
export function parseCpuTime(text: string): { ms: number; stepMs: number } | null {
  const match = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)(?:\.(\d{1,3}))?$/.exec(text);
  if (match === null) return null;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0', fraction] = match;
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  if (fraction === undefined) return { ms: whole * 1000, stepMs: 1000 };
  return { ms: whole * 1000 + Number(fraction.padEnd(3, '0')), stepMs: 1000 / 10 ** fraction.length };
}

/** The BSDs print I for "asleep for more than 20 s" and U for an uninterruptible wait; Linux has its own I. */
const elsewhere: Record<string, ProcessState> = { I: 'S', U: 'D', L: 'S', O: 'R' };
const known: ReadonlySet<string> = new Set(['R', 'S', 'D', 'T', 't', 'Z', 'X', 'I', 'P']);

export function parseState(stat: string, platform: NodeJS.Platform): ProcessState {
  const [letter = '?', ...flags] = stat;
  // macOS and FreeBSD mark a process under a debugger with a flag of its own.
  if (platform !== 'linux' && letter === 'T' && flags.includes('X')) return 't';
  const translated = platform === 'linux' ? undefined : elsewhere[letter];
  return translated ?? (known.has(letter) ? (letter as ProcessState) : '?');
}

const line = new RegExp(
  [
    /^\s*(?<pid>\d+)\s+(?<parent>\d+)\s+(?<group>-?\d+)\s+(?<session>\S+)\s+(?<foreground>-?\d+)/,
    /\s+(?<terminal>\S+)\s+(?<uid>-?\d+)\s+(?<memory>\d+)\s+(?<time>[\d:.-]+)/,
    /\s+(?<started>\S+\s+\S+\s+\S+\s+\S+\s+\d{4})\s+(?<stat>\S+)\s+(?<wchan>\S+)(?:\s(?<command>.*))?$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

function parseRow(text: string, platform: NodeJS.Platform): PsRow | null {
  const groups = line.exec(text)?.groups;
  const cpu = parseCpuTime(groups?.time ?? '');
  const startedAtMs = Date.parse(`${groups?.started} UTC`);
  if (groups === undefined || cpu === null || Number.isNaN(startedAtMs)) return null;
  const { terminal = '?', stat = '?', wchan = '-', session = '' } = groups;
  return {
    pid: Number(groups.pid),
    parent: Number(groups.parent),
    group: Number(groups.group),
    session: platform === 'linux' && /^\d+$/.test(session) ? Number(session) : 0,
    foregroundGroup: Number(groups.foreground),
    terminal: /^[?-]+$/.test(terminal) ? null : terminal,
    uid: Number(groups.uid),
    memoryKb: Number(groups.memory),
    cpuMs: cpu.ms,
    cpuStepMs: cpu.stepMs,
    startedAtS: startedAtMs / 1000,
    state: parseState(stat, platform),
    threaded: platform === 'linux' && stat.slice(1).includes('l'),
    wchan: wchan === '-' || wchan === '0' ? null : wchan,
    command: (groups.command ?? '').trim(),
  };
}

/** All processes by id. A line that does not match is left out: other users choose the names in it. */
export function parsePs(text: string, platform: NodeJS.Platform): Map<number, PsRow> {
  const rows = new Map<number, PsRow>();
  for (const one of text.split('\n')) {
    const row = parseRow(one, platform);
    if (row !== null && !rows.has(row.pid)) rows.set(row.pid, row);
  }
  return rows;
}

/** Short names by id. */
export function parsePsNames(text: string): Map<number, string> {
  const names = new Map<number, string>();
  for (const one of text.split('\n')) {
    const match = /^\s*(\d+)\s(.*)$/.exec(one);
    const pid = Number(match?.[1]);
    if (match !== null && !names.has(pid)) names.set(pid, (match[2] ?? '').trim());
  }
  return names;
}
