import { isAbsent } from '../../../model/facts/absence.js';
import { available, type Capability } from '../../../model/facts/capability.js';
import { keptDescriptorsMax } from '../machine/descriptors.js';
import { seesEveryPid } from '../machine/has-proc.js';
import { readText } from '../proc/proc-file.js';
import { syscallNames } from '../proc/syscall.js';

const CAP_SYS_PTRACE = 19n;
const filesPerProcess = 3;
const filesEnough = 3000;

export interface Rights {
  root: boolean;
  /** May trace processes of other users, as root or otherwise. */
  tracer: boolean;
  /** null: the kernel has no Yama. */
  yama: number | null;
}

export function readRights(): Rights {
  const status = readText('/proc/self/status');
  const effective = isAbsent(status) ? undefined : /^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1];
  const scope = readText('/proc/sys/kernel/yama/ptrace_scope');
  return {
    root: process.geteuid?.() === 0,
    tracer: ((BigInt(`0x${effective ?? '0'}`) >> CAP_SYS_PTRACE) & 1n) === 1n,
    yama: isAbsent(scope) ? null : Number(scope),
  };
}

const yamaMeanings: Record<number, string> = {
  0: 'processes of the same user may read each other',
  1: 'only at descendants, except for root',
  2: 'only root may read other processes',
  3: 'no process may read another, not even root',
};

function yama({ yama: scope, tracer }: Rights): Capability {
  const name = 'tracing rule (Yama)';
  if (scope === null) return available(name, 'none on this machine');
  const finding = `ptrace_scope ${scope}: ${yamaMeanings[scope] ?? 'unknown'}`;
  if (scope === 0 || (scope < 3 && tracer)) return available(name, finding);
  return {
    name,
    status: scope === 1 ? 'partly' : 'no',
    finding,
    costs: 'system calls and memory of those processes stay hidden',
    fix: traceFix({ yama: scope }),
  };
}

function otherUsers({ root, tracer }: Rights): Capability {
  const name = 'processes of other users';
  if (tracer) return available(name, root ? 'we are root' : 'we have CAP_SYS_PTRACE');
  return {
    name,
    status: 'no',
    finding: root ? 'root without CAP_SYS_PTRACE' : 'neither root nor CAP_SYS_PTRACE',
    costs: 'of them, only what everybody may see: state, CPU, command',
    fix: root ? 'allow it to the container: --cap-add SYS_PTRACE' : 'ask as root: sudo unstuck why PID',
  };
}

/** `hidepid=2`, or since Linux 5.8 `hidepid=invisible`. */
function hidden({ tracer }: Rights): Capability {
  const name = 'hidden processes';
  const mounts = readText('/proc/mounts');
  const option = isAbsent(mounts) ? undefined : /^\S+ \/proc proc \S*\bhidepid=(\w+)/m.exec(mounts)?.[1];
  if (option === undefined || option === '0' || option === 'off')
    return available(name, '/proc hides no process');
  if (tracer) return available(name, `/proc hides others (hidepid=${option}), but not from us`);
  return {
    name,
    status: 'partly',
    finding: `/proc hides the processes of others (hidepid=${option})`,
    costs: 'the holder of the other end of a pipe or a lock may not be found',
    fix: 'ask as root: sudo unstuck why PID',
  };
}

function container(): Capability {
  const name = 'container';
  if (seesEveryPid()) return available(name, 'none: every process of the machine can be found');
  return {
    name,
    status: 'partly',
    finding: 'we are in one: only its own processes can be found',
    costs: 'a wait for a process outside of it ends at its border',
    fix: 'run Unstuck on the host, or start the container with --pid=host',
  };
}

function callNames(): Capability {
  const name = 'names of system calls';
  if (syscallNames(process.arch) !== null) return available(name, `known for ${process.arch}`);
  return {
    name,
    status: 'no',
    finding: `not known for ${process.arch}`,
    costs: 'waits are guessed from kernel function names, and nothing is certain',
    fix: '',
  };
}

function fileLimit(): Capability {
  const name = 'file descriptors';
  const kept = keptDescriptorsMax();
  const finding = `enough to follow ${Math.floor(kept / filesPerProcess).toLocaleString('en')} processes`;
  if (kept >= filesEnough) return available(name, finding);
  return {
    name,
    status: 'partly',
    finding,
    costs: 'processes beyond that cost twice as much to follow',
    fix: 'allow more: ulimit -n 8192',
  };
}

/** How to get the right to trace. */
export function traceFix({ yama: scope }: Pick<Rights, 'yama'>): string {
  if (scope === 3) return 'none before the next boot: ptrace_scope 3 cannot be taken back';
  if (scope === 1) return 'ask as root, or once: sudo sysctl kernel.yama.ptrace_scope=0';
  return 'ask as root: sudo unstuck why PID';
}

/** The user, the rights and the limits of this process. */
export function capabilitiesByRight(rights: Rights): Capability[] {
  return [yama(rights), otherUsers(rights), hidden(rights), container(), callNames(), fileLimit()];
}
