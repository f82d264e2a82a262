import fs from 'node:fs';
import type { RunSettings } from '../config/run-settings.js';
import { settingsHere } from '../control/config.js';
import { githubError, type RunHandle, startRun } from '../control/run.js';
import type { RunEvent, RunReport } from '../model/run.js';
import { endNow } from './end-now.js';
import { fail } from './fail.js';
import { RunDisplay } from './run-display.js';
import { runStdin } from './run-stdin.js';
import { runTerminal } from './run-terminal.js';

const interrupting = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** A descriptor that was closed for us is no output. */
function stat(fd: number): fs.Stats | null {
  try {
    return fs.fstatSync(fd);
  } catch {
    return null;
  }
}

/** Both lead to the same file, pipe or terminal: then their order counts. */
function isSameOutput(): boolean {
  const [out, err] = [stat(1), stat(2)];
  return out !== null && err !== null && out.dev === err.dev && out.ino === err.ino && out.rdev === err.rdev;
}

/** What a terminal and CI send us goes to the tree. Returns how to stop that. */
function passSignals(handle: RunHandle, display: RunDisplay): () => void {
  const interrupt = (signal: NodeJS.Signals) => {
    display.hurry();
    handle.interrupt(signal);
  };
  const pause = () => {
    void handle.pass('SIGTSTP').finally(() => process.kill(process.pid, 'SIGSTOP'));
  };
  const goOn = () => void handle.pass('SIGCONT');
  for (const signal of interrupting) process.on(signal, interrupt);
  process.on('SIGTSTP', pause);
  process.on('SIGCONT', goOn);
  return () => {
    for (const signal of interrupting) process.off(signal, interrupt);
    process.off('SIGTSTP', pause);
    process.off('SIGCONT', goOn);
  };
}

async function runToEnd(
  command: readonly string[],
  settings: RunSettings,
): Promise<{ report: RunReport; display: RunDisplay }> {
  const early: RunEvent[] = [];
  let display: RunDisplay | null = null;
  const listen = (event: RunEvent) => {
    if (display === null) early.push(event);
    else display.event(event);
  };
  const warn = (message: string) => listen({ at: new Date().toISOString(), kind: 'warning', message });
  const { stdin, terminal } = settings.pty
    ? runTerminal(settings.stdin)
    : { stdin: runStdin(settings.stdin, warn), terminal: null };
  const isOne = isSameOutput();
  const handle = startRun({
    command,
    settings,
    cwd: process.cwd(),
    env: process.env,
    streams: settings.pty || (isOne && !settings.json) ? 1 : 2,
    stdin: stdin.fd,
    terminal,
    canAnswer: stdin.canAnswer,
    output: (stream, chunk) => (display as RunDisplay).output(stream, chunk),
    listen,
  });
  stdin.started();
  display = new RunDisplay(settings, handle, isOne);
  for (const event of early) display.event(event);
  const release = passSignals(handle, display);
  try {
    return { report: await handle.done, display };
  } finally {
    release();
    stdin.close();
  }
}

/** `unstuck run`. */
export async function runRun(command: string[], flags: Record<string, unknown>): Promise<void> {
  try {
    const { settings } = settingsHere(flags);
    const { report, display } = await runToEnd(command, settings);
    display.end(report);
    const annotation = report.outcome === 'exited' || settings.json ? null : githubError(report);
    if (annotation !== null) process.stderr.write(`${annotation}\n`);
    endNow(report.exitCode, display.isBlocked);
  } catch (error) {
    fail(error, flags.json === true);
  }
}
