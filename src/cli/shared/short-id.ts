import { printable } from '../../text/printable.js';

const charsMin = 4;
const lead = 'run_';

const bare = (id: string) => (id.startsWith(lead) ? id.slice(lead.length) : id);

/**
 * The shortest unique prefix of an id, without `run_`, as a user types it. It contains a letter if there is one:
 * `unstuck why 5497` would mean a process. Of a run of another machine: `HOST/` and that.
 */
export function shortId(id: string, all: readonly string[] = []): string {
  const host = id.slice(0, id.indexOf('/') + 1);
  if (host !== '') {
    const there = all.filter((other) => other.startsWith(host)).map((other) => other.slice(host.length));
    return `${host}${shortId(id.slice(host.length), there)}`;
  }
  const own = bare(id);
  const others = all.map(bare).filter((other) => other !== own);
  let chars = charsMin;
  const isEnough = (start: string) => /[a-f]/.test(start) && !others.some((other) => other.startsWith(start));
  while (chars < own.length && !isEnough(own.slice(0, chars))) chars += 1;
  return own.slice(0, chars);
}

/** A run as the user named it: `ab12`, or `api (ab12)` where a label was given. */
export function runName(handle: string, id: string): string {
  const host = id.slice(0, id.indexOf('/') + 1);
  const given = handle.startsWith(host) ? handle.slice(host.length) : handle;
  const isId = bare(id.slice(host.length)).startsWith(bare(given));
  return isId ? shortId(id) : labelledName(given, id);
}

/** `api (ab12)`. */
export const labelledName = (label: string, id: string): string => `${printable(label)} (${shortId(id)})`;
