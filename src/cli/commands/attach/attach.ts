import { GrowingFile } from '../../../control/local/growing-file.js';
import type { OperationOutput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { canDraw } from '../../output/color.js';
import { PassingWriter } from '../../output/passing-writer.js';
import { note, noteLost } from '../../output/print.js';
import { type Call, withDaemon } from '../../shared/call.js';
import { hungUpCode, isTerminalGone } from '../../shared/end-now.js';
import { onInterrupt } from '../../shared/on-interrupt.js';
import { runName, shortId } from '../../shared/short-id.js';
import { awaitExit, codeOf, endedLine } from '../wait/await-exit.js';
import { parseDetachKeys } from './detach-keys.js';
import { attachInput } from './input.js';
import { attachSize } from './size.js';
import { TerminalModes } from './terminal-modes.js';

export interface AttachFlags {
  detachKeys: string;
}

type Place = OperationOutput<'inspect'>;

/** How far back in the log to search for terminal modes that the program has set. */
const modesBytes = 4 * 1024 * 1024;

/** How attaching ended; the exit code of a run that ended becomes ours. */
type End =
  | { kind: 'detached'; code: number }
  | { kind: 'ended'; output: OperationOutput<'wait'> | null }
  | { kind: 'failed'; error: unknown };

/** Shows the output, starting with the last screenful. */
async function show({ log, logStart, input }: Place, signal: AbortSignal): Promise<string> {
  const file = new GrowingFile(log, logStart);
  const out = new PassingWriter(1);
  const modes = new TerminalModes();
  const isTerminal = input === 'pty' && canDraw(process.stdout);
  try {
    const from = file.lastLines(process.stdout.rows || 24);
    if (isTerminal) {
      await file.pass(Math.max(file.first, from - modesBytes), (chunk) => modes.read(chunk), from);
      await out.write(Buffer.from(modes.enter));
    }
    const pass = (chunk: Buffer) => {
      if (isTerminal) modes.read(chunk);
      return out.write(chunk);
    };
    await file.follow(from, pass, signal);
    return isTerminal ? modes.leave : '';
  } finally {
    file.close();
  }
}

/** Runs until the run ends, the user detaches, or an error occurs. */
async function attached(call: Call, place: Place, keys: Buffer): Promise<End> {
  const { id, input } = place;
  const stop = new AbortController();
  const restores: (() => void)[] = [];
  const shown = show(place, stop.signal);
  try {
    return await new Promise<End>((resolve) => {
      const detach = (code: number) => resolve({ kind: 'detached', code });
      const failed = (error: unknown) =>
        isTerminalGone() ? detach(hungUpCode) : resolve({ kind: 'failed', error });
      restores.push(onInterrupt(detach, { newLine: false }));
      restores.push(attachInput({ call, id, isPty: input === 'pty', keys, detach, failed }));
      if (input === 'pty') restores.push(attachSize(call, id));
      awaitExit(call, id, stop.signal).then((output) => resolve({ kind: 'ended', output }), failed);
      shown.catch(failed);
    });
  } finally {
    for (const restore of restores.reverse()) restore();
    stop.abort();
    const leave = await shown.catch(() => '');
    if (process.stdout.isTTY) process.stdout.write(leave);
  }
}

/** `shown`: the run as the line names it. */
function report(end: End, name: string, shown: string): void {
  if (end.kind === 'failed') throw end.error;
  process.exitCode = end.kind === 'detached' ? end.code : codeOf(end.output);
  // Its last line may be unfinished.
  const lead = process.stdout.isTTY && process.stderr.isTTY ? '\r\n' : '';
  const message =
    end.kind === 'detached'
      ? `detached, the run goes on. To return: unstuck attach ${name}`
      : endedLine(shown, end.output);
  note(`${lead}${message}`);
  if (end.kind !== 'detached' && end.output !== null) noteLost(end.output);
}

/** Names the keys that detach. */
function attachedLine(shown: string, { input }: Place, { detachKeys }: AttachFlags): string {
  const leave = input === 'pty' ? `${detachKeys} detaches` : 'Ctrl-C detaches, Ctrl-D closes its input';
  return `attached to ${shown}: ${leave}`;
}

export async function attach(call: Call, id: string, flags: AttachFlags): Promise<void> {
  const keys = parseDetachKeys(flags.detachKeys);
  const place = await call('inspect', { id });
  const name = shortId(place.id);
  if (place.input === 'none') {
    throw new Failure(
      'input-closed',
      `${runName(id, place.id)} takes no input: it was started without --stdin or --pty`,
      `follow its output: unstuck log ${name} -f`,
    );
  }
  if (process.stdin.isTTY && process.stderr.isTTY) note(attachedLine(runName(id, place.id), place, flags));
  const end = await attached(call, place, keys);
  // The run may end while a key is being sent.
  const late = end.kind === 'failed' && end.error instanceof Failure && end.error.code === 'run-ended';
  report(
    late ? { kind: 'ended', output: await awaitExit(call, place.id, AbortSignal.timeout(5000)) } : end,
    name,
    runName(id, place.id),
  );
}

/** `unstuck attach`. */
export const runAttach = (id: string, flags: AttachFlags) =>
  withDaemon({}, (call) => attach(call, id, flags));
