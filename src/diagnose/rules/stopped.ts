import { type Rule, rank } from './rule.js';

const SIGTTIN = 21;

/** Stopped by a signal, by job control or by a debugger: only SIGCONT (or the debugger) lets it go on. */
export const stopped: Rule<'stopped'> = {
  cause: 'stopped',
  verdict: 'stopped',
  rank: rank.halted,
  certainty: 'certain',
  detect({ process, thread }) {
    if (thread.laterState !== 'T' && thread.laterState !== 't') return null;
    const traced = thread.laterState === 't';
    const { terminal, group, exitStatus } = process;
    const background =
      terminal.number !== 0 && terminal.foregroundGroup > 0 && terminal.foregroundGroup !== group;
    const reported = exitStatus !== null && exitStatus > 0 && exitStatus < 65 ? exitStatus : null;
    // A shell with job control collects the stop, and field 52 falls back to 0.
    const signal = reported ?? (background && !traced ? SIGTTIN : null);
    return { kind: 'stopped', signal, traced };
  },
};
