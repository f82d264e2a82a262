/** Protocol version of client and daemon. It grows only when an older client cannot work with a newer daemon. */
export const protocol = 1;

export const requestIdHeader = 'unstuck-request-id';

/** More than any command line the kernel takes, and more than any single input. */
export const requestBytesMax = 16 * 1024 * 1024;

/** The daemon is about to end: the client asks the next one. Other answers may have this status, too. */
export const leaving = { status: 503, code: 'leaving' } as const;

export function isLeaving({ status, body }: { status: number; body: unknown }): boolean {
  const { error } = (body ?? {}) as { error?: { code?: unknown } };
  return status === leaving.status && error?.code === leaving.code;
}

/** GET /v1/hello. */
export interface Hello {
  version: string;
  protocol: number;
  pid: number;
  startedAt: string;
  /** Live runs; null: the daemon has just started and still reads them. */
  runs: number | null;
  /** What keeps it from working now, as a message; null: nothing. */
  trouble: string | null;
  home: string;
}

/** null: not the answer of an Unstuck daemon. */
export function parseHello(value: unknown): Hello | null {
  if (typeof value !== 'object' || value === null) return null;
  const { version, protocol, pid, startedAt, runs, trouble, home } = value as Partial<
    Record<keyof Hello, unknown>
  >;
  if (typeof version !== 'string' || typeof startedAt !== 'string' || typeof home !== 'string') return null;
  if (!Number.isSafeInteger(protocol) || !Number.isSafeInteger(pid)) return null;
  return {
    version,
    protocol: protocol as number,
    pid: pid as number,
    startedAt,
    runs: typeof runs === 'number' ? runs : null,
    // Daemons of older versions do not send it.
    trouble: typeof trouble === 'string' ? trouble : null,
    home,
  };
}

/** As in semver.org: below 0, the first is older. A string that is not a version is older than any version. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [parse(a), parse(b)];
  for (let i = 0; i < 3; i += 1) {
    const difference = (first.numbers[i] ?? -1) - (second.numbers[i] ?? -1);
    if (difference !== 0) return difference;
  }
  if (first.before.length === 0 || second.before.length === 0)
    return second.before.length - first.before.length;
  for (let i = 0; i < Math.max(first.before.length, second.before.length); i += 1) {
    const difference = comparePrerelease(first.before[i], second.before[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parse(version: string): { numbers: number[]; before: string[] } {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+.*)?$/.exec(version);
  if (match === null) return { numbers: [], before: [] };
  return { numbers: match.slice(1, 4).map(Number), before: match[4]?.split('.') ?? [] };
}

/** Compares prerelease identifiers: fewer are older, numbers are older than names. */
function comparePrerelease(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
