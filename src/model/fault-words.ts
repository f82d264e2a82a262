/** What the system refused, and what helps. */
export interface FaultWords {
  what: string;
  hint: string;
}

const daemonAnew = 'start the daemon anew, the runs go on: unstuck daemon stop';

const words: Readonly<Record<string, FaultWords>> = {
  EMFILE: {
    what: 'this process has too many open files (EMFILE)',
    hint: `raise the limit with ulimit -n 4096, and ${daemonAnew}`,
  },
  ENFILE: {
    what: 'this machine has too many open files (ENFILE)',
    hint: 'raise the limit: sysctl fs.file-max',
  },
  ENOMEM: { what: 'there is not enough memory (ENOMEM)', hint: 'end what uses it, see: free -m' },
  EAGAIN: {
    what: 'there are too many processes or too little memory (EAGAIN)',
    hint: 'see: ulimit -u; free -m',
  },
  ENOSPC: { what: 'the disk is full (ENOSPC)', hint: 'make room on the disk, see: df -h' },
  EDQUOT: { what: 'the disk quota is used up (EDQUOT)', hint: 'make room, see: quota' },
  EROFS: { what: 'the disk is read-only (EROFS)', hint: 'see why: dmesg | tail' },
  EIO: { what: 'the disk failed (EIO)', hint: 'see why: dmesg | tail' },
  EACCES: { what: 'permission denied (EACCES)', hint: 'see who owns it: ls -la' },
  EPERM: { what: 'not permitted (EPERM)', hint: 'see who owns it: ls -la' },
};

/** An error of the system in words. */
export function faultWords(error: unknown): FaultWords {
  const { code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const known = code === undefined ? undefined : words[code];
  return known ?? { what: code ?? message ?? String(error), hint: 'try again in a moment' };
}
