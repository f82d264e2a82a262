import fs from 'node:fs';
import { daemonFile, daemonFiles } from '../../store/daemon-files.js';

/** unix(7): sun_path has 108 bytes, including the final NUL. */
const socketPathMax = 107;

/** A path to bind or connect to. Close it after the socket. */
export interface SocketAddress {
  path: string;
  close(): void;
}

/** The socket of a home. A path that is too long for the kernel goes through a descriptor of the home. */
export function socketAddress(home: string): SocketAddress {
  const path = daemonFile(home, 'socket');
  if (Buffer.byteLength(path) <= socketPathMax) return { path, close: () => {} };
  const fd = fs.openSync(home, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${fd}/${daemonFiles.socket}`, close: () => fs.closeSync(fd) };
}
