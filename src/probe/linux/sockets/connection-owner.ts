import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import { loadLibc } from '../native/libc.js';
import { readText } from '../proc/proc-file.js';
import { parseAddress } from './net.js';
import { diagOwner, type End } from './sock-diag.js';

/** The user that has this end of a connection open, in the text of /proc/net/tcp; null: no process has. */
export function parseOwner(text: string, near: string, far: string): number | null {
  const port = Number(near.slice(near.lastIndexOf(':') + 1));
  const lead = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  for (const line of text.split('\n')) {
    if (!line.includes(lead)) continue;
    const [, local = '', remote = '', , , , , uid, , inode] = line.trim().split(/\s+/);
    if (parseAddress(local) !== near || parseAddress(remote) !== far) continue;
    // A socket that was closed already has no inode, and is shown as root's.
    return inode === undefined || inode === '0' ? null : Number(uid);
  }
  return null;
}

/** The user that has the end `near` of an IPv4 connection inside this machine open; null: no process has. */
export function connectionOwner(near: End, far: End): number | null | Absent {
  const libc = loadLibc();
  const owner = libc === null ? undefined : diagOwner(libc, near, far);
  return owner === undefined ? ownerInFiles(textOf(near), textOf(far)) : owner;
}

const textOf = ({ address, port }: End) => `${address}:${port}`;

/** These files list every socket: reading them takes milliseconds. */
export function ownerInFiles(near: string, far: string): number | null | Absent {
  const text = readText('/proc/self/net/tcp');
  if (isAbsent(text)) return text;
  const owner = parseOwner(text, near, far);
  if (owner !== null) return owner;
  // An IPv4 connection of an IPv6 socket is in the other file. A kernel without IPv6 has none.
  const more = readText('/proc/self/net/tcp6');
  return isAbsent(more) ? null : parseOwner(more, near, far);
}
