/** `lrwx------ 1 0 0 64 Nov 17 13:00 /proc/12/fd/0 -> pipe:[345]`; without the arrow, the link could not be read. */
const row = /^l([rwxsStT-]{9})[.+@]? .*? (\/proc\/(?:\d+|self)\/(?:exe|ns\/\w+|fd\/\d+))(?: -> (.*))?$/;

const bits = [0o400, 0o200, 0o100, 0o40, 0o20, 0o10, 0o4, 0o2, 0o1];

function modeOf(letters: string): number {
  return bits.reduce((mode, bit, index) => (letters[index] === '-' ? mode : mode | bit), 0);
}

export interface ListedLink {
  path: string;
  /** null: not readable. */
  target: string | null;
  mode: number;
}

/**
 * The rows of `ls -lnd`. A file may have a name with line feeds, which looks like more rows: a path that is there twice
 * is left out.
 */
export function parseLinks(text: string): ListedLink[] {
  const found = new Map<string, ListedLink | null>();
  for (const line of text.split('\n')) {
    const match = row.exec(line);
    if (match === null) continue;
    const [, letters = '', path = '', target = null] = match;
    found.set(path, found.has(path) ? null : { path, target, mode: modeOf(letters) });
  }
  return [...found.values()].filter((link) => link !== null);
}
