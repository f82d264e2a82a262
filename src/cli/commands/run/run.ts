import fs from 'node:fs';
import type { ResolvedSettings } from '../../../config/resolve.js';
import { callerOpenFiles } from '../../../control/caller-limit.js';
import { settingsHere } from '../../../control/config.js';
import { startRun } from '../../../control/run.js';
import type { RunEvent, RunReport } from '../../../model/run/run.js';
import { checkArgv } from '../../shared/check-argv.js';
import { endNow } from '../../shared/end-now.js';
import { fail } from '../../shared/fail.js';
import { SignalRelay } from '../../shared/signal-relay.js';
import { RunDisplay } from './display.js';
import { type RunStdin, runStdin } from './stdin.js';
import { runTerminal } from './terminal.js';

/** A closed descriptor is no output. */
function stat(fd: number): fs.Stats | null {
  try {
    return fs.fstatSync(fd);
  } catch {
    return null;
  }
}

/** stdout and stderr lead to the same file, pipe or terminal: then their order matters. */
function isSameOutput(): boolean {
  const [out, err] = [stat(1), stat(2)];
  return out !== null && err !== null && out.dev === err.dev && out.ino === err.ino && out.rdev === err.rdev;
}

async function runToEnd(
  command: readonly string[],
  { settings, projectLimits }: Pick<ResolvedSettings, 'settings' | 'projectLimits'>,
): Promise<{ report: RunReport; display: RunDisplay; stdin: RunStdin }> {
  const early: RunEvent[] = [];
  let display: RunDisplay | null = null;
  const listen = (event: RunEvent) => {
    if (display === null) early.push(event);
    else display.event(event);
  };
  const warn = (message: string) => listen({ at: new Date().toISOString(), kind: 'warning', message });
  const signals = new SignalRelay();
  const { stdin, terminal } = settings.pty
    ? runTerminal(settings.stdin, warn)
    : { stdin: runStdin(settings.stdin, warn), terminal: null };
  try {
    const isOne = isSameOutput();
    const handle = startRun({
      command,
      settings,
      projectLimits,
      cwd: process.cwd(),
      env: process.env,
      openFiles: callerOpenFiles(),
      streams: settings.pty || (isOne && !settings.json) ? 1 : 2,
      stdin: stdin.fd,
      terminal,
      canAnswer: stdin.canAnswer,
      output: (stream, chunk) => (display as RunDisplay).output(stream, chunk),
      outputFrom: (stream, piece) => (display as RunDisplay).outputFrom(stream, piece),
      listen,
    });
    stdin.started();
    display = new RunDisplay(settings, handle, isOne);
    for (const event of early) display.event(event);
    signals.to(handle, display);
    return { report: await handle.done, display, stdin };
  } finally {
    signals.close();
    stdin.close();
  }
}

/** `unstuck run`. */
export async function runRun(command: string[], flags: Record<string, unknown>): Promise<void> {
  try {
    checkArgv(command, 'run');
    const { report, display, stdin } = await runToEnd(command, settingsHere(flags));
    await display.end(report);
    endNow(report.exitCode, display.isBlocked || stdin.isBlocked);
  } catch (error) {
    fail(error, flags.json === true);
  }
}
