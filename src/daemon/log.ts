import fs from 'node:fs';
import { daemonFile } from '../store/daemon-files.js';
import { openForAppend } from '../store/files.js';

const logBytesMax = 1024 * 1024;

/** What the daemon did, for debugging. Requests are never logged: they may contain secrets. */
export class DaemonLog {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  write(text: string): void {
    try {
      const file = daemonFile(this.#home, 'log');
      if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) this.#startAnew(file);
      const fd = openForAppend(file);
      fs.writeSync(fd, `${new Date().toISOString()} ${process.pid} ${text}\n`);
      fs.closeSync(fd);
    } catch {
      // A full disk or a removed home must not end the daemon.
    }
  }

  /** The kind and place of an error. Its message may repeat the request, so it is left out. */
  writeError(where: string, error: unknown): void {
    const { name, code, stack = '' } = (error ?? {}) as NodeJS.ErrnoException;
    const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
    this.write(
      [`${where}: ${name ?? typeof error}${code === undefined ? '' : ` ${code}`}`, ...frames].join('\n'),
    );
  }

  /** The file is truncated in place: our stdout and stderr lead to it as well. */
  #startAnew(file: string): void {
    const old = daemonFile(this.#home, 'oldLog');
    fs.rmSync(old, { force: true });
    fs.copyFileSync(file, old);
    fs.truncateSync(file);
  }
}
