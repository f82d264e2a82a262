import { once } from 'node:events';
import fs from 'node:fs';
import type { Server } from 'node:http';
import { type DaemonSettings, daemonSettings } from '../config/daemon-settings.js';
import { protocol } from '../control/client/protocol.js';
import { socketAddress } from '../control/client/socket-address.js';
import type { Operation } from '../control/operations/shared/operation.js';
import { needProc } from '../probe/machine.js';
import { identify } from '../probe/processes.js';
import type { Registry } from '../registry/registry.js';
import { privateHome } from '../store/state-home.js';
import { Departure, OpenOnce } from './departure.js';
import { FleetSeat } from './fleet-seat.js';
import { takeLock } from './lock.js';
import { DaemonLog } from './log.js';
import { OrphanRounds } from './orphan-rounds.js';
import { keepHeapSmall } from './small-heap.js';
import { Visits } from './visits.js';

export interface DaemonParts {
  operations: Readonly<Record<string, Operation>>;
  openRegistry(home: string, settings: DaemonSettings): Promise<Registry>;
}

/** Time for open requests to finish at shutdown. */
const drainMsMax = 5000;
const openAgainMs = 1000;
/** Listen backlog; the kernel may allow less (net.core.somaxconn). */
const backlog = 4096;

/** Gives the socket mode 0600 from the start. */
const socketUmask = 0o177;

/**
 * Runs the daemon of this user, from taking the lock to the end. Runs exist before it and outlive it. `already`:
 * another daemon is running and stays.
 */
export async function runDaemon(
  env: NodeJS.ProcessEnv,
  loadParts: () => Promise<DaemonParts>,
): Promise<'ended' | 'already'> {
  needProc('the daemon needs it to prove which processes belong to its runs');
  const home = privateHome(env);
  const settings = daemonSettings(env);
  const startedAt = new Date().toISOString();
  const identity = identify(process.pid);
  if (identity === null) throw new Error('/proc does not show this process');
  const lock = takeLock(home, { identity, version: __UNSTUCK_VERSION__, startedAt });
  if (lock === null) return 'already';

  process.chdir('/');
  const log = new DaemonLog(home);
  const departure = new Departure();
  departure.onSignals();
  surviveErrors(log);
  log.write(`Unstuck ${__UNSTUCK_VERSION__} begins`);

  // Loaded under the lock: of many daemons started at once, all but one have exited by now.
  const [{ createApp }, { createServer }, { operations, openRegistry }] = await Promise.all([
    import('./app.js'),
    import('./server.js'),
    loadParts(),
  ]);
  const visits = new Visits();
  const monitor = new OrphanRounds(home, settings, log);
  const registry = new OpenOnce(async () => {
    const opened = await openRegistry(home, settings);
    monitor.begin(opened);
    return opened;
  });
  const liveRuns = () => registry.opened?.live ?? null;
  const app = createApp({
    operations,
    registry: () => registry.get(),
    hello: () => {
      const about = { version: __UNSTUCK_VERSION__, protocol, pid: process.pid, startedAt, home };
      const trouble = registry.opened?.trouble ?? opening.trouble ?? seat.trouble;
      return { ...about, runs: liveRuns(), trouble };
    },
    leave: () => departure.ask('shutdown requested'),
    visits,
    log,
  });
  const server = createServer(app, visits);
  await listen(server, home);
  const opening = keepOpening(registry, log);
  keepHeapSmall();
  const seat = new FleetSeat({
    home,
    operations,
    registry: () => registry.get(),
    opened: () => registry.opened,
    log,
  });
  const isBusy = () =>
    registry.isOpening || registry.opened?.isBusy === true || monitor.hasWork || seat.isTaken;
  departure.watch({ idleMs: settings.idleMs, visits, lock, isBusy });

  log.write(`ends: ${await departure.reason}`);
  // Closing removes the socket by name, and that may be the socket of another daemon by now.
  if (lock.holds) server.close();
  await visits.end(drainMsMax);
  await monitor.end();
  await seat.end();
  await registry.opened?.close();
  server.closeAllConnections();
  return 'ended';
}

/** Retries when the runs cannot be read now: they must not stay without a daemon until the next request. */
function keepOpening(registry: OpenOnce<Registry>, log: DaemonLog): { readonly trouble: string | null } {
  const state: { trouble: string | null } = { trouble: null };
  const open = () => {
    registry.get().then(
      () => {
        state.trouble = null;
      },
      (error: Error) => {
        if (state.trouble !== error.message) log.writeError('the runs', error);
        state.trouble = error.message;
        setTimeout(open, openAgainMs).unref();
      },
    );
  };
  open();
  return state;
}

/** The lock is held, so an existing socket is stale. */
async function listen(server: Server, home: string): Promise<void> {
  const { path } = socketAddress(home);
  fs.rmSync(path, { force: true });
  const before = process.umask(socketUmask);
  server.listen({ path, backlog });
  process.umask(before);
  await once(server, 'listening');
}

/** An error in one run must not affect the others. */
function surviveErrors(log: DaemonLog): void {
  process.on('uncaughtException', (error) => log.writeError('uncaught', error));
  process.on('unhandledRejection', (error) => log.writeError('unhandled', error));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
