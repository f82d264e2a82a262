/** Protocol version of client and daemon. It grows only when an older client cannot work with a newer daemon. */
export const protocol = 1;

export const requestIdHeader = 'unstuck-request-id';

/** More than any command line the kernel takes, and more than any single input. */
export const requestBytesMax = 16 * 1024 * 1024;

/** The daemon is about to end: the client asks the next one. */
export const leavingStatus = 503;

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
