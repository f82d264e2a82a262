import { type KillOrphansOptions, killOrphans, killPort } from '../control/orphans.js';
import { recordOrphan } from '../control/record-orphan.js';
import { formatDuration } from '../model/duration.js';
import { Failure } from '../model/failure.js';
import type { OrphanEvent, OrphanKill } from '../model/orphan.js';
import { graceMsMax, type OrphanKillFlags } from './background/kill-flags.js';
import { onInterrupt } from './background/on-interrupt.js';
import { note, printJson, say } from './background/print.js';
import { killedLines } from './orphans-kill-render.js';
import { noteSetAside, readWhich } from './orphans-which.js';
import { readDuration } from './read-duration.js';

const portMax = 65_535;
/** Whoever waits longer than this wants to know for what. */
const tellEveryMs = 2000;

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= portMax) return port;
  throw new Failure(
    'bad-input',
    `--port is ${JSON.stringify(text)}, which is not a whole number from 1 to ${portMax}`,
    'write it like this: --port 3000',
  );
}

/** Ctrl-C ends the time they have to end by themselves, never us: some may be frozen, and would stay so. */
function hurryOnInterrupt(hurry: AbortController): () => void {
  return onInterrupt(() => {
    if (!hurry.signal.aborted) note('they are killed now');
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
    note(`some have not ended for ${soFar}; Ctrl-C kills them now`);
  }, tellEveryMs);
  try {
    const onEvent = (event: OrphanEvent) => recordOrphan(event);
    return await act(flags, { force, graceMs, signal: hurry.signal, onEvent });
  } finally {
    clearInterval(timer);
    endHurry();
  }
}

/** `unstuck kill --orphans` and `unstuck kill --port`: here, not in a daemon, so that whoever called us is safe. */
export async function stopOrphans(flags: OrphanKillFlags): Promise<void> {
  const done = await stop(flags);
  // Of a port all was asked for, of orphans only what is proven.
  const isLeft = flags.port !== undefined && done.skipped > 0;
  if (isLeft || done.failed > 0 || (done.receipt?.survivors.length ?? 0) > 0) process.exitCode = 1;
  if (flags.json) return printJson(done);
  const { lines, tip } = killedLines(done, flags.dryRun === true);
  for (const line of lines) say(line);
  if (tip !== null) note(tip);
}
