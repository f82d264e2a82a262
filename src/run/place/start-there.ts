import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../model/failure.js';
import { quoteWord } from '../../model/place.js';
import type { InputKind } from '../../model/run/background.js';
import { terminalSize } from '../../model/run/background.js';
import { PlaceRefusal, saidThere } from '../../places/refusals.js';
import type { PlaceSession } from '../../places/session.js';
import { pump } from '../input/shim-pump.js';
import { shimSource } from '../launch/shim.js';
import { fixedDescriptors as fd } from '../launch/shim-descriptors.js';

/** A command for a place. */
export interface StartThere {
  id: string;
  /** Words of a program, or a line for the login shell there. */
  command: readonly string[] | string;
  /** null: where the client puts it, such as the home directory. */
  cwd: string | null;
  /** Added to the environment there. */
  env: Record<string, string>;
  /** 1: one log for stdout and stderr. */
  streams: 1 | 2;
  input: InputKind;
}

const startMsMax = 20_000;
/**
 * A start that reaches its place later is not carried out. A connection that has stalled may pass it on at any time, when
 * its run counts as never started already.
 */
export const startValidMs = 60_000;
const connectAgainMs = 500;
/** A start whose answer was lost may not have shown yet in the place, which then refuses the next one. */
const refusedMax = 4;
/** The command line is one argument of a shell there. */
const scriptBytesMax = 1024 * 1024;

const logNames = { 1: ['output.log'], 2: ['stdout.log', 'stderr.log'] } as const;

/** Exit statuses of the script, and what they mean. */
const refusals: Record<number, (there: StartThere, place: string, text: string) => Failure> = {
  20: (_, place, text) =>
    new Failure(
      'cannot-write',
      `${place} cannot keep the run: ${text}`,
      'free some disk space there, or make HOME or /tmp writable',
    ),
  21: ({ cwd }, place) =>
    new Failure(
      'bad-input',
      `${place} has no directory ${cwd} that can be entered`,
      'name one that exists there: --cwd DIR',
    ),
  22: ({ command }, place) =>
    new Failure(
      'command-not-found',
      `${place} has no program ${JSON.stringify(command[0])}`,
      'check its name, or give its whole path there',
    ),
  25: (_, place) =>
    new Failure('no-place', `the request to start reached ${place} too late`, 'start it again'),
  24: (_, place) =>
    new Failure(
      'unsupported',
      `a terminal in ${place} needs the program script`,
      'install util-linux there, or use --stdin',
    ),
};

/** The script that starts a command, once however often it is run. `untilS`: not later, by how long the place is up. */
export function startScript(there: StartThere, untilS: number): string {
  const { id, command, cwd, env, streams, input } = there;
  const shim = shimSource({ fd });
  const text = input === 'none' ? shim : `${pump}\n${shim}`;
  const shell = env.SHELL ? quote(env.SHELL) : `"\${SHELL:-/bin/sh}"`;
  const words =
    typeof command === 'string'
      ? `set -- ${shell} -lc ${quote(command)}`
      : `set -- ${command.map(quote).join(' ')}`;
  const { rows, columns } = terminalSize;
  return [
    `up_dir_of ${id} && [ -e "$up_dir/claim" ] || {`,
    'read -r up_u up_x </proc/uptime',
    `[ "\${up_u%%.*}" -le ${untilS} ] || exit 25`,
    // Only the command gets them: PATH, IFS or BLOCK_SIZE would change what the programs of the session do.
    'up_enter() {',
    ...(cwd === null ? [] : [`cd -- ${quote(cwd)} 2>/dev/null || exit 21`]),
    ...Object.entries(env).map(([name, value]) => exportLine(name, value)),
    ':',
    '}',
    words,
    '(up_enter; command -v -- "$1" >/dev/null 2>&1 || [ -x "$1" ] || exit 22) || exit $?',
    ...(input === 'pty' ? ['command -v script >/dev/null || exit 24'] : []),
    // A refused start leaves nothing behind. Its files cannot be removed: another one may have begun to use them.
    `up_make ${id} ${logNames[streams].join(' ')} || exit 20`,
    `up_shim_text=${quote(text)}`,
    `up_name=${id}`,
    input === 'pty'
      ? `up_pty ${rows} ${columns} "$@" || exit $?`
      : `up_launch ${streams} ${input} ${id} "$@" || exit 20`,
    '}',
    `up_watch ${id} ${logNames[streams].map(() => 0).join(' ')}`,
  ].join('\n');
}

/**
 * Starts a command in a place. When an answer is lost, the start is repeated, which finds the first one. Throws a Failure when
 * it was certainly not started. false: that is not known, because the place did not answer any more, or `abort` ended it.
 */
export async function startThere(
  session: PlaceSession,
  there: StartThere,
  abort?: AbortSignal,
): Promise<boolean> {
  const upMs = await session.ready();
  const endMs = performance.now() + startValidMs;
  const script = startScript(there, Math.floor((upMs + startValidMs) / 1000));
  if (Buffer.byteLength(script) > scriptBytesMax) {
    throw new Failure('too-large', 'the command is too long for a place', 'put it into a file there');
  }
  let wasLost = false;
  let refused = 0;
  while (performance.now() < endMs) {
    try {
      await session.ready();
      await startOnce(session, there, script);
      return true;
    } catch (error) {
      if (abort?.aborted) return false;
      // Without an earlier start there is nothing to find there.
      if (error instanceof PlaceRefusal && (error.isGone || !wasLost)) throw error;
      if (!(error instanceof Failure)) throw error;
      if (error.code === 'no-place') wasLost = true;
      else refused += 1;
      if (refused > (wasLost ? refusedMax : 0)) throw error;
      await delay(connectAgainMs);
    }
  }
  return false;
}

async function startOnce(session: PlaceSession, there: StartThere, script: string): Promise<void> {
  // The answer and the first output come together.
  session.early.expect(there.id);
  const { status, text } = await session.request(script, startMsMax);
  if (status === 0) return;
  session.early.forget(there.id);
  const refusal = refusals[status];
  if (refusal !== undefined) throw refusal(there, session.place.name, saidThere(text));
  throw new Failure(
    'cannot-start',
    `${session.place.name} could not start it: ${saidThere(text)}`,
    'see: unstuck doctor --on PLACE',
  );
}

function quote(word: string): string {
  return word === '' ? "''" : quoteWord(word);
}

/** A name that no shell knows is set by `env`, but then the shell of the shim would drop it. */
function exportLine(name: string, value: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `export ${name}=${quote(value)}`;
  throw new Failure(
    'bad-input',
    `${JSON.stringify(name)} cannot be a variable in another place`,
    'use letters, digits and _',
  );
}
