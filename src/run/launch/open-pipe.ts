import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../../model/failure.js';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = fs.constants;

/**
 * A real pipe, for which Node has no call. Node's own "pipes" are sockets, and a program that opens /dev/stdin by name
 * fails on those. A FIFO that is unlinked at once is a real pipe.
 */
export function openPipe(): { read: number; write: number } {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-'));
  try {
    const name = path.join(dir, 'pipe');
    execFileSync('mkfifo', ['-m', '600', name], { stdio: 'ignore' });
    // With these flags, opening one end does not wait for the other.
    const first = fs.openSync(name, O_RDONLY | O_NONBLOCK);
    const write = fs.openSync(name, O_WRONLY);
    const read = fs.openSync(name, O_RDONLY);
    fs.closeSync(first);
    return { read, write };
  } catch (cause) {
    throw new Failure(
      'unsupported',
      'cannot make a pipe for the input',
      'use --stdin inherit, or check that mkfifo is installed and the directory for temporary files is writable',
      { cause },
    );
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
