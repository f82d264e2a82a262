import { headOf, tailOf } from '../../text/head-and-tail.js';
import { outputCharsMax, outputLinesMax } from './limits.js';

/** Adds to the first lines, up to the number shown with a notice; the last line may be cut. */
export function addToExcerpt(lines: readonly string[], more: readonly string[]): string[] {
  const excerpt = [...lines];
  let room = outputCharsMax - excerpt.reduce((sum, line) => sum + line.length + 1, 0);
  for (const line of more) {
    if (excerpt.length >= outputLinesMax || room <= 0) break;
    excerpt.push(headOf(line, room));
    room -= line.length + 1;
  }
  return excerpt;
}

/** The end of an output, up to the length shown with a notice. */
export function lastOf(output: string): string {
  return tailOf(output, outputCharsMax);
}

/** The last lines, up to the number shown with a notice. */
export function lastLinesOf(output: string): string {
  const ended = output.endsWith('\n') ? 1 : 0;
  return lastOf(
    output
      .split('\n')
      .slice(-outputLinesMax - ended)
      .join('\n'),
  );
}
