import { computed, signal } from '@preact/signals';

/** The place in the dashboard, kept behind the # of the address. */
const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export interface Route {
  page: string;
  /** The rest of the path, decoded. */
  id: string;
}

export const route = computed<Route>(() => {
  const [, page = 'runs', ...rest] = (hash.value || '#/runs').slice(1).split('/');
  return { page, id: decoded(rest.join('/')) };
});

/** An address that is not well-formed leads to no run. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const hrefOf = (page: string, id = '') => `#/${page}${id === '' ? '' : `/${encodeURIComponent(id)}`}`;

export function go(page: string, id = ''): void {
  location.hash = hrefOf(page, id);
}

/** What the next page of a run opens with; null: nothing. */
export const nextAct = signal<'answer' | 'stop' | null>(null);
