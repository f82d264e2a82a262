import { notLooking, type OrphanWatchStatistics } from '../../model/orphan.js';
import { stateHome } from '../../store/state-home.js';
import { exchange } from '../client/exchange.js';
import { livingHolder } from '../client/lock-holder.js';
import { orphans } from '../operations/orphans.js';

/** Time limit for a number that is only additional. */
const patienceMs = 2000;

/** The counts of the watch of a running daemon. Starts no daemon; one that does not answer counts as none. */
export async function watchStatistics(env: NodeJS.ProcessEnv = process.env): Promise<OrphanWatchStatistics> {
  const home = stateHome(env);
  if (livingHolder(home) === null) return notLooking.statistics;
  const signal = AbortSignal.timeout(patienceMs);
  const answer = await exchange(home, { method: 'POST', path: '/v1/orphans', body: '{}', signal }).catch(
    () => null,
  );
  const known = orphans.output.safeParse(answer?.body);
  return known.success ? known.data.watch : notLooking.statistics;
}
