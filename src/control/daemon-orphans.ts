import type { OrphanWatchStatistics } from '../model/orphan.js';
import { notLooking } from '../model/orphan-findings.js';
import { stateHome } from '../store/state-home.js';
import { exchange } from './client/exchange.js';
import { livingHolder } from './client/lock-holder.js';
import { orphans } from './operations/orphans.js';

/** Nobody waits longer than this for a number beside what was asked for. */
const patienceMs = 2000;

/** What the watch of a daemon that runs has counted. Starts none, and takes one that does not answer for none. */
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
