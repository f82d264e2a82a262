import type { Capability } from '../../model/facts/capability.js';
import { hasProc, noProc } from '../linux/machine/has-proc.js';
import { lsofArguments } from './lsof.js';
import { psArguments } from './ps.js';
import { runProgram } from './run-program.js';

async function ask(file: 'ps' | 'lsof', args: string[]): Promise<boolean> {
  const output = await runProgram(file, args, { started: () => {} });
  return 'text' in output && output.code === 0 && output.text !== '';
}

/** ps and lsof read /proc, too: on a Linux without it there is nothing else to try. */
const withoutProc: Capability = {
  name: 'processes (/proc)',
  status: 'no',
  finding: noProc.finding,
  costs:
    'no process can be judged: no why, no health, no --kill-on, no orphans, no runs in the background; ' +
    'unstuck run still passes output on, keeps its time limits, and stops the command with its process group',
  fix: noProc.fix,
};

/** What this machine allows where there is no /proc. */
export async function portableCapabilities(): Promise<Capability[]> {
  if (process.platform === 'linux' && !hasProc()) return [withoutProc];
  const [ps, lsof] = await Promise.all([
    ask('ps', psArguments(process.platform)),
    ask('lsof', lsofArguments([process.pid])),
  ]);
  return [
    {
      name: 'processes (ps)',
      status: ps ? 'yes' : 'no',
      finding: ps ? 'ps lists processes' : 'ps is missing or does not know the columns we ask for',
      costs: ps ? '' : 'no process can be judged',
      fix: ps ? '' : 'install ps (package procps)',
    },
    {
      name: 'open files (lsof)',
      status: lsof ? 'yes' : 'no',
      finding: lsof ? 'lsof lists open files' : 'lsof is missing or did not answer',
      costs: lsof ? '' : 'what a process waits on, and which process holds the other end, is not known',
      fix: lsof ? '' : 'install lsof',
    },
    {
      name: 'system calls and memory',
      status: 'no',
      finding: 'this system has no /proc that shows them',
      costs: 'waits cannot be proven: nothing but stopped, ended and computing is certain',
      fix: '',
    },
  ];
}
