/** As in a terminal. */
const prefixMin = 4;

/** The page of a run, by its id, the beginning of one that only one run has, or `HOST/ID`; null: there is none. */
export function placeOf(text: string, ids: Iterable<string>): { page: 'run' | 'hosts'; id: string } | null {
  if (/^[^/]+\/run_/.test(text)) return { page: 'hosts', id: text };
  const start = text.replace(/^run_/, '');
  const fitting = [...ids].filter((id) => id.startsWith(`run_${start}`));
  const [id] = fitting;
  return start.length >= prefixMin && id !== undefined && fitting.length === 1 ? { page: 'run', id } : null;
}
