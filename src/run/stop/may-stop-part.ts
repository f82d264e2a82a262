import type { Finding, VerdictKind } from '../../model/verdict.js';

/** What a process with stuck threads may do beside them that is worth more than to be rid of them. */
const useful: ReadonlySet<VerdictKind> = new Set(['working', 'service', 'network']);

/**
 * Whether `--kill-stuck part` may stop what a finding is about. A process of which only some threads are stuck is stopped
 * only if the others merely wait: one that serves, works or talks to another machine is reported and left alone.
 */
export function mayStopPart({ inside }: Finding): boolean {
  return inside === undefined || !useful.has(inside.beside);
}
