import { printable } from '../../text/printable.js';
import { shorten, wholeCharacters } from './lines.js';

const inlineCharactersMax = 600;

/** Foreign text on a single line, so that nothing in it can begin a line. */
function oneLine(text: string): string {
  return printable(shorten(wholeCharacters(text), inlineCharactersMax)).trim();
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Shows text literally, without effect as Markdown, HTML or GitHub syntax. */
export function plain(text: string): string {
  return (
    oneLine(text)
      .replace(/[\\`*_[\]~|#!$]/g, '\\$&')
      .replace(/[&<>]/g, (character) => entities[character] ?? character)
      // Addresses that would become links, and names that would be notified.
      .replace(/:(?=\/\/)/g, '\\:')
      .replace(/(www)\./gi, '$1\\.')
      .replace(/@(?=\w)/g, '@\u200b')
      // Only at the beginning of a block: lists, headings, rules.
      .replace(/^[-+=]/, '\\$&')
      .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
  );
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** `text` in a code span, with as many backticks as it needs. */
export function code(text: string): string {
  const content = oneLine(text);
  if (content === '') return '';
  const fence = '`'.repeat(longestRun(content) + 1);
  const pad = /^`|`$/.test(content) ? ' ' : '';
  return `${fence}${pad}${content}${pad}${fence}`;
}

/** Lines in a fenced block. The fence is longer than any run of backticks inside. */
export function fenced(lines: readonly string[]): string {
  const content = lines.join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}text\n${content}\n${fence}`;
}
