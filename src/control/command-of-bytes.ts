import type { Inherited } from '../model/run/inherited.js';
import { type Word, wordLines } from '../run/launch/give-back.js';
import { labelOf } from '../run/prepare.js';

/**
 * The same command as strings alone, for a request that can hold nothing else: a shell makes the arguments that are not
 * UTF-8, and becomes the command. null: all are strings.
 */
export function commandOfBytes(
  command: readonly string[],
  { bytes }: Inherited,
): { command: string[]; label: string } | null {
  if (bytes.words.size === 0) return null;
  const words = command.map((word, index): Word => bytes.words.get(index) ?? word);
  const script = [...wordLines(words), 'exec "$@"'].join('\n');
  const texts = words.filter((word) => typeof word === 'string');
  return { command: ['/bin/sh', '-c', script, 'sh', ...texts], label: labelOf(command) };
}
