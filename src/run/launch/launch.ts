import type { Duplex, Readable } from 'node:stream';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import { nothingInherited } from '../../model/run/inherited.js';
import { bootId, openPidfd, parseStat } from '../../probe/processes.js';
import type { OwnChild } from '../stop/own-child.js';
import type { PseudoTerminal } from './pseudo-terminal.js';
import { hasRoom, isSizeLimited } from './room.js';
import { shimSource } from './shim.js';
import { allotDescriptors, shimStdio } from './shim-descriptors.js';
import { hasBash, type ShimSpec, sessionWords, startShim } from './start-shim.js';
import { toolPath } from './tool-path.js';

export interface LaunchSpec extends ShimSpec {
  /** 1: stdout and stderr through one pipe, in exact order. */
  streams: 1 | 2;
  /** A descriptor of this process; null: no input. */
  stdin: number | null;
  /** Used for all three streams of the command; null: no terminal. */
  terminal: PseudoTerminal | null;
  /** The user of the terminal may stop the command with Ctrl-Z: called then. It goes on when the promise resolves. */
  suspended?: (() => Promise<void>) | undefined;
}

/** A command that was started under the shim. */
export interface Launched {
  /** The shim. It is not a member of the run's tree. null: it is in another place. */
  shim: number | null;
  /** The identity of the command; null: the shim ended before it reported one. */
  identity: Promise<ProcessIdentity | null>;
  /** The command, where only its pid is known (there is no /proc); null: its identity is known, or nothing is. */
  unseen: Promise<OwnChild | null>;
  /** The exit code that the shim reports; null: the shim was killed. */
  exitCode: Promise<number | null>;
  /** All output comes through `live`, whether or not it could be logged. */
  isLive: boolean;
  /** Output that could not be logged. */
  live: { stdout: Readable; stderr: Readable };
  /** The shim is gone, and all output of the command has been drained. */
  drained: Promise<void>;
  /** Detaches from the shim. The shim and the command live on. */
  release(): void;
}

/** Starts the command under the shim, in a session of its own. Throws a Failure when it cannot be executed. */
export function launch(spec: LaunchSpec): Launched {
  const { terminal, directory } = spec;
  const inherited = spec.inherited ?? nothingInherited;
  const isPty = terminal !== null;
  const { fd, lost, needsBash } = allotDescriptors(inherited.descriptors, { isPty, hasBash });
  const passed = inherited.descriptors.filter((number) => !lost.includes(number));
  const hasLittleRoom = directory !== null && (isSizeLimited() || !hasRoom(directory.path));
  const isCareful = hasLittleRoom && toolPath('tee') !== null;
  const { suspended } = spec;
  const isJob = isPty && suspended !== undefined;
  const shim = startShim(spec, {
    script: (before, shell) =>
      shimSource({
        fd,
        before,
        isCareful,
        jobLeader: isJob ? (sessionWords(shell) ?? []) : [],
        // A terminal takes the place of all three.
        ends: isPty ? [] : inherited.closed,
        closedByDrains: passed.filter((number) => needsBash || number < 10),
      }),
    needsBash,
    mayBeCareful: true,
    isJob: isJob && sessionWords([]) !== null,
    streams: isPty ? 'pty' : spec.streams,
    input: '',
    stdio: shimStdio(fd, {
      ends: [spec.stdin ?? 'ignore', 'pipe', 'pipe'],
      control: 'pipe',
      terminal,
      passed,
    }),
  });
  const control = readControl(shim.stdio[fd.control as 3] as Duplex, suspended);
  const drained = new Promise<void>((resolve) => {
    shim.once('close', () => resolve());
  });
  return {
    shim: shim.pid,
    ...control,
    isLive: directory === null || isCareful,
    live: { stdout: shim.stdout as Readable, stderr: shim.stderr as Readable },
    drained,
    release() {
      shim.unref();
      for (const stream of shim.stdio) (stream as Readable | null)?.destroy();
    },
  };
}

type Control = Pick<Launched, 'identity' | 'unseen' | 'exitCode'>;

/** `pid` with a line as in /proc/PID/stat, or a number alone; `stopped N` as often as it happens; later `exit N`. */
function readControl(control: Duplex, suspended: LaunchSpec['suspended']): Control {
  const words = new Map<string, (rest: string | null) => void>();
  const said = (word: string) =>
    new Promise<string | null>((resolve) => {
      words.set(word, resolve);
    });
  const stat = said('pid');
  const identity = stat.then((line) => (line === null ? null : identityOf(line)));
  const exitCode = said('exit').then((status) => (status === null ? null : Number(status)));
  const unseen = stat.then((line) => (line !== null && /^\d+$/.test(line) ? meet(Number(line)) : null));
  /** The command waits for the answer, so the descriptor that is opened here refers to the command. */
  const meet = (pid: number): OwnChild => {
    const child = holdChild(pid, exitCode);
    goOn();
    return child;
  };
  const goOn = () => void control.write('go\n');
  if (suspended !== undefined) words.set('stopped', () => void suspended().finally(goOn));
  let text = '';
  control.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const [, word = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
      words.get(word)?.(rest);
    }
  });
  control.once('close', () => {
    words.delete('stopped');
    for (const resolve of words.values()) resolve(null);
  });
  control.on('error', () => {});
  return { identity, unseen, exitCode };
}

function identityOf(line: string): ProcessIdentity | null {
  const stat = parseStat(Buffer.from(line, 'latin1'));
  return stat === null ? null : { bootId: bootId(), pid: stat.pid, startTicks: stat.startTicks };
}

/**
 * Holds the child by a descriptor where possible. It fails once the child has ended, even before the shim reports it.
 */
function holdChild(pid: number, exitCode: Promise<unknown>): OwnChild {
  const pidfd = openPidfd(pid);
  let hasEnded = false;
  void exitCode.then(() => {
    hasEnded = true;
    pidfd?.close();
  });
  return { pid, isThere: () => !hasEnded && (pidfd === null || pidfd.send(0)) };
}
