import { execFileSync } from 'node:child_process';
import type { SocketFacts } from '../../../model/facts/sockets.js';

const timeoutMs = 2000;
const outputBytesMax = 32 * 1024 * 1024;

function ss(flags: string): string | null {
  try {
    return execFileSync('ss', [flags], {
      encoding: 'utf8',
      timeout: timeoutMs,
      maxBuffer: outputBytesMax,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}

/** `u_str ESTAB 0 0 * 60511 * 60512`: address and inode of this end, then of the other. */
export function parseSsUnix(text: string): SocketFacts[] {
  const sockets: SocketFacts[] = [];
  for (const line of text.split('\n')) {
    const match = /^u_\S+\s+(\S+)\s+(\d+)\s+(\d+)\s+(.*?)\s+(\d+)\s+\S+\s+(\d+)\s*$/.exec(line);
    if (match === null) continue;
    const [, state, receive, send, local = '', inode, peer] = match;
    sockets.push({
      inode: Number(inode),
      space: 'own',
      family: 'unix',
      state: state === 'LISTEN' ? 'LISTEN' : state === 'ESTAB' ? 'ESTABLISHED' : 'UNCONNECTED',
      local: local === '*' ? '' : local,
      remote: '',
      receiveQueue: Number(receive),
      sendQueue: Number(send),
      ...(peer === '0' ? {} : { peer: Number(peer) }),
    });
  }
  return sockets;
}

/** The same facts as `diagUnix`, from the `ss` program: slower, but needs no native code. */
export function ssUnix(): SocketFacts[] | null {
  const text = ss('-xaHn');
  return text === null ? null : parseSsUnix(text);
}
