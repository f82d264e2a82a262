/** Identifies a process uniquely, even when its pid is reused. */
export interface ProcessIdentity {
  bootId: string;
  pid: number;
  /** Field 22 of /proc/PID/stat: clock ticks between boot and the start of the process. */
  startTicks: number;
}

export type IdentityMatch = 'same' | 'different' | 'uncertain';

/** Compares a recorded identity with the current one; `uncertain` must never lead to a signal. */
export function matchIdentity(
  recorded: ProcessIdentity,
  current: Partial<ProcessIdentity> | null,
): IdentityMatch {
  if (current === null) return 'different';
  if (current.pid !== undefined && current.pid !== recorded.pid) return 'different';
  if (current.bootId !== undefined && current.bootId !== recorded.bootId) return 'different';
  if (current.startTicks !== undefined && current.startTicks !== recorded.startTicks) return 'different';
  const complete =
    current.pid !== undefined && current.bootId !== undefined && current.startTicks !== undefined;
  return complete && recorded.bootId !== '' ? 'same' : 'uncertain';
}

/** The topmost process of a part of a run. */
export type PartRoot = Pick<ProcessIdentity, 'pid' | 'startTicks'>;
