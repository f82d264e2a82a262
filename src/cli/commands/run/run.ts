import fs from 'node:fs';
import type { OptionKey } from '../../../config/options.js';
import type { ResolvedSettings } from '../../../config/resolve.js';
import type { RunSettings } from '../../../config/run-settings.js';
import { type Caller, takeCaller } from '../../../control/caller.js';
import { settingsFor } from '../../../control/config.js';
import {
  type AttemptPlan,
  ownDirectory,
  type RunHandle,
  type RunRequest,
  startRun,
} from '../../../control/run.js';
import { signalName } from '../../../model/facts/signals.js';
import { Failure } from '../../../model/failure.js';
import type { RetryEvent, RunEvent, RunReport } from '../../../model/run/run.js';
import { checkArgv } from '../../shared/check-argv.js';
import { endBySignal, endNow } from '../../shared/end-now.js';
import { fail } from '../../shared/fail.js';
import { SignalRelay } from '../../shared/signal-relay.js';
import { RunDisplay } from './display.js';
import { endOf } from './end-of-run.js';
import { type RunStdin, runStdin } from './stdin.js';
import { isOnTerminal, type RunTerminal, runTerminal } from './terminal.js';

/** A closed descriptor is not an output. */
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

type Wishes = Pick<ResolvedSettings, 'settings' | 'projectLimits'> & {
  /** Another place to run in; null: this machine. */
  on: string | null;
  /** Whether the user has chosen the value of an option. */
  isGiven(key: OptionKey): boolean;
};

/** At a terminal the command gets one too, so that colours, keys and Ctrl-Z are as without us. */
function terminalFor({ settings, isGiven }: Wishes, warn: (message: string) => void): RunTerminal | null {
  const isWanted = settings.pty || (!isGiven('pty') && keepsTerminal(settings));
  const terminal = isWanted ? runTerminal(settings.stdin, warn) : null;
  if (terminal === null && settings.pty)
    throw new Failure('unsupported', 'cannot allocate a pseudo-terminal', 'leave out --pty');
  return terminal;
}

const keepsTerminal = ({ json, stdin }: RunSettings) =>
  !json && (stdin === 'auto' || stdin === 'inherit') && isOnTerminal();

/** A variable that names our terminal names that of the command instead. */
function envOn(terminal: RunTerminal | null, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (terminal?.kept == null || env.GPG_TTY === undefined) return env;
  return env.GPG_TTY === fs.readlinkSync('/proc/self/fd/0')
    ? { ...env, GPG_TTY: terminal.terminal.name }
    : env;
}

/** A place needs code that a run on this machine does not load. */
async function startAnywhere(
  on: string | null,
  request: RunRequest,
  signals: SignalRelay,
): Promise<RunHandle> {
  if (on === null) return startRun(request);
  const { startRunThere } = await import('../../../control/elsewhere/run-there.js');
  return startRunThere(on, request, signals.unstarted);
}

interface Ended {
  report: RunReport;
  display: RunDisplay;
  stdin: RunStdin;
  isInterrupted: boolean;
}

async function runToEnd(
  command: readonly string[],
  { settings, projectLimits, isGiven, on }: Wishes,
  { inherited, env }: Caller,
  signals: SignalRelay,
  attempt?: AttemptPlan,
): Promise<Ended> {
  const early: RunEvent[] = [];
  let display: RunDisplay | null = null;
  const listen = (event: RunEvent) => {
    if (event.kind === 'started' && event.pid !== null)
      terminal?.kept?.onSignal(event.pid, (signal) => signals.share(signal));
    if (display === null) early.push(event);
    else display.event(event);
  };
  const warn = (message: string) => listen({ at: new Date().toISOString(), kind: 'warning', message });
  const terminal = on === null ? terminalFor({ settings, projectLimits, isGiven, on }, warn) : null;
  const stdin = terminal?.stdin ?? runStdin(settings.stdin, warn);
  const kept = terminal?.kept ?? null;
  let retry: RetryEvent | null = null;
  // A person who sees the questions can answer them.
  const quietEnv = settings.quietEnv && (kept === null || isGiven('quietEnv'));
  try {
    const isOne = isSameOutput();
    const handle = await startAnywhere(
      on,
      {
        command,
        settings: { ...settings, quietEnv },
        projectLimits,
        cwd: ownDirectory(),
        env: envOn(terminal, env),
        openFiles: inherited.openFiles,
        inherited,
        streams: terminal !== null || (isOne && !settings.json) ? 1 : 2,
        stdin: stdin.fd,
        terminal: terminal?.terminal ?? null,
        suspended: kept?.suspended,
        canAnswer: stdin.canAnswer,
        attempt: attempt && {
          ...attempt,
          goesOn(report, file) {
            const isWanted = kept?.isInterrupted !== true && display?.writeError === null;
            retry = isWanted ? attempt.goesOn(report, file) : null;
            return retry;
          },
        },
        output: (stream, chunk) => (display as RunDisplay).output(stream, chunk),
        outputFrom: (stream, piece) => (display as RunDisplay).outputFrom(stream, piece),
        listen,
      },
      signals,
    );
    stdin.started();
    display = new RunDisplay(settings, handle, { isOneOutput: isOne, kept });
    for (const event of early) display.event(event);
    signals.to(handle, display, kept !== null);
    const report = await handle.done;
    await display.end(report, retry);
    // The relay stays: a signal that comes after the end of the command must not become the end of this process.
    const isInterrupted = signals.isInterrupted || kept?.isInterrupted === true;
    return { report, display, stdin, isInterrupted };
  } finally {
    stdin.close();
  }
}

/** Runs the command, and again if it fails and that is wanted. */
async function runAttempts(command: readonly string[], wishes: Wishes, caller: Caller): Promise<Ended> {
  const { retry } = wishes.settings;
  const signals = new SignalRelay(caller.inherited.ignored.map(signalName));
  const run = (attempt?: AttemptPlan) => runToEnd(command, wishes, caller, signals, attempt);
  try {
    if (retry === 0) return await run();
    const { withRetries } = await import('../../../control/run-attempts.js');
    return await withRetries({ retry, run, mayGoOn: () => !signals.isStopped });
  } catch (error) {
    signals.close();
    throw error;
  }
}

/** `unstuck run`. */
export async function runRun(command: string[], flags: Record<string, unknown>, on?: string): Promise<void> {
  try {
    const caller = takeCaller(command);
    if (caller.inherited.bytes.words.size === 0) checkArgv(command);
    const resolved = settingsFor(flags, { cwd: ownDirectory(), env: process.env });
    const isGiven = (key: OptionKey) =>
      resolved.origins.some((one) => one.key === key && one.origin !== 'default');
    const { report, display, stdin, isInterrupted } = await runAttempts(
      command,
      { ...resolved, isGiven, on: on ?? null },
      caller,
    );
    const { json } = resolved.settings;
    const { signal, code } = endOf(report, { json, isInterrupted, writeError: display.writeError });
    if (signal !== null && stdin.leavesNoTrace) endBySignal(signal);
    endNow(code, display.isBlocked || stdin.isBlocked);
  } catch (error) {
    fail(error, flags.json === true);
    if (error instanceof Failure && 'signal' in error) endBySignal(error.signal as NodeJS.Signals);
  }
}
