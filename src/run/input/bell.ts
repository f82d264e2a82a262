import fs from 'node:fs';
import type { RunDirectory } from '../../store/run-directory.js';

const { O_WRONLY, O_NONBLOCK } = fs.constants;

/** `not-yet`: the shim has not come so far, or is behind; say it again later. `gone`: nobody will ever listen. */
export type Heard = 'heard' | 'not-yet' | 'gone';

export const bellFile = 'bell';

/** Says lines to the pump of a run, all or nothing (they are shorter than PIPE_BUF); none: only asks if it is there. */
export function tellPump(directory: RunDirectory, ...lines: string[]): Heard {
  // Asked before: the pump listens before the command has a pid, so with a pid and without a listener it has ended.
  const leader = directory.readLeader();
  const hasStarted = leader.kind === 'known' && leader.value !== '';
  let fd: number | null = null;
  try {
    fd = fs.openSync(directory.file(bellFile), O_WRONLY | O_NONBLOCK);
    if (lines.length > 0) fs.writeSync(fd, lines.map((line) => `${line}\n`).join(''));
    return 'heard';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || (code === 'ENXIO' && !hasStarted)) return 'not-yet';
    if (code === 'ENXIO' || code === 'EPIPE' || code === 'ENOENT') return 'gone';
    throw error;
  } finally {
    if (fd !== null) fs.closeSync(fd);
  }
}
