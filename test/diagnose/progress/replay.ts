import { readFileSync } from 'node:fs';
import { LineTail } from '../../../src/diagnose/progress/lines.js';
import {
  advanceProgress,
  glanceProgress,
  type ProgressState,
  readProgress,
  startProgress,
} from '../../../src/diagnose/progress/progress.js';

const recordings = new URL('../../fixtures/output/', import.meta.url);

export function recording(name: string): Uint8Array {
  return readFileSync(new URL(`${name}.txt`, recordings));
}

export interface Replayed {
  /** Each different progress that was shown, in order. */
  texts: string[];
  state: ProgressState;
  tail: LineTail;
  lines: string[];
}

/** A recorded output, as a supervisor that looks after every `step` bytes sees it; one second passes in between. */
export function replay(bytes: Uint8Array, step = 64, custom?: RegExp): Replayed {
  const tail = new LineTail();
  const texts: string[] = [];
  const lines: string[] = [];
  let state = startProgress;
  for (let at = 0, ms = 0; at < bytes.length; at += step, ms += 1000) {
    tail.push(bytes.subarray(at, at + step));
    const fresh = tail.takeFresh().lines;
    lines.push(...fresh);
    for (const line of fresh) state = advanceProgress(state, line, ms, custom);
    state = glanceProgress(state, tail.unfinished, ms, custom);
    const text = readProgress(state, ms)?.text;
    if (text !== undefined && text !== texts.at(-1)) texts.push(text);
  }
  return { texts, state, tail, lines };
}
