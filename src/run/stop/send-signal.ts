import os from 'node:os';
import { isAbsent } from '../../model/facts/absence.js';
import { openPidfd, ourselvesAndAbove, readRow } from '../../probe/processes.js';

/** `gone`: there is nobody left to signal. `unproven`: it could not be read who has this number now. */
export type SendOutcome = 'sent' | 'gone' | 'not-permitted' | 'unproven' | 'refused';

export interface Addressee {
  pid: number;
  startTicks: number;
}

export type Send = (to: Addressee, signal: NodeJS.Signals) => SendOutcome;

/** The ways to the kernel. */
const kernel = { openPidfd, readRow };

/**
 * Signals go to a proven identity only, never to us, to whoever we descend from, or to the keeper.
 * `ways` are those of this machine unless a test takes some away.
 */
export function createSender(keeper: number | null, ways: Partial<typeof kernel> = {}): Send {
  const { openPidfd, readRow } = { ...kernel, ...ways };
  const never = new Set([...ourselvesAndAbove(), keeper]);

  /** Who has the number now: the one that is meant, another one, nobody that could act, or not to be read. */
  function whoIs({ pid, startTicks }: Addressee): 'same' | 'other' | 'gone' | 'unproven' {
    const row = readRow(pid);
    if (isAbsent(row)) return row.absent === 'gone' ? 'gone' : 'unproven';
    if (row.startTicks !== startTicks) return 'other';
    return row.ended ? 'gone' : 'same';
  }

  /** null: this way is closed. */
  function sendByDescriptor(to: Addressee, signal: NodeJS.Signals): SendOutcome | null {
    const pidfd = openPidfd(to.pid);
    if (pidfd === null) return null;
    try {
      // Asked after opening: it was there before and is now, so it is also the one that was opened.
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
    // The number changed hands between the question and the signal: the stranger goes on.
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
