import { setTimeout as delay } from 'node:timers/promises';
import { callOperation } from '../../src/control/client/daemon-client.js';
import { livingHolder } from '../../src/control/client/lock-holder.js';
import type { CuttablePorts } from './cuttable-ports.js';
import type { NatsServers } from './nats.js';

/** A machine of the fleet: a state home with its own daemon and its own way to the servers. */
export interface Machine {
  env: NodeJS.ProcessEnv & { UNSTUCK_HOME: string };
  network: CuttablePorts;
}

export interface Harm {
  daemonKills: number;
  serverKills: number;
  leaderKills: number;
  stalls: number;
  cuts: number;
  /** Cuts after which the host counts as lost. */
  longCuts: number;
}

export const noHarm = (): Harm => ({
  daemonKills: 0,
  serverKills: 0,
  leaderKills: 0,
  stalls: 0,
  cuts: 0,
  longCuts: 0,
});

const longCutMs = 150_000;
const longCutEvery = 3;

/** Kills, stalls and cuts at random until the time is over. A majority of the servers is there most of the time. */
export async function harm(
  machines: readonly Machine[],
  nats: NatsServers,
  pick: (count: number) => number,
  endMs: number,
  done: Harm,
): Promise<void> {
  const cutting = new Set<Promise<void>>();
  const oneOf = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const cut = async () => {
    const isLong = done.cuts % longCutEvery === 0;
    done.cuts += 1;
    if (isLong) done.longCuts += 1;
    await oneOf(machines).network.cut(isLong ? longCutMs : 1000 + pick(40_000));
  };
  for (let isFirst = true; performance.now() < endMs; isFirst = false) {
    await delay(500 + pick(3000));
    const what = pick(20);
    // Also a short run has the end of a daemon in it.
    if (isFirst || what < 10) await killDaemon(oneOf(machines), pick, done);
    else if (what < 14) await killServer(nats, pick, done);
    else if (what < 17) {
      done.stalls += 1;
      await nats.stall(pick(nats.count), pick(8000));
    } else if (cutting.size === 0 && performance.now() + longCutMs < endMs) {
      // One machine at a time is cut off, and the rest of the faults goes on meanwhile.
      const over: Promise<void> = cut().finally(() => cutting.delete(over));
      cutting.add(over);
    }
  }
  await Promise.all(cutting);
}

async function killDaemon({ env }: Machine, pick: (count: number) => number, done: Harm): Promise<void> {
  const pid = livingHolder(env.UNSTUCK_HOME)?.identity.pid;
  if (pid !== undefined) {
    process.kill(pid, 'SIGKILL');
    done.daemonKills += 1;
  }
  await delay(pick(2000));
  await callOperation('list', {}, { env }).catch(() => {});
}

async function killServer(nats: NatsServers, pick: (count: number) => number, done: Harm): Promise<void> {
  const leader = nats.count > 1 && pick(2) === 0 ? await nats.leader() : null;
  const at = leader ?? pick(nats.count);
  if (leader !== null) done.leaderKills += 1;
  done.serverKills += 1;
  await nats.kill(at);
  await delay(pick(3000));
  await nats.start(at);
}
