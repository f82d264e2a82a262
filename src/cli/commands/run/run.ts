import fs from 'node:fs';
import type { ResolvedSettings } from '../../../config/resolve.js';
import { type Caller, takeCaller } from '../../../control/caller.js';
import { settingsFor } from '../../../control/config.js';
import { ownDirectory, startRun } from '../../../control/run.js';
import { signalName } from '../../../model/facts/signals.js';
import type { RunEvent, RunReport } from '../../../model/run/run.js';
import { checkArgv } from '../../shared/check-argv.js';
import { endBySignal, endNow } from '../../shared/end-now.js';
import { fail } from '../../shared/fail.js';
import { SignalRelay } from '../../shared/signal-relay.js';
import { RunDisplay } from './display.js';
import { endOf } from './end-of-run.js';
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
  { inherited, env }: Caller,
): Promise<{ report: RunReport; display: RunDisplay; stdin: RunStdin; isInterrupted: boolean }> {
  const early: RunEvent[] = [];
  let display: RunDisplay | null = null;
  const listen = (event: RunEvent) => {
    if (display === null) early.push(event);
    else display.event(event);
  };
  const warn = (message: string) => listen({ at: new Date().toISOString(), kind: 'warning', message });
  const signals = new SignalRelay(inherited.ignored.map(signalName));
  const { stdin, terminal } = settings.pty
    ? runTerminal(settings.stdin, warn)
    : { stdin: runStdin(settings.stdin, warn), terminal: null };
  try {
    const isOne = isSameOutput();
    const handle = startRun({
      command,
      settings,
      projectLimits,
      cwd: ownDirectory(),
      env,
      openFiles: inherited.openFiles,
      inherited,
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
    const report = await handle.done;
    // The relay stays: a signal that comes after the end of the command must not become the end of this process.
    return { report, display, stdin, isInterrupted: signals.isInterrupted };
  } catch (error) {
    signals.close();
    throw error;
  } finally {
    stdin.close();
  }
}

/** `unstuck run`. */
export async function runRun(command: string[], flags: Record<string, unknown>): Promise<void> {
  try {
    const caller = takeCaller(command);
    if (caller.inherited.bytes.words.size === 0) checkArgv(command, 'run');
    const resolved = settingsFor(flags, { cwd: ownDirectory(), env: process.env });
    const { report, display, stdin, isInterrupted } = await runToEnd(command, resolved, caller);
    await display.end(report);
    const { json } = resolved.settings;
    const { signal, code } = endOf(report, { json, isInterrupted, writeError: display.writeError });
    if (signal !== null && stdin.leavesNoTrace) endBySignal(signal);
    endNow(code, display.isBlocked || stdin.isBlocked);
  } catch (error) {
    fail(error, flags.json === true);
  }
}
