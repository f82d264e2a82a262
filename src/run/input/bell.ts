import fs from 'node:fs';
import type { RunDirectory } from '../../store/run-directory.js';

const { O_WRONLY, O_NONBLOCK } = fs.constants;

/** `not-yet`: the shim is not ready or is behind, try again later. `gone`: the pump has ended for good. */
export type Heard = 'heard' | 'not-yet' | 'gone';

/** Passes messages about the input to what copies it to the command. */
export interface Pump {
  /** No line: only checks for the pump. */
  notify(...lines: string[]): Heard;
  close?(): void;
}

export const bellFile = 'bell';

/**
 * Sends lines to the pump of a run, all or nothing (they are shorter than PIPE_BUF). No line: only checks for the pump.
 */
export function notifyPump(directory: RunDirectory, ...lines: string[]): Heard {
  // Read first: the pump listens before the command has a pid. A pid without a listener means that the pump has ended.
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
