const charsMin = 4;
const lead = 'run_';

const bare = (id: string) => (id.startsWith(lead) ? id.slice(lead.length) : id);

/**
 * The shortest beginning of an id, without `run_`, that no other of them has (D1): what a person types. It has a letter,
 * if there is one: `unstuck why 5497` would ask for a process.
 */
export function shortId(id: string, all: readonly string[] = []): string {
  const own = bare(id);
  const others = all.map(bare).filter((other) => other !== own);
  let chars = charsMin;
  const isEnough = (start: string) => /[a-f]/.test(start) && !others.some((other) => other.startsWith(start));
  while (chars < own.length && !isEnough(own.slice(0, chars))) chars += 1;
  return own.slice(0, chars);
}
