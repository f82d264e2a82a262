import os from 'node:os';
import { isAbsent } from '../../model/facts/absence.js';
import { openPidfd, ourselvesAndAbove, readRow } from '../../probe/processes.js';

/** `gone`: no process is left to signal. `unproven`: the present owner of the pid could not be read. */
export type SendOutcome = 'sent' | 'gone' | 'not-permitted' | 'unproven' | 'refused';

export interface Addressee {
  pid: number;
  startTicks: number;
}

export type Send = (to: Addressee, signal: NodeJS.Signals) => SendOutcome;

/** Access to the kernel. */
const kernel = { openPidfd, readRow };

/**
 * Signals go only to a proven identity, never to this process, its ancestors or the shim. `ways` are the calls of this
 * machine; a test may replace some.
 */
export function createSender(shim: number | null, ways: Partial<typeof kernel> = {}): Send {
  const { openPidfd, readRow } = { ...kernel, ...ways };
  const never = new Set([...ourselvesAndAbove(), shim]);

  /** The present owner of the pid: the same process, another process, an ended process, or not readable. */
  function whoIs({ pid, startTicks }: Addressee): 'same' | 'other' | 'gone' | 'unproven' {
    const row = readRow(pid);
    if (isAbsent(row)) return row.absent === 'gone' ? 'gone' : 'unproven';
    if (row.startTicks !== startTicks) return 'other';
    return row.ended ? 'gone' : 'same';
  }

  /** null: signalling by descriptor is not possible. */
  function sendByDescriptor(to: Addressee, signal: NodeJS.Signals): SendOutcome | null {
    const pidfd = openPidfd(to.pid);
    if (pidfd === null) return null;
    try {
      // Checked after opening. The same process had the pid before and has it now, so the descriptor refers to it.
      const who = whoIs(to);
      if (who !== 'same') return who === 'other' ? 'gone' : who;
      return pidfd.send(os.constants.signals[signal]) ? 'sent' : null;
    } finally {
      pidfd.close();
    }
  }

  function sendByNumber(to: Addressee, signal: NodeJS.Signals): SendOutcome {
    const who = whoIs(to);
    if (who !== 'same') return who === 'other' ? 'gone' : who;
    const outcome = kill(to.pid, signal);
    if (signal !== 'SIGSTOP' || outcome !== 'sent' || whoIs(to) !== 'other') return outcome;
    // The pid was reused between the check and the signal. The other process is continued.
    kill(to.pid, 'SIGCONT');
    return 'gone';
  }

  return (to, signal) => {
    if (!(to.pid > 1) || never.has(to.pid)) return 'refused';
    return sendByDescriptor(to, signal) ?? sendByNumber(to, signal);
  };
}

function kill(pid: number, signal: NodeJS.Signals): SendOutcome {
  try {
    process.kill(pid, signal);
    return 'sent';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return 'gone';
    if (code === 'EPERM') return 'not-permitted';
    throw error;
  }
}
