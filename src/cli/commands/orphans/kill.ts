import { type KillOrphansOptions, killOrphans, killPort } from '../../../control/orphans/orphans.js';
import { recordOrphan } from '../../../control/orphans/record-orphan.js';
import { Failure } from '../../../model/failure.js';
import type { OrphanEvent, OrphanKill } from '../../../model/orphan.js';
import { formatDuration } from '../../../text/duration.js';
import { note, printJson, say } from '../../output/print.js';
import { onInterrupt } from '../../shared/on-interrupt.js';
import { readDuration } from '../../shared/read-duration.js';
import { graceMsMax, type OrphanKillFlags } from '../kill/flags.js';
import { killedLines } from './render-kill.js';
import { noteSetAside, readWhich } from './which.js';

const portMax = 65_535;
/** After this time the wait is explained. */
const noteEveryMs = 2000;

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= portMax) return port;
  throw new Failure(
    'bad-input',
    `--port is ${JSON.stringify(text)}, which is not a whole number from 1 to ${portMax}`,
    'write it like this: --port 3000',
  );
}

/** Ctrl-C ends the grace time, never this process: a frozen process would stay frozen. */
function hurryOnInterrupt(hurry: AbortController): () => void {
  return onInterrupt(() => {
    if (!hurry.signal.aborted) note('killing them now');
    hurry.abort();
  });
}

async function act(flags: OrphanKillFlags, options: KillOrphansOptions): Promise<OrphanKill> {
  if (flags.port !== undefined) return killPort(readPort(flags.port), options);
  return killOrphans({ ...readWhich(flags), ...options, onSetAside: noteSetAside });
}

async function stop(flags: OrphanKillFlags): Promise<OrphanKill> {
  const { dryRun, force, grace } = flags;
  const graceMs = grace === undefined ? undefined : readDuration('--grace', grace, 0, graceMsMax);
  if (dryRun) return act(flags, { dryRun, force });
  const hurry = new AbortController();
  const endHurry = hurryOnInterrupt(hurry);
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const soFar = formatDuration(Math.round((performance.now() - startedMs) / 1000) * 1000);
    note(`still waiting for some to end after ${soFar}; Ctrl-C kills them now`);
  }, noteEveryMs);
  try {
    const onEvent = (event: OrphanEvent) => recordOrphan(event);
    return await act(flags, { force, graceMs, signal: hurry.signal, onEvent });
  } finally {
    clearInterval(timer);
    endHurry();
  }
}

/**
 * `unstuck kill --orphans` and `unstuck kill --port`: done here, not in a daemon, so that our own ancestors are spared.
 */
export async function stopOrphans(flags: OrphanKillFlags): Promise<void> {
  const done = await stop(flags);
  // With --port everything was requested; with --orphans only confirmed ones.
  const isLeft = flags.port !== undefined && done.skipped > 0;
  if (isLeft || done.failed > 0 || (done.receipt?.survivors.length ?? 0) > 0) process.exitCode = 1;
  if (flags.json) return printJson(done);
  const { lines, tip } = killedLines(done, flags.dryRun === true);
  for (const line of lines) say(line);
  if (tip !== null) note(tip);
}
