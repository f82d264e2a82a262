import type { ShownStack } from './stack.js';

/** A stack as lines of text: the thread, then its frames, innermost first. */
export function stackLines(stacks: readonly ShownStack[] | undefined): string[] {
  return (stacks ?? []).flatMap(({ pid, thread, from, lines }) => [
    `stack of ${pid}, ${thread}${from === 'memory' ? '' : `, by ${from}`}:`,
    ...lines.map((line) => `  ${line}`),
  ]);
}
