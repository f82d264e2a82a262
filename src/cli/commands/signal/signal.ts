import { Failure } from '../../../model/failure.js';
import { type SendableSignal, sendableSignals } from '../../../model/run/sendable-signals.js';
import { printJson, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { shortId } from '../../shared/short-id.js';

const instead: Record<string, string> = {
  SIGKILL: 'use: unstuck kill ID --grace 0',
  SIGSTOP: 'use: unstuck pause ID',
  SIGTSTP: 'use: unstuck pause ID',
  SIGCONT: 'use: unstuck resume ID',
};

/** `HUP`, `sighup` and `SIGHUP` are the same. */
export function readSignal(text: string): SendableSignal {
  const name = `SIG${text.toUpperCase().replace(/^SIG/, '')}`;
  const found = sendableSignals.find((one) => one === name);
  if (found !== undefined) return found;
  const hint = instead[name] ?? `use one of ${sendableSignals.map((one) => one.slice(3)).join(', ')}`;
  throw new Failure('bad-input', `${JSON.stringify(text)} is not a signal that can be sent`, hint);
}

export async function signal(call: Call, id: string, name: string, flags: JsonFlag): Promise<void> {
  const output = await call('signal', { id, signal: readSignal(name) });
  if (flags.json) return printJson(output);
  const { pids } = output;
  say(
    `${output.signal} sent to ${shortId(output.id)}: ${pids.length === 1 ? 'process' : 'processes'} ${pids.join(', ')}`,
  );
}

/** `unstuck signal`. */
export const runSignal = (id: string, name: string, flags: JsonFlag) =>
  withDaemon(flags, (call) => signal(call, id, name, flags));
