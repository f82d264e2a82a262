import { type Rule, rank } from './rule.js';

const SIGTTIN = 21;
const states: ReadonlySet<string> = new Set(['T', 't']);

/** Stopped by a signal, by job control or by a debugger: only SIGCONT (or the debugger) lets it go on. */
export const stopped: Rule<'stopped'> = {
  cause: 'stopped',
  verdict: 'stopped',
  rank: rank.halted,
  certainty: 'certain',
  detect({ process, thread }) {
    // Whatever is traced stops for an instant at every call, and some are stopped and let go again to slow them down.
    if (!states.has(thread.state) || !states.has(thread.laterState) || thread.moved === true) return null;
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
