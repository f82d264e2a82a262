import fs from 'node:fs';
import { isAbsent } from '../../../model/facts/absence.js';
import type { Capability } from '../../../model/facts/capability.js';
import type { SocketFacts } from '../../../model/facts/sockets.js';
import { loadLibc } from '../native/libc.js';
import { readTerminal } from '../native/terminal.js';
import { parseCgroup } from '../proc/cgroup.js';
import { readChildren } from '../proc/children.js';
import { readLink, readText } from '../proc/proc-file.js';
import { diagTcp, diagUnix } from '../sockets/sock-diag.js';
import { ssUnix } from '../sockets/ss.js';

const koffiFix = 'let npm install koffi again: npm rebuild koffi';

function rate(
  name: string,
  status: Capability['status'],
  finding: string,
  otherwise: { costs: string; fix: string },
): Capability {
  return { name, status, finding, ...(status === 'yes' ? { costs: '', fix: '' } : otherwise) };
}

function children(child: number): Capability {
  const listed = readText(`/proc/self/task/${process.pid}/children`);
  const direct = !isAbsent(listed) && listed.split(' ').includes(String(child));
  const found = readChildren(process.pid);
  const indirect = !isAbsent(found) && found.includes(child);
  return rate(
    'children',
    direct ? 'yes' : indirect ? 'partly' : 'no',
    direct ? 'the kernel lists them' : indirect ? 'only by asking every process' : 'not to be found',
    { costs: direct || indirect ? 'slower' : 'trees cannot be followed', fix: '' },
  );
}

function locks(): Capability {
  const status = isAbsent(readText('/proc/locks')) ? 'no' : 'yes';
  return rate('file locks', status, status === 'yes' ? '/proc/locks' : 'no /proc/locks', {
    costs: 'the holder of a file lock is not known',
    fix: '',
  });
}

function connections(child: number): Capability {
  const status = isAbsent(readText(`/proc/${child}/net/tcp`)) ? 'no' : 'yes';
  return rate('connections', status, status === 'yes' ? '/proc/net/tcp' : 'no /proc/net/tcp', {
    costs: 'network waits have no address',
    fix: '',
  });
}

/** The near end of the child's input is a unix socket: a table that has its other end has all of them. */
function knowsPeer(sockets: SocketFacts[] | null, child: number): boolean {
  const link = readLink(`/proc/${child}/fd/0`);
  const inode = isAbsent(link) ? -1 : Number(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? -1);
  return sockets?.some((socket) => socket.inode === inode && (socket.peer ?? 0) !== 0) === true;
}

function socketEnds(child: number): Capability[] {
  const libc = loadLibc();
  const diag = libc !== null && knowsPeer(diagUnix(libc), child);
  const ss = knowsPeer(ssUnix(), child);
  const bytes = libc !== null && diagTcp(libc) !== null;
  const why = libc === null ? 'koffi has no binary for this machine' : 'the kernel does not answer sock_diag';
  const fix = libc === null ? koffiFix : '';
  return [
    rate('other ends of sockets', diag ? 'yes' : ss ? 'partly' : 'no', diag ? 'sock_diag' : why, {
      costs: ss ? 'slower: the program ss is used instead' : 'the process at the other end is not known',
      fix,
    }),
    rate(
      'the same from ss',
      ss || diag ? 'yes' : 'no',
      ss ? 'works' : diag ? 'not installed, not needed' : 'ss does not work here',
      { costs: 'there is nothing to fall back to', fix: 'install ss (package iproute2)' },
    ),
    rate('bytes on connections', bytes ? 'yes' : 'no', bytes ? 'sock_diag' : why, {
      costs: 'since when a connection is silent is not known',
      fix,
    }),
  ];
}

function terminalSettings(): Capability {
  const name = 'terminal settings';
  const otherwise = { costs: 'a password prompt cannot be distinguished from another prompt', fix: koffiFix };
  if (loadLibc() === null) return rate(name, 'no', 'koffi has no binary for this machine', otherwise);
  const links = [0, 1, 2].map((fd) => readLink(`/proc/self/fd/${fd}`));
  const ours = links.find((link) => !isAbsent(link) && /^\/dev\/(pts\/\d|tty\w)/.test(link));
  if (ours === undefined || isAbsent(ours)) return rate(name, 'yes', 'no terminal here to try on', otherwise);
  const status = readTerminal(ours) === null ? 'no' : 'yes';
  return rate(name, status, status === 'yes' ? `read from ${ours}` : `${ours} cannot be opened`, {
    ...otherwise,
    fix: 'run it as the user who is logged in there, or as root',
  });
}

function frozenGroups(): Capability {
  const v2 = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find((mount) =>
    fs.existsSync(`${mount}/cgroup.controllers`),
  );
  const v1 = fs.existsSync('/sys/fs/cgroup/freezer/cgroup.procs');
  const text = readText('/proc/self/cgroup');
  const own = isAbsent(text) ? undefined : parseCgroup(text).get('');
  // The root group has no events; any other group has.
  const seen =
    v2 !== undefined && (own === undefined || own === '/' || fs.existsSync(`${v2}${own}/cgroup.events`));
  const versions = [...(v2 === undefined ? [] : ['version 2']), ...(v1 ? ['version 1'] : [])].join(' and ');
  return rate(
    'frozen groups',
    seen || v1 ? 'yes' : 'no',
    seen || v1 ? `control groups ${versions}` : 'our control group is not visible here',
    { costs: 'a frozen or throttled process looks asleep', fix: 'mount /sys/fs/cgroup into the container' },
  );
}

/** What the machine as a whole shows. */
export function capabilitiesOfMachine(child: number): Capability[] {
  return [
    children(child),
    locks(),
    connections(child),
    ...socketEnds(child),
    terminalSettings(),
    frozenGroups(),
  ];
}
