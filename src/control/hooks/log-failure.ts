import fs from 'node:fs';
import { daemonFile } from '../../store/daemon-files.js';
import { openForAppend } from '../../store/files.js';
import { privateHome } from '../../store/state-home.js';
import { printable } from '../../text/printable.js';

const bytesMax = 256 * 1024;
const lineCharsMax = 1000;

/** Adds a line to hooks.log, which begins anew when it is large. Never throws. */
export function logHookFailure(error: unknown, env: NodeJS.ProcessEnv): void {
  try {
    const message = printable(error instanceof Error ? error.message : String(error)).slice(0, lineCharsMax);
    const fd = openForAppend(daemonFile(privateHome(env), 'hookLog'));
    try {
      if (fs.fstatSync(fd).size > bytesMax) fs.ftruncateSync(fd);
      fs.writeSync(fd, `[${new Date().toISOString()}] ${message}\n`);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // There is no place for it.
  }
}
