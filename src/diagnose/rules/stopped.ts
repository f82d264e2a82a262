import type { ProcessFacts } from '../../model/facts/snapshot.js';
import { type Rule, rank } from '../graph/cause.js';
import { haltLasts } from '../graph/closed/halted.js';

const SIGTTIN = 21;
const SIGTTOU = 22;
const states: ReadonlySet<string> = new Set(['T', 't']);

function isInBackground({ terminal: { number, foregroundGroup }, group }: ProcessFacts): boolean {
  return number !== 0 && foregroundGroup > 0 && foregroundGroup !== group;
}

/** Stopped by the terminal for an action of its own: if continued, it would be stopped again at once. */
function isItsOwnDoing(process: ProcessFacts): boolean {
  const { exitStatus } = process;
  return (exitStatus === SIGTTIN || exitStatus === SIGTTOU) && isInBackground(process);
}

/** Stopped by a signal, by job control or by a debugger: only SIGCONT (or the debugger) lets it go on. */
export const stopped: Rule<'stopped'> = {
  verdict: 'stopped',
  rank: rank.halted,
  certainty({ traced }, { process, thread }) {
    // The debugger decides, and nothing shows when.
    if (traced) return 'high';
    return isItsOwnDoing(process) || haltLasts(thread) ? 'certain' : 'high';
  },
  detect({ process, thread }) {
    // A traced thread stops for an instant at every call, and some processes are stopped and continued to slow them
    // down.
    if (!states.has(thread.state) || !states.has(thread.laterState) || thread.moved === true) return null;
    const traced = thread.laterState === 't';
    const { exitStatus } = process;
    const reported = exitStatus !== null && exitStatus > 0 && exitStatus < 65 ? exitStatus : null;
    // A shell with job control collects the stop, and field 52 falls back to 0.
    const signal = reported ?? (isInBackground(process) && !traced ? SIGTTIN : null);
    return { kind: 'stopped', signal, traced };
  },
};
