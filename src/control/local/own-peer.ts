import type { Socket } from 'node:net';
import { isAbsent } from '../../model/facts/absence.js';
import { connectionOwner } from '../../probe/ports.js';

/**
 * Whether a connection inside this machine comes from our own user, or from root. A cookie is not enough: browsers send
 * the cookies of one port to every port of the same host, and another user may listen on one.
 */
export function isOwnPeer(socket: Socket, env: NodeJS.ProcessEnv): boolean {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  const owner = connectionOwner(
    { address: remoteAddress, port: remotePort },
    { address: localAddress, port: localPort },
  );
  // Where the kernel does not show it, the link and the cookie decide alone.
  if (isAbsent(owner)) return true;
  const own = process.getuid?.();
  // With sudo, the browser is that of the user before.
  return owner !== null && (owner === own || owner === 0 || (own === 0 && owner === Number(env.SUDO_UID)));
}
