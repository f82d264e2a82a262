const charsMin = 4;
const lead = 'run_';

const bare = (id: string) => (id.startsWith(lead) ? id.slice(lead.length) : id);

/**
 * The shortest unique prefix of an id, without `run_`, as a user types it. It contains a letter if there is one:
 * `unstuck why 5497` would mean a process.
 */
export function shortId(id: string, all: readonly string[] = []): string {
  const own = bare(id);
  const others = all.map(bare).filter((other) => other !== own);
  let chars = charsMin;
  const isEnough = (start: string) => /[a-f]/.test(start) && !others.some((other) => other.startsWith(start));
  while (chars < own.length && !isEnough(own.slice(0, chars))) chars += 1;
  return own.slice(0, chars);
}
