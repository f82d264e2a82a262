import { callOperation } from '../control/client/daemon-client.js';
import { Failure } from '../model/failure.js';

/**
 * Where the files of a run of this machine are. Another machine of the fleet names paths of its own: read here, they would be
 * other files, and a hostile machine could choose them.
 */
export function inspectHere(id: string, options: { env: NodeJS.ProcessEnv; signal: AbortSignal }) {
  if (!id.includes('/')) return callOperation('inspect', { id }, options);
  throw new Failure('unsupported', 'this works for runs of the same machine only', `unstuck log ${id}`);
}
