import type { ChildProcess } from 'node:child_process';
import { patienceMs } from './patience.js';

/** First stdout line of a helper, which tells that it is ready; the rest is drained. */
export function readFirstLine(helper: ChildProcess, msMax = patienceMs): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(
      () => reject(new Error(`${helper.spawnfile} printed no line in ${msMax} ms`)),
      msMax,
    );
    helper.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8').slice(0, 1000);
      const end = text.indexOf('\n');
      if (end < 0) return;
      clearTimeout(timer);
      resolve(text.slice(0, end));
    });
    // Not 'exit': what it printed last may not have been read by then.
    helper.once('close', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`${helper.spawnfile} ended before it was ready (${signal ?? code})`));
    });
  });
}
