import type { Finding, VerdictKind } from '../../model/verdict.js';

/** Work beside the stuck threads of a process that matters more than ending those threads. */
const useful: ReadonlySet<VerdictKind> = new Set(['working', 'service', 'network']);

/**
 * Whether `--kill-stuck part` may stop the subject of a finding. A process of which only some threads are stuck is
 * stopped only if the others merely wait. A process that serves, works or talks to another machine is reported and left
 * alone.
 */
export function mayStopPart({ inside }: Finding): boolean {
  return inside === undefined || !useful.has(inside.beside);
}
