/** What the system refused, and what to do about it. */
export interface FaultWords {
  what: string;
  hint: string;
}

const restartDaemon = 'restart the daemon, the runs go on: unstuck daemon stop';

const faults: Readonly<Record<string, FaultWords>> = {
  EMFILE: {
    what: 'this process has too many open files (EMFILE)',
    hint: `raise the limit with ulimit -n 4096, and ${restartDaemon}`,
  },
  ENFILE: {
    what: 'this machine has too many open files (ENFILE)',
    hint: 'raise the limit: sysctl fs.file-max',
  },
  ENOMEM: { what: 'not enough memory (ENOMEM)', hint: 'free some memory, see: free -m' },
  EAGAIN: {
    what: 'too many processes or too little memory (EAGAIN)',
    hint: 'see: ulimit -u; free -m',
  },
  ENOSPC: { what: 'the disk is full (ENOSPC)', hint: 'free some disk space, see: df -h' },
  EDQUOT: { what: 'the disk quota is used up (EDQUOT)', hint: 'free some disk space, see: quota' },
  EROFS: { what: 'the disk is read-only (EROFS)', hint: 'see why: dmesg | tail' },
  EIO: { what: 'the disk failed (EIO)', hint: 'see why: dmesg | tail' },
  EACCES: { what: 'permission denied (EACCES)', hint: 'check the owner: ls -la' },
  EPERM: { what: 'not permitted (EPERM)', hint: 'check the owner: ls -la' },
};

/** Message and hint for a system error. */
export function faultWords(error: unknown): FaultWords {
  const { code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const known = code === undefined ? undefined : faults[code];
  return known ?? { what: code ?? message ?? String(error), hint: 'try again in a moment' };
}
