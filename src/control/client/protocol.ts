/** What client and daemon must agree on. Grows only when an older client could not go on with a newer daemon. */
export const protocol = 1;

export const requestIdHeader = 'unstuck-request-id';

/** More than any command line the kernel takes, and any input that is written at once. */
export const requestBytesMax = 16 * 1024 * 1024;

/** The answer of a daemon that is about to end: ask its successor. */
export const leavingStatus = 503;

/** GET /v1/hello. */
export interface Hello {
  version: string;
  protocol: number;
  pid: number;
  startedAt: string;
  /** Live ones; null: it has just started, and still looks. */
  runs: number | null;
  /** What keeps it from its work now, in words; null: nothing. */
  trouble: string | null;
  home: string;
}

/** null: whatever it is that answers there, it is no daemon of ours. */
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
    // Daemons of older versions do not say.
    trouble: typeof trouble === 'string' ? trouble : null,
    home,
  };
}
