import type { Readable } from 'node:stream';
import type { ProcessIdentity } from '../model/identity.js';
import { bootId } from '../probe/linux/identify.js';
import { parseStat } from '../probe/linux/stat.js';
import type { PseudoTerminal } from './pseudo-terminal.js';
import { shim } from './shim.js';
import { type ShimSpec, startShim, terminalEnds } from './start-shim.js';

export interface LaunchSpec extends ShimSpec {
  /** 1: stdout and stderr through one pipe, in exact order. */
  streams: 1 | 2;
  /** A descriptor of ours, or nothing. */
  stdin: number | null;
  /** What the command has instead of all three; null: no terminal. */
  terminal: PseudoTerminal | null;
}

/** A command on its way, kept by the shim. */
export interface Launched {
  /** The shim; not a member of the run's tree. */
  keeper: number;
  /** Who the command is; null: the shim ended before it said. */
  identity: Promise<ProcessIdentity | null>;
  /** What the shim saw it end with; null: the shim was killed. */
  exitCode: Promise<number | null>;
  /** Output that could not be logged. */
  live: { stdout: Readable; stderr: Readable };
  /** The shim is gone: everything the command ever printed has been drained. */
  drained: Promise<void>;
  /** Lets go of it: it lives on without us. */
  release(): void;
}

/** Starts the command under the shim, in a session of its own. Throws a Failure when it cannot be executed. */
export function launch(spec: LaunchSpec): Launched {
  const keeper = startShim(spec, {
    script: shim,
    streams: spec.terminal === null ? spec.streams : 'pty',
    input: '',
    stdio: [spec.stdin ?? 'ignore', 'pipe', 'pipe', 'pipe', ...terminalEnds(spec.terminal)],
  });
  const { identity, exitCode } = readControl(keeper.stdio[3] as Readable);
  const drained = new Promise<void>((resolve) => {
    keeper.once('close', () => resolve());
  });
  return {
    keeper: keeper.pid,
    identity,
    exitCode,
    live: { stdout: keeper.stdout as Readable, stderr: keeper.stderr as Readable },
    drained,
    release() {
      keeper.unref();
      for (const stream of keeper.stdio) (stream as Readable | null)?.destroy();
    },
  };
}

interface Told {
  identity: Promise<ProcessIdentity | null>;
  exitCode: Promise<number | null>;
}

/** `pid` with a line as in /proc/PID/stat, later `exit N`. */
function readControl(control: Readable): Told {
  const words = new Map<string, (rest: string | null) => void>();
  const told = (word: string) =>
    new Promise<string | null>((resolve) => {
      words.set(word, resolve);
    });
  const identity = told('pid').then((stat) => (stat === null ? null : identityOf(stat)));
  const exitCode = told('exit').then((status) => (status === null ? null : Number(status)));
  let text = '';
  control.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    for (const [, word = '', rest = ''] of text.matchAll(/^(\w+) (.*)\n/gm)) words.get(word)?.(rest);
  });
  control.once('close', () => {
    for (const resolve of words.values()) resolve(null);
  });
  control.on('error', () => {});
  return { identity, exitCode };
}

function identityOf(line: string): ProcessIdentity | null {
  const stat = parseStat(Buffer.from(line, 'latin1'));
  return stat === null ? null : { bootId: bootId(), pid: stat.pid, startTicks: stat.startTicks };
}
