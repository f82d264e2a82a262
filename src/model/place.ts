/** Where a command runs, when it is not this machine directly. */
export type PlaceAddress =
  | { kind: 'ssh'; host: string }
  | { kind: 'docker' | 'podman'; container: string }
  /** null: the namespace of the context, or the first container of the pod. */
  | { kind: 'kubectl'; namespace: string | null; pod: string; container: string | null }
  /** Words that run `sh -s` at their other end. */
  | { kind: 'via'; words: string[] };

export const placeKinds = ['ssh', 'docker', 'podman', 'kubectl', 'via'] as const;

/** The address as it is typed. */
export function placeText(address: PlaceAddress): string {
  if (address.kind === 'ssh') return `ssh:${address.host}`;
  if (address.kind === 'via') return `via:${address.words.map(quoteWord).join(' ')}`;
  if (address.kind !== 'kubectl') return `${address.kind}:${address.container}`;
  const { namespace, pod, container } = address;
  const parts = namespace === null ? [pod] : [namespace, pod, ...(container === null ? [] : [container])];
  return `kubectl:${parts.join('/')}`;
}

/** For a shell. A word that needs no quotes stays as it is. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
