const charsMin = 4;
const lead = 'run_';

const bare = (id: string) => (id.startsWith(lead) ? id.slice(lead.length) : id);

/** The shortest beginning of an id, without `run_`, that no other of them has (D1): what a person types. */
export function shortId(id: string, all: readonly string[] = []): string {
  const own = bare(id);
  const others = all.map(bare).filter((other) => other !== own);
  let chars = charsMin;
  while (chars < own.length && others.some((other) => other.startsWith(own.slice(0, chars)))) chars += 1;
  return own.slice(0, chars);
}
